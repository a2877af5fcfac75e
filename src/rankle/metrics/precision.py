"""Precision: the share of the first k places that is relevant."""

from typing import TYPE_CHECKING

from rankle.metrics.family import Cut, Family
from rankle.metrics.shares import share

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from rankle.metrics.judged import JudgedRanks


def precision(judged: "JudgedRanks", *, k: int, rel: int = 1) -> "NDArray[np.float64]":
    """Relevant results among the first k, over k.

    A result that holds several relevant targets is one; one that only repeats what stands above it is none.
    Returns shape (Q,), in [0, 1]. The divisor is k even where fewer results came back: an empty
    place is a place that does not help. Unjudged results count as not relevant.
    Equals trec_eval `P`.
    """
    return judged.hits(rel, k) / k


def r_precision(judged: "JudgedRanks", *, rel: int = 1) -> "NDArray[np.float64]":
    """Precision at R, the number of relevant targets of the query.

    Returns shape (Q,), in [0, 1]; 0 where nothing is relevant. At this cut precision and recall
    are the same figure.
    Equals trec_eval `Rprec`.
    """
    n_relevant = judged.n_relevant(rel)
    within = judged.rank <= n_relevant[judged.query]
    return share(judged.count(judged.is_relevant(rel) & within), n_relevant)


FAMILY = Family(
    name="P",
    title="Precision",
    compute=precision,
    cut=Cut.REQUIRED,
    aliases=("precision", "prec"),
    whole="SetP",
)
R_PRECISION = Family(
    name="Rprec",
    title="R-Precision",
    compute=r_precision,
    cut=Cut.NONE,
    no_cut="its cut is the number of relevant targets of each query; at a cut of yours it is P@{k}",
    aliases=("r_precision", "r_prec", "rprecision"),
)
