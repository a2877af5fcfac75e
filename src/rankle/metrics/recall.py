"""Recall: the share of all relevant targets that was found."""

from typing import TYPE_CHECKING

from rankle.metrics.family import Cut, Family
from rankle.metrics.shares import share

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from rankle.metrics.judged import JudgedRanks


def recall(judged: "JudgedRanks", *, k: int | None = None, rel: int = 1) -> "NDArray[np.float64]":
    """Relevant targets that the first k results find, over all of the query.

    Returns shape (Q,), in [0, 1]; 0 where nothing is relevant. It cannot reach 1 at a k below the
    number of relevant targets: see `R_cap`.
    Equals trec_eval `recall`.
    """
    return share(judged.found(rel, k), judged.n_relevant(rel))


def capped_recall(judged: "JudgedRanks", *, k: int, rel: int = 1) -> "NDArray[np.float64]":
    """Relevant targets that the first k results find, over the most that k results could hold, one each.

    The divisor is the smaller of k and the number of relevant targets, so that a perfect ranking
    scores 1 at every k; results that find several targets count no further than to 1.
    Returns shape (Q,), in [0, 1]; 0 where nothing is relevant.
    Source: Thakur et al. 2021, BEIR, `R_cap@k`. trec_eval has no such measure.
    """
    import numpy as np

    most = np.minimum(judged.n_relevant(rel), k)
    return share(np.minimum(judged.found(rel, k), most), most)


FAMILY = Family(name="R", title="Recall", compute=recall, cut=Cut.REQUIRED, aliases=("recall",), whole="SetR")
CAPPED = Family(
    name="R_cap",
    title="Capped Recall",
    compute=capped_recall,
    cut=Cut.REQUIRED,
    aliases=("recall_cap", "capped_recall", "recall_capped"),
)
