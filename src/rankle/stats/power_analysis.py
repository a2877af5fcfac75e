"""How small a difference can so many queries show, and how many queries does a difference need?

All from the variance of the differences per query, by the power of the paired t test, which the sign-flip
randomisation shares. Up to 20 queries the randomisation cannot be wrong in exactly 5 %, only in a whole
number of flips, so the power is taken at the level that it does reach; below six queries that is 0.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from rankle.core.errors import CannotMeasureError, InputError
from rankle.core.tables import Tabular
from rankle.stats.distributions import noncentral_t_cdf, t_quantile
from rankle.stats.flips import EXACT_UP_TO

MOST_QUERIES = 1_000_000_000
"""More than that are never asked for."""


@dataclass(frozen=True, slots=True)
class Power(Tabular):
    """A size of difference, a number of queries, and the chance to find the one with the other."""

    n: int
    """Queries on which both systems are compared."""
    effect: float
    """The true mean difference, without sign."""
    power: float
    """The chance that the test calls it significant, in [0, 1]."""
    alpha: float
    deviation: float
    """Standard deviation of the differences per query that all this rests on."""
    two_sided: bool


def power(
    differences: ArrayLike | None = None,
    *,
    effect: float,
    n: int | None = None,
    variance: float | None = None,
    alpha: float = 0.05,
    two_sided: bool = True,
) -> Power:
    """The chance to find a true mean difference of `effect` with n queries.

    differences: b - a per query of an earlier comparison, shape (m,), m >= 2; only their variance counts.
        Instead of them, `variance` says it outright: see `difference_variance` for a single run.
    n: as many queries as there are differences, unless given.
    The sign of the effect is irrelevant. Where no randomisation of so few queries can reach a p as small as
    alpha (below six queries at 0.05), the power is 0.
    Raises InputError on figures out of range, CannotMeasureError on fewer than two differences and on
    differences without variance.
    Equals statsmodels' `TTestPower` above 20 queries.
    """
    deviation, m = _spread(differences, variance)
    if n is None:
        n = _given("n", m)
    _check(n=n, alpha=alpha)
    found = _power(_finite("effect", effect) / deviation * math.sqrt(n), n, alpha, two_sided)
    return Power(n, abs(effect), found, alpha, deviation, two_sided)


def queries_needed(
    differences: ArrayLike | None = None,
    *,
    effect: float,
    variance: float | None = None,
    power: float = 0.8,
    alpha: float = 0.05,
    two_sided: bool = True,
) -> Power:
    """The smallest number of queries that finds a true mean difference of `effect` with the power asked.

    differences, variance, errors: as for `power`; effect must not be 0.
    Raises CannotMeasureError where it would take more than a billion queries.
    """
    deviation, _ = _spread(differences, variance)
    _check(n=2, alpha=alpha, power=power)
    if _finite("effect", effect) == 0.0:
        raise InputError("effect must not be 0: no number of queries finds a difference that is not there")

    def reached(n: int) -> float:
        return _power(effect / deviation * math.sqrt(n), n, alpha, two_sided)

    n = _first(lambda n: reached(n) >= power)
    if n is None:
        raise CannotMeasureError(
            f"a difference of {abs(effect):g} needs more than {MOST_QUERIES:,} queries "
            f"where differences vary by {deviation:g} (standard deviation)"
        )
    return Power(n, abs(effect), reached(n), alpha, deviation, two_sided)


def smallest_detectable(
    differences: ArrayLike | None = None,
    *,
    n: int | None = None,
    variance: float | None = None,
    power: float = 0.8,
    alpha: float = 0.05,
    two_sided: bool = True,
) -> Power:
    """The smallest true mean difference that n queries find with the power asked.

    differences, variance, n, errors: as for `power`. Raises CannotMeasureError where n is too small for any
    difference (fewer than six queries at alpha 0.05).
    """
    deviation, m = _spread(differences, variance)
    if n is None:
        n = _given("n", m)
    _check(n=n, alpha=alpha, power=power)
    shift = detectable_shift(n, power=power, alpha=alpha, two_sided=two_sided)
    if shift is None:
        raise CannotMeasureError(
            f"with {n} queries no test can reach p <= {alpha:g}, however large the difference"
        )
    return Power(n, shift * deviation / math.sqrt(n), power, alpha, deviation, two_sided)


def difference_variance(scores: ArrayLike, *, correlation: float = 0.5) -> float:
    """What the differences of two systems would vary by, where only one of them has been measured.

    scores: of one run, shape (n,), n >= 2. correlation: of the two systems' scores over the queries, in
        [-1, 1). With equal variances the differences have 2 (1 - correlation) times that of the scores; at
        0.5 the two are the same. Systems that change little correlate more, and need fewer queries: on our
        public sets, methods of search correlated by 0.3 to 0.9 (docs/statistics.md).
    Raises InputError on a correlation out of range and on scores that are no finite figures,
    CannotMeasureError on fewer than two scores.
    """
    if not -1.0 <= correlation < 1.0:
        raise InputError(f"correlation must be in [-1, 1), got {correlation:g}")
    return 2.0 * (1.0 - correlation) * _variance("scores", scores)


@lru_cache(maxsize=1024)
def detectable_shift(n: int, *, power: float, alpha: float, two_sided: bool) -> float | None:
    """The smallest detectable difference in standard errors; None where n is too small for any."""
    if n < 2 or _attained(alpha, n, two_sided) == 0.0:
        return None
    low, high = 0.0, 4.0
    while _power(high, n, alpha, two_sided) < power:
        low, high = high, 2 * high
    while high - low > 1e-9 * high:
        middle = (low + high) / 2
        low, high = (middle, high) if _power(middle, n, alpha, two_sided) < power else (low, middle)
    return high


def _power(shift: float, n: int, alpha: float, two_sided: bool) -> float:
    """shift: the true difference in standard errors."""
    attained = _attained(alpha, n, two_sided)
    if n < 2 or attained == 0.0:
        return 0.0
    critical = t_quantile(1.0 - attained / (2 if two_sided else 1), df=n - 1)
    beyond = noncentral_t_cdf(-critical, df=n - 1, shift=-abs(shift))  # mirrored, where it is precise
    return beyond + (noncentral_t_cdf(-critical, df=n - 1, shift=abs(shift)) if two_sided else 0.0)


def _attained(alpha: float, n: int, two_sided: bool) -> float:
    """The largest share of flips that is at most alpha; above 20 queries flips are many enough for alpha."""
    if n > EXACT_UP_TO:
        return alpha
    flips = 2.0 ** (n - 1 if two_sided else n)
    return math.floor(alpha * flips * (1 + 1e-12)) / flips


def _first(holds: Callable[[int], bool]) -> int | None:
    """The smallest n that holds; the steps of the exact test make it worth trying one by one up to 20."""
    for n in range(2, EXACT_UP_TO + 2):
        if holds(n):
            return n
    low, high = EXACT_UP_TO + 1, 2 * EXACT_UP_TO
    while not holds(high):
        if high >= MOST_QUERIES:
            return None
        low, high = high, min(2 * high, MOST_QUERIES)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


def _spread(differences: ArrayLike | None, variance: float | None) -> tuple[float, int | None]:
    """Standard deviation of the differences, and their number where they are given."""
    if (differences is None) == (variance is None):
        raise InputError("power needs either the differences per query or their variance, and not both")
    if differences is None:
        assert variance is not None
        if not (math.isfinite(variance) and variance > 0.0):
            raise InputError(f"variance must be > 0, got {variance:g}")
        return math.sqrt(variance), None
    found = np.asarray(differences, dtype=np.float64)
    deviation = math.sqrt(_variance("differences", found))
    if deviation <= 1e-12 * np.abs(found).max():
        raise CannotMeasureError(
            f"all {found.size} differences are equal, so nothing says how much they vary. "
            "Give variance= from a comparison in which they do"
        )
    return deviation, found.size


def _variance(name: str, values: ArrayLike) -> float:
    found = np.asarray(values, dtype=np.float64)
    if found.ndim != 1:
        raise InputError(f"{name} must have one dimension, got shape {found.shape}")
    if not np.isfinite(found).all():
        first = int(np.argmin(np.isfinite(found)))
        raise InputError(f"{name}[{first}] is {found[first]}, not a finite number")
    if found.size < 2:
        raise CannotMeasureError(f"{name}: a variance takes at least 2 queries, got {found.size}")
    return float(found.var(ddof=1))


def _given(name: str, value: int | None) -> int:
    if value is None:
        raise InputError(f"{name} is needed where the variance stands for the differences")
    return value


def _finite(name: str, value: float) -> float:
    if not math.isfinite(value):
        raise InputError(f"{name} must be a finite number, got {value}")
    return value


def _check(*, n: int, alpha: float, power: float = 0.8) -> None:
    if n < 1:
        raise InputError(f"n must be >= 1, got {n}")
    for name, value in (("alpha", alpha), ("power", power)):
        if not 0.0 < value < 1.0:
            raise InputError(f"{name} must be between 0 and 1, got {value:g}")
