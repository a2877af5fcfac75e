"""The built-in knowledge base as a system to be measured."""

from collections.abc import Mapping, Sequence
from typing import Final

from rankle.core.canonical import Json, fingerprint
from rankle.core.catalog import Catalog
from rankle.core.errors import ModelError, SystemFailureError
from rankle.core.evalset import Level
from rankle.core.ports import FLOOR_SET, Ask, SystemDescription
from rankle.core.product import NAME
from rankle.core.search import SearchResult
from rankle.core.text_range import Range
from rankle.kb.knowledge_base import KnowledgeBase
from rankle.kb.methods import CUT, FULLTEXT, STAGES
from rankle.kb.search_request import SearchRequest
from rankle.kb.search_settings import DEFAULT_SETTINGS, SearchSettings

UNUSED_FLOOR: Final = "the floor of"
"""How the notice begins that tells of a floor that is not used."""


class KnowledgeBaseSystem:
    """One workspace under one method and settings. Implements `core.ports.BatchSearchSystem` and
    `core.ports.PassageSource`."""

    def __init__(
        self,
        kb: KnowledgeBase,
        *,
        method: str | None = None,
        settings: SearchSettings = DEFAULT_SETTINGS,
        texts: bool = False,
    ) -> None:
        """method: None takes the best that the workspace is ready for, now and for all queries.
        texts: whether results come with their texts.

        Raises UnknownNameError for an unknown method, WorkspaceError where nothing can be searched or the
        method needs vectors that are missing, and what the model raises that cannot be loaded.
        """
        self._kb = kb
        self._settings = settings
        self._texts = texts
        self._choice = kb.prepare_to_search(method)
        self._floor = kb.floors.of(self.method)

    @property
    def method(self) -> str:
        """What it searches by."""
        return self._choice.method

    def describe(self) -> SystemDescription:
        """Why the method is not a better one, where nobody named it, stands in the notices.

        The fingerprint covers the content, the model, the method, what of the settings it looks at, and the
        workspace's floor of the method. That is left out where it was chosen for scores on another basis."""
        stages = STAGES[self.method] + ((CUT,) if self._settings.cuts else ())
        content = self._kb.fingerprint()
        floor = None if self._floor is None or self._floor.basis != self.basis() else self._floor.value
        settings = self._settings.seen_by(self.method) | ({} if floor is None else {"floor": floor})
        return SystemDescription(
            name=f"kb:{self._kb.name}",
            method=self.method,
            fingerprint=fingerprint([content, self.method, settings]),
            stages=stages,
            settings=settings,
            parts={"index": content, **self._model(), **({} if floor is None else self._floor_set())},
            notices=(*self._choice.notices, *self._unused_floor(floor)),
            floor=floor,
            is_reusable=True,
        )

    def basis(self) -> dict[str, Json]:
        """What the scores of the method are made with; scores of another basis are on another scale."""
        found = self._settings.seen_by(self.method)
        for name in ("collapse", "per_document"):  # take results out, and leave the scores of the others
            del found[name]
        model = self._model().get("model_fingerprint")
        return found if model is None else {**found, "model": model}

    def _floor_set(self) -> dict[str, str]:
        chosen_on = None if self._floor is None else self._floor.set_fingerprint
        return {} if chosen_on is None else {FLOOR_SET: chosen_on}

    def _unused_floor(self, used: float | None) -> tuple[str, ...]:
        if self._floor is None or used is not None:
            return ()
        notice = (
            f"{UNUSED_FLOOR} {self.method} ({self._floor.value:.10g}) is for scores of another model or of "
            f"other settings of the ranking, and is not used. Choose one for these: {NAME} eval floor SET"
        )
        return (notice,)

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
            n_passages=depth if self._texts else 0,
        )
