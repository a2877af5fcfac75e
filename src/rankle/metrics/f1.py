"""F1: the harmonic mean of precision and recall."""

import numpy as np
from numpy.typing import NDArray

from rankle.metrics.family import Cut, Family
from rankle.metrics.judged import JudgedRanks
from rankle.metrics.shares import share


def f1(judged: JudgedRanks, *, k: int | None = None, rel: int = 1) -> NDArray[np.float64]:
    """Harmonic mean of precision and recall among the first k; of the whole result set for k=None.

    Returns shape (Q,), in [0, 1]; 0 where nothing relevant was retrieved. Computed as
    2 hits / (k + R), which is the same figure and needs no case for 0 / 0.
    Equals trec_eval `set_F` for k=None (its beta is 1); trec_eval has no cut.
    """
    places = judged.n_retrieved if k is None else np.full(judged.n_queries, k)
    return share(2 * judged.hits(rel, k), places + judged.n_relevant(rel))


FAMILY = Family(
    name="F1",
    title="F1",
    compute=f1,
    cut=Cut.OPTIONAL,
    aliases=("f", "f_measure", "set_f", "setf", "f1_score"),
)
