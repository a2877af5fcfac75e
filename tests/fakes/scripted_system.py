"""A search system whose every answer is written down beforehand."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rankle.core.catalog import Catalog, CatalogDocument
from rankle.core.errors import SystemFailureError
from rankle.core.evalset import Level
from rankle.core.ports import Ask, SystemDescription
from rankle.core.search import Hit, SearchResult, Stage, StageRank
from rankle.core.text_range import Range


@dataclass
class ScriptedSystem:
    """Answers each query with its script; a query without one finds nothing."""

    answers: Mapping[str, Sequence[str] | BaseException] = field(default_factory=dict)
    """Query to the ids it returns, best first, or to what it raises."""
    documents: Sequence[str] | None = None
    """Ids in the catalog; None for a system that cannot list what it holds."""
    chunks: Mapping[str, str] = field(default_factory=dict)
    """Chunk id to its document."""
    stages: Mapping[str, Mapping[str, Sequence[str]]] = field(default_factory=dict)
    """Query to the lists of its stages, in order; a query without one has one stage, `fts5`, as returned."""
    collections: Mapping[str, str] = field(default_factory=dict)
    """Document to its collection, where that is not `default`."""
    folder: str = "/docs"
    scores: Mapping[str, float] = field(default_factory=dict)
    """Result id to its score; otherwise one over the rank."""
    remarks: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Query to the notices of its result."""
    described: Mapping[str, Any] = field(default_factory=dict)
    """Further members of the description, such as its notices."""
    calls: list[tuple[str, int, Level, str | None]] = field(default_factory=list)
    """What was asked: query, depth, level, collection."""

    def describe(self) -> SystemDescription:
        names = next(iter(self.stages.values()), {"fts5": ()})
        return SystemDescription("scripted", "fts5", "0" * 64, tuple(names), **self.described)

    def catalog(self) -> Catalog | None:
        if self.documents is None:
            return None
        documents = tuple(
            CatalogDocument(
                id=name,
                path=f"{self.folder}/{name}",
                content_id=f"{number:06x}" + "0" * 58,
                collection=self.collections.get(name, "default"),
            )
            for number, name in enumerate(self.documents, start=0xABC001)
        )
        return Catalog(documents, {chunk: (document,) for chunk, document in self.chunks.items()})

    async def search(
        self, query: str, *, depth: int, level: Level, collection: str | None = None
    ) -> SearchResult:
        self.calls.append((query, depth, level, collection))
        answer = self.answers.get(query, ())
        if isinstance(answer, BaseException):
            raise answer
        hits = tuple(
            Hit(name, self.chunks.get(name, name), self.scores.get(name, 1 / rank), rank)
            for rank, name in enumerate(answer, start=1)
        )
        lists = self.stages.get(query, {"fts5": answer})
        stages = tuple(Stage(name, 0.0, _ranks(ids)) for name, ids in lists.items())
        notices = tuple(self.remarks.get(query, ()))
        return SearchResult(query, "fts5", hits, stages, took_ms=0.0, notices=notices)


@dataclass
class TextScriptedSystem(ScriptedSystem):
    """The same, which stores texts, so that passages can be labelled; a `core.ports.PassageSource`."""

    texts: Mapping[str, str] = field(default_factory=dict)
    places: Mapping[str, Range] = field(default_factory=dict)
    """Chunk to where it stands."""

    def text(self, document: str) -> str:
        return self.texts[document]

    def chunk_places(self) -> Mapping[str, Range]:
        return self.places


@dataclass
class BatchScriptedSystem(ScriptedSystem):
    """The same, which answers batches too; a query that raises fails alone, unless it breaks its batch."""

    breaks_batch: Mapping[str, BaseException] = field(default_factory=dict)
    """Query to what the batch raises that holds it."""
    drops: frozenset[str] = frozenset()
    """Queries whose answer a batch leaves out, against the port."""
    batches: list[int] = field(default_factory=list)
    """Sizes of the batches that were asked."""

    async def search_batch(
        self, asks: Sequence[Ask], *, depth: int, level: Level
    ) -> Sequence[SearchResult | SystemFailureError]:
        self.batches.append(len(asks))
        for ask in asks:
            if ask.query in self.breaks_batch:
                raise self.breaks_batch[ask.query]
        return [await self._one(ask, depth=depth, level=level) for ask in asks if ask.query not in self.drops]

    async def _one(self, ask: Ask, *, depth: int, level: Level) -> SearchResult | SystemFailureError:
        try:
            return await self.search(ask.query, depth=depth, level=level, collection=ask.collection)
        except RuntimeError as error:
            return SystemFailureError(f"RuntimeError: {error}")


def _ranks(ids: Sequence[str]) -> dict[str, StageRank]:
    return {name: StageRank(rank, 1 / rank) for rank, name in reversed(list(enumerate(ids, start=1)))}
