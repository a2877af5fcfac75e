"""Stands between rankle and a system of somebody else: its failures keep their words and lose its keys."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, contextmanager
from dataclasses import replace
from typing import Final, cast

from rankle.core.canonical import Json
from rankle.core.catalog import Catalog
from rankle.core.ending import ends_all
from rankle.core.errors import (
    CannotMeasureError,
    InputError,
    MissingExtraError,
    RankleError,
    SystemFailureError,
)
from rankle.core.evalset import Level
from rankle.core.ports import (
    Ask,
    AskedSystem,
    BatchSearchSystem,
    PassageSource,
    RunningSystem,
    SearchSystem,
    SystemDescription,
)
from rankle.core.search import Hit, SearchResult
from rankle.core.text_range import Range
from rankle.systems.described import check_ids, checked_catalog, checked_description
from rankle.systems.identity import Identity
from rankle.systems.secrets import Redactor

LONGEST_WORDS: Final = 500
"""Characters of what a system says when it fails."""


def guard(system: SearchSystem, identity: Identity, redact: Redactor) -> SearchSystem:
    """The same system; it answers batches, and stores texts, where the one behind it does.

    identity: what it is called, whatever it calls itself.
    """
    has_texts = isinstance(system, PassageSource)
    if hasattr(system, "search_batch"):
        kind = GuardedBatchPassages if has_texts else GuardedBatchSystem
        return kind(system, identity, redact)
    return (GuardedPassages if has_texts else GuardedSystem)(system, identity, redact)


class GuardedSystem:
    """Implements `core.ports.AskedSystem` and `RunningSystem`, whatever the one behind it does."""

    def __init__(self, system: SearchSystem, identity: Identity, redact: Redactor) -> None:
        self._system = system
        name = identity.name if identity.is_named else redact(identity.name)  # a URI may repeat its key
        self._identity = replace(identity, name=name)
        self._redact = redact
        self._running = AsyncExitStack()

    def describe(self) -> SystemDescription:
        """One of a table of the project file has its name there; others keep what they call their method.

        Raises CannotMeasureError where it does not know itself.
        """
        with self._told():
            found = checked_description(self._system.describe())
        identity = self._identity
        settings = {**identity.settings, **found.settings}
        return replace(
            found,
            name=identity.name,
            method=identity.method if identity.is_named else self._redact(found.method),
            settings={name: self._clean_json(value) for name, value in settings.items()},
            notices=tuple(map(self._redact, found.notices)),
        )

    def _clean_json(self, value: Json) -> Json:
        if isinstance(value, str):
            return self._redact(value)
        if isinstance(value, Mapping):
            return {name: self._clean_json(item) for name, item in value.items()}
        return [self._clean_json(item) for item in value] if isinstance(value, Sequence) else value

    def catalog(self) -> Catalog | None:
        with self._told():
            return checked_catalog(self._system.catalog())

    @contextmanager
    def _told(self) -> Iterator[None]:
        """What it raises before it is asked anything, as a reason that nothing can be measured."""
        try:
            yield
        except (InputError, MissingExtraError):
            raise
        except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever it raises is its own
            raise CannotMeasureError(f"{self._identity.name}: {self._words(error)}") from None

    async def start(self) -> None:
        if not isinstance(self._system, RunningSystem):
            return
        self._running.push_async_callback(self._system.stop)
        try:
            await self._system.start()
        except (InputError, MissingExtraError):
            raise
        except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever it raises is its own
            raise CannotMeasureError(self._named(self._words(error))) from None

    def _named(self, words: str) -> str:
        """With the name of the system, since there may be others, unless the words have its URL."""
        name = self._identity.name
        return words if name.partition("?")[0] in words else f"{name}: {words}"

    async def stop(self) -> None:
        await self._running.aclose()

    async def search(
        self, query: str, *, depth: int, level: Level, collection: str | None = None
    ) -> SearchResult:
        return await self.search_ask(Ask(query, collection), depth=depth, level=level)

    async def search_ask(self, ask: Ask, *, depth: int, level: Level) -> SearchResult:
        """Raises SystemFailureError in the system's own words, without a cause, whose words may hold keys."""
        try:
            if hasattr(self._system, "search_ask"):
                asked = cast("AskedSystem", self._system)
                found = await asked.search_ask(ask, depth=depth, level=level)
            else:
                found = await self._system.search(
                    ask.query, depth=depth, level=level, collection=ask.collection
                )
        except (InputError, MissingExtraError):
            raise
        except BaseException as error:
            if ends_all(error):
                raise
            raise SystemFailureError(self._words(error)) from None
        return self._clean(found)

    def _clean(self, found: SearchResult) -> SearchResult:
        if not isinstance(found, SearchResult):
            raise SystemFailureError(f"search returned {type(found).__name__}, and no SearchResult")
        check_ids(found.hits)
        hits = tuple(map(self._clean_hit, found.hits))
        return replace(found, hits=hits, notices=tuple(map(self._redact, found.notices)))

    def _clean_hit(self, hit: Hit) -> Hit:
        """A search may repeat what it was asked with among its texts, which a recording keeps."""
        if hit.passage is None:
            return hit
        text, title = self._redact.of_result(hit.passage.text), self._redact.of_result(hit.passage.title)
        if (text, title) == (hit.passage.text, hit.passage.title):
            return hit
        return replace(hit, passage=replace(hit.passage, text=text, title=title))

    def _words(self, error: BaseException) -> str:
        said = str(error) if isinstance(error, RankleError) else f"{type(error).__name__}: {error}"
        clean = self._redact(said).strip()
        return clean if len(clean) <= LONGEST_WORDS else clean[: LONGEST_WORDS - 1] + "…"


class GuardedBatchSystem(GuardedSystem):
    """The same of a system that answers batches."""

    async def search_batch(
        self, asks: Sequence[Ask], *, depth: int, level: Level
    ) -> list[SearchResult | SystemFailureError]:
        batches = cast("BatchSearchSystem", self._system)
        try:
            found = await batches.search_batch(asks, depth=depth, level=level)
        except (InputError, MissingExtraError):
            raise
        except BaseException as error:
            if ends_all(error):
                raise
            raise SystemFailureError(self._words(error)) from None
        return [
            SystemFailureError(self._words(each))
            if isinstance(each, SystemFailureError)
            else self._clean(each)
            for each in found
        ]


class _Texts:
    """The texts of a system that stores them. Implements `core.ports.PassageSource`."""

    _system: SearchSystem

    def text(self, document: str) -> str:
        return cast("PassageSource", self._system).text(document)

    def chunk_places(self) -> Mapping[str, Range]:
        return cast("PassageSource", self._system).chunk_places()


class GuardedPassages(_Texts, GuardedSystem):
    """A system whose passages can be labelled."""


class GuardedBatchPassages(_Texts, GuardedBatchSystem):
    """One that answers batches too."""
