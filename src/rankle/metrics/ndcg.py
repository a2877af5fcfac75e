"""nDCG: discounted gain over that of the ideal ranking."""

from typing import TYPE_CHECKING

from rankle.core.errors import MeasureError
from rankle.metrics.family import Cut, Family, Parameter, needs_grades

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from rankle.metrics.judged import JudgedRanks

_GAINS = {"linear": "linear", "exp2": "exp2", "log2": "linear", "exp-log2": "exp2"}
"""The last two are ir_measures' `dcg=`."""

_GREATEST_EXPONENT = 1000


def ndcg(
    judged: "JudgedRanks", *, k: int | None = None, rel: int = 1, gain: str = "linear"
) -> "NDArray[np.float64]":
    """Normalised discounted cumulative gain, per query.

    gain: `linear` gains the grade, `exp2` gains 2^grade - 1; the discount is log2(rank + 1).
    rel: lower grades gain nothing, as 0 does; those from rel on gain what they are.
    Returns shape (Q,), in [0, 1]; 0 where nothing with a grade of at least rel was retrieved or judged.
    The ideal ranking holds all judged targets of the query, retrieved or not, and is cut at k.
    Grades come from the judgments alone, whatever relevant set is stated beside them.
    Raises MeasureError for `exp2` on grades whose power does not fit a float64.
    Source: Järvelin and Kekäläinen 2002, with the discount of Burges et al. 2005; exp2: Burges et al.
    Equals trec_eval `ndcg` and `ndcg_cut` for `linear`; trec_eval has no `exp2`,
    and its `-l` leaves nDCG at rel=1; ranx' `-l2` is rel=2.
    """
    import numpy as np

    if gain == "exp2" and judged.ideal_grades.max(initial=0) > _GREATEST_EXPONENT:
        raise MeasureError(
            f"gain=exp2 takes grades up to {_GREATEST_EXPONENT}, the judgments go up to "
            f"{judged.ideal_grades.max()}; use the linear gain, or map the grades"
        )
    found = (judged.grade >= rel) & judged.within(k)
    dcg = judged.total(_gain(judged.grade, gain) / np.log2(judged.rank + 1), found)
    place = np.arange(len(judged.ideal_grades)) - judged.ideal_offsets[judged.ideal_query] + 1
    ideal = (judged.ideal_grades >= rel) & (place <= k if k is not None else True)
    best = np.bincount(
        judged.ideal_query[ideal],
        weights=_gain(judged.ideal_grades[ideal], gain) / np.log2(place[ideal] + 1),
        minlength=judged.n_queries,
    )
    return np.divide(dcg, best, out=np.zeros_like(dcg), where=best > 0)


def _gain(grade: "NDArray[np.int64]", gain: str) -> "NDArray[np.float64]":
    import numpy as np

    return np.exp2(grade) - 1 if gain == "exp2" else grade.astype(np.float64)


def _read_gain(text: str) -> str:
    if text.casefold() not in _GAINS:
        raise ValueError("must be linear or exp2")
    return _GAINS[text.casefold()]


FAMILY = Family(
    name="nDCG",
    title="NDCG",
    compute=ndcg,
    cut=Cut.OPTIONAL,
    parameters=(Parameter("gain", "linear", _read_gain, aliases=("dcg",)),),
    defined=needs_grades,
    aliases=("ndcg_cut",),
    variants=(("ndcg_burges", (("gain", "exp2"),)), ("ndcg_exp2", (("gain", "exp2"),))),
)
