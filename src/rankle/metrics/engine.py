"""All measures of all queries in one pass over the judged ranks."""

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from rankle.metrics.judged import JudgedRanks
from rankle.metrics.measure import Measure
from rankle.metrics.table import BY_NAME


def compute(
    judged: JudgedRanks, measures: Sequence[Measure], *, undefined: Literal["nan", "zero"] = "nan"
) -> dict[Measure, NDArray[np.float64]]:
    """The value of every measure for every query, each of shape (n_queries,).

    A query without a relevant judgment has no recall, nDCG or AP: it is NaN, in every measure that
    scores relevance at the same `rel`, so that the columns of one table share a denominator. With
    `undefined="zero"` it is 0, as trec_eval has it. A query that the run does not have scores 0.
    `Judged` and `RBP_resid` describe the judgments and are defined for every query.
    Raises MeasureError where the judgments do not allow a measure (a grade above ERR's max).
    """
    values = {}
    for measure in dict.fromkeys(measures):
        family = BY_NAME[measure.family]
        values[measure] = family.compute(judged, **_arguments(measure))
        if undefined == "nan":
            values[measure][~family.defined(judged, measure.rel)] = np.nan
    return values


def depth_needed(measures: Sequence[Measure]) -> int | None:
    """How many results a query must have been asked for: the largest k; None means all of them.

    None where any measure has no cut, since it reads the whole list. 0 for no measures.
    """
    cuts = [measure.k for measure in measures]
    return None if None in cuts else max((k for k in cuts if k is not None), default=0)


def _arguments(measure: Measure) -> dict[str, int | str | float | None]:
    family = BY_NAME[measure.family]
    arguments: dict[str, int | str | float | None] = dict(measure.parameters)
    if family.cut != "none":
        arguments["k"] = measure.k
    if family.takes_rel:
        arguments["rel"] = measure.rel
    return arguments
