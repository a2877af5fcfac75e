"""The stages that find chunks for one query, each asked for as many as the results need."""

import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from rankle.core.embedding import Vectors
from rankle.kb.candidates import CandidateList, ms_since
from rankle.kb.fulltext import FullText
from rankle.kb.methods import FULLTEXT, VECTOR
from rankle.kb.scope import Scope
from rankle.kb.search_request import SearchRequest
from rankle.kb.text.query import ParsedQuery

if TYPE_CHECKING:
    from rankle.kb.space import VectorSpace


@dataclass(frozen=True, slots=True)
class FullTextSource:
    """The chunks that hold the query's words. A `ranking.Source`."""

    fulltext: FullText
    query: ParsedQuery
    request: SearchRequest
    ready: CandidateList | None = None
    """What was found for it while other queries were searched."""
    ready_limit: int = 0
    """How many chunks `ready` was asked for."""

    def __call__(self, limit: int) -> CandidateList:
        if self.ready is not None and limit == self.ready_limit:
            return self.ready
        started = time.perf_counter()
        found = self.fulltext.search(
            self.query,
            limit=limit,
            collection=self.request.collection,
            weights=self.request.settings.weights,
        )
        return CandidateList(FULLTEXT, found.rows, found.exhausted, ms_since(started))


@dataclass(frozen=True, slots=True)
class QueryVector:
    """A query, embedded."""

    vector: Vectors
    """Shape (dimensions,)."""
    took_ms: float
    ready: CandidateList | None = None
    """What was found for it with many others at once."""
    ready_limit: int = 0
    """How many chunks `ready` was asked for."""


@dataclass(slots=True)
class VectorSource:
    """The chunks whose vectors come near the query's. A `ranking.Source`."""

    space: "VectorSpace"
    scope: Scope
    query: QueryVector
    _untold_ms: float = field(init=False)
    """Embedding is part of the first list's time."""

    def __post_init__(self) -> None:
        self._untold_ms = self.query.took_ms

    def __call__(self, limit: int) -> CandidateList:
        ready = self.query.ready
        if ready is None or limit != self.query.ready_limit:
            ready = self.space.search(self.query.vector, self.scope, limit=limit)
        untold_ms, self._untold_ms = self._untold_ms, 0.0
        return replace(ready, took_ms=ready.took_ms + untold_ms)


def no_vectors(_limit: int) -> CandidateList:
    """The `ranking.Source` of a query that holds nothing to search for, so that nothing comes near it."""
    return CandidateList(VECTOR, [], True, 0.0)
