"""The built-in knowledge base as a system to be measured."""

from dataclasses import asdict

from rankle.core.canonical import fingerprint
from rankle.core.catalog import Catalog
from rankle.core.evalset import Level
from rankle.core.ports import SystemDescription
from rankle.core.search import SearchResult
from rankle.kb.fulltext import DEFAULT_WEIGHTS, FieldWeights
from rankle.kb.knowledge_base import KnowledgeBase
from rankle.kb.searching import SearchRequest, checked_method


class KnowledgeBaseSystem:
    """One workspace under one method. Implements `core.ports.SearchSystem`."""

    def __init__(
        self, kb: KnowledgeBase, *, method: str | None = None, weights: FieldWeights = DEFAULT_WEIGHTS
    ) -> None:
        """Raises UnknownNameError for an unknown method, WorkspaceError where nothing can be searched."""
        self._kb = kb
        self._method = checked_method(method)
        self._weights = weights
        kb.prepare_to_search()

    def describe(self) -> SystemDescription:
        return SystemDescription(
            name=f"kb:{self._kb.name}",
            method=self._method,
            fingerprint=fingerprint([self._kb.fingerprint(), self._method, asdict(self._weights)]),
            stages=(self._method,),
        )

    def catalog(self) -> Catalog:
        return self._kb.catalog()

    async def search(
        self, query: str, *, depth: int, level: Level, collection: str | None = None
    ) -> SearchResult:
        request = SearchRequest(
            query=query,
            level=level,
            depth=depth,
            method=self._method,
            collection=collection,
            weights=self._weights,
        )
        return await self._kb.run(request)
