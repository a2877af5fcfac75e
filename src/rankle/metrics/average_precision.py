"""Average precision: precision at each relevant result, averaged over all that is relevant."""

from typing import TYPE_CHECKING

from rankle.metrics.family import Cut, Family
from rankle.metrics.shares import share

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from rankle.metrics.judged import JudgedRanks


def average_precision(judged: "JudgedRanks", *, k: int | None = None, rel: int = 1) -> "NDArray[np.float64]":
    """Sum of the precision at the rank of each relevant target found by the first k, over R.

    R is the number of all relevant targets, also where it exceeds k: 20 relevant targets and 10
    relevant results score 0.5 at AP@10.
    Returns shape (Q,), in [0, 1]; 0 where nothing is relevant.
    Equals trec_eval `map` and `map_cut`. Divisors of min(R, k), as some libraries have, are another
    measure.
    """
    found = judged.is_relevant(rel) & judged.within(k)
    at_rank = judged.running_count(found) / judged.rank
    return share(judged.total(at_rank * judged.n_found(rel), found), judged.n_relevant(rel))


FAMILY = Family(
    name="AP",
    title="MAP",
    compute=average_precision,
    cut=Cut.OPTIONAL,
    aliases=("map", "map_cut", "average_precision", "mean_average_precision"),
)
