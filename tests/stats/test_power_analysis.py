"""Power, queries needed, smallest detectable differences: against statsmodels, and in simulation."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.power import TTestPower

from rankle.core.errors import CannotMeasureError, InputError
from rankle.stats.paired import paired_test, paired_tests
from rankle.stats.power_analysis import difference_variance, power, queries_needed, smallest_detectable
from rankle.stats.simulation import POPULATIONS

DIFFERENCES = np.random.default_rng(0).normal(0.02, 0.3, 40)


@pytest.mark.parametrize(("two_sided", "alternative"), [(True, "two-sided"), (False, "larger")])
@pytest.mark.parametrize("n", [21, 50, 150])
@pytest.mark.parametrize("effect", [0.05, 0.2, 0.3])
def test_power_equals_statsmodels(effect: float, n: int, two_sided: bool, alternative: str) -> None:
    theirs = TTestPower().power(effect / 0.5, n, 0.05, alternative=alternative)
    assert power(variance=0.25, effect=effect, n=n, two_sided=two_sided).power == pytest.approx(theirs)


@pytest.mark.parametrize("effect", [0.02, 0.05, 0.1])
def test_queries_needed_equals_statsmodels(effect: float) -> None:
    theirs = TTestPower().solve_power(effect_size=effect / 0.3, power=0.8, alpha=0.05)
    assert queries_needed(variance=0.09, effect=effect).n == math.ceil(theirs)


@pytest.mark.parametrize("n", [21, 60, 1_000])
def test_the_smallest_detectable_difference_has_its_power_by_statsmodels(n: int) -> None:
    effect = smallest_detectable(variance=0.09, n=n).effect
    assert TTestPower().power(effect / 0.3, n, 0.05) == pytest.approx(0.8)


def test_to_see_two_points_by_hand() -> None:
    """(1.96 + 0.8416)^2 0.09 / 0.02^2 = 1,766, and a little more because the variance is estimated."""
    assert queries_needed(variance=0.09, effect=0.02).n == 1_768


@pytest.mark.parametrize("n", [21, 50, 200])
@pytest.mark.parametrize("name", ["Beta(2, 2), symmetric", "Beta(0.5, 2), skewed", "RR, half at rank 1"])
def test_the_printed_smallest_difference_is_found_in_76_to_84_percent(name: str, n: int) -> None:
    """Print it for exchangeable pairs; then give it to b in as many new pairs, and test again."""
    draw, rng = POPULATIONS[name].draw, np.random.default_rng(n)
    found = 0
    for seed in range(8):
        first, again = (draw(rng, (2 * n, 100)).reshape(2, n, 100) for _ in range(2))
        printed = [one.smallest_detectable or math.nan for one in paired_tests(*first, n_flips=99)]
        tests = paired_tests(again[0], again[1] + np.array(printed), seed=seed, n_flips=1_999)
        found += sum(one.p_value <= 0.05 for one in tests)
    error = 2 * math.sqrt(0.8 * 0.2 / 800)
    assert 0.76 - error <= found / 800 <= 0.84 + error


def test_what_a_paired_test_prints_is_the_smallest_detectable() -> None:
    printed = paired_test(np.zeros(40), DIFFERENCES, level=0.9).smallest_detectable
    assert printed == pytest.approx(smallest_detectable(DIFFERENCES, alpha=0.1).effect)


@settings(deadline=None)
@given(st.floats(0.01, 0.5), st.floats(0.05, 0.6), st.sampled_from([0.5, 0.8, 0.95]))
def test_queries_needed_are_just_enough(effect: float, deviation: float, wanted: float) -> None:
    found = queries_needed(variance=deviation**2, effect=effect, power=wanted)
    assert found.power >= wanted
    if found.n > 21:
        assert power(variance=deviation**2, effect=effect, n=found.n - 1).power < wanted


@settings(deadline=None)
@given(st.integers(6, 2_000), st.sampled_from([0.5, 0.8, 0.95]))
def test_the_smallest_detectable_difference_has_the_power_asked(n: int, wanted: float) -> None:
    effect = smallest_detectable(variance=0.04, n=n, power=wanted).effect
    assert power(variance=0.04, n=n, effect=-effect).power == pytest.approx(wanted, abs=1e-6)


def test_more_queries_and_larger_differences_are_found_more_often() -> None:
    assert np.all(np.diff([power(DIFFERENCES, effect=0.1, n=n).power for n in range(20, 400, 20)]) > 0)
    assert np.all(np.diff([power(DIFFERENCES, effect=effect).power for effect in (0.0, 0.1, 0.2)]) > 0)


def test_no_difference_is_found_as_often_as_alpha() -> None:
    assert power(DIFFERENCES, effect=0.0, alpha=0.03).power == pytest.approx(0.03)


def test_the_result_says_what_it_rests_on() -> None:
    found = power(DIFFERENCES, effect=-0.1)
    assert (found.n, found.effect, found.alpha, found.two_sided) == (40, 0.1, 0.05, True)
    assert found.deviation == pytest.approx(DIFFERENCES.std(ddof=1))


@pytest.mark.parametrize(("n", "two_sided"), [(1, True), (5, True), (4, False)])
def test_too_few_queries_find_nothing(n: int, two_sided: bool) -> None:
    assert power(variance=0.01, effect=10, n=n, two_sided=two_sided).power == 0.0
    with pytest.raises(CannotMeasureError, match="however large the difference"):
        smallest_detectable(variance=0.01, n=n, two_sided=two_sided)


def test_a_huge_difference_needs_the_six_queries_that_any_test_needs() -> None:
    assert queries_needed(variance=0.01, effect=10).n == 6


def test_a_tiny_difference_needs_more_queries_than_there_are() -> None:
    with pytest.raises(CannotMeasureError, match="needs more than 1,000,000,000 queries"):
        queries_needed(variance=1, effect=1e-6)


def test_of_a_single_run_the_correlation_is_supposed() -> None:
    scores = np.random.default_rng(1).random(200)
    assert difference_variance(scores) == pytest.approx(scores.var(ddof=1))
    assert difference_variance(scores, correlation=0.8) == pytest.approx(0.4 * scores.var(ddof=1))


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        ([], {"n": 30}, "either the differences per query or their variance"),
        ([DIFFERENCES], {"variance": 0.1}, "not both"),
        ([], {"variance": 0.1}, "n is needed where the variance stands"),
        ([], {"variance": 0.0, "n": 30}, "variance must be > 0, got 0"),
        ([], {"variance": 0.1, "n": 0}, "n must be >= 1, got 0"),
        ([DIFFERENCES], {"alpha": 5}, "alpha must be between 0 and 1, got 5"),
        ([DIFFERENCES], {"effect": math.inf}, "effect must be a finite number"),
        ([[[0.1, 0.2]]], {}, r"one dimension, got shape \(1, 2\)"),
        ([[0.1, math.nan]], {}, r"differences\[1\] is nan"),
    ],
)
def test_wrong_input_is_refused(arguments: list[Any], options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        power(*arguments, **{"effect": 0.1, **options})


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: queries_needed(DIFFERENCES, effect=0), "effect must not be 0"),
        (lambda: queries_needed(DIFFERENCES, effect=0.1, power=80), "power must be between 0 and 1, got 80"),
        (lambda: smallest_detectable(variance=0.1), "n is needed"),
        (lambda: difference_variance([0.1, 0.2], correlation=1.0), r"correlation must be in \[-1, 1\)"),
    ],
    ids=["no effect", "percent", "no n", "correlation"],
)
def test_wrong_input_of_the_others_is_refused(call: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        call()


@pytest.mark.parametrize(
    ("differences", "message"),
    [([0.2], "at least 2 queries, got 1"), ([], "got 0"), (np.full(30, 0.3), "all 30 differences are equal")],
)
def test_what_says_nothing_of_variance_cannot_be_measured(differences: Any, message: str) -> None:
    with pytest.raises(CannotMeasureError, match=message):
        power(differences, effect=0.1)
