"""Whether methods differ: paired differences against the first, worked out by hand."""

from collections.abc import Sequence

import pytest
from rich.cells import cell_len

from fakes.runs import run_report
from rankle.core.run import RunReport
from rankle.reports.differences import difference_lines, differences, main_measure


def runs(*scores: Sequence[float | None]) -> list[RunReport]:
    """A run a list, with the nDCG@10 of one query an entry; None where it failed."""
    return [run_report(f"m{n}", {"nDCG@10": values}) for n, values in enumerate(scores)]


NONE, ALL = [0.0] * 6, [1.0] * 6


def test_each_further_run_is_tested_against_the_first_and_adjusted_by_holm() -> None:
    """Six wins of six: of 64 flips, those of none and of all are as extreme, p = 2/64; twice that by Holm."""
    better, equal = differences(runs(NONE, ALL, NONE), "nDCG@10")
    assert better.test is not None
    assert (better.test.difference, better.test.p_value, better.p_holm) == (1.0, 2 / 64, 4 / 64)
    assert (better.test.wins, better.test.ties, better.test.losses) == (6, 0, 0)
    assert equal.test is not None
    assert (equal.test.p_value, equal.p_holm, equal.test.ties) == (1.0, 1.0, 6)


def test_a_difference_is_over_the_queries_that_both_scored() -> None:
    (one,) = differences(runs([0.5, None, 0.5], [1.0, 1.0, None]), "nDCG@10")
    assert one.test is not None
    assert (one.n, one.test.difference) == (1, 0.5)
    (none,) = differences(runs([0.5, None], [None, 0.5]), "nDCG@10")
    assert (none.n, none.test, none.p_holm) == (0, None, None)


def test_two_methods_need_no_adjustment() -> None:
    assert difference_lines(runs(NONE, ALL), ["fts5", "hybrid"]) == [
        "Differences in NDCG@10, query by query, from fts5",
        "                difference  95% interval      p        won/tied/lost",
        "hybrid          +1.000      +1.000 to +1.000  0.0312   6/0/0",
        "More than chance (p at most 0.05): hybrid (better).",
        "Queries: 6 scored by both",
    ]


def test_of_several_methods_the_adjusted_p_decides() -> None:
    """Here 0.0312 is no proof any more, since two were tried."""
    assert difference_lines(runs(NONE, ALL, NONE), ["fts5", "hybrid", "vector"]) == [
        "Differences in NDCG@10, query by query, from fts5",
        "                difference  95% interval      p        Holm p   won/tied/lost",
        "hybrid          +1.000      +1.000 to +1.000  0.0312   0.0625   6/0/0",
        "vector          0.000       0.000 to 0.000    1.0000   1.0000   0/6/0",
        "None is more than chance (Holm p above 0.05). That does not show that they are",
        "equal.",
        "Queries: 6 scored by both",
    ]


def test_how_small_a_difference_would_show_stands_below_where_the_queries_vary() -> None:
    """30 differences of deviation 0.166: by the t test at 0.05, (t 2.045 + 0.854) times 0.166 / √30."""
    lines = difference_lines(runs([0.5] * 30, [0.3, 0.7, 0.5] * 10, [0.5] * 30), ["a", "b", "c"])
    (line,) = [line for line in lines if "show 4 times" in line]
    assert line == "Smallest difference that such queries show 4 times in 5: 0.088 (b)"


def test_what_is_worse_says_so_with_a_minus() -> None:
    lines = difference_lines(runs([1.0] * 8, [0.25] * 8), ["a", "b"])
    assert "−0.750" in lines[2]
    assert lines[3] == "More than chance (p at most 0.05): b (worse)."


def test_too_few_queries_have_no_interval() -> None:
    lines = difference_lines(runs([0.0] * 3, [1.0] * 3), ["a", "b"])
    assert lines[2].split() == ["b", "+1.000", "—", "0.2500", "3/0/0"]


def test_different_denominators_are_told_apart() -> None:
    found = runs([0.1, 0.2], [0.1, None], [0.2, 0.2], [None, None])
    lines = difference_lines(found, ["a", "b", "c", "d"])
    assert "d: no query was scored by both" in lines
    assert lines[-1] == "Queries scored by both: 1 with b, 2 with c, 0 with d"


@pytest.mark.parametrize("width", [40, 60, 80])
def test_every_line_fits_the_width(width: int) -> None:
    names = ["fts5", "a-method-with-a-long…", "b"]
    lines = difference_lines(runs(NONE, ALL, [0.5] * 6), names, width=width)
    assert max(map(cell_len, lines)) <= width


@pytest.mark.parametrize(
    ("measures", "expected"),
    [
        (["R@10", "nDCG@1", "nDCG@10", "nDCG@5", "AP"], "nDCG@10"),
        (["nDCG@10", "nDCG"], "nDCG"),
        (["nDCG(gain=exp2)@20", "nDCG@10"], "nDCG(gain=exp2)@20"),
        (["Judged@10", "AP", "R@10"], "AP"),
        (["Judged@10"], None),
    ],
)
def test_the_main_measure_is_ndcg_at_its_largest_cut(measures: list[str], expected: str | None) -> None:
    run = run_report("m", {name: [0.5] for name in measures})
    assert main_measure(run) == expected
    if expected is None:
        assert difference_lines([run, run], ["a", "b"]) == []
