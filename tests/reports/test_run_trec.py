"""Runs as TREC text: trec_eval must rank them as the system did."""

import msgspec
import pytest

from fakes.exported_runs import two_runs
from fakes.runs import run_report
from rankle.core.errors import InputError
from rankle.core.run import ResultReport, RunReport
from rankle.reports.run_trec import keeps_order, render_trec_run


def ranked(*found: tuple[str, float]) -> RunReport:
    run = run_report("fts5", {"AP": [1.0]})
    results = [
        ResultReport(rank=rank, id=name, document=name, score=score, grade=None, chunks=[])
        for rank, (name, score) in enumerate(found, start=1)
    ]
    return msgspec.structs.replace(run, queries=[msgspec.structs.replace(run.queries[0], results=results)])


def test_scores_that_keep_the_order_are_written_to_the_last_digit() -> None:
    run = ranked(("a", 2.123456789012345), ("b", 1.0))
    assert keeps_order(run)
    assert render_trec_run([run]) == "q0 Q0 a 1 2.123456789012345 fts5\nq0 Q0 b 2 1.0 fts5\n"


@pytest.mark.parametrize(
    "found",
    [
        [("a", 1.0), ("b", 1.0)],
        [("a", 1.0), ("b", 2.0)],
        [("a", 1.00000000002), ("b", 1.00000000001)],
    ],
    ids=["a tie that ids break otherwise", "scores that rise", "a tie in single precision"],
)
def test_where_trec_eval_would_sort_otherwise_scores_come_from_ranks(found: list[tuple[str, float]]) -> None:
    run = ranked(*found)
    assert not keeps_order(run)
    assert render_trec_run([run]) == "q0 Q0 a 1 2.0 fts5\nq0 Q0 b 2 1.0 fts5\n"


def test_a_tie_that_ids_break_alike_keeps_its_scores() -> None:
    assert keeps_order(ranked(("b", 1.0), ("a", 1.0)))


def test_several_runs_are_refused() -> None:
    with pytest.raises(InputError, match="holds one run, and here are 2: fts5, hybrid"):
        render_trec_run(two_runs())
