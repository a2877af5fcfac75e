"""The interval of the difference of two shares of different samples."""

import math

from rankle.stats.intervals import Interval, wilson_interval

NEWCOMBE = "newcombe"


def share_difference_interval(n_a: int, of_a: int, n_b: int, of_b: int, *, level: float = 0.95) -> Interval:
    """Interval of n_a / of_a - n_b / of_b, where the samples have nothing in common; within [-1, 1].

    Both bounds are None where a sample has fewer than two. Made of the two Wilson intervals, so that it stays
    in range and does not shrink to nothing at shares of 0 and 1.
    Raises InputError as `wilson_interval`.
    Source: Newcombe 1998, Statistics in Medicine 17, 873-890, method 10 (without continuity correction).
    """
    a, b = (wilson_interval(n, n_of, level=level) for n, n_of in ((n_a, of_a), (n_b, of_b)))
    if a.low is None or a.high is None or b.low is None or b.high is None:
        return Interval(None, None, level, NEWCOMBE)
    share_a, share_b = n_a / of_a, n_b / of_b
    low = math.hypot(share_a - a.low, b.high - share_b)
    high = math.hypot(a.high - share_a, share_b - b.low)
    return Interval(share_a - share_b - low, share_a - share_b + high, level, NEWCOMBE)
