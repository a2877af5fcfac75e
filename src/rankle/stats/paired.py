"""Is the difference of two systems on the same queries real?"""

import math
from dataclasses import dataclass
from typing import Final, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rankle.core.errors import CannotMeasureError, InputError
from rankle.core.tables import Tabular
from rankle.stats import classic_tests
from rankle.stats.flips import Flips, flips_of, randomised
from rankle.stats.outcome import Alternative, Outcome
from rankle.stats.power_analysis import detectable_shift

Method = Literal["randomisation", "t", "wilcoxon", "sign"]
Floats = NDArray[np.float64]

_SAME = 1e-11
"""Means within this share of the largest difference are equal to 0; real ones differ by far more."""
_ROUNDING = 1e-14
"""Differences within this share of the largest score are equal to 0."""
_POWER = 0.8

WARNINGS: Final = {
    "wilcoxon": "Wilcoxon tests whether differences are symmetric about 0, not whether their mean is 0, and "
    "finds too much where they are skewed; it has no interval of the mean difference",
    "sign": "the sign test weighs wins against losses, however large, not whether their mean is 0, and "
    "finds too much where differences are skewed; it has no interval of the mean difference",
}
"""What must stand beside a p-value of these methods."""


@dataclass(frozen=True, slots=True)
class PairedTest(Tabular):
    """The difference of two systems over the same queries, b minus a: above 0, b scores higher."""

    n: int
    mean_a: float
    mean_b: float
    difference: float
    """Mean of b minus mean of a."""
    low: float | None
    high: float | None
    """The differences that the test does not reject at 1 - level; None on a side without a bound: with
    too few queries for any p-value that small (fewer than 6 at 0.95), beyond a one-sided alternative, and
    by the methods that do not test the mean."""
    level: float
    p_value: float
    alternative: Alternative
    wins: int
    """Queries on which b scores higher."""
    ties: int
    losses: int
    effect_size: float | None
    """Mean difference over its standard deviation (Cohen's d_z); None where that is 0 or n is 1."""
    smallest_detectable: float | None
    """The true difference that so many queries, varying as these do, find with a chance of 80 % at
    1 - level; None where nothing varies, with fewer than 6 queries, and by methods that do not test means."""
    method: Method
    n_flips: int
    """How many flips were tried; with `exact`, every one there is (2^n). 0 of all other methods."""
    exact: bool
    """Whether p is counted, not approximated."""
    seed: int
    warning: str | None
    """What to know before the p-value is believed; None of randomisation and t."""


def paired_test(
    a: ArrayLike,
    b: ArrayLike,
    *,
    seed: int = 0,
    method: Method = "randomisation",
    n_flips: int = 10_000,
    alternative: Alternative = "two-sided",
    level: float = 0.95,
) -> PairedTest:
    """Tests the mean of b - a, with the interval that inverts the test.

    a, b: scores of the same queries in the same order, shape (n,), finite, on any scale.
    method: "randomisation" flips the signs of the differences. n <= 20: exact over all 2^n flips. Above:
        n_flips random ones and p = (b + 1) / (n_flips + 1), where b counts those at least as extreme, so p
        is never 0. "t" is Student's; "wilcoxon" and "sign" come with a warning, and without an interval.
    alternative: "greater" asks whether b scores higher than a, "less" whether lower.
    Equal arrays give p = 1. One query gives p = 1. 0 is in [low, high] if and only if p > 1 - level.

    Raises InputError on other shapes or lengths, on figures that are not finite, on n_flips < 1 and on
    unknown methods and alternatives; CannotMeasureError on no queries, and for "t" on differences that are
    all the same and not 0.
    Sources: Fisher 1935, The Design of Experiments, section 21; Smucker, Allan and Carterette 2007, CIKM;
    (b + 1) / (B + 1) by Phipson and Smyth 2010.
    """
    first, second = (_scores(name, values, ndim=1) for name, values in (("a", a), ("b", b)))
    return _tests(first[:, None], second[:, None], _Plan(seed, method, n_flips, alternative, level))[0]


def paired_tests(
    a: ArrayLike,
    b: ArrayLike,
    *,
    seed: int = 0,
    method: Method = "randomisation",
    n_flips: int = 10_000,
    alternative: Alternative = "two-sided",
    level: float = 0.95,
) -> tuple[PairedTest, ...]:
    """`paired_test` of every column, under the same flips: many measures for little more than one.

    a, b: shape (n, n_measures); a result per column, that of `paired_test` with the same seed.
    The p-values are not adjusted for their number: see `holm`.
    """
    first, second = (_scores(name, values, ndim=2) for name, values in (("a", a), ("b", b)))
    return _tests(first, second, _Plan(seed, method, n_flips, alternative, level))


@dataclass(frozen=True, slots=True)
class _Plan:
    seed: int
    method: Method
    n_flips: int
    alternative: Alternative
    level: float

    def __post_init__(self) -> None:
        if self.n_flips < 1:
            raise InputError(f"n_flips must be >= 1, got {self.n_flips}")
        _one_of("method", self.method, get_args(Method))
        _one_of("alternative", self.alternative, get_args(Alternative))
        if not 0.0 < self.level < 1.0:
            raise InputError(f"level must be between 0 and 1, got {self.level:g}")


def _one_of(name: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        names = ", ".join(f'"{one}"' for one in allowed)
        raise InputError(f'{name} must be one of {names}, got "{value}"')


def _tests(a: Floats, b: Floats, plan: _Plan) -> tuple[PairedTest, ...]:
    if a.shape != b.shape:
        raise InputError(f"a and b must hold the same queries, got shapes {a.shape} and {b.shape}")
    if not len(a):
        raise CannotMeasureError("no queries to compare: a and b are empty")
    flips = None
    if plan.method == "randomisation":
        flips = flips_of(b - a, seed=plan.seed, n_flips=plan.n_flips, alternative=plan.alternative)
    return tuple(
        _one(a[:, column], b[:, column], None if flips is None else flips.of(column), plan)
        for column in range(a.shape[1])
    )


def _one(a: Floats, b: Floats, flips: Flips | None, plan: _Plan) -> PairedTest:
    differences = b - a
    n = differences.size
    same = float(max(_SAME * np.abs(differences).max(), _ROUNDING * np.abs(a).max()))
    mean = float(differences.mean())
    difference = mean if abs(mean) > same else 0.0
    spread = float(differences.std(ddof=1)) if n > 1 else 0.0
    varies = spread > same
    outcome = _outcome(differences, flips, plan, same=same)
    return PairedTest(
        n=n,
        mean_a=float(a.mean()),
        mean_b=float(b.mean()),
        difference=difference,
        low=outcome.low,
        high=outcome.high,
        level=plan.level,
        p_value=outcome.p_value,
        alternative=plan.alternative,
        wins=int(np.count_nonzero(differences > same)),
        ties=int(np.count_nonzero(np.abs(differences) <= same)),
        losses=int(np.count_nonzero(differences < -same)),
        effect_size=difference / spread if varies else None,
        smallest_detectable=_detectable(n, spread, plan) if varies else None,
        method=plan.method,
        n_flips=outcome.n_flips,
        exact=outcome.exact,
        seed=plan.seed,
        warning=WARNINGS.get(plan.method),
    )


def _outcome(differences: Floats, flips: Flips | None, plan: _Plan, *, same: float) -> Outcome:
    if flips is not None:
        return randomised(differences, flips, alternative=plan.alternative, level=plan.level, same=same)
    snapped = np.where(np.abs(differences) <= same, 0.0, differences)
    if plan.method == "t":
        return classic_tests.student(snapped, alternative=plan.alternative, level=plan.level)
    if plan.method == "wilcoxon":
        return classic_tests.wilcoxon(snapped, alternative=plan.alternative)
    return classic_tests.sign(snapped, alternative=plan.alternative)


def _detectable(n: int, spread: float, plan: _Plan) -> float | None:
    if plan.method in WARNINGS:
        return None
    alpha = round(1.0 - plan.level, 12)
    shift = detectable_shift(n, power=_POWER, alpha=alpha, two_sided=plan.alternative == "two-sided")
    return None if shift is None else shift * spread / math.sqrt(n)


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
