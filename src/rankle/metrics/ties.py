"""The order of results that share a score."""

from collections.abc import Callable, Sequence
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from rankle.metrics.ranks import ScoreOrder, Standing


class Ties(StrEnum):
    """What orders results of equal score."""

    TREC = "trec"
    """Id descending by bytes, as trec_eval does, whatever order or rank was given."""
    SYSTEM = "system"
    """The order in which they were given."""


def places_among_ties(
    order: ScoreOrder,
    query: NDArray[np.int64],
    standing: Standing,
    *,
    names: Sequence[str],
    names_of: Callable[[int, NDArray[np.int64]], Sequence[str]],
    ties: Ties,
) -> NDArray[np.int64]:
    """How many of the results that tie with each one stand before it, shape (H,).

    names: id of each result of interest. names_of: the ids of some rows of one query, in that order.
    Each group of ties is ordered once, so that a system that gives every result the same score costs
    one sort a query.
    """
    before = np.zeros(len(query), dtype=np.int64)
    unsure = np.flatnonzero(standing.tied > 1)
    if not len(unsure):
        return before
    bound = int(standing.above.max()) + 1
    keys, first, group_of = np.unique(
        query[unsure] * bound + standing.above[unsure], return_index=True, return_inverse=True
    )
    group_query = keys // bound
    group = Standing(above=keys % bound, tied=standing.tied[unsure][first])
    rows = order.tied_rows(group_query, group)
    ends = np.cumsum(group.tied).tolist()
    members: list[dict[str, int]] = []
    for at, (start, end) in enumerate(zip([0, *ends], ends, strict=False)):
        tied = names_of(int(group_query[at]), rows[start:end])
        # code points and UTF-8 bytes have the same order
        ordered = sorted(tied, reverse=True) if ties is Ties.TREC else tied
        members.append({name: place for place, name in enumerate(ordered)})
    before[unsure] = [
        members[at][names[hit]] for at, hit in zip(group_of.tolist(), unsure.tolist(), strict=True)
    ]
    return before
