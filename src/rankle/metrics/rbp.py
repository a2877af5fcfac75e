"""Rank-biased precision: a reader who goes on to the next result with probability p."""

from typing import TYPE_CHECKING

from rankle.metrics.family import Cut, Family, Parameter, always

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from rankle.metrics.judged import JudgedRanks


def rbp(
    judged: "JudgedRanks", *, k: int | None = None, rel: int = 1, p: float = 0.8
) -> "NDArray[np.float64]":
    """(1 - p) times the sum of p^(rank - 1) over the relevant results among the first k.

    Returns shape (Q,), in [0, 1). A lower bound: what is unjudged, or deeper than the run, could
    add at most the residual.
    Source: Moffat and Zobel 2008, with binary gains. trec_eval 9 has none.
    """
    found = judged.is_relevant(rel) & judged.within(k)
    return judged.total(_weight(judged, p), found)


def residual(judged: "JudgedRanks", *, k: int | None = None, p: float = 0.8) -> "NDArray[np.float64]":
    """How much RBP could still rise: the weight of all places that hold no judged result.

    Places below the run's last result and below k count as unjudged, so RBP lies between `RBP` and
    `RBP + RBP_resid`. Returns shape (Q,), in [0, 1]; 1 where nothing judged was retrieved.
    Source: Moffat and Zobel 2008.
    """
    import numpy as np

    known = judged.total(_weight(judged, p), judged.is_judged() & judged.within(k))
    return np.maximum(1.0 - known, 0.0)


def _weight(judged: "JudgedRanks", p: float) -> "NDArray[np.float64]":
    import numpy as np

    return (1.0 - p) * np.power(p, judged.rank - 1, dtype=np.float64)


def _read_p(text: str) -> float:
    value = float(text)
    if not 0 < value < 1:
        raise ValueError("must be a number between 0 and 1")
    return value


_P = Parameter("p", 0.8, _read_p, always_shown=True)

FAMILY = Family(
    name="RBP",
    title="RBP",
    compute=rbp,
    cut=Cut.OPTIONAL,
    parameters=(_P,),
    aliases=("rank_biased_precision",),
)
RESIDUAL = Family(
    name="RBP_resid",
    title="RBP Residual",
    compute=residual,
    cut=Cut.OPTIONAL,
    takes_rel=False,
    parameters=(_P,),
    defined=always,
    aliases=("rbp_residual",),
    scores_relevance=False,
)
