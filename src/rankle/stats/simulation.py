"""Does an interval hold what it promises? Populations of scores with a known mean, and the share covered.

The tests hold our intervals to it; `bench/intervals.py` prints the table of docs/statistics.md with it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from rankle.core.errors import InputError
from rankle.stats.intervals import Interval, mean_interval

Draw = Callable[[np.random.Generator, tuple[int, int]], NDArray[np.float64]]


@dataclass(frozen=True, slots=True)
class Population:
    """A distribution of per-query scores in [0, 1]."""

    mean: float
    """The true mean, which an interval should cover."""
    draw: Draw
    """Scores of many samples at once: (generator, (n_samples, n)) to an array of that shape."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """How often an interval holds the true mean, as shares of the samples."""

    covered: float
    too_high: float
    """The whole interval lies above the mean."""
    too_low: float
    """The whole interval lies below the mean."""
    mean_width: float
    n_samples: int


def beta(a: float, b: float) -> Population:
    """Scores of Beta(a, b): symmetric for a = b, U-shaped below 1, skewed otherwise."""
    return Population(a / (a + b), lambda rng, shape: rng.beta(a, b, size=shape))


def inflated(*, zeros: float, ones: float, a: float = 2.0, b: float = 2.0) -> Population:
    """A share of exact zeros and of exact ones, and Beta(a, b) for the rest, as nDCG looks at small k."""

    def draw(rng: np.random.Generator, shape: tuple[int, int]) -> NDArray[np.float64]:
        kind = rng.random(shape)
        scores = rng.beta(a, b, size=shape)
        return np.where(kind < zeros, 0.0, np.where(kind >= 1.0 - ones, 1.0, scores))

    return Population(ones + (1.0 - zeros - ones) * a / (a + b), draw)


def reciprocal_ranks(*, first: float, miss: float, decay: float = 0.6, depth: int = 10) -> Population:
    """Reciprocal ranks: a share at rank 1, a share of misses, the rest falling off over ranks 2 to depth."""
    fall = decay ** np.arange(depth - 1)
    shares = np.concatenate(([first], (1.0 - first - miss) * fall / fall.sum(), [miss]))
    scores = np.concatenate((1.0 / np.arange(1, depth + 1), [0.0]))
    return Population(float(shares @ scores), lambda rng, shape: rng.choice(scores, size=shape, p=shares))


POPULATIONS: Mapping[str, Population] = MappingProxyType(
    {
        "Beta(2, 2), symmetric": beta(2, 2),
        "Beta(0.3, 0.3), U-shaped": beta(0.3, 0.3),
        "Beta(0.5, 2), skewed": beta(0.5, 2),
        "Beta(2, 0.5), skewed": beta(2, 0.5),
        "Beta(5, 1), skewed": beta(5, 1),
        "Beta(1, 8), skewed": beta(1, 8),
        "half zeros": inflated(zeros=0.5, ones=0.0),
        "80 % zeros": inflated(zeros=0.8, ones=0.0),
        "60 % ones, 5 % zeros": inflated(zeros=0.05, ones=0.6),
        "30 % zeros, 30 % ones": inflated(zeros=0.3, ones=0.3),
        "RR, half at rank 1": reciprocal_ranks(first=0.5, miss=0.15),
        "RR, hard": reciprocal_ranks(first=0.12, miss=0.5, decay=0.7),
    }
)
"""The shapes that per-query scores take; `mean_interval` covers 93 to 97 % of each."""

EXTREMES: Mapping[str, Population] = MappingProxyType(
    {
        "Beta(0.3, 3), very skewed": beta(0.3, 3),
        "RR, 85 % at rank 1": reciprocal_ranks(first=0.85, miss=0.03),
    }
)
"""Where the share covered at n = 20 is a little outside 93 to 97 %: reported, not gated."""


def coverage(
    population: Population,
    *,
    n: int,
    n_samples: int,
    seed: int,
    level: float = 0.95,
    interval: Callable[..., Interval] = mean_interval,
) -> Coverage:
    """The share of n_samples samples of n scores whose interval holds the population's mean.

    interval: called as `interval(scores, level=level)` with scores of shape (n,).
    The standard error of a share of 0.95 is 0.22 / sqrt(n_samples).
    Raises InputError if n < 2, where no interval exists.
    """
    if n < 2:
        raise InputError(f"coverage needs samples of at least 2 scores, got n={n}")
    samples = population.draw(np.random.default_rng(seed), (n_samples, n))
    found = [interval(sample, level=level) for sample in samples]
    lows = _bounds([one.low for one in found])
    highs = _bounds([one.high for one in found])
    return tally(population.mean, lows=lows, highs=highs)


def tally(mean: float, *, lows: NDArray[np.float64], highs: NDArray[np.float64]) -> Coverage:
    """Coverage of the true mean by intervals whose bounds stand in two arrays of shape (n_samples,)."""
    # A mean like 0.1 may miss a bound that equals it by a rounding error.
    too_high = float(np.mean(lows > mean + 1e-12))
    too_low = float(np.mean(highs < mean - 1e-12))
    return Coverage(1.0 - too_high - too_low, too_high, too_low, float(np.mean(highs - lows)), lows.size)


def _bounds(values: Sequence[float | None]) -> NDArray[np.float64]:
    return np.array(values, dtype=np.float64)
