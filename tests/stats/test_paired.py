"""The paired test and its interval: against scipy and Fisher, and never against each other."""

import itertools
import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

from rankle.core.errors import CannotMeasureError, InputError
from rankle.stats.flips import Flips, _smallest, holding
from rankle.stats.outcome import Alternative
from rankle.stats.paired import PairedTest, paired_test, paired_tests
from rankle.stats.simulation import POPULATIONS

DARWIN = np.array([49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48], dtype=np.float64)
"""Differences in height of 15 pairs of maize, in eighths of an inch: Fisher 1935, section 21."""

ALTERNATIVES: list[Alternative] = ["two-sided", "greater", "less"]
reciprocal_ranks = st.sampled_from([0.0, 0.1, 1 / 9, 1 / 7, 0.2, 0.25, 1 / 3, 0.5, 1.0])
pairs = st.lists(st.tuples(reciprocal_ranks, reciprocal_ranks), min_size=1, max_size=26)


def of_differences(differences: NDArray[np.float64], **options: Any) -> PairedTest:
    return paired_test(np.zeros_like(differences), differences, **{"seed": 0, "n_flips": 499, **options})


def encloses(found: PairedTest, value: float) -> bool:
    above = found.low is None or found.low <= value
    return above and (found.high is None or value <= found.high)


def sample(n: int, *, seed: int = 1) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    rng = np.random.default_rng(seed)
    a = rng.beta(0.5, 2, n)
    return a, np.clip(a + rng.normal(0.03, 0.1, n), 0, 1)


@pytest.mark.parametrize(
    ("alternative", "n_beyond"), [("two-sided", 1726), ("greater", 863), ("less", 31933)]
)
def test_fishers_count_over_darwins_maize(alternative: Alternative, n_beyond: int) -> None:
    found = of_differences(DARWIN, alternative=alternative)
    assert found.exact
    assert found.p_value == n_beyond / 2**15


def test_three_wins_by_hand() -> None:
    """Of 8 flips only none and all reach a sum of 6, and nothing is significant with so few."""
    found = paired_test([0, 0, 0], [1, 2, 3], seed=0)
    assert (found.p_value, found.low, found.high) == (0.25, None, None)
    assert (found.wins, found.ties, found.losses, found.n_flips) == (3, 0, 0, 8)
    assert (found.mean_a, found.mean_b, found.difference, found.effect_size) == (0, 2, 2, 2)
    # At level 0.7 a p of 0.25 is too small, and the next flip, of the 3 alone, stops at its own mean: 3.
    lower = paired_test([0, 0, 0], [1, 2, 3], seed=0, level=0.7)
    assert (lower.p_value, lower.low, lower.high) == (0.25, 1.0, 3.0)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("n", [2, 4, 9, 12])
def test_exact_p_equals_scipys_permutation_test(n: int, alternative: Alternative) -> None:
    a, b = (np.round(10 * scores) for scores in sample(n))  # whole, so that ties are exact for scipy too
    theirs = stats.permutation_test(
        (b, a),
        lambda x, y: np.mean(x - y),
        permutation_type="samples",
        n_resamples=np.inf,
        alternative=alternative,
    )
    assert paired_test(a, b, seed=0, alternative=alternative).p_value == pytest.approx(theirs.pvalue)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_many_flips_come_near_the_paired_t_test(alternative: Alternative) -> None:
    a, b = sample(300)
    found = paired_test(a, b, seed=3, alternative=alternative)
    theirs = stats.ttest_rel(b, a, alternative=alternative)
    bounds = theirs.confidence_interval(0.95)
    assert found.p_value == pytest.approx(theirs.pvalue, abs=0.01)
    for ours, other in ((found.low, bounds.low), (found.high, bounds.high)):
        assert ours == (None if math.isinf(other) else pytest.approx(other, abs=0.001))


def test_random_flips_come_near_all_of_them() -> None:
    """Twenty queries are exact; with a pair of equal scores more they are not, and little changes."""
    a, b = sample(20)
    exact = paired_test(a, b, seed=0)
    near = paired_test(np.append(a, 0.5), np.append(b, 0.5), seed=0)
    assert exact.exact
    assert not near.exact
    assert near.p_value == pytest.approx(exact.p_value, abs=4 * math.sqrt(exact.p_value / 10_000))


@settings(deadline=None)
@given(pairs, st.sampled_from(ALTERNATIVES), st.sampled_from([0.5, 0.8, 0.9, 0.95, 0.99]))
def test_the_interval_holds_0_if_and_only_if_the_test_does_not_reject(
    scores: list[tuple[float, float]], alternative: Alternative, level: float
) -> None:
    a, b = np.array(scores).T
    found = paired_test(a, b, seed=5, n_flips=199, alternative=alternative, level=level)
    assert encloses(found, 0.0) == (found.p_value > round(1 - level, 12))


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("n", [7, 16, 40])
def test_the_interval_is_what_the_test_does_not_reject(n: int, alternative: Alternative) -> None:
    """Shift b to each hypothesis around the bounds, and ask the test itself."""
    a, b = sample(n)
    found = paired_test(a, b, seed=2, n_flips=999, alternative=alternative)
    for bound in (found.low, found.high):
        for shift in [] if bound is None else [bound - 0.02, bound - 1e-9, bound, bound + 1e-9, bound + 0.02]:
            shifted = paired_test(a, b - shift, seed=2, n_flips=999, alternative=alternative)
            assert encloses(found, shift) == (shifted.p_value > 0.05)


@settings(deadline=None)
@given(pairs)
def test_an_interval_holds_the_observed_difference_and_p_is_a_probability(
    scores: list[tuple[float, float]],
) -> None:
    a, b = np.array(scores).T
    found = paired_test(a, b, seed=0, n_flips=99)
    assert encloses(replace(found, low=_less(found.low), high=_less(found.high, -1)), found.difference)
    assert 0 < found.p_value <= 1
    assert found.wins + found.ties + found.losses == found.n == len(scores)


def _less(bound: float | None, sign: int = 1) -> float | None:
    return None if bound is None else bound - sign * 1e-12


@settings(deadline=None)
@given(pairs)
def test_systems_that_change_places_have_the_mirrored_result(scores: list[tuple[float, float]]) -> None:
    a, b = np.array(scores).T
    there, back = paired_test(a, b, seed=9, n_flips=199), paired_test(b, a, seed=9, n_flips=199)
    assert there.p_value == back.p_value
    assert there.difference == -back.difference
    assert (there.wins, there.losses) == (back.losses, back.wins)
    assert (there.low is None) == (back.high is None)
    if there.low is not None and back.high is not None:
        assert there.low == pytest.approx(-back.high)


@pytest.mark.parametrize("n", [1, 6, 20, 21, 500])
def test_equal_arrays_have_p_1(n: int) -> None:
    scores = np.random.default_rng(0).random(n)
    found = paired_test(scores, scores, seed=0)
    assert (found.p_value, found.difference, found.ties, found.effect_size) == (1.0, 0.0, n, None)
    assert encloses(found, 0.0)


def test_differences_of_rounding_are_ties() -> None:
    found = paired_test(np.full(30, 0.1 + 0.2), np.full(30, 0.3), seed=0)
    assert (found.p_value, found.ties, found.difference) == (1.0, 30, 0.0)


def test_a_difference_that_varies_only_by_rounding_has_no_effect_size() -> None:
    scores = np.random.default_rng(0).random(30)
    assert paired_test(scores, scores + 0.3, seed=0).effect_size is None


def test_a_p_of_exactly_1_minus_level_rejects() -> None:
    """1 - 0.9 is a little under 0.1 in floating point, and p = 1 / 10 is not."""
    found = of_differences(np.linspace(0.2, 0.3, 30), n_flips=9, level=0.9)
    assert found.p_value == 0.1
    assert found.low is not None
    assert found.low > 0


def test_flipping_none_or_all_is_as_extreme_as_the_observed_under_every_hypothesis() -> None:
    """Too rare among random flips for any seed to show it."""
    flips = Flips(np.array([0.0, DARWIN.sum()]), np.array([0.0, 15.0]), n_flips=2, exact=False)
    lows, highs = holding(flips, DARWIN, "two-sided")
    assert lows.tolist() == [-math.inf] * 2
    assert highs.tolist() == [math.inf] * 2
    assert holding(flips, DARWIN, "greater")[0].tolist() == [-math.inf, DARWIN.mean()]
    assert holding(flips, DARWIN, "less")[1].tolist() == [math.inf, DARWIN.mean()]


def test_sums_that_cancel_but_for_rounding_count_as_extreme() -> None:
    """0.1 + 0.2 - 0.3 is not 0 in floating point; in tenths the same flips cancel exactly."""
    tenths = np.array([1, 2, -3, 4, 5, -6, 3], dtype=np.float64)
    assert of_differences(tenths / 10).p_value == of_differences(tenths).p_value


@pytest.mark.parametrize(("n", "bounded"), [(5, False), (6, True)])
def test_fewer_than_six_queries_have_no_interval_at_95_percent(n: int, bounded: bool) -> None:
    found = of_differences(np.linspace(0.1, 0.2, n))
    assert (found.low is not None, found.high is not None) == (bounded, bounded)


@pytest.mark.parametrize(("alternative", "bounded"), [("greater", (True, False)), ("less", (False, True))])
def test_a_one_sided_interval_has_one_bound(alternative: Alternative, bounded: tuple[bool, bool]) -> None:
    found = of_differences(DARWIN, alternative=alternative)
    assert (found.low is not None, found.high is not None) == bounded


def test_p_is_never_0_and_the_seed_stands_beside_it() -> None:
    found = of_differences(np.full(100, 0.3), n_flips=999, seed=17)
    assert found.p_value == 1 / 1000
    assert (found.n_flips, found.exact, found.seed) == (999, False, 17)


def test_the_same_seed_gives_the_same_result_and_another_does_not() -> None:
    a, b = sample(60, seed=4)
    assert paired_test(a, b, seed=1) == paired_test(a, b, seed=1)
    assert paired_test(a, b, seed=1) != replace(paired_test(a, b, seed=2), seed=1)


def test_the_size_of_a_chunk_changes_no_flip() -> None:
    """21,000 queries take several chunks, of which the first flips must be those of fewer flips alone."""
    a, b = sample(21_000)
    few = paired_test(a, b, seed=1, n_flips=19)
    assert few.p_value == 1 / 20
    assert paired_test(a, b, seed=1, n_flips=300).p_value == 1 / 301


@pytest.mark.parametrize("n", [15, 70])
def test_columns_have_the_result_of_each_alone(n: int) -> None:
    rng = np.random.default_rng(6)
    a, b = rng.random((n, 3)), rng.random((n, 3))
    together = paired_tests(a, b, seed=8)
    assert len(together) == 3
    for column, found in enumerate(together):
        alone = paired_test(a[:, column], b[:, column], seed=8)
        assert found.p_value == alone.p_value
        assert (found.low, found.high) == pytest.approx((alone.low, alone.high))


def test_the_exact_test_rejects_a_true_hypothesis_in_exactly_5_percent() -> None:
    """Over every assignment of signs to the same sizes, as the hypothesis has them equally likely."""
    sizes = np.random.default_rng(1).random(9)
    signs = itertools.product((-1.0, 1.0), repeat=9)
    rejected = [of_differences(sizes * np.array(sign)).p_value <= 0.05 for sign in signs]
    assert sum(rejected) == 2 * math.floor(0.05 * 2**8)


@pytest.mark.parametrize(
    ("n", "n_samples", "names"),
    [
        (14, 1_000, ["Beta(2, 2), symmetric", "Beta(0.5, 2), skewed"]),  # exact; `make quality` has 20
        (50, 2_000, ["Beta(2, 2), symmetric"]),
        (50, 2_000, ["Beta(0.5, 2), skewed"]),
        (50, 2_000, ["RR, half at rank 1"]),
        (200, 2_000, ["Beta(2, 2), symmetric"]),
        (200, 2_000, ["Beta(0.5, 2), skewed"]),
        (200, 2_000, ["RR, half at rank 1"]),
    ],
)
def test_false_alarms_of_exchangeable_pairs_stay_near_5_percent(
    n: int, n_samples: int, names: list[str]
) -> None:
    """2,000 pairs of samples of one population: 3 Monte-Carlo standard errors of 0.49 points around 5 %.

    The interval misses the true difference, 0, in the very same pairs.
    """
    rng = np.random.default_rng(n)
    rejected = missed = 0
    for name in names:
        for seed in range(0, n_samples, 25):
            a, b = POPULATIONS[name].draw(rng, (2 * n, 25)).reshape(2, n, 25)
            found = paired_tests(a, b, seed=seed, n_flips=1_999)
            rejected += sum(one.p_value <= 0.05 for one in found)
            missed += sum(not encloses(one, 0.0) for one in found)
    assert 0.035 <= rejected / 2_000 <= 0.065
    assert missed == rejected


@settings(deadline=None)
@given(st.integers(1, 3_000), st.integers(0, 2**32), st.sampled_from([1, 7, 10_000]), st.floats(0, 1))
def test_the_value_at_a_position_is_that_of_sorting(n: int, seed: int, distinct: int, share: float) -> None:
    values = np.random.default_rng(seed).integers(0, distinct, n).astype(np.float64)
    position = min(int(share * n), n - 1)
    assert _smallest(values, position) == np.sort(values)[position]
    values.sort()  # a sample of sorted values is even, and one of ties is not
    assert _smallest(values, position) == values[position]


@pytest.mark.parametrize(
    ("a", "b", "message"),
    [
        ([0.1, 0.2], [0.1], r"same queries, got shapes \(2, 1\) and \(1, 1\)"),
        ([[0.1]], [0.1], r"a must have 1 dimension"),
        ([0.1, 0.2], [0.1, math.nan], r"b\[1\] is nan"),
        ([math.inf], [0.1], r"a\[0\] is inf"),
    ],
)
def test_what_cannot_be_paired_is_refused(a: Any, b: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        paired_test(a, b, seed=0)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_flips": 0}, "n_flips must be >= 1, got 0"),
        ({"alternative": "both"}, 'must be one of "two-sided", "greater", "less", got "both"'),
        ({"level": 95}, "level must be between 0 and 1"),
    ],
)
def test_wrong_options_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        of_differences(DARWIN, **options)


def test_no_queries_cannot_be_compared() -> None:
    with pytest.raises(CannotMeasureError, match="no queries to compare"):
        paired_test([], [], seed=0)
