"""Is the difference of two systems on the same queries real? Sign-flip randomisation, and its interval.

Under the hypothesis that the mean difference is x, the sign of every (difference - x) is arbitrary. A flip
counts against x when its mean is at least as far from 0 as the observed one. With the queries split into
those flipped and those kept, that holds exactly when x lies between the mean difference of the flipped and
that of the kept (write both means as sums and factor the difference of squares). So every flip is an
interval around the observed difference, the p-value at x is the share of flips whose interval holds x, and
the confidence interval is a pair of order statistics: test and interval are one object and cannot disagree.
"""

import math
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rankle.core.errors import CannotMeasureError, InputError

Alternative = Literal["two-sided", "greater", "less"]
Floats = NDArray[np.float64]

EXACT_UP_TO = 20
"""Up to so many queries every flip is tried; 2^20 of them are still cheap."""

_SAME = 1e-11
"""Means within this share of the largest difference are equal to 0; real ones differ by far more."""
_ROUNDING = 1e-14
"""Differences within this share of the largest score are equal to 0."""
_CHUNK_BYTES = 16_000_000


@dataclass(frozen=True, slots=True)
class PairedTest:
    """The difference of two systems over the same queries, b minus a: above 0, b scores higher."""

    n: int
    mean_a: float
    mean_b: float
    difference: float
    """Mean of b minus mean of a."""
    low: float | None
    high: float | None
    """The differences that the test does not reject at 1 - level; None on a side without a bound: with
    too few queries for any p-value that small (fewer than 6 at 0.95), and beyond a one-sided alternative."""
    level: float
    p_value: float
    alternative: Alternative
    wins: int
    """Queries on which b scores higher."""
    ties: int
    losses: int
    effect_size: float | None
    """Mean difference over its standard deviation (Cohen's d_z); None where that is 0 or n is 1."""
    n_flips: int
    """How many flips were tried; with `exact`, every one there is (2^n)."""
    exact: bool
    seed: int


def paired_test(
    a: ArrayLike,
    b: ArrayLike,
    *,
    seed: int,
    n_flips: int = 10_000,
    alternative: Alternative = "two-sided",
    level: float = 0.95,
) -> PairedTest:
    """Sign-flip randomisation test of the mean of b - a, with the interval that inverts it.

    a, b: scores of the same queries in the same order, shape (n,), finite, on any scale.
    alternative: "greater" asks whether b scores higher than a, "less" whether lower.
    n <= 20: exact over all 2^n flips. Above: n_flips random ones and p = (b + 1) / (n_flips + 1), where b
    counts those at least as extreme, so p is never 0. Equal arrays give p = 1. One query gives p = 1.
    0 is in [low, high] if and only if p > 1 - level.

    Raises InputError on other shapes or lengths, on figures that are not finite, on n_flips < 1 and on
    unknown alternatives; CannotMeasureError on no queries.
    Sources: Fisher 1935, The Design of Experiments, section 21; Smucker, Allan and Carterette 2007, CIKM;
    (b + 1) / (B + 1) by Phipson and Smyth 2010.
    """
    first, second = (_scores(name, values, ndim=1) for name, values in (("a", a), ("b", b)))
    return _tests(first[:, None], second[:, None], _Plan(seed, n_flips, alternative, level))[0]


def paired_tests(
    a: ArrayLike,
    b: ArrayLike,
    *,
    seed: int,
    n_flips: int = 10_000,
    alternative: Alternative = "two-sided",
    level: float = 0.95,
) -> tuple[PairedTest, ...]:
    """`paired_test` of every column, under the same flips: many measures for little more than one.

    a, b: shape (n, n_measures); a result per column, that of `paired_test` with the same seed.
    The p-values are not adjusted for their number.
    """
    first, second = (_scores(name, values, ndim=2) for name, values in (("a", a), ("b", b)))
    return _tests(first, second, _Plan(seed, n_flips, alternative, level))


@dataclass(frozen=True, slots=True)
class _Plan:
    seed: int
    n_flips: int
    alternative: Alternative
    level: float

    def __post_init__(self) -> None:
        if self.n_flips < 1:
            raise InputError(f"n_flips must be >= 1, got {self.n_flips}")
        if self.alternative not in get_args(Alternative):
            allowed = ", ".join(f'"{one}"' for one in get_args(Alternative))
            raise InputError(f'alternative must be one of {allowed}, got "{self.alternative}"')
        if not 0.0 < self.level < 1.0:
            raise InputError(f"level must be between 0 and 1, got {self.level:g}")


def _tests(a: Floats, b: Floats, plan: _Plan) -> tuple[PairedTest, ...]:
    if a.shape != b.shape:
        raise InputError(f"a and b must hold the same queries, got shapes {a.shape} and {b.shape}")
    if not len(a):
        raise CannotMeasureError("no queries to compare: a and b are empty")
    differences = b - a
    exact = len(a) <= EXACT_UP_TO
    flipped = _all_sums(differences, plan) if exact else _random_sums(differences, plan)
    return tuple(
        _one(a[:, column], b[:, column], flipped.column(column), plan=plan, exact=exact)
        for column in range(a.shape[1])
    )


@dataclass(frozen=True, slots=True)
class _Flips:
    """What the flips of a sample make of its differences. Flipping none is left out: it is always extreme."""

    sums: Floats
    """Sum of the differences that are flipped, shape (n_flips, n_measures), or (n_flips,) of one."""
    sizes: Floats
    """How many are flipped, shape (n_flips,), each from 0 to n."""

    def column(self, index: int) -> "_Flips":
        return _Flips(np.ascontiguousarray(self.sums[:, index]), self.sizes)


def _one(a: Floats, b: Floats, flips: _Flips, *, plan: _Plan, exact: bool) -> PairedTest:
    differences = b - a
    n = differences.size
    same = float(max(_SAME * np.abs(differences).max(), _ROUNDING * np.abs(a).max()))
    mean = float(differences.mean())
    difference = mean if abs(mean) > same else 0.0
    lows, highs = _holding(flips, differences, plan.alternative)
    lows, highs = _snapped(lows, same), _snapped(highs, same)
    total = flips.sizes.size + 1  # with the flip of none, the observed outcome itself
    beyond = int(np.count_nonzero((lows <= 0.0) & (highs >= 0.0))) + 1
    needed = _more_than(round(1.0 - plan.level, 12), total)  # 1 - 0.9 is a little under 0.1
    spread = float(differences.std(ddof=1)) if n > 1 else 0.0
    return PairedTest(
        n=n,
        mean_a=float(a.mean()),
        mean_b=float(b.mean()),
        difference=difference,
        low=_nth_lowest(lows, needed - 1),
        high=_negative(_nth_lowest(-highs, needed - 1)),
        level=plan.level,
        p_value=beyond / total,
        alternative=plan.alternative,
        wins=int(np.count_nonzero(differences > same)),
        ties=int(np.count_nonzero(np.abs(differences) <= same)),
        losses=int(np.count_nonzero(differences < -same)),
        effect_size=difference / spread if spread > same else None,
        n_flips=2**n if exact else plan.n_flips,
        exact=exact,
        seed=plan.seed,
    )


def _holding(flips: _Flips, differences: Floats, alternative: Alternative) -> tuple[Floats, Floats]:
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


def _all_sums(differences: Floats, plan: _Plan) -> _Flips:
    """Every flip but that of none, by doubling: those of one query more are the old ones without and with it.

    Two-sided, a flip and its mirror are extreme together, so half of them (never the last query) will do.
    """
    sums = np.zeros((1, differences.shape[1]))
    sizes = np.zeros(1)
    for row in differences[:-1] if plan.alternative == "two-sided" else differences:
        sums = np.concatenate((sums, sums + row))
        sizes = np.concatenate((sizes, sizes + 1.0))
    return _Flips(sums[1:], sizes[1:])


def _random_sums(differences: Floats, plan: _Plan) -> _Flips:
    """Random flips as matrix products, in chunks; the bits do not depend on the chunk's size."""
    n = len(differences)
    generator = np.random.default_rng(plan.seed)
    with_size = np.column_stack((differences, np.ones(n)))
    words = math.ceil(n / 64)
    rows = max(1, _CHUNK_BYTES // (8 * n))
    parts = []
    for start in range(0, plan.n_flips, rows):
        size = (min(rows, plan.n_flips - start), words)
        random = generator.integers(0, 2**64, size=size, dtype=np.uint64).astype("<u8", copy=False)
        bits = np.unpackbits(random.view(np.uint8), axis=1, count=n)
        parts.append(bits.astype(np.float64) @ with_size)
    sums = np.concatenate(parts)
    return _Flips(sums[:, :-1], np.rint(sums[:, -1]))


def _more_than(alpha: float, total: int) -> int:
    """The smallest count whose share of total is more than alpha, by the very comparison a caller makes."""
    count = math.floor(alpha * total)
    while count / total <= alpha:
        count += 1
    return count


def _nth_lowest(values: Floats, nth: int) -> float | None:
    """The nth lowest, from 1; None where that is no number: the hypothesis has no bound on this side."""
    if nth < 1:
        return None
    found = float(np.partition(values, nth - 1)[nth - 1])
    return found if math.isfinite(found) else None


def _negative(value: float | None) -> float | None:
    return None if value is None else 0.0 - value


def _snapped(found: Floats, same: float) -> Floats:
    """Values with those that only rounding keeps from 0 set to 0, in place, so that ties count as ties."""
    found[np.abs(found) <= same] = 0.0
    return found


def _scores(name: str, values: ArrayLike, *, ndim: int) -> Floats:
    scores = np.asarray(values, dtype=np.float64)
    if scores.ndim != ndim:
        raise InputError(f"{name} must have {ndim} dimension(s), got shape {scores.shape}")
    finite = np.isfinite(scores)
    if not finite.all():
        first = tuple(int(axis) for axis in np.argwhere(~finite)[0])
        where = ", ".join(map(str, first))
        raise InputError(
            f"{name}[{where}] is {scores[first]}, not a finite number. "
            "Leave queries out of both that one of them does not have"
        )
    return scores
