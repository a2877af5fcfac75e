"""Means with intervals and denominators, from the per-query scores of one run."""

import numpy as np
from numpy.typing import NDArray

from rankle.core.run import MeasureSummary
from rankle.stats.intervals import mean_interval


def summarise_scores(scores: NDArray[np.float64], *, n_failed: int) -> MeasureSummary:
    """Mean and 95 % interval over the queries that have the measure.

    scores: one per answered query, NaN where undefined, shape (n_answered,). Every answered query was
    asked, so none is missing.
    """
    defined = scores[~np.isnan(scores)]
    interval = mean_interval(defined)
    return MeasureSummary(
        mean=float(defined.mean()) if defined.size else None,
        low=interval.low,
        high=interval.high,
        n_scored=int(defined.size),
        n_undefined=int(scores.size - defined.size),
        n_failed=n_failed,
        n_missing=0,
    )
