"""What a method answers worse than the first: which queries, in which order, and what became of them."""

from collections.abc import Sequence

import msgspec
import pytest
from rich.cells import cell_len

from fakes.runs import run_report
from rankle.core.run import RunReport, TargetReport
from rankle.reports.moves import worse_lines


def run(*scores: float | None) -> RunReport:
    return run_report("m", {"nDCG@10": scores})


def worse(first: RunReport, other: RunReport, *, worst: int = 10, width: int = 80) -> Sequence[str]:
    return worse_lines(first, other, names=("fts5", "hybrid"), measure="nDCG@10", worst=worst, width=width)


def test_the_queries_that_fell_stand_in_the_order_of_their_fall() -> None:
    """By 1/2, 3/4 and 3/8."""
    first, other = run(0.5, 1.0, 0.5, 0.5, 0.5), run(0.0, 0.25, 0.75, 0.5, 0.125)
    assert worse(first, other) == [
        "Worse with hybrid than with fts5, by NDCG@10 (3)",
        "   1. text 1  (q1)",
        "      1.000 → 0.250; no hits in top 10",
        "   2. text 0  (q0)",
        "      0.500 → 0.000; no hits in top 10",
        "   3. text 4  (q4)",
        "      0.500 → 0.125; no hits in top 10",
    ]


def test_no_more_are_shown_than_asked_for() -> None:
    first, other = run(1.0, 1.0, 1.0), run(0.1, 0.2, 0.3)
    lines = worse(first, other, worst=2)
    assert lines[0].endswith("(2 of 3)")
    assert len(lines) == 5
    assert worse(first, other, worst=0) == []


def test_where_nothing_is_worse_nothing_is_said() -> None:
    assert worse(run(0.5, 0.3), run(0.5 - 1e-12, 0.9)) == []


def test_only_queries_that_both_scored_can_be_worse() -> None:
    lines = worse(run(None, 1.0, 1.0), run(0.0, None, 0.5))
    assert [line for line in lines if "text" in line] == ["   1. text 2  (q2)"]


def test_it_says_where_the_targets_were_lost() -> None:
    other = run(0.0)
    target = TargetReport(id="a", grade=1, relevant=True, rank=12, rank_at={"fts5": 1}, lost_at="fused out")
    query = msgspec.structs.replace(other.queries[0], targets=[target], first_relevant_rank=12)
    lines = worse(run(1.0), msgspec.structs.replace(other, queries=[query]))
    assert lines[-1] == "      1.000 → 0.000; no hits in top 10, the first at rank 12; lost: fused out"


@pytest.mark.parametrize("width", [40, 80])
def test_every_line_fits_the_width(width: int) -> None:
    first, other = run(*[1.0] * 12), run(*[0.0] * 12)
    assert max(map(cell_len, worse(first, other, width=width))) <= width
