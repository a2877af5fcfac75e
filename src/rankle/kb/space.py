"""The vectors of a workspace as searches see them: which rows may be found, and which chunks they are."""

import json
import sqlite3
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from rankle.core.embedding import Vectors
from rankle.kb.candidates import CandidateList, ChunkScore, ms_since
from rankle.kb.fulltext import matching_chunks
from rankle.kb.methods import VECTOR
from rankle.kb.text.query import Lookup
from rankle.kb.vector_search import Best, Mask, best_rows_of_many
from rankle.kb.vectors.matrix import VectorMatrix


class _Place(NamedTuple):
    name: str
    document: str
    ordinal: int


class Scope(NamedTuple):
    """Which chunks may be results at all."""

    collection: str | None = None
    """None for all."""
    excluded: tuple[Lookup, ...] = ()
    """No chunk that any of these matches."""


@dataclass(frozen=True, slots=True)
class VectorSpace:
    """One state of a workspace's vectors; what is read of its chunks is read once for all queries."""

    connection: sqlite3.Connection
    """Within the transaction that the matrix was taken in."""
    matrix: VectorMatrix
    _collections: dict[str, Mask] = field(default_factory=dict)
    _places: dict[int, _Place] = field(default_factory=dict)

    def search(self, vector: Vectors, scope: Scope, *, limit: int) -> CandidateList:
        """The `limit` chunks nearest to one query; ties in the order of document id and place."""
        return self.search_many(vector[np.newaxis], scope, limit=limit)[0]

    def search_many(self, vectors: Vectors, scope: Scope, *, limit: int) -> list[CandidateList]:
        """For each query the same list as alone, found for all at once; `took_ms` is a query's share.

        vectors: shape (n_queries, dimensions), at least one.
        """
        started = time.perf_counter()
        allowed = self._allowed(scope)
        found = list(best_rows_of_many(self.matrix.vectors, vectors, limit=limit, allowed=allowed))
        self._read_places(found)
        size = len(self.matrix.chunks) if allowed is None else int(np.count_nonzero(allowed))
        lists = [self._ranked(best)[:limit] for best in found]
        share_ms = ms_since(started) / len(lists)
        return [CandidateList(VECTOR, rows, len(rows) == size, share_ms) for rows in lists]

    def _allowed(self, scope: Scope) -> Mask | None:
        """The rows that may be found; None for all."""
        mask = None if scope.collection is None else self._in_collection(scope.collection)
        if not scope.excluded:
            return mask
        kept = ~self._mask(matching_chunks(self.connection, scope.excluded))
        return kept if mask is None else mask & kept

    def _ranked(self, best: Best) -> list[ChunkScore]:
        chunks, scores = self.matrix.chunks[best.rows].tolist(), best.scores.tolist()
        placed = [(self._places[chunk], chunk, score) for chunk, score in zip(chunks, scores, strict=True)]
        if len(set(scores)) < len(scores):
            placed.sort(key=lambda item: (-item[2], item[0].document, item[0].ordinal))
        return [ChunkScore(chunk, place.name, place.document, score) for place, chunk, score in placed]

    def _read_places(self, found: Iterable[Best]) -> None:
        """Names and order of all these chunks that were not read before."""
        rows = np.unique(np.concatenate([np.empty(0, dtype=np.int64), *(best.rows for best in found)]))
        missing = [chunk for chunk in self.matrix.chunks[rows].tolist() if chunk not in self._places]
        if missing:
            places = self.connection.execute(
                "SELECT c.id, c.name, d.name, c.ordinal FROM chunks c JOIN documents d ON d.id = c.document "
                "WHERE c.id IN (SELECT value FROM json_each(?))",
                (json.dumps(missing),),
            )
            self._places.update((row[0], _Place(*row[1:])) for row in places)

    def _in_collection(self, name: str) -> Mask:
        if name not in self._collections:
            rows = self.connection.execute(
                "SELECT c.id FROM chunks c JOIN documents d ON d.id = c.document WHERE d.collection = ?",
                (name,),
            )
            self._collections[name] = self._mask([row[0] for row in rows])
        return self._collections[name]

    def _mask(self, chunks: Sequence[int]) -> Mask:
        return np.isin(self.matrix.chunks, np.array(chunks, dtype=np.int64), assume_unique=True)
