"""Hit rate: whether anything relevant was found."""

from typing import TYPE_CHECKING

from rankle.metrics.family import Cut, Family

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from rankle.metrics.judged import JudgedRanks


def hit(judged: "JudgedRanks", *, k: int | None = None, rel: int = 1) -> "NDArray[np.float64]":
    """1 where at least one relevant result is among the first k (None: among all), else 0.

    Returns shape (Q,). Its mean over queries is the hit rate.
    Equals trec_eval `success`.
    """
    import numpy as np

    return (judged.hits(rel, k) > 0).astype(np.float64)


FAMILY = Family(
    name="Hit",
    title="Hit Rate",
    compute=hit,
    cut=Cut.OPTIONAL,
    aliases=("hit_rate", "hitrate", "success", "success_rate", "top_k_accuracy", "accuracy"),
)
