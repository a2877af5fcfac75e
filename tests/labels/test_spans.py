"""Results that are chunks, scored by the passages that they cover: worked out by hand, and by laws."""

from math import log2

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankle.core.errors import InputError
from rankle.core.text_range import Range
from rankle.labels.coverage import HALF, Coverage
from rankle.labels.spans import SpanMatches, judge_spans, match_spans
from rankle.metrics.engine import compute
from rankle.metrics.family import Cut, Family
from rankle.metrics.judged import REPEATED, UNJUDGED, JudgedRanks
from rankle.metrics.measure import Measure, parse_measure
from rankle.metrics.table import FAMILIES

Case = tuple[list[Range], list[Range], list[int]]


def at(start: int, end: int, document: str = "a.md") -> Range:
    return Range(document, start, end)


def judged(*cases: Case, coverage: Coverage = HALF) -> JudgedRanks:
    matches = [match_spans(results, spans, grades, coverage=coverage) for results, spans, grades in cases]
    return judge_spans(matches, [grades for _, _, grades in cases])


def scores(results: list[Range], spans: list[Range], grades: list[int], *names: str) -> dict[str, float]:
    measures = [parse_measure(name) for name in names]
    values = compute(judged((results, spans, grades)), measures)
    return {str(measure): round(float(values[measure][0]), 6) for measure in measures}


def test_one_passage_over_two_chunks_is_found_once_by_the_first_of_them() -> None:
    """100 characters, 60 in the one chunk and 40 in the other: only the 60 are half of the passage."""
    span, big, small = at(100, 200), at(0, 160), at(160, 400)
    assert match_spans([small, big], [span], [2]) == SpanMatches(
        covered=((), (0,)), new=((), (0,)), ranks=(2,), gains=(None, 2)
    )
    halves = [at(50, 150), at(150, 250)]  # either has half of it, and the second repeats the first
    assert match_spans(halves, [span], [2]).gains == (2, REPEATED)
    assert scores(halves, [span], [2], "P@2", "R@2", "nDCG@2", "AP", "RR", "Judged@2", "Bpref") == {
        "P@2": 0.5, "R@2": 1.0, "nDCG@2": 1.0, "AP": 1.0, "RR": 1.0, "Judged@2": 1.0, "Bpref": 1.0,
    }  # fmt: skip


def test_one_chunk_over_two_passages_is_one_good_result_that_finds_both() -> None:
    """Gain 3 at rank 2, for the better of the two; ideal 3 + 1 / log2 3."""
    chunk, other = at(0, 1000), at(2000, 2100)
    spans, grades = [at(100, 150), at(500, 550)], [1, 3]
    assert match_spans([other, chunk], spans, grades) == SpanMatches(
        covered=((), (0, 1)), new=((), (0, 1)), ranks=(2, 2), gains=(None, 3)
    )
    found = scores([other, chunk], spans, grades, "R@1", "R@2", "P@2", "AP", "RR", "Hit@2", "nDCG@2", "F1@2")
    assert found == {
        "R@1": 0.0, "R@2": 1.0, "P@2": 0.5, "AP": 0.5, "RR": 0.5, "Hit@2": 1.0,
        "nDCG@2": round((3 / log2(3)) / (3 + 1 / log2(3)), 6), "F1@2": round(2 * 0.5 / 1.5, 6),
    }  # fmt: skip
    alone = scores([chunk], spans, grades, "R@1", "R_cap@1", "AP", "Rprec", "SetP", "SetR", "R(rel=2)@1")
    assert alone == {
        "R@1": 1.0, "R_cap@1": 1.0, "AP": 1.0, "Rprec": 0.5, "SetP": 1.0, "SetR": 1.0, "R(rel=2)@1": 1.0,
    }  # fmt: skip


def test_a_chunk_ten_times_the_passage_covers_it() -> None:
    span = at(450, 550)
    assert match_spans([at(0, 1000)], [span], [1]).ranks == (1,)
    assert match_spans([at(500, 1500)], [span], [1]).ranks == (1,)  # half of it
    assert match_spans([at(501, 1501)], [span], [1]).ranks == (None,)  # one character less


def test_a_chunk_that_is_a_tenth_of_the_passage_covers_it_and_the_next_one_repeats_it() -> None:
    tenths = [at(start, start + 100) for start in range(0, 1000, 100)]
    matched = match_spans(tenths, [at(0, 1000)], [1])
    assert matched.gains == (1, *[REPEATED] * 9)
    assert matched.ranks == (1,)
    assert match_spans([at(950, 1050)], [at(0, 1000)], [1]).ranks == (1,)  # half of the chunk
    assert match_spans([at(951, 1051)], [at(0, 1000)], [1]).ranks == (None,)


def test_overlapping_chunks_are_worth_what_they_add() -> None:
    """Three windows: the second repeats the first passage and adds the second; the third adds nothing."""
    windows = [at(0, 200), at(100, 300), at(150, 350)]
    spans, grades = [at(120, 180), at(220, 280)], [2, 1]
    matched = match_spans(windows, spans, grades)
    assert matched.covered == ((0,), (0, 1), (0, 1))
    assert matched.new == ((0,), (1,), ())
    assert matched.gains == (2, 1, REPEATED)
    assert scores(windows, spans, grades, "P@3", "R@1", "R@3", "nDCG@3", "AP", "Judged@3") == {
        "P@3": round(2 / 3, 6), "R@1": 0.5, "R@3": 1.0, "nDCG@3": 1.0, "AP": 1.0, "Judged@3": 1.0,
    }  # fmt: skip


def test_a_passage_labelled_twice_is_two_passages_that_one_result_finds() -> None:
    """Two labels of one place that are not told apart before; `join_labels` makes them one."""
    assert scores([at(0, 100)], [at(0, 100), at(0, 100)], [1, 1], "R@1", "P@1", "AP", "nDCG@1") == {
        "R@1": 1.0, "P@1": 1.0, "AP": 1.0, "nDCG@1": 1.0,
    }  # fmt: skip


def test_passages_of_other_documents_and_of_nowhere_are_not_covered() -> None:
    matched = match_spans([at(0, 100, "b.md")], [at(0, 100), None], [1, 1])
    assert (matched.ranks, matched.gains) == ((None, None), (None,))
    found = scores([at(0, 100)], [at(0, 50), at(50, 100, "b.md")], [1, 1], "R@1", "SetR")
    assert found == {"R@1": 0.5, "SetR": 0.5}


def test_what_is_judged_not_relevant_is_known_and_what_is_unjudged_is_not() -> None:
    results = [at(0, 100), at(100, 200), at(0, 200), at(300, 400), at(100, 300)]
    spans, grades = [at(0, 100), at(100, 200)], [0, -1]
    matched = match_spans(results, spans, grades)
    assert matched.gains == (0, UNJUDGED, REPEATED, None, UNJUDGED)
    ranks = judged((results, spans, grades))
    assert ranks.n_judged.tolist() == [1]
    measure = parse_measure("Judged@5")
    assert compute(ranks, [measure])[measure].tolist() == [0.4]
    assert np.isnan(compute(ranks, [parse_measure("R@5")])[parse_measure("R@5")]).all()


def test_a_repeated_passage_above_a_new_one_is_no_preference_for_what_is_not_relevant() -> None:
    results = [at(0, 100), at(50, 150), at(300, 400)]
    assert scores(results, [at(50, 100), at(300, 400)], [1, 1], "Bpref", "AP") == {
        "Bpref": 1.0, "AP": round((1 + 2 / 3) / 2, 6),
    }  # fmt: skip


@pytest.mark.parametrize("share", [0.0, -0.1, 1.1, float("nan")])
def test_a_threshold_must_be_a_share(share: float) -> None:
    with pytest.raises(InputError, match="of_span must be a share above 0 and up to 1"):
        Coverage(of_span=share)
    with pytest.raises(InputError, match="of_chunk must be a share above 0 and up to 1"):
        Coverage(of_chunk=share)


def test_the_thresholds_are_options() -> None:
    chunk, span = at(0, 100), at(40, 140)  # 60 of either
    assert Coverage(0.6, 1).holds(chunk, span)
    assert Coverage(1, 0.6).holds(chunk, span)
    assert not Coverage(0.61, 0.61).holds(chunk, span)


ranges = st.builds(
    lambda document, start, length: Range(document, start, start + length),
    st.sampled_from(["a", "b"]), st.integers(0, 60), st.integers(1, 40),
)  # fmt: skip
chunks = st.lists(ranges, max_size=8)
targets = st.lists(st.tuples(ranges, st.integers(-1, 4)), max_size=6)
few = settings(max_examples=30, deadline=None)  # times the number of families
every_measure = pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)


def members(family: Family) -> list[Measure]:
    cuts: dict[Cut, list[int | None]] = {
        Cut.NONE: [None], Cut.OPTIONAL: [None, 1, 3], Cut.REQUIRED: [1, 3],
    }  # fmt: skip
    rels = [1, 2] if family.takes_rel else [1]
    return [Measure(family.name, k=k, rel=rel) for k in cuts[family.cut] for rel in rels]


@every_measure
@few
@given(results=chunks, passages=targets)
def test_every_measure_stays_within_0_and_1(
    family: Family, results: list[Range], passages: list[tuple[Range, int]]
) -> None:
    spans, grades = [span for span, _ in passages], [grade for _, grade in passages]
    for values in compute(judged((results, spans, grades)), members(family), undefined="zero").values():
        assert 0 <= values[0] <= 1 + 1e-12


@every_measure
@few
@given(results=chunks, passages=targets)
def test_results_that_are_one_passage_each_score_as_any_other_targets(
    family: Family, results: list[Range], passages: list[tuple[Range, int]]
) -> None:
    """Chunks far from each other, each of which is a passage or none: what `from_lists` gives."""
    known = {f"t{place}": grade for place, (_, grade) in enumerate(passages)}
    order = [f"t{each.start % (len(passages) + 2)}" for each in results]
    names = list(dict.fromkeys(order))
    places = {name: at(1000 * int(name[1:]), 1000 * int(name[1:]) + 50) for name in {*names, *known}}
    by_span = judged(([places[n] for n in names], [places[n] for n in known], list(known.values())))
    by_name = JudgedRanks.from_lists([names], [known])
    measures = members(family)
    one, other = (compute(each, measures, undefined="zero") for each in (by_span, by_name))
    for measure in measures:
        assert one[measure].tolist() == other[measure].tolist()


@given(results=chunks, passages=targets, place=st.integers(0, 8))
def test_a_repeated_chunk_is_worth_nothing(
    results: list[Range], passages: list[tuple[Range, int]], place: int
) -> None:
    if not results:
        return
    spans, grades = [span for span, _ in passages], [grade for _, grade in passages]
    again = [*results, results[place % len(results)]]
    matched = match_spans(again, spans, grades)
    assert matched.new[-1] == ()
    assert matched.ranks == match_spans(results, spans, grades).ranks


@given(results=chunks, passages=targets)
def test_every_passage_is_found_at_the_first_result_that_covers_it_and_counted_once(
    results: list[Range], passages: list[tuple[Range, int]]
) -> None:
    spans, grades = [span for span, _ in passages], [grade for _, grade in passages]
    matched = match_spans(results, spans, grades)
    found = [place for places in matched.new for place in places]
    assert sorted(found) == [place for place, rank in enumerate(matched.ranks) if rank is not None]
    for place, rank in enumerate(matched.ranks):
        holding = [n for n, chunk in enumerate(results, start=1) if HALF.holds(chunk, spans[place])]
        assert rank == (holding[0] if holding else None)
