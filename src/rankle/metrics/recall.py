"""Recall: the share of all relevant targets that was found."""

import numpy as np
from numpy.typing import NDArray

from rankle.metrics.family import Cut, Family
from rankle.metrics.judged import JudgedRanks
from rankle.metrics.shares import share


def recall(judged: JudgedRanks, *, k: int | None = None, rel: int = 1) -> NDArray[np.float64]:
    """Relevant results among the first k over all relevant targets of the query.

    Returns shape (Q,), in [0, 1]; 0 where nothing is relevant. It cannot reach 1 at a k below the
    number of relevant targets: see `R_cap`.
    Equals trec_eval `recall`.
    """
    return share(judged.hits(rel, k), judged.n_relevant(rel))


def capped_recall(judged: JudgedRanks, *, k: int, rel: int = 1) -> NDArray[np.float64]:
    """Relevant results among the first k over the most that k results could hold.

    The divisor is the smaller of k and the number of relevant targets, so that a perfect ranking
    scores 1 at every k. Returns shape (Q,), in [0, 1]; 0 where nothing is relevant.
    Source: Thakur et al. 2021, BEIR, `R_cap@k`. trec_eval has no such measure.
    """
    return share(judged.hits(rel, k), np.minimum(judged.n_relevant(rel), k))


FAMILY = Family(name="R", title="Recall", compute=recall, cut=Cut.REQUIRED, aliases=("recall",), whole="SetR")
CAPPED = Family(
    name="R_cap",
    title="Capped Recall",
    compute=capped_recall,
    cut=Cut.REQUIRED,
    aliases=("recall_cap", "capped_recall", "recall_capped"),
)
