"""The sign-flip randomisation of paired differences: its p-value, and the interval that inverts it.

Under the hypothesis that the mean difference is x, the sign of every (difference - x) is arbitrary. A flip
counts against x when its mean is at least as far from 0 as the observed one. With the queries split into
those flipped and those kept, that holds exactly when x lies between the mean difference of the flipped and
that of the kept (write both means as sums and factor the difference of squares). So every flip is an
interval around the observed difference, the p-value at x is the share of flips whose interval holds x, and
the confidence interval is a pair of order statistics: test and interval are one object and cannot disagree.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rankle.stats.outcome import Alternative, Outcome, count_above

Floats = NDArray[np.float64]

EXACT_UP_TO = 20
"""Up to so many queries every flip is tried; 2^20 of them are still cheap."""
_CHUNK_BYTES = 16_000_000
_STRIDE = 61
"""Every so many values are a sample of them; no divisor of the powers of 2 that flips come in."""


@dataclass(frozen=True, slots=True)
class Flips:
    """What the flips of a sample make of its differences. Flipping none is left out: it is always extreme."""

    sums: Floats
    """Sum of the differences that are flipped, shape (n_measures, n_flips), or (n_flips,) of one."""
    sizes: Floats
    """How many are flipped, shape (n_flips,), each from 0 to n."""
    n_flips: int
    """How many were tried, with those that need no figures: the flip of none, and mirrors."""
    exact: bool

    def of(self, measure: int) -> "Flips":
        """Those of one measure."""
        return Flips(self.sums[measure], self.sizes, self.n_flips, self.exact)


def flips_of(differences: Floats, *, seed: int, n_flips: int, alternative: Alternative) -> Flips:
    """Every flip of up to 20 queries, or n_flips random ones.

    differences: shape (n, n_measures); all measures share the flips.
    """
    if len(differences) <= EXACT_UP_TO:
        return _all_flips(differences, alternative=alternative)
    return _random_flips(differences, seed=seed, n_flips=n_flips)


def randomised(
    differences: Floats, flips: Flips, *, alternative: Alternative, level: float, same: float
) -> Outcome:
    """The test of one measure.

    differences: shape (n,). same: how far from 0 a mean still is 0.
    """
    lows, highs = holding(flips, differences, alternative)
    total = flips.sizes.size + 1  # with the flip of none, the observed outcome itself
    beyond = int(np.count_nonzero((lows <= same) & (highs >= -same))) + 1
    needed = count_above(level, total)
    return Outcome(
        p_value=beyond / total,
        low=_bound(lows, needed - 2, same=same),
        high=_bound(highs, total - needed, same=same),
        n_flips=flips.n_flips,
        exact=flips.exact,
    )


def holding(flips: Flips, differences: Floats, alternative: Alternative) -> tuple[Floats, Floats]:
    """Per flip, the interval of hypothetical mean differences at which it is as extreme as the observed."""
    n, total = differences.size, float(differences.sum())
    none, all_ = flips.sizes == 0, flips.sizes == n
    flipped = flips.sums / np.maximum(flips.sizes, 1.0)
    if alternative == "greater":  # the flipped mean is at most x
        flipped[none] = -np.inf
        return flipped, np.full_like(flipped, np.inf)
    if alternative == "less":
        flipped[none] = np.inf
        return np.full_like(flipped, -np.inf), flipped
    kept = (total - flips.sums) / np.maximum(n - flips.sizes, 1.0)
    lows, highs = np.minimum(flipped, kept), np.maximum(flipped, kept)
    mirrors = none | all_  # flipping all mirrors the observed, so it is as extreme at every x
    lows[mirrors], highs[mirrors] = -np.inf, np.inf
    return np.minimum(lows, total / n, out=lows), np.maximum(highs, total / n, out=highs)


def _all_flips(differences: Floats, *, alternative: Alternative) -> Flips:
    """Every flip but that of none, by doubling: those of one query more are the old ones without and with it.

    Two-sided, a flip and its mirror are extreme together, so half of them (never the last query) will do.
    """
    sums = np.zeros((differences.shape[1], 1))
    sizes = np.zeros(1)
    for row in differences[:-1] if alternative == "two-sided" else differences:
        sums = np.concatenate((sums, sums + row[:, None]), axis=1)
        sizes = np.concatenate((sizes, sizes + 1.0))
    return Flips(sums[:, 1:], sizes[1:], 2 ** len(differences), exact=True)


def _random_flips(differences: Floats, *, seed: int, n_flips: int) -> Flips:
    """Random flips as matrix products, in chunks; the bits do not depend on the chunk's size."""
    n = len(differences)
    generator = np.random.default_rng(seed)
    with_size = np.column_stack((differences, np.ones(n)))
    words = math.ceil(n / 64)
    rows = max(1, _CHUNK_BYTES // (8 * n))
    parts = []
    for start in range(0, n_flips, rows):
        size = (min(rows, n_flips - start), words)
        random = generator.integers(0, 2**64, size=size, dtype=np.uint64).astype("<u8", copy=False)
        bits = np.unpackbits(random.view(np.uint8), axis=1, count=n)
        parts.append(bits.astype(np.float64) @ with_size)
    sums = np.ascontiguousarray(np.concatenate(parts).T)
    return Flips(sums[:-1], np.rint(sums[-1]), n_flips, exact=False)


def _bound(ends: Floats, position: int, *, same: float) -> float | None:
    """The end at a position of the sorted ends, 0 where only rounding keeps it from 0, so that ties are ties.

    None where there is no such position or no such number: the hypothesis has no bound on this side.
    """
    if not 0 <= position < ends.size:
        return None
    found = (
        _smallest(ends, position) if position < ends.size / 2 else -_smallest(-ends, ends.size - 1 - position)
    )
    if not math.isfinite(found):
        return None
    return 0.0 if abs(found) <= same else found


def _smallest(values: Floats, position: int) -> float:
    """The value at a position in ascending order.

    The bounds lie far out, so values that a sample shows to be far above are left out first: half the time.
    """
    sample = np.sort(values[::_STRIDE])
    reach = position // _STRIDE + 6 * math.isqrt(position // _STRIDE) + 6
    if reach < sample.size:
        below = values[values <= sample[reach]]
        if position < below.size:
            values = below
    return float(np.partition(values, position)[position])
