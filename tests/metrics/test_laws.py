"""Laws that hold for every measure in the table."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankle.metrics.engine import compute
from rankle.metrics.family import Cut, Family
from rankle.metrics.judged import JudgedRanks
from rankle.metrics.measure import Measure
from rankle.metrics.table import FAMILIES

few = settings(max_examples=30, deadline=None)  # times the number of families
TARGETS = [f"d{i}" for i in range(12)]
judgments = st.dictionaries(st.sampled_from(TARGETS), st.integers(-1, 4), max_size=10)
rankings = st.lists(st.sampled_from([*TARGETS, "u1", "u2", "u3"]), unique=True, max_size=12)
queries = st.lists(st.tuples(rankings, judgments), min_size=1, max_size=6)

every_measure = pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
every_score = pytest.mark.parametrize(
    "family", [family for family in FAMILIES if family.scores_relevance], ids=lambda family: family.name
)


def members(family: Family) -> list[Measure]:
    """The family at some cuts and levels of relevance."""
    by_cut: dict[Cut, list[int | None]] = {
        Cut.NONE: [None],
        Cut.OPTIONAL: [None, 1, 3, 10],
        Cut.REQUIRED: [1, 3, 10],
    }
    cuts = by_cut[family.cut]
    found = [
        Measure(family.name, k=k, rel=rel) for k in cuts for rel in ([1, 2] if family.takes_rel else [1])
    ]
    if family.name == "nDCG":
        found += [Measure("nDCG", k=k, parameters=(("gain", "exp2"),)) for k in cuts]
    return found


def values(family: Family, cases: list[tuple[list[str], dict[str, int]]]) -> list[np.ndarray]:
    judged = JudgedRanks.from_lists([results for results, _ in cases], [grades for _, grades in cases])
    return list(compute(judged, members(family), undefined="zero").values())


@every_measure
@few
@given(cases=queries)
def test_values_stay_within_0_and_1(family: Family, cases: list[tuple[list[str], dict[str, int]]]) -> None:
    for column in values(family, cases):
        assert column.shape == (len(cases),)
        assert np.all((column >= 0) & (column <= 1 + 1e-12))


@every_measure
@few
@given(cases=queries, data=st.data())
def test_the_order_of_queries_is_irrelevant(
    family: Family, cases: list[tuple[list[str], dict[str, int]]], data: st.DataObject
) -> None:
    order = data.draw(st.permutations(range(len(cases))))
    for column, shuffled in zip(
        values(family, cases), values(family, [cases[i] for i in order]), strict=True
    ):
        np.testing.assert_array_equal(column[list(order)], shuffled)


@every_measure
@few
@given(cases=queries)
def test_queries_do_not_know_each_other(
    family: Family, cases: list[tuple[list[str], dict[str, int]]]
) -> None:
    together = values(family, cases)
    for index, case in enumerate(cases):
        for column, alone in zip(together, values(family, [case]), strict=True):
            assert column[index] == alone[0]


@every_score
@few
@given(ranking=rankings, grades=judgments)
def test_a_perfect_ranking_scores_highest(family: Family, ranking: list[str], grades: dict[str, int]) -> None:
    # of a measure at rel, the perfect ranking holds what is relevant at rel and nothing else
    for measure in members(family):
        ideal = sorted((d for d in grades if grades[d] >= measure.rel), key=lambda d: -grades[d])
        judged = JudgedRanks.from_lists([ranking, ideal], [grades, grades])
        any_score, best = compute(judged, [measure], undefined="zero")[measure]
        assert any_score <= best + 1e-5  # infAP smooths by 0.00001


@every_score
@few
@given(ranking=rankings, grades=judgments, data=st.data())
def test_a_duplicate_result_never_raises_a_score(
    family: Family, ranking: list[str], grades: dict[str, int], data: st.DataObject
) -> None:
    if not ranking:
        return
    again = data.draw(st.sampled_from(ranking))
    place = data.draw(st.integers(0, len(ranking)))
    twice = [*ranking[:place], again, *ranking[place:]]
    first = list(dict.fromkeys(twice))
    for doubled, single in zip(
        values(family, [(twice, grades)]), values(family, [(first, grades)]), strict=True
    ):
        assert doubled[0] == single[0]


@every_score
@few
@given(ranking=rankings, grades=judgments)
def test_appending_what_is_not_relevant_never_raises_a_score(
    family: Family, ranking: list[str], grades: dict[str, int]
) -> None:
    longer = [*ranking, "nonrel"]
    with_zero = {**grades, "nonrel": 0}
    for before, after in zip(
        values(family, [(ranking, with_zero)]), values(family, [(longer, with_zero)]), strict=True
    ):
        assert after[0] <= before[0] + 1e-15


@every_score
@few
@given(ranking=rankings, grades=judgments, data=st.data())
def test_moving_a_relevant_result_up_past_a_nonrelevant_one_never_lowers_a_score(
    family: Family, ranking: list[str], grades: dict[str, int], data: st.DataObject
) -> None:
    def passes(i: int) -> bool:
        above = grades.get(ranking[i - 1])
        # infAP takes what was pooled and not judged to be relevant like the rest, so it may well stand above
        blind = family.name == "infAP" and above is not None and above < 0
        return not blind and grades.get(ranking[i], 0) > max(above or 0, 0)

    below = [i for i in range(1, len(ranking)) if passes(i)]
    if not below:
        return
    i = data.draw(st.sampled_from(below))
    better = [*ranking]
    better[i - 1], better[i] = better[i], better[i - 1]
    for before, after in zip(
        values(family, [(ranking, grades)]), values(family, [(better, grades)]), strict=True
    ):
        assert after[0] >= before[0] - 1e-12


@every_measure
@few
@given(cases=queries)
def test_nan_marks_exactly_the_queries_without_what_the_measure_needs(
    family: Family, cases: list[tuple[list[str], dict[str, int]]]
) -> None:
    judged = JudgedRanks.from_lists([results for results, _ in cases], [grades for _, grades in cases])
    for measure, column in compute(judged, members(family)).items():
        has_relevant = [any(grade >= measure.rel for grade in grades.values()) for _, grades in cases]
        expected = has_relevant if family.scores_relevance else [True] * len(cases)
        assert list(~np.isnan(column)) == expected


@every_measure
@few
@given(cases=queries)
def test_the_whole_list_is_a_cut_at_its_length(
    family: Family, cases: list[tuple[list[str], dict[str, int]]]
) -> None:
    if family.cut is not Cut.OPTIONAL or family.name in {"F1", "Judged"}:  # these divide by k itself
        return
    judged = JudgedRanks.from_lists([results for results, _ in cases], [grades for _, grades in cases])
    whole, cut = Measure(family.name), Measure(family.name, k=1000)
    both = compute(judged, [whole, cut], undefined="zero")
    np.testing.assert_array_equal(both[whole], both[cut])
