"""The built-in knowledge base as a system to be measured."""

from collections.abc import Mapping, Sequence

from rankle.core.canonical import fingerprint
from rankle.core.catalog import Catalog
from rankle.core.errors import ModelError, SystemFailureError
from rankle.core.evalset import Level
from rankle.core.ports import Ask, SystemDescription
from rankle.core.search import SearchResult
from rankle.core.text_range import Range
from rankle.kb.knowledge_base import KnowledgeBase
from rankle.kb.methods import CUT, FULLTEXT, STAGES
from rankle.kb.search_request import SearchRequest
from rankle.kb.search_settings import DEFAULT_SETTINGS, SearchSettings


class KnowledgeBaseSystem:
    """One workspace under one method and settings. Implements `core.ports.BatchSearchSystem` and
    `core.ports.PassageSource`."""

    def __init__(
        self, kb: KnowledgeBase, *, method: str | None = None, settings: SearchSettings = DEFAULT_SETTINGS
    ) -> None:
        """method: None takes the best that the workspace is ready for, now and for all queries.

        Raises UnknownNameError for an unknown method, WorkspaceError where nothing can be searched or the
        method needs vectors that are missing, and what the model raises that cannot be loaded.
        """
        self._kb = kb
        self._settings = settings
        self._choice = kb.prepare_to_search(method)

    @property
    def method(self) -> str:
        """What it searches by."""
        return self._choice.method

    def describe(self) -> SystemDescription:
        """Why the method is not a better one, where nobody named it, stands in the notices.

        The fingerprint covers the content, the model, the method and what of the settings it looks at."""
        stages = STAGES[self.method] + ((CUT,) if self._settings.cuts else ())
        content = self._kb.fingerprint()
        return SystemDescription(
            name=f"kb:{self._kb.name}",
            method=self.method,
            fingerprint=fingerprint([content, self.method, self._settings.seen_by(self.method)]),
            stages=stages,
            settings=self._settings.seen_by(self.method),
            parts={"index": content, **self._model()},
            notices=self._choice.notices,
        )

    def _model(self) -> dict[str, str]:
        state = None if self.method == FULLTEXT else self._kb.vector_state()
        return {} if state is None else {"model": state.model, "model_fingerprint": state.fingerprint}

    def catalog(self) -> Catalog:
        return self._kb.catalog()

    def text(self, document: str) -> str:
        return self._kb.stored_text(document)

    def chunk_places(self) -> Mapping[str, Range]:
        return self._kb.chunk_places()

    async def search(
        self, query: str, *, depth: int, level: Level, collection: str | None = None
    ) -> SearchResult:
        try:
            return await self._kb.run(self._request(Ask(query, collection), depth=depth, level=level))
        except ModelError as error:
            raise SystemFailureError(str(error)) from error

    async def search_batch(
        self, asks: Sequence[Ask], *, depth: int, level: Level
    ) -> list[SearchResult | SystemFailureError]:
        results = await self._kb.run_batch(
            [self._request(ask, depth=depth, level=level) for ask in asks],
        )
        return [
            SystemFailureError(str(result)) if isinstance(result, ModelError) else result
            for result in results
        ]

    def _request(self, ask: Ask, *, depth: int, level: Level) -> SearchRequest:
        return SearchRequest(
            query=ask.query,
            level=level,
            depth=depth,
            method=self.method,
            collection=ask.collection,
            settings=self._settings,
        )
