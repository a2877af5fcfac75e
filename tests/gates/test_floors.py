"""Floors over all queries and slices, worked out by hand."""

from typing import Any

import pytest

from fakes.gates import rule, rules, run_of, with_queries
from rankle.core.gate import Verdict
from rankle.stats.intervals import mean_interval

SCORES = [1.0, 1.0, 0.5, 0.5, 0.5, 0.5, 1.0, 0.6]  # mean 0.7
RUN = run_of({"nDCG@10": SCORES, "Hit@10": [1.0] * 8})
FLOOR = '[gates.floors]\n"nDCG@10" = '


@pytest.mark.parametrize(
    ("floor", "verdict"),
    [
        ("0.7", Verdict.PASSED),
        ('"70 %"', Verdict.PASSED),
        ("0.6", Verdict.PASSED),
        ("0.7001", Verdict.BROKEN),
    ],
)
def test_the_mean_at_the_floor_passes_and_below_it_is_broken(floor: str, verdict: Verdict) -> None:
    found = rule(RUN, FLOOR + floor)
    assert (found.verdict, found.n) == (verdict, 8)
    assert found.value == pytest.approx(0.7)


def test_a_figure_that_is_below_its_floor_never_reads_as_if_it_were_at_it() -> None:
    found = rule(run_of({"nDCG@10": [0.69996] * 8}), FLOOR + "0.7")
    assert found.verdict is Verdict.BROKEN
    assert found.why.startswith("0.69996 over 8 queries")


def test_the_lower_bound_is_held_against_the_floor_where_that_is_asked() -> None:
    low = mean_interval(SCORES).low
    assert low is not None
    for floor, verdict in ((low - 0.01, Verdict.PASSED), (low + 0.01, Verdict.BROKEN)):
        found = rule(RUN, FLOOR + f'{{ at_least = {floor}, on = "low" }}')
        assert (found.verdict, found.low) == (verdict, low)
    assert rule(RUN, FLOOR + f"{low + 0.01}").verdict is Verdict.PASSED


def test_a_slice_has_its_own_floor_and_no_average_hides_it() -> None:
    run = with_queries(
        run_of({"nDCG@10": [1.0] * 20 + [0.2] * 6}),
        {f"q{place}": {"language": "de", "tags": ["hr"]} for place in range(20, 26)},
    )
    floors = 'floors = { "nDCG@10" = 0.7 }\n'
    text = f'[gates]\n{floors}[[gates.slices]]\nlanguage = "de"\n{floors}'
    whole, part = rules(run, text)
    assert (whole.verdict, part.verdict, part.n) == (Verdict.PASSED, Verdict.BROKEN, 6)
    assert (whole.value, part.value) == pytest.approx((21.2 / 26, 0.2))
    assert part.rule == "nDCG@10 at least 0.7 where language is de"


@pytest.mark.parametrize(
    ("where", "n"),
    [('tag = "hr"', 6), ('tag = "hr"\ncollection = "guides"', 3), ('collection = "guides"', 3)],
)
def test_a_slice_is_the_queries_that_have_all_it_names(where: str, n: int) -> None:
    changes: dict[str, dict[str, Any]] = {
        f"q{place}": {"tags": ["x", "hr"], "collection": "guides" if place < 3 else None}
        for place in range(6)
    }
    run = with_queries(run_of({"nDCG@10": [0.5] * 8}), changes)
    found = rule(run, f'[[gates.slices]]\n{where}\nmin_queries = 1\nfloors = {{ "nDCG@10" = 0.5 }}')
    assert (found.verdict, found.n) == (Verdict.PASSED, n)


def test_a_slice_that_no_query_is_in_suggests_what_there_is() -> None:
    run = with_queries(RUN, {"q0": {"tags": ["keyword"]}})
    found = rule(run, '[[gates.slices]]\ntag = "keywrd"\nfloors = { "nDCG@10" = 0.5 }')
    assert found.verdict is Verdict.COULD_NOT_MEASURE
    assert found.why.endswith("no query has the tag keywrd; did you mean keyword?")
    none = rule(RUN, '[[gates.slices]]\nlanguage = "de"\nfloors = { "nDCG@10" = 0.5 }')
    assert none.why.endswith("no query has the language de; none has any")


@pytest.mark.parametrize("n", [1, 5])
def test_too_few_queries_could_not_be_measured_however_good_they_are(n: int) -> None:
    found = rule(run_of({"nDCG@10": [1.0] * n}), FLOOR + "0.7")
    assert (found.verdict, found.value) == (Verdict.COULD_NOT_MEASURE, None)
    assert "min_queries asks for 6" in found.why
    found = rule(run_of({"nDCG@10": [1.0] * n}), f"gates.min_queries = {n}\n{FLOOR}0.7")
    assert found.verdict is Verdict.PASSED


def test_one_query_has_no_lower_bound() -> None:
    text = "gates.min_queries = 1\n" + FLOOR + '{ at_least = 0.7, on = "low" }'
    found = rule(run_of({"nDCG@10": [1.0]}), text)
    assert (found.verdict, found.low) == (Verdict.COULD_NOT_MEASURE, None)


def test_failed_queries_are_no_scored_ones() -> None:
    found = rule(run_of({"nDCG@10": [1.0] * 5 + [None] * 3}), FLOOR + "0.7")
    assert found.why == "5 scored queries (3 failed, in no mean); min_queries asks for 6"


def test_a_measure_that_the_run_lacks_could_not_be_measured() -> None:
    found = rule(RUN, '[gates.floors]\n"nDCG@20" = 0.1')
    assert found.verdict is Verdict.COULD_NOT_MEASURE
    assert found.why.startswith("the run has no nDCG@20, only nDCG@10, Hit@10. Evaluate with it: --measures")


def test_a_phase_is_a_floor_of_hit_at_10() -> None:
    found = rule(RUN, '[gates]\nphase = "ga"')
    assert (found.verdict, found.rule, found.value) == (Verdict.PASSED, "Hit@10 at least 0.9", 1.0)
