"""The classic tests of paired differences, as options beside the randomisation: t, Wilcoxon, sign.

Wilcoxon and sign do not test the mean, so they have no interval of the difference, and they call skewed
differences whose mean is zero significant far too often (Urbano, Lima and Hanjalic 2019, SIGIR).
"""

import math

import numpy as np
from numpy.typing import NDArray

from rankle.core.errors import CannotMeasureError
from rankle.stats.distributions import binomial_cdf, normal_cdf, t_cdf, t_quantile
from rankle.stats.outcome import Alternative, Outcome

Floats = NDArray[np.float64]

EXACT_UP_TO = 50
"""Up to so many differences that are not 0, Wilcoxon's distribution is counted out."""


def student(differences: Floats, *, alternative: Alternative, level: float) -> Outcome:
    """Student's paired t.

    differences: shape (n,), those of rounding set to 0. Equal arrays and a single query give p = 1.
    Raises CannotMeasureError where all differences are equal and not 0: without variance there is no t.
    Source: Student 1908, Biometrika 6. Equals scipy's `ttest_rel`.
    """
    n = differences.size
    if n == 1:
        return Outcome(1.0, None, None, n_flips=0, exact=False)
    mean = float(differences.mean())
    error = float(differences.std(ddof=1)) / math.sqrt(n)
    if error <= 1e-12 * np.abs(differences).max():
        if mean != 0.0:
            raise CannotMeasureError(
                f"all {n} differences are {mean:g}: without variance there is no t. "
                "Use the randomisation test"
            )
        return Outcome(1.0, 0.0, 0.0, n_flips=0, exact=False)
    t = mean / error
    if alternative == "two-sided":
        p_value, reach = 2.0 * t_cdf(-abs(t), df=n - 1), t_quantile(0.5 + level / 2, df=n - 1) * error
    else:
        p_value = t_cdf(-t if alternative == "greater" else t, df=n - 1)
        reach = t_quantile(level, df=n - 1) * error
    low = None if alternative == "less" else mean - reach
    high = None if alternative == "greater" else mean + reach
    return Outcome(p_value, low, high, n_flips=0, exact=False)


def wilcoxon(differences: Floats, *, alternative: Alternative) -> Outcome:
    """Wilcoxon's signed-rank test: are the differences symmetric about 0?

    differences: shape (n,), those of rounding set to 0. Zeros are left out; equal sizes share their mean
        rank. Up to 50 differences p is counted over all signs, ties and all; above, it is normal with the
        variance corrected for ties, without continuity correction. Nothing but zeros gives p = 1.
    Source: Wilcoxon 1945, Biometrics Bulletin 1. Equals scipy's `wilcoxon`, which counts ties out up to 13.
    """
    found = differences[differences != 0.0]
    if not found.size:
        return Outcome(1.0, None, None, n_flips=0, exact=True)
    sizes = np.abs(found)
    ranks = _mean_ranks(np.round(sizes / sizes.max(), 12))  # 0.3 - 0.2 and 0.1 are the same size
    positive, total = float(ranks[found > 0].sum()), float(ranks.sum())
    exact = found.size <= EXACT_UP_TO
    if exact:
        counts = np.cumsum(_sums_of_ranks(np.rint(2 * ranks).astype(np.int64)))
        at_most = counts[round(2 * positive)] / counts[-1]
        at_least = counts[round(2 * (total - positive))] / counts[-1]  # the sums are symmetric
    else:
        z = (positive - total / 2) / math.sqrt(float((ranks**2).sum()) / 4)
        at_most, at_least = normal_cdf(z), normal_cdf(-z)
    return Outcome(_of_tails(at_most, at_least, alternative), None, None, n_flips=0, exact=exact)


def sign(differences: Floats, *, alternative: Alternative) -> Outcome:
    """The sign test: are wins and losses equally likely?

    differences: shape (n,), those of rounding set to 0. Zeros are left out; nothing but zeros gives p = 1.
    Source: Arbuthnott 1710, Philosophical Transactions 27. Equals scipy's `binomtest` of the wins.
    """
    wins, losses = int(np.count_nonzero(differences > 0)), int(np.count_nonzero(differences < 0))
    at_most = binomial_cdf(wins, n=wins + losses, probability=0.5)
    at_least = binomial_cdf(losses, n=wins + losses, probability=0.5)
    return Outcome(_of_tails(at_most, at_least, alternative), None, None, n_flips=0, exact=True)


def _of_tails(at_most: float, at_least: float, alternative: Alternative) -> float:
    if alternative == "greater":
        return float(at_least)
    if alternative == "less":
        return float(at_most)
    return float(min(2.0 * min(at_most, at_least), 1.0))


def _mean_ranks(sizes: Floats) -> Floats:
    _, group, counts = np.unique(sizes, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    found: Floats = (last - (counts - 1) / 2)[group]
    return found


def _sums_of_ranks(ranks: NDArray[np.int64]) -> Floats:
    """How many choices of ranks have each sum, from 0 to that of all; exact in doubles up to 2^53."""
    counts = np.zeros(int(ranks.sum()) + 1)
    counts[0] = 1.0
    for rank in ranks.tolist():
        counts[rank:] += counts[:-rank].copy()
    return counts
