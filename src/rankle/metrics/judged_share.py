"""Judged@k: how much of what was measured anybody has looked at."""

from typing import TYPE_CHECKING

from rankle.metrics.family import Cut, Family, always
from rankle.metrics.shares import share

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from rankle.metrics.judged import JudgedRanks


def judged_share(judged: "JudgedRanks", *, k: int | None = None) -> "NDArray[np.float64]":
    """Judged results among the first k, over k; over all results for k=None.

    Returns shape (Q,), in [0, 1]; 0 where nothing was retrieved. The divisor is k even where fewer
    results came back (3 results of which 2 are judged: 0.2 at Judged@10), as for precision. A
    negative grade is no judgment. Defined for every query, since it needs no relevant target.
    ir_measures' `Judged@k` divides by what came back (2/3 here); trec_eval has none.
    """
    found = judged.count(judged.is_judged() & judged.within(k))
    return share(found, judged.n_retrieved) if k is None else found / k


FAMILY = Family(
    name="Judged",
    title="Judged",
    compute=judged_share,
    cut=Cut.OPTIONAL,
    takes_rel=False,
    defined=always,
    aliases=("judged_share",),
    scores_relevance=False,
)
