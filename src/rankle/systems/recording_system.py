"""`run:FILE` of a recording of ours: everything that the system answered, once more."""

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from rankle.core.catalog import Catalog
from rankle.core.errors import InputError, SystemFailureError
from rankle.core.evalset import Level
from rankle.core.ports import Ask, SystemDescription
from rankle.core.search import SearchResult
from rankle.core.text_range import Range
from rankle.formats.recording import Recording
from rankle.systems.identity import Identity
from rankle.systems.options import Common

REPLAYED = "results are read from a recording of"


def open_recording(
    recording: Recording, options: Common, *, identity: Identity, path: Path
) -> "RecordingSystem":
    """One whose passages can be labelled where the system that was recorded told where its chunks stand."""
    if recording.places is None:
        return RecordingSystem(recording, options, identity=identity, path=path)
    return RecordedPassages(recording, options, identity=identity, path=path, places=recording.places)


class RecordingSystem:
    """A recording. Implements `core.ports.AskedSystem`: a query is known by its id."""

    def __init__(self, recording: Recording, options: Common, *, identity: Identity, path: Path) -> None:
        self._recording = recording
        self._options = options
        self._identity = identity
        self._content = hashlib.sha256(path.read_bytes()).hexdigest()
        self._queries = {query.id: query for query in recording.queries}

    def describe(self) -> SystemDescription:
        """The floor and the stages are those of the system that was recorded."""
        recorded = self._recording.system
        found = self._identity.describe(self._options, parts={"index": self._content})
        notice = (
            f"{REPLAYED} {recorded.name} ({self._recording.created}); the latency is that of reading them"
        )
        return replace(
            found,
            stages=tuple(recorded.stages),
            settings={**found.settings, "recorded": {"name": recorded.name, "method": recorded.method}},
            notices=(notice,),
            is_reusable=False,
            floor=recorded.floor if self._options.floor is None else self._options.floor,
        )

    def catalog(self) -> Catalog | None:
        return self._recording.catalog

    async def search(
        self, query: str, *, depth: int, level: Level, collection: str | None = None
    ) -> SearchResult:
        named = next((each.id for each in self._recording.queries if each.query == query), query)
        return await self.search_ask(Ask(query, collection, named), depth=depth, level=level)

    async def search_ask(self, ask: Ask, *, depth: int, level: Level) -> SearchResult:
        """Raises SystemFailureError where the system failed then, or was not asked this.

        Raises InputError where it was asked for less than is asked for now.
        """
        self._check_asked(depth=depth, level=level)
        recorded = self._queries.get(ask.id or "")
        if recorded is None:
            raise SystemFailureError(f'the recording has no query of the id "{ask.id}"')
        if recorded.query != ask.query:
            raise SystemFailureError(f'query "{ask.id}" was "{recorded.query}" when it was recorded')
        answer = recorded.outcome.answer
        if answer is None:
            raise SystemFailureError(recorded.outcome.error or "the system failed")
        return SearchResult(
            ask.query,
            self._identity.method,
            answer.hits[:depth],
            answer.stages,
            recorded.outcome.took_ms or 0.0,
            notices=answer.notices,
        )

    def _check_asked(self, *, depth: int, level: Level) -> None:
        recorded, name = self._recording, self._identity.name
        if level.value != recorded.level:
            raise InputError(
                f"{name} was recorded at {recorded.level} level, and {level} is asked for; record it with "
                f"--level {level}"
            )
        if depth > recorded.depth:
            raise InputError(
                f"{name} was recorded to a depth of {recorded.depth}, and {depth} is asked for; say --depth "
                f"{recorded.depth}, or record it deeper"
            )


class RecordedPassages(RecordingSystem):
    """One with texts. Implements `core.ports.PassageSource`."""

    def __init__(
        self,
        recording: Recording,
        options: Common,
        *,
        identity: Identity,
        path: Path,
        places: Mapping[str, Range],
    ) -> None:
        super().__init__(recording, options, identity=identity, path=path)
        self._places = places

    def text(self, document: str) -> str:
        """Raises InputError on one that no label was looked for in when it was recorded."""
        found = self._recording.texts.get(document)
        if found is None:
            raise InputError(
                f"{self._identity.name} was recorded without the text of {document}, which the labels of the "
                "set are looked for in now; record it again with this set"
            )
        return found

    def chunk_places(self) -> Mapping[str, Range]:
        return self._places
