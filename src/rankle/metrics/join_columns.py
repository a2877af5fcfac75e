"""Joins runs that are columns, whole or block by block, by hashes that are then verified."""

from collections.abc import Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from rankle.metrics.join import Hits, Joined, assemble
from rankle.metrics.qrels import Qrels
from rankle.metrics.ranks import ScoreOrder, Standing, sort_within
from rankle.metrics.run import Run
from rankle.metrics.ties import Ties, places_among_ties

_ODD = np.uint64(0x9E3779B97F4A7C15)
"""Spreads the place of a query over 64 bits, so that one target of two queries has two keys."""
_ROOM = 32
"""Slots of the table a judgment: one unjudged result in so many passes it by chance."""

_FEW = 32
"""Mean size of a group of ties up to which comparing beats sorting."""


class SeenQueryError(Exception):
    """A query stands in two blocks: its results must be brought together before they are joined."""


class ColumnJoin:
    """Joins a run to qrels, in one block or many; each query must be whole within its block."""

    def __init__(self, qrels: Qrels, *, ties: Ties = Ties.TREC) -> None:
        self._qrels = qrels
        self._ties = ties
        self._table = _JudgmentTable(qrels)
        self._hits: list[Hits] = []
        self._n_retrieved = np.zeros(len(qrels.queries), dtype=np.int64)
        self._missing = np.ones(len(qrels.queries), dtype=bool)
        self._extra: set[str] = set()
        self._n_duplicates = 0

    def add(self, block: Run) -> None:
        """Join some queries. Raises SeenQueryError if one of them came in a block before."""
        places = np.array([self._qrels.index.get(query, -1) for query in block.queries], dtype=np.int64)
        known = places[places >= 0]
        extra = {query for query, place in zip(block.queries, places, strict=True) if place < 0}
        if not self._missing[known].all() or not extra.isdisjoint(self._extra):
            raise SeenQueryError
        self._missing[known] = False
        self._extra |= extra
        hashes = block.column.hash(self._table.seed).to_numpy()
        duplicates = _find_duplicates(block, hashes)
        if duplicates is not None:
            self._n_duplicates += int(np.count_nonzero(duplicates))
            block, hashes = _without(block, duplicates), hashes[~duplicates]
        self._n_retrieved[known] = np.diff(block.offsets)[places >= 0]
        self._hits.append(self._join(block, hashes, places))

    def finish(self, *, max_results: int | None = None) -> Joined:
        """All that was added, as one join."""
        return Joined(
            judged=assemble(self._qrels, self._hits, self._n_retrieved, max_results=max_results),
            missing=self._missing,
            n_extra=len(self._extra),
            n_duplicates=self._n_duplicates,
        )

    def _join(self, block: Run, hashes: NDArray[np.uint64], places: NDArray[np.int64]) -> Hits:
        rows, judgments = self._table.look_up(block, hashes, places)
        query = np.searchsorted(block.offsets, rows, side="right") - 1
        order = ScoreOrder(block.scores, block.offsets)
        standing = order.standing_of_rows(query, rows)
        unsure = np.flatnonzero(standing.tied > 1)
        rank = 1 + standing.above
        if len(unsure):
            tied = standing.at(unsure)
            resolve = _few_ties if int(tied.tied.sum()) <= _FEW * len(unsure) else _many_ties
            rank[unsure] += resolve(block, order, rows[unsure], query[unsure], tied, self._ties)
        return Hits(query=places[query], rank=rank, grade=self._qrels.grades[judgments])


def _few_ties(
    block: Run,
    order: ScoreOrder,
    rows: NDArray[np.int64],
    query: NDArray[np.int64],
    standing: Standing,
    ties: Ties,
) -> NDArray[np.int64]:
    """How many of the results that tie with each row stand before it: each is compared with all."""
    others = order.tied_rows(query, standing)
    each = np.repeat(rows, standing.tied)
    if ties is Ties.TREC:
        before = (block.column.gather(others) > block.column.gather(each)).to_numpy()
    else:
        before = others < each
    starts = np.cumsum(standing.tied) - standing.tied
    return np.add.reduceat(before.astype(np.int64), starts)


def _many_ties(
    block: Run,
    order: ScoreOrder,
    rows: NDArray[np.int64],
    query: NDArray[np.int64],
    standing: Standing,
    ties: Ties,
) -> NDArray[np.int64]:
    """The same, where groups are large: each group is sorted once."""

    def names_of(_query: int, tied: NDArray[np.int64]) -> Sequence[str]:
        return block.column.gather(tied).to_list()

    names = block.column.gather(rows).to_list()
    return places_among_ties(order, query, standing, names=names, names_of=names_of, ties=ties)


def join_run(qrels: Qrels, run: Run, *, ties: Ties = Ties.TREC, max_results: int | None = None) -> Joined:
    """Join a whole run."""
    join = ColumnJoin(qrels, ties=ties)
    join.add(run)
    return join.finish(max_results=max_results)


class _JudgmentTable:
    """All judgments by a 64-bit key of query and target; a table of bits turns most results away."""

    def __init__(self, qrels: Qrels) -> None:
        self._column = qrels.column
        self.seed = 0
        keys = self._keys(qrels)
        self._order = np.argsort(keys)
        self._sorted = keys[self._order]
        while (self._sorted[1:] == self._sorted[:-1]).any():  # two judgments must not share a key
            self.seed += 1
            keys = self._keys(qrels)
            self._order = np.argsort(keys)
            self._sorted = keys[self._order]
        slots = 1 << max(10, (len(keys) * _ROOM - 1).bit_length())
        self._mask = np.uint64(slots - 1)
        self._taken = np.zeros(slots, dtype=bool)
        self._taken[(keys & self._mask).astype(np.int64)] = True

    def _keys(self, qrels: Qrels) -> NDArray[np.uint64]:
        hashes = self._column.hash(self.seed).to_numpy()
        keys: NDArray[np.uint64] = hashes + qrels.query_of.astype(np.uint64) * _ODD
        return keys

    def look_up(
        self, block: Run, hashes: NDArray[np.uint64], places: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Rows of the block that are judged, and the judgment of each."""
        lengths = np.diff(block.offsets)
        keys = hashes + np.repeat(places.astype(np.uint64) * _ODD, lengths)
        rows = np.flatnonzero(self._taken[keys & self._mask])
        wanted = keys[rows]
        at = np.minimum(np.searchsorted(self._sorted, wanted), len(self._sorted) - 1)
        same = self._sorted[at] == wanted
        rows, judgments = rows[same], self._order[at[same]]
        equal = (block.column.gather(rows) == self._column.gather(judgments)).to_numpy()
        return rows[equal], judgments[equal]


def _find_duplicates(block: Run, hashes: NDArray[np.uint64]) -> NDArray[np.bool_] | None:
    """Which rows repeat a target of their query and are not its best; None where there are none."""
    ordered = sort_within(hashes, block.offsets)
    again = np.flatnonzero(ordered[1:] == ordered[:-1]) + 1
    again = again[~np.isin(again, block.offsets)]
    if not len(again):
        return None
    queries = np.unique(np.searchsorted(block.offsets, again, side="right") - 1)
    rows = np.concatenate([np.arange(block.offsets[q], block.offsets[q + 1]) for q in queries])
    query = np.repeat(queries, np.diff(block.offsets)[queries])
    order = np.lexsort((rows, -block.scores[rows], hashes[rows], query))
    rows, query = rows[order], query[order]
    same = (hashes[rows][1:] == hashes[rows][:-1]) & (query[1:] == query[:-1])
    same &= (block.column.gather(rows[1:]) == block.column.gather(rows[:-1])).to_numpy()
    repeated = np.zeros(block.n_results, dtype=bool)
    repeated[rows[1:][same]] = True
    return repeated if same.any() else None


def _without(block: Run, rows: NDArray[np.bool_]) -> Run:
    kept = ~rows
    bounds = np.concatenate([[0], np.cumsum(kept)])[block.offsets]
    return Run(
        queries=block.queries,
        offsets=bounds.astype(np.int64),
        targets=block.column.filter(pl.Series(kept)),
        scores=block.scores[kept],
        name=block.name,
        notices=block.notices,
    )
