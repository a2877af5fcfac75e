"""Set measures: precision and recall of everything that came back, in whatever order."""

from typing import TYPE_CHECKING

from rankle.metrics.family import Cut, Family
from rankle.metrics.recall import recall
from rankle.metrics.shares import share

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from rankle.metrics.judged import JudgedRanks


def set_precision(judged: "JudgedRanks", *, rel: int = 1) -> "NDArray[np.float64]":
    """Relevant results over all results.

    Returns shape (Q,), in [0, 1]; 0 where nothing was retrieved.
    Equals trec_eval `set_P`.
    """
    return share(judged.hits(rel, None), judged.n_retrieved)


def set_recall(judged: "JudgedRanks", *, rel: int = 1) -> "NDArray[np.float64]":
    """Relevant targets found by any result, over all of them.

    Returns shape (Q,), in [0, 1]; 0 where nothing is relevant.
    Equals trec_eval `set_recall`.
    """
    return recall(judged, rel=rel)


PRECISION = Family(
    name="SetP",
    title="Set Precision",
    compute=set_precision,
    cut=Cut.NONE,
    no_cut="it is of all results; of the first {k} it is P@{k}",
    aliases=("set_p", "set_precision"),
)
RECALL = Family(
    name="SetR",
    title="Set Recall",
    compute=set_recall,
    cut=Cut.NONE,
    no_cut="it is of all results; of the first {k} it is R@{k}",
    aliases=("set_r", "set_recall"),
)
