"""Reciprocal rank: how far down the first relevant result stands."""

from typing import TYPE_CHECKING

from rankle.metrics.family import Cut, Family

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from rankle.metrics.judged import JudgedRanks


def reciprocal_rank(judged: "JudgedRanks", *, k: int | None = None, rel: int = 1) -> "NDArray[np.float64]":
    """Reciprocal of the rank of the first relevant result.

    Returns shape (Q,), in [0, 1]; 0 where nothing relevant is among the first k (None: all).
    Source: Voorhees 1999, TREC-8 QA. Equals trec_eval `recip_rank` for k=None; trec_eval has no cut.
    """
    import numpy as np

    found = judged.is_relevant(rel) & judged.within(k)
    query, rank = judged.query[found], judged.rank[found]
    first = np.flatnonzero(np.diff(query, prepend=-1))
    values = np.zeros(judged.n_queries, dtype=np.float64)
    values[query[first]] = 1.0 / rank[first]
    return values


FAMILY = Family(
    name="RR",
    title="MRR",
    compute=reciprocal_rank,
    cut=Cut.OPTIONAL,
    aliases=("mrr", "recip_rank", "reciprocal_rank", "mean_reciprocal_rank", "mrr_cut", "recip_rank_cut"),
)
