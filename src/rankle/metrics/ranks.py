"""Ranks of a few results among many, from scores alone; ids are compared only where scores tie."""

from itertools import pairwise
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

Number = TypeVar("Number", np.float64, np.uint64)


class Standing(NamedTuple):
    """Where some results stand among the results of their query. H results of interest."""

    above: NDArray[np.int64]
    """Results of the query with a higher score, shape (H,)."""
    tied: NDArray[np.int64]
    """Results of the query with the same score, itself among them, shape (H,)."""

    def at(self, places: NDArray[np.int64]) -> "Standing":
        """The standings of some of them."""
        return Standing(above=self.above[places], tied=self.tied[places])


class ScoreOrder:
    """The scores of all queries, sorted within each query, so that standings are found by bisection."""

    def __init__(self, scores: NDArray[np.float64], offsets: NDArray[np.int64]) -> None:
        """scores: finite, shape (N,), grouped by query; offsets: bounds of the groups, shape (Q + 1,)."""
        self._offsets = offsets
        self._given = -scores
        self._sorted = self._given if _is_sorted(self._given, offsets) else sort_within(self._given, offsets)

    def standing(self, query: NDArray[np.int64], scores: NDArray[np.float64]) -> Standing:
        """How many results of the query score higher than each of these scores, and how many the same.

        Each of the scores must be one of its query's.
        """
        start, end = self._offsets[query], self._offsets[query + 1]
        above = _bisect(self._sorted, -scores, start, end, right=False)
        tied = np.ones(len(query), dtype=np.int64)
        behind = np.minimum(above + 1, len(self._sorted) - 1)
        unsure = np.flatnonzero((self._sorted[behind] == -scores) & (above + 1 < end))
        through = _bisect(self._sorted, -scores[unsure], above[unsure], end[unsure], right=True)
        tied[unsure] = through - above[unsure]
        return Standing(above=above - start, tied=tied)

    def standing_of_rows(self, query: NDArray[np.int64], rows: NDArray[np.int64]) -> Standing:
        """The same for results by their row; where rows came sorted, only ties are searched for."""
        if self._sorted is not self._given:
            return self.standing(query, -self._given[rows])
        start, last = self._offsets[query], len(self._given) - 1
        value = self._given[rows]
        unsure = (self._given[np.maximum(rows - 1, 0)] == value) & (rows > start)
        unsure |= (self._given[np.minimum(rows + 1, last)] == value) & (rows + 1 < self._offsets[query + 1])
        above, tied = rows - start, np.ones(len(rows), dtype=np.int64)
        found = self.standing(query[unsure], -value[unsure])
        above[unsure], tied[unsure] = found.above, found.tied
        return Standing(above=above, tied=tied)

    def tied_rows(self, query: NDArray[np.int64], standing: Standing) -> NDArray[np.int64]:
        """The rows that tie with each result, one group behind the other, shape (sum of tied,)."""
        first = self._offsets[query] + standing.above
        places = np.repeat(first - np.cumsum(standing.tied) + standing.tied, standing.tied) + np.arange(
            int(standing.tied.sum())
        )
        if self._sorted is self._given:
            return places
        return self._order_of(np.unique(query))[places]

    def _order_of(self, queries: NDArray[np.int64]) -> NDArray[np.int64]:
        """Row at each place of the sorted scores; filled in for these queries only."""
        order = np.empty(len(self._given), dtype=np.int64)
        for query in queries:
            start, end = self._offsets[query], self._offsets[query + 1]
            order[start:end] = start + np.argsort(self._given[start:end], kind="stable")
        return order


def _is_sorted(values: NDArray[np.float64], offsets: NDArray[np.int64]) -> bool:
    falls = np.flatnonzero(values[1:] < values[:-1]) + 1
    return bool(np.isin(falls, offsets, assume_unique=False).all()) if len(falls) else True


def sort_within(values: NDArray[Number], offsets: NDArray[np.int64]) -> NDArray[Number]:
    """The values, ascending within each group; offsets: bounds of the groups, shape (Q + 1,)."""
    lengths = np.diff(offsets)
    if len(lengths) and (lengths == lengths[0]).all():
        return np.sort(values.reshape(len(lengths), -1), axis=1).reshape(-1) if lengths[0] else values
    ordered = values.copy()
    bounds = offsets.tolist()
    for start, end in pairwise(bounds):
        ordered[start:end].sort()
    return ordered


def _bisect(
    values: NDArray[np.float64],
    wanted: NDArray[np.float64],
    low: NDArray[np.int64],
    high: NDArray[np.int64],
    *,
    right: bool,
) -> NDArray[np.int64]:
    """The first place in `low:high` that is not before `wanted` (right: that is behind it), for each."""
    last = len(values) - 1
    for _ in range(int((high - low).max(initial=0)).bit_length()):
        middle = (low + high) >> 1
        at = values[np.minimum(middle, last)]
        before = (at <= wanted if right else at < wanted) & (low < high)
        low = np.where(before, middle + 1, low)
        high = np.where(before, high, middle)
    return low
