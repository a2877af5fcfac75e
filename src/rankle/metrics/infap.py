"""Inferred average precision: AP estimated from a judged sample of a pool."""

from typing import TYPE_CHECKING

from rankle.metrics.family import OF_ALL_RESULTS, Cut, Family
from rankle.metrics.shares import share

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from rankle.metrics.judged import JudgedRanks

_EPSILON = 1e-5
"""trec_eval's smoothing of the precision among judged results."""


def inferred_ap(judged: "JudgedRanks", *, rel: int = 1) -> "NDArray[np.float64]":
    """Average precision in expectation, where only a sample of the pool was judged.

    At a relevant result of rank r, the r - 1 results above it are taken to be relevant at the rate
    (pooled above / above) times (relevant above + e) / (judged above + 2 e), e = 0.00001; pooled are
    the judged results and those with a negative grade, which were in the pool and got no grade.
    Returns shape (Q,), in [0, 1]; 0 where nothing is relevant. With the whole pool judged it
    approaches AP within the smoothing.
    Moving a relevant result up past a pooled but unjudged one can lower it, since that one may be relevant.
    Source: Yilmaz and Aslam 2006. Equals trec_eval `infAP`.
    """
    import numpy as np

    relevant = judged.is_relevant(rel)
    relevant_above = judged.running_count(relevant) - relevant
    judged_above = judged.running_count(judged.is_judged()) - judged.is_judged()
    pooled_above = judged.running_count(np.ones_like(relevant)) - 1
    above = judged.rank - 1
    rate = (relevant_above + _EPSILON) / (judged_above + 2 * _EPSILON)
    at_rank = (1.0 + pooled_above * rate) / (above + 1.0)
    return share(judged.total(at_rank * judged.n_found(rel), relevant), judged.n_relevant(rel))


FAMILY = Family(
    name="infAP",
    title="Inferred AP",
    compute=inferred_ap,
    cut=Cut.NONE,
    no_cut=OF_ALL_RESULTS,
    aliases=("inf_ap",),
)
