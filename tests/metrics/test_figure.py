"""What figures of a run are called: measures by their canonical names, scorers by any."""

import pytest

from rankle.metrics.figure import ScorerName, ranks, read_figure
from rankle.metrics.measure import parse_measure


@pytest.mark.parametrize(
    "name", ["nDCG@10", "nDCG(gain=exp2)@10", "R@5", "AP", "exact", "recall", "map", "R@05", "", "R@5 "]
)
def test_a_name_is_read_as_what_it_says_and_nothing_else(name: str) -> None:
    assert str(read_figure(name)) == name


@pytest.mark.parametrize("name", ["nDCG(gain=exp2)@10", "R@5", "AP", "Judged@10"])
def test_the_canonical_name_of_a_measure_is_that_measure(name: str) -> None:
    assert read_figure(name) == parse_measure(name)


@pytest.mark.parametrize("name", ["map", "recall@5", "mrr", "Levenshtein", "R"])
def test_another_spelling_of_a_measure_is_the_name_of_a_scorer(name: str) -> None:
    figure = read_figure(name)
    assert figure == ScorerName(name)
    assert (figure.title, figure.k, figure.rel, figure.parameters) == (name, None, 1, ())


def test_a_scorer_is_of_no_family_that_measures_have() -> None:
    assert read_figure("AP").family != ScorerName("AP").family
    assert ScorerName("exact").family != ScorerName("contains").family


def test_runs_are_compared_by_scorers_but_not_by_what_describes_the_judgments() -> None:
    assert [ranks(read_figure(name)) for name in ("exact", "nDCG@10", "Judged@10")] == [True, True, False]
