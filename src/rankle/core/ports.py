"""The ports: what the harness asks of a system, whatever stands behind it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol, runtime_checkable

from rankle.core.canonical import Json
from rankle.core.catalog import Catalog
from rankle.core.errors import SystemFailureError
from rankle.core.evalset import Level
from rankle.core.search import SearchResult
from rankle.core.text_range import Range

FLOOR_SET: Final = "floor_set"


@dataclass(frozen=True, slots=True)
class SystemDescription:
    """What a run says about the system it measured."""

    name: str
    """Such as `kb:default`."""
    method: str
    fingerprint: str
    """Changes whenever the system could answer differently; SHA-256 hex."""
    stages: tuple[str, ...]
    """Names of the stages, in the order in which they run."""
    settings: Mapping[str, Json] = field(default_factory=dict)
    """What moves its results beside the method, defaults resolved; empty where it does not tell."""
    parts: Mapping[str, str] = field(default_factory=dict)
    """What it is made of, for those who ask what changed: fingerprints of its `index` and its `model`, and of
    the set that its floor was chosen on (FLOOR_SET)."""
    notices: tuple[str, ...] = ()
    """What a reader of its figures must know, such as why it is not the best method."""
    is_reusable: bool = False
    """Whether an equal fingerprint means equal results, so that those of an earlier run need not be asked
    again."""
    floor: float | None = None
    """The score at or below which its results are taken for nothing found; None where it states none. It is
    part of the fingerprint."""


class CatalogSource(Protocol):
    """Anything that says what it is and what it holds; it need not be asked."""

    def describe(self) -> SystemDescription: ...

    def catalog(self) -> Catalog | None:
        """All that the system holds; None where it cannot tell, so that labels join by id alone."""
        ...


class SearchSystem(CatalogSource, Protocol):
    """Anything that searches."""

    async def search(
        self, query: str, *, depth: int, level: Level, collection: str | None = None
    ) -> SearchResult:
        """The best `depth` distinct targets at `level`, best first; fewer where fewer match.

        Raises SystemFailureError, never returns an empty list in its stead.
        """
        ...


@dataclass(frozen=True, slots=True)
class Ask:
    """One query of a batch."""

    query: str
    collection: str | None = None
    id: str | None = None
    """What the query is called in its set; None where it stands in none."""


class AskedSystem(SearchSystem, Protocol):
    """A system that goes by more of a query than its text, such as a recorded run, which knows its id."""

    async def search_ask(self, ask: Ask, *, depth: int, level: Level) -> SearchResult:
        """What `search` would give; asked in its place."""
        ...


class BatchSearchSystem(SearchSystem, Protocol):
    """A system that answers many queries at once in less time than one after another."""

    async def search_batch(
        self, asks: Sequence[Ask], *, depth: int, level: Level
    ) -> Sequence[SearchResult | SystemFailureError]:
        """For each query what `search` would give; a failure stands in the place of its query only.

        `took_ms` of a result is the query's share of the batch, which is not how long a single search takes.
        """
        ...


@runtime_checkable
class RunningSystem(Protocol):
    """A system that holds something while it is asked: connections, a process."""

    async def start(self) -> None:
        """Called before the first query. Raises CannotMeasureError where it cannot be asked at all."""
        ...

    async def stop(self) -> None:
        """Called after the last query, also where starting it failed."""
        ...


@runtime_checkable
class PassageSource(Protocol):
    """Something that stores texts and knows where its chunks stand in them; passages can be labelled."""

    def text(self, document: str) -> str:
        """The stored text of a document, which all ranges point into; raises UnknownNameError for another."""
        ...

    def chunk_places(self) -> Mapping[str, Range]:
        """Chunk id to its range, of every chunk."""
        ...
