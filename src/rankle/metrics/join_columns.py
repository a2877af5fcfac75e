"""Joins runs that are columns, whole or block by block, by hashes that are then verified."""

from collections.abc import Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from rankle.metrics.join import Hits, Joined, JoinOptions, assemble
from rankle.metrics.qrels import Qrels
from rankle.metrics.ranks import ScoreOrder, Standing, sort_within
from rankle.metrics.run import Run
from rankle.metrics.ties import Ties, places_among_ties

_ODD = np.uint64(0x9E3779B97F4A7C15)
"""Spreads the place of a query over 64 bits, so that one target of two queries has two keys."""
_ROOM = 32
"""Slots of the table a judgment: one unjudged result in so many, or fewer, passes it by chance."""

_PLAIN = JoinOptions()
_FEW = 32
"""Mean size of a group of ties up to which comparing beats sorting."""


class SeenQueryError(Exception):
    """A query stands in two blocks: its results must be brought together before they are joined."""


class ColumnJoin:
    """Joins a run to qrels, in one block or many; each query must be whole within its block."""

    def __init__(self, qrels: Qrels, options: JoinOptions = _PLAIN) -> None:
        self._qrels = qrels
        self._options = options
        self._table = _JudgmentTable(qrels)
        self._hits: list[Hits] = []
        self._n_retrieved = np.zeros(len(qrels.queries), dtype=np.int64)
        self._missing = np.ones(len(qrels.queries), dtype=bool)
        self._extra: set[str] = set()
        self._n_duplicates = 0
        self._n_self = 0

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
        itself = self._table.find_itself(block, hashes, places)
        self._n_self += len(itself)
        if self._options.ignore_self and len(itself):
            unwanted = np.zeros(block.n_results, dtype=bool)
            unwanted[itself] = True
            block, hashes = _without(block, unwanted), hashes[~unwanted]
        self._n_retrieved[known] = np.diff(block.offsets)[places >= 0]
        self._hits.append(self._join(block, hashes, places))

    def finish(self) -> Joined:
        """All that was added, as one join."""
        return Joined(
            judged=assemble(
                self._qrels, self._hits, self._n_retrieved, max_results=self._options.max_results
            ),
            missing=self._missing,
            n_extra=len(self._extra),
            n_duplicates=self._n_duplicates,
            n_self=self._n_self,
        )

    def _join(self, block: Run, hashes: NDArray[np.uint64], places: NDArray[np.int64]) -> Hits:
        rows, query, judgments = self._table.look_up(block, hashes, places)
        order = ScoreOrder(block.scores, block.offsets)
        standing = order.standing_of_rows(query, rows)
        unsure = np.flatnonzero(standing.tied > 1)
        rank = 1 + standing.above
        if len(unsure):
            tied = standing.at(unsure)
            resolve = _few_ties if int(tied.tied.sum()) <= _FEW * len(unsure) else _many_ties
            rank[unsure] += resolve(block, order, rows[unsure], query[unsure], tied, self._options.ties)
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
        column = pl.lit(block.column)
        before = pl.select(column.gather(pl.lit(others)) > column.gather(pl.lit(each))).to_series().to_numpy()
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


def join_run(qrels: Qrels, run: Run, options: JoinOptions = _PLAIN) -> Joined:
    """Join a whole run."""
    join = ColumnJoin(qrels, options)
    join.add(run)
    return join.finish()


class _JudgmentTable:
    """All judgments by a 64-bit key of query and target."""

    def __init__(self, qrels: Qrels) -> None:
        self._qrels = qrels
        self.seed = -1
        repeated = True
        while repeated:  # two judgments must not share a key
            self.seed += 1
            self._hashes = qrels.column.hash(self.seed).to_numpy()
            self._keys = self._hashes + qrels.query_of.astype(np.uint64) * _ODD
            ordered = np.sort(self._keys)
            repeated = bool((ordered[1:] == ordered[:-1]).any())
        self._query_hashes = pl.Series(qrels.queries, dtype=pl.String).hash(self.seed).to_numpy()

    def look_up(
        self, block: Run, hashes: NDArray[np.uint64], places: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """Rows of the block that are judged, the query in the block and the judgment of each.

        A table of bits, small enough for the processor's cache, turns most rows away by the hash of
        their target; what is left is looked up by key and then compared as text.
        """
        judgments = self._of_queries(places[places >= 0])
        keys = self._keys[judgments]
        order = np.argsort(keys)
        keys = keys[order]
        mask = np.uint64((1 << max(10, (len(keys) * _ROOM).bit_length())) - 1)
        taken = np.zeros(int(mask) + 1, dtype=bool)
        taken[(self._hashes[judgments] & mask).view(np.int64)] = True
        rows = np.flatnonzero(taken[(hashes & mask).view(np.int64)])
        query = np.searchsorted(block.offsets, rows, side="right") - 1
        wanted = hashes[rows] + places.view(np.uint64)[query] * _ODD
        at = np.minimum(np.searchsorted(keys, wanted), max(len(keys) - 1, 0))
        same = np.flatnonzero(keys[at] == wanted) if len(keys) else at[:0]
        rows, query, found = rows[same], query[same], judgments[order[at[same]]]
        equal = _same_text(block.column, rows, self._qrels.column, found)
        return rows[equal], query[equal], found[equal]

    def find_itself(
        self, block: Run, hashes: NDArray[np.uint64], places: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """Rows of judged queries whose target is the query's own id."""
        wanted = np.where(places >= 0, self._query_hashes[places], 0).astype(np.uint64)
        rows = np.flatnonzero(hashes == np.repeat(wanted, np.diff(block.offsets)))
        place = places[np.searchsorted(block.offsets, rows, side="right") - 1]
        rows, place = rows[place >= 0], place[place >= 0]
        names = block.column.gather(rows).to_list() if len(rows) else []
        same = [name == self._qrels.queries[at] for name, at in zip(names, place.tolist(), strict=True)]
        found: NDArray[np.int64] = rows[np.array(same, dtype=bool)]
        return found

    def _of_queries(self, places: NDArray[np.int64]) -> NDArray[np.int64]:
        """The judgments of some queries, one query behind the other."""
        lengths = np.diff(self._qrels.offsets)[places]
        starts = np.cumsum(lengths) - lengths
        return np.repeat(self._qrels.offsets[places] - starts, lengths) + np.arange(int(lengths.sum()))


def _same_text(
    left: pl.Series, left_rows: NDArray[np.int64], right: pl.Series, right_rows: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Whether rows of two columns hold the same text, pair by pair; in one call, since each costs time."""
    equal = pl.lit(left).gather(pl.lit(left_rows)) == pl.lit(right).gather(pl.lit(right_rows))
    same: NDArray[np.bool_] = pl.select(equal).to_series().to_numpy()
    return same


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
