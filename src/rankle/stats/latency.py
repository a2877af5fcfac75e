"""Percentiles of latencies."""

import math
from collections.abc import Sequence

from rankle.core.errors import InputError
from rankle.core.run import Latency


def latency_percentiles(values_ms: Sequence[float]) -> Latency:
    """The 50th and 95th percentile of latencies, by nearest rank.

    values_ms: one latency per answered query, in milliseconds, in any order.
    The p-th percentile is the smallest latency that at least p % of the queries did not exceed, so it is
    one that a user met: of 10 queries, p95 is the slowest and p50 the fifth fastest. Interpolation would
    name a wait that nobody had, and understate the tail of few queries. numpy: `method="inverted_cdf"`.
    No values: both are None.
    Raises InputError on a latency that is negative or not finite.
    """
    for position, value in enumerate(values_ms):
        if not (math.isfinite(value) and value >= 0.0):
            raise InputError(f"values_ms[{position}] must be a latency >= 0 in milliseconds, got {value}")
    if not len(values_ms):
        return Latency(p50=None, p95=None)
    ordered = sorted(values_ms)
    return Latency(p50=_nearest_rank(ordered, 50), p95=_nearest_rank(ordered, 95))


def _nearest_rank(ordered: Sequence[float], percent: int) -> float:
    rank = -(-percent * len(ordered) // 100)  # whole numbers round up exactly, where 0.95 * n would not
    return float(ordered[rank - 1])
