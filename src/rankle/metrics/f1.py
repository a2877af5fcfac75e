"""F1: the harmonic mean of precision and recall."""

from typing import TYPE_CHECKING

from rankle.metrics.family import Cut, Family
from rankle.metrics.shares import share

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from rankle.metrics.judged import JudgedRanks


def f1(judged: "JudgedRanks", *, k: int | None = None, rel: int = 1) -> "NDArray[np.float64]":
    """Harmonic mean of precision and recall among the first k; of the whole result set for k=None.

    Returns shape (Q,), in [0, 1]; 0 where nothing relevant was retrieved. Where every result is one target,
    that is 2 hits / (k + R).
    Equals trec_eval `set_F` for k=None (its beta is 1); trec_eval has no cut.
    """
    import numpy as np

    places = judged.n_retrieved if k is None else np.full(judged.n_queries, k)
    hits, found = judged.hits(rel, k), judged.found(rel, k)
    return share(2 * hits * found, hits * judged.n_relevant(rel) + found * places)


FAMILY = Family(
    name="F1",
    title="F1",
    compute=f1,
    cut=Cut.OPTIONAL,
    aliases=("f", "f_measure", "set_f", "setf", "f1_score"),
)
