"""Bpref: preferences among judged results only."""

from typing import TYPE_CHECKING

from rankle.metrics.family import OF_ALL_RESULTS, Cut, Family
from rankle.metrics.shares import share

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from rankle.metrics.judged import JudgedRanks


def bpref(judged: "JudgedRanks", *, rel: int = 1) -> "NDArray[np.float64]":
    """Share of judged non-relevant results that stand below the relevant ones.

    Of each relevant result: 1 - min(n, R) / min(N, R), where n judged non-relevant results stand
    above it, R targets are relevant and N judged not relevant; 1 where n is 0, so also where nothing
    was judged not relevant. Summed over the relevant targets found, over R. Unjudged results are passed
    over, and so are those that repeat what stands above them.
    Returns shape (Q,), in [0, 1]; 0 where nothing is relevant.
    Source: Buckley and Voorhees 2004, in trec_eval's later form. Equals trec_eval `bpref`.
    """
    import numpy as np

    relevant = judged.is_relevant(rel)
    n_relevant = judged.n_relevant(rel)
    n_nonrelevant = judged.n_judged - n_relevant
    above = judged.running_count((judged.grade >= 0) & ~relevant)
    cap = n_relevant[judged.query]
    divisor = np.maximum(np.minimum(n_nonrelevant[judged.query], cap), 1)
    kept = 1.0 - np.minimum(above, cap) / divisor
    return share(judged.total(kept * judged.n_found(rel), relevant), n_relevant)


FAMILY = Family(name="Bpref", title="Bpref", compute=bpref, cut=Cut.NONE, no_cut=OF_ALL_RESULTS)
