"""All pairs of several systems at once: Tukey's honestly significant differences, by randomisation.

If all systems were equally good, each query's scores could as well have stood in any order. A shuffle of
every query's scores gives a largest difference of any two means; a pair differs where its own difference is
larger than nearly all of those. So the chance that any pair of equal systems is called different stays at the
level, however many systems there are.
"""

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import combinations, permutations
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rankle.core.errors import CannotMeasureError, InputError
from rankle.core.tables import Tabular
from rankle.stats.outcome import count_above
from rankle.stats.shuffles import random_ranges

Floats = NDArray[np.float64]

EXACT_UP_TO = 2**20
"""Up to so many shuffles every one is tried."""
_SAME = 1e-11


@dataclass(frozen=True, slots=True)
class TukeyPair:
    """Two of the systems, in the order in which they were given."""

    a: str
    b: str
    difference: float
    """Mean of b minus mean of a."""
    low: float | None
    high: float | None
    """All intervals together hold all true differences at the level. None where too few queries bound it."""
    p_value: float
    """Adjusted for the number of pairs: at most 1 - level if and only if 0 is outside of the interval."""


@dataclass(frozen=True, slots=True)
class TukeyTest(Tabular):
    """Every pair of several systems over the same queries."""

    n: int
    systems: tuple[str, ...]
    means: tuple[float, ...]
    pairs: tuple[TukeyPair, ...]
    critical: float | None
    """Pairs further apart than this differ; None where no difference would do."""
    level: float
    n_shuffles: int
    exact: bool
    """Whether every shuffle there is was tried."""
    seed: int

    def to_rows(self) -> list[dict[str, Any]]:
        """A row for each pair."""
        return [asdict(pair) for pair in self.pairs]


def tukey_hsd(
    scores: ArrayLike,
    *,
    names: Sequence[str] | None = None,
    seed: int = 0,
    n_shuffles: int = 10_000,
    level: float = 0.95,
) -> TukeyTest:
    """Randomised Tukey HSD test of all pairs of systems.

    scores: of the same queries, shape (n, n_systems), finite; names: of the systems, else "0", "1", ...
    Exact where there are at most 2^20 shuffles ((n_systems!)^(n-1): one query may stay as it is). Above,
    n_shuffles random ones and p = (b + 1) / (n_shuffles + 1). Of two systems it is `paired_test`. One query
    and equal columns give p = 1.
    Raises InputError on other shapes, on fewer than two systems and on figures that are not finite;
    CannotMeasureError on no queries.
    Sources: Carterette 2012, ACM TOIS 30(1), section 5; Sakai 2018, Laboratory Experiments in Information
    Retrieval, chapter 4. scipy's `tukey_hsd` takes systems for unrelated samples; this one pairs by query.
    """
    found = np.asarray(scores, dtype=np.float64)
    if found.ndim != 2:
        raise InputError(f"scores must have the shape (queries, two or more systems), got {found.shape}")
    (test,) = tukey_tests(found[:, :, None], names=names, seed=seed, n_shuffles=n_shuffles, level=level)
    return test


def tukey_tests(
    scores: ArrayLike,
    *,
    names: Sequence[str] | None = None,
    seed: int = 0,
    n_shuffles: int = 10_000,
    level: float = 0.95,
) -> tuple[TukeyTest, ...]:
    """`tukey_hsd` of every measure, under the same shuffles: many measures for little more than one.

    scores: shape (n, n_systems, n_measures); a result per measure, that of `tukey_hsd` with the same seed.
    The p-values are not adjusted for the number of measures.
    """
    found = _checked(scores, level=level, n_shuffles=n_shuffles)
    n, n_systems, n_measures = found.shape
    systems = tuple(map(str, range(n_systems))) if names is None else tuple(names)
    if len(set(systems)) != n_systems:
        raise InputError(f"names must be {n_systems} different ones, one a system, got {list(systems)}")
    exact = math.factorial(n_systems) ** (n - 1) <= EXACT_UP_TO
    every = (
        [_all_ranges(found[:, :, measure]) for measure in range(n_measures)]
        if exact
        else random_ranges(found, seed=seed, n_shuffles=n_shuffles)
    )
    total = math.factorial(n_systems) ** n if exact else n_shuffles
    tests = []
    for ranges, one in zip(every, np.moveaxis(found, 2, 0), strict=True):
        same = float(_SAME * max(np.ptp(one, axis=1).max(), 1e-300))
        test, means = _Ranges(np.sort(ranges), same, level), one.mean(axis=0)
        pairs = test.pairs(means, systems)
        tests.append(
            TukeyTest(n, systems, tuple(means.tolist()), pairs, test.critical, level, total, exact, seed)
        )
    return tuple(tests)


@dataclass(frozen=True, slots=True)
class _Ranges:
    ranges: Floats
    """Largest differences under the shuffles but for the observed order itself, ascending."""
    same: float
    level: float

    @property
    def critical(self) -> float | None:
        needed = count_above(self.level, self.ranges.size + 1) - 1
        return float(self.ranges[-needed]) if needed else None

    def pairs(self, means: Floats, systems: Sequence[str]) -> tuple[TukeyPair, ...]:
        return tuple(
            self._pair(systems[a], systems[b], float(means[b] - means[a]))
            for a, b in combinations(range(len(systems)), 2)
        )

    def _pair(self, a: str, b: str, difference: float) -> TukeyPair:
        if abs(difference) <= self.same:
            difference = 0.0
        beyond = self.ranges.size - int(np.searchsorted(self.ranges, abs(difference) - self.same)) + 1
        low = high = None
        if self.critical is not None:
            low, high = (
                0.0 if abs(bound) <= self.same else bound
                for bound in (difference - self.critical, difference + self.critical)
            )
        return TukeyPair(a, b, difference, low, high, beyond / (self.ranges.size + 1))


def _all_ranges(scores: Floats) -> Floats:
    """Over all shuffles that leave the first query alone, for a shuffle of columns changes no range."""
    sums = scores[:1]
    orders = np.array(list(permutations(range(scores.shape[1]))))
    for row in scores[1:]:
        sums = (sums + row[orders][:, None, :]).reshape(-1, scores.shape[1])
    found: Floats = np.ptp(sums[1:], axis=1) / len(scores)  # the first is the observed order
    return found


def _checked(scores: ArrayLike, *, level: float, n_shuffles: int) -> Floats:
    found = np.asarray(scores, dtype=np.float64)
    if found.ndim != 3:
        raise InputError(f"scores must have the shape (queries, systems, measures), got {found.shape}")
    if found.shape[1] < 2:
        raise InputError(f"scores must have the shape (queries, two or more systems), got {found.shape[:2]}")
    if not len(found):
        raise CannotMeasureError("no queries to compare: scores are empty")
    if not np.isfinite(found).all():
        query, system, measure = np.argwhere(~np.isfinite(found))[0].tolist()
        place = f"{query}, {system}{f', {measure}' if found.shape[2] > 1 else ''}"
        raise InputError(
            f"scores[{place}] is {found[query, system, measure]}, not a finite number. "
            "Leave queries out that one of the systems does not have"
        )
    if not 0.0 < level < 1.0:
        raise InputError(f"level must be between 0 and 1, got {level:g}")
    if n_shuffles < 1:
        raise InputError(f"n_shuffles must be >= 1, got {n_shuffles}")
    return found
