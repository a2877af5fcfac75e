"""Intervals of means and of shares: values, laws, edges, refusals."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from rankle.core.errors import InputError
from rankle.stats.intervals import Interval, mean_interval, t_interval, wilson_interval

unit_scores = st.lists(st.floats(0, 1), min_size=2, max_size=60)
rounded_scores = st.lists(st.integers(0, 1_000).map(lambda score: score / 1_000), min_size=2, max_size=60)
RECIPROCAL_RANKS = [1, 1, 0.5, 0.2, 0, 1, 1 / 3, 0, 1, 0.25]


def bounds(interval: Interval) -> tuple[float, float]:
    assert interval.low is not None
    assert interval.high is not None
    return interval.low, interval.high


@pytest.mark.parametrize(("n_successes", "n"), [(0, 20), (1, 2), (11, 21), (20, 20), (9_990, 10_000)])
@pytest.mark.parametrize("level", [0.8, 0.95, 0.99])
def test_wilson_equals_scipy(n_successes: int, n: int, level: float) -> None:
    theirs = stats.binomtest(n_successes, n).proportion_ci(confidence_level=level, method="wilson")
    assert bounds(wilson_interval(n_successes, n, level=level)) == pytest.approx((theirs.low, theirs.high))


def test_t_interval_equals_scipy() -> None:
    values = np.array([12.0, 7.5, 300.0, 41.0, 8.0])
    theirs = stats.t.interval(0.9, 4, loc=values.mean(), scale=stats.sem(values))
    assert bounds(t_interval(values, level=0.9)) == pytest.approx(theirs)


def test_bounds_of_a_mean_are_the_roots_of_the_score_equation() -> None:
    scores = np.array(RECIPROCAL_RANKS)
    n, mean = scores.size, scores.mean()
    deff = scores.var(ddof=1) / (mean * (1 - mean))
    for bound in bounds(mean_interval(scores)):
        standard_error = np.sqrt(deff * bound * (1 - bound) / n)
        assert abs(mean - bound) / standard_error == pytest.approx(stats.t.ppf(0.975, n - 1))


def test_a_mean_of_scores_that_are_all_0_or_1_has_wilsons_interval() -> None:
    assert mean_interval([0, 1, 1, 0, 1]) == wilson_interval(3, 5)
    assert mean_interval([True, True, False]) == wilson_interval(2, 3)


@pytest.mark.parametrize("n", [2, 20, 300])
def test_equal_scores_are_no_proof_of_certainty(n: int) -> None:
    share, _ = bounds(wilson_interval(n, n))
    half = mean_interval(np.full(n, 0.5))
    assert bounds(half) == pytest.approx((share * 0.5, 1 - share * 0.5))
    assert half.method == "constant"
    assert bounds(mean_interval(np.ones(n))) == pytest.approx((share, 1.0))
    assert bounds(mean_interval(np.zeros(n))) == pytest.approx((0.0, 1 - share))


def test_scores_that_differ_only_by_rounding_are_equal() -> None:
    assert mean_interval([0.1 + 0.2, 0.3, 0.3]).method == "constant"


def test_scores_off_0_or_1_only_by_rounding_are_0_or_1() -> None:
    assert mean_interval([1 + 1e-12, -1e-12, 1.0]) == wilson_interval(2, 3)
    assert mean_interval([1 - 1e-12, 1e-300, 1.0]) == wilson_interval(2, 3)


@pytest.mark.parametrize("scores", [[], [0.7]])
def test_fewer_than_two_scores_have_no_interval(scores: list[float]) -> None:
    for interval in (mean_interval(scores), t_interval(scores), wilson_interval(len(scores), len(scores))):
        assert (interval.low, interval.high) == (None, None)


@given(unit_scores, st.floats(0.5, 0.999))
def test_an_interval_holds_the_mean_and_stays_in_range(scores: list[float], level: float) -> None:
    low, high = bounds(mean_interval(scores, level=level))
    assert 0.0 <= low <= np.mean(scores) + 1e-12
    assert np.mean(scores) - 1e-12 <= high <= 1.0


@given(rounded_scores)
def test_mirrored_scores_have_the_mirrored_interval(scores: list[float]) -> None:
    low, high = bounds(mean_interval(scores))
    mirrored = bounds(mean_interval(1.0 - np.array(scores)))
    assert mirrored == pytest.approx((1.0 - high, 1.0 - low), abs=1e-6)


@given(st.permutations(RECIPROCAL_RANKS))
def test_the_order_of_queries_is_irrelevant(scores: list[float]) -> None:
    assert bounds(mean_interval(scores)) == pytest.approx(bounds(mean_interval(RECIPROCAL_RANKS)))


@given(unit_scores)
def test_a_higher_level_gives_an_interval_that_encloses_the_lower(scores: list[float]) -> None:
    inner_low, inner_high = bounds(mean_interval(scores, level=0.9))
    outer_low, outer_high = bounds(mean_interval(scores, level=0.99))
    assert outer_low <= inner_low + 1e-12
    assert inner_high <= outer_high + 1e-12


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([0.5, float("nan")], r"values\[1\] is nan, not a finite number"),
        ([0.5, 0.1, float("inf")], r"values\[2\] is inf"),
        ([0.5, 1.2], r"values\[1\] must be a score in \[0, 1\], got 1.2"),
        ([-0.1, 0.2], r"values\[0\] must be a score in \[0, 1\], got -0.1"),
        ([[0.1, 0.2]], r"one dimension.*got shape \(1, 2\)"),
    ],
)
def test_what_is_no_score_is_refused(values: list[float], message: str) -> None:
    with pytest.raises(InputError, match=message):
        mean_interval(values)


@pytest.mark.parametrize("level", [0.0, 1.0, -0.5, float("nan")])
def test_a_level_outside_0_to_1_is_refused(level: float) -> None:
    with pytest.raises(InputError, match="level must be between 0 and 1"):
        mean_interval([0.1, 0.2], level=level)
    with pytest.raises(InputError, match="level must be between 0 and 1"):
        t_interval([0.1, 0.2], level=level)
    with pytest.raises(InputError, match="level must be between 0 and 1"):
        wilson_interval(1, 2, level=level)


def test_a_level_in_percent_gets_a_hint() -> None:
    with pytest.raises(InputError, match=r"Write 95 % as 0\.95"):
        mean_interval([0.1, 0.2], level=95)


@pytest.mark.parametrize(("n_successes", "n"), [(3, 2), (-1, 2), (0, -1)])
def test_more_successes_than_trials_are_refused(n_successes: int, n: int) -> None:
    with pytest.raises(InputError, match="from 0 to n"):
        wilson_interval(n_successes, n)
