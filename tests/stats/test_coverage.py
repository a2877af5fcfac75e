"""The intervals of means hold what they promise, by simulation (the full table: docs/statistics.md)."""

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from rankle.core.errors import InputError
from rankle.stats.intervals import Interval, mean_interval, t_interval, wilson_interval
from rankle.stats.simulation import EXTREMES, POPULATIONS, beta, coverage, tally

N_SAMPLES = 2_000


def floor(share: float, *, n_samples: int = N_SAMPLES) -> float:
    """The lowest observed share that is within two Monte-Carlo standard errors of `share`."""
    return share - 2 * math.sqrt(share * (1 - share) / n_samples)


def ceiling(share: float, *, n_samples: int = N_SAMPLES) -> float:
    return share + 2 * math.sqrt(share * (1 - share) / n_samples)


@pytest.mark.parametrize("n", [20, 50, 200])
def test_means_are_covered_in_93_to_97_percent(n: int) -> None:
    found = {
        name: coverage(population, n=n, n_samples=N_SAMPLES, seed=n).covered
        for name, population in POPULATIONS.items()
    }
    outside = {name: share for name, share in found.items() if not floor(0.93) <= share <= ceiling(0.97)}
    assert not outside
    # The mean over all populations is known ten times as well, and would show a slip of one point.
    assert floor(0.945, n_samples=N_SAMPLES * len(found)) <= np.mean(list(found.values())) <= 0.96


def test_the_simulation_can_tell_a_method_that_covers_too_little() -> None:
    found = coverage(POPULATIONS["80 % zeros"], n=20, n_samples=N_SAMPLES, seed=20, interval=t_interval)
    assert found.covered < floor(0.93)


@pytest.mark.parametrize("name", EXTREMES)
def test_the_extremes_are_covered_in_92_to_98_percent(name: str) -> None:
    found = coverage(EXTREMES[name], n=20, n_samples=N_SAMPLES, seed=20)
    assert floor(0.92) <= found.covered <= ceiling(0.98)


@pytest.mark.parametrize(
    ("level", "low", "high"), [(0.8, 0.78, 0.83), (0.9, 0.88, 0.925), (0.99, 0.975, 0.995)]
)
def test_other_levels_hold_too(level: float, low: float, high: float) -> None:
    shares = [
        coverage(population, n=50, n_samples=N_SAMPLES // 4, seed=50, level=level).covered
        for population in POPULATIONS.values()
    ]
    assert low <= np.mean(shares) <= high


@pytest.mark.parametrize("name", [*POPULATIONS, *EXTREMES])
def test_a_population_has_the_mean_it_states(name: str) -> None:
    population = {**POPULATIONS, **EXTREMES}[name]
    scores = population.draw(np.random.default_rng(3), (400, 250))
    assert scores.mean() == pytest.approx(population.mean, abs=4 * scores.std() / math.sqrt(scores.size))
    assert 0.0 <= scores.min() <= scores.max() <= 1.0


def test_shares_of_hits_are_covered_on_average() -> None:
    """Exact, not simulated: Wilson's coverage swings about the level with p, as every share's does."""
    n, shares = 50, np.linspace(0.02, 0.98, 97)
    found = [wilson_interval(hits, n) for hits in range(n + 1)]
    lows, highs = (np.array([getattr(one, side) for one in found]) for side in ("low", "high"))
    weights = np.array(
        [[math.comb(n, hits) * p**hits * (1 - p) ** (n - hits) for hits in range(n + 1)] for p in shares]
    )
    covered = (weights * ((lows <= shares[:, None]) & (shares[:, None] <= highs))).sum(axis=1)
    assert covered.mean() == pytest.approx(0.953, abs=0.005)
    assert covered.min() > 0.91


def test_coverage_counts_both_ways_of_missing() -> None:
    found = tally(0.5, lows=np.array([0.4, 0.6, 0.1, 0.5]), highs=np.array([0.6, 0.8, 0.3, 0.9]))
    assert (found.covered, found.too_high, found.too_low) == (0.5, 0.25, 0.25)
    assert found.mean_width == pytest.approx(0.25)


def test_a_bound_that_is_the_mean_but_for_rounding_covers_it() -> None:
    assert tally(0.3, lows=np.array([0.1 + 0.2]), highs=np.array([0.9])).covered == 1.0


def test_coverage_calls_the_interval_with_one_sample_at_a_time() -> None:
    sizes = []

    def watched(scores: NDArray[np.float64], *, level: float) -> Interval:
        sizes.append(scores.shape)
        return mean_interval(scores, level=level)

    coverage(beta(2, 2), n=5, n_samples=3, seed=0, interval=watched)
    assert sizes == [(5,)] * 3


def test_coverage_of_single_scores_is_refused() -> None:
    with pytest.raises(InputError, match="at least 2"):
        coverage(beta(2, 2), n=1, n_samples=3, seed=0)
