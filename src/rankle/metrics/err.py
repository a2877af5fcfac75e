"""Expected reciprocal rank: a reader who stops where a result satisfies."""

from itertools import pairwise
from typing import TYPE_CHECKING

from rankle.core.errors import MeasureError
from rankle.metrics.family import Cut, Family, Parameter, needs_grades

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from rankle.metrics.judged import JudgedRanks

_GREATEST_MAX = 60
"""2^max must fit a float64 exactly."""


def err(judged: "JudgedRanks", *, k: int | None = None, max: int = 4) -> "NDArray[np.float64]":  # noqa: A002
    """Sum over the first k ranks of 1 / rank times the probability that the reader stops there.

    A result of grade g stops the reader with probability (2^g - 1) / 2^max, max being the highest
    grade of the scale (not of the data, so that figures compare across sets).
    Returns shape (Q,), in [0, 1); 0 where nothing with a grade above 0 was retrieved.
    Raises MeasureError if a grade exceeds max: clipping it would change the measure unseen.
    Source: Chapelle et al. 2009. Equals gdeval's `err@k` for max=4; trec_eval has none.
    """
    import numpy as np

    highest = int(judged.ideal_grades.max(initial=0))
    if highest > max:
        raise MeasureError(
            f"ERR has max={max}, but the judgments go up to grade {highest}; ask for ERR(max={highest})"
        )
    found = (judged.grade > 0) & judged.within(k)
    query, rank = judged.query[found], judged.rank[found]
    stops = (np.exp2(judged.grade[found]) - 1) / np.exp2(max)
    place = judged.running_count(found)[found]
    order = np.argsort(place, kind="stable")
    bounds = np.searchsorted(place[order], np.arange(1, place.max(initial=0) + 2))
    values = np.zeros(judged.n_queries)
    reads_on = np.ones(judged.n_queries)
    for start, end in pairwise(bounds):
        # the nth graded result of every query at once: no query has two of them
        at = order[start:end]
        values[query[at]] += reads_on[query[at]] * stops[at] / rank[at]
        reads_on[query[at]] *= 1 - stops[at]
    return values


def _read_max(text: str) -> int:
    value = int(text)
    if not 1 <= value <= _GREATEST_MAX:
        raise ValueError(f"must be an integer from 1 to {_GREATEST_MAX}")
    return value


FAMILY = Family(
    name="ERR",
    title="ERR",
    compute=err,
    cut=Cut.OPTIONAL,
    takes_rel=False,
    parameters=(Parameter("max", 4, _read_max),),
    defined=needs_grades,
    aliases=("expected_reciprocal_rank",),
)
