"""The vectors of a workspace as searches see them: which rows may be found, and which chunks they are."""

import sqlite3
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from rankle.core.embedding import Vectors
from rankle.kb.candidates import CandidateList, ChunkScore, ms_since
from rankle.kb.fulltext import matching_chunks
from rankle.kb.methods import VECTOR
from rankle.kb.places import Places
from rankle.kb.scope import Scope
from rankle.kb.vector_search import Best, Mask, best_rows_of_many
from rankle.kb.vectors.matrix import VectorMatrix


@dataclass(frozen=True, slots=True)
class VectorSpace:
    """One state of a workspace's vectors; what is read of its chunks is read once for all queries."""

    connection: sqlite3.Connection
    """Within the transaction that the matrix was taken in."""
    matrix: VectorMatrix
    places: Places
    _collections: dict[str, Mask] = field(default_factory=dict)

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
        self.places.read(self._chunks(found))
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
        return self.places.ranked(self.matrix.chunks[best.rows].tolist(), best.scores.tolist())

    def _chunks(self, found: Iterable[Best]) -> list[int]:
        is_found = np.zeros(len(self.matrix.chunks), dtype=bool)  # `np.unique` imports masked arrays: 10 ms
        for best in found:
            is_found[best.rows] = True
        chunks: list[int] = self.matrix.chunks[is_found].tolist()
        return chunks

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
