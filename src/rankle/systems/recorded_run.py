"""`run:FILE`: the results of another day or another tool as a measured system."""

import hashlib
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from rankle.core.catalog import Catalog
from rankle.core.errors import InputError, UnknownNameError
from rankle.core.evalset import Level
from rankle.core.ports import Ask, SearchSystem, SystemDescription
from rankle.core.product import NAME
from rankle.core.search import Hit, SearchResult
from rankle.formats.recording import read_recording
from rankle.systems.identity import Identity
from rankle.systems.options import Common
from rankle.systems.recording_system import open_recording

if TYPE_CHECKING:
    from rankle.formats.kinds import ReadOptions
    from rankle.metrics.run import Run

TREC: Final = "trec"
SYSTEM: Final = "system"
REPLAYED: Final = "results are read from a file, and the latency is that of reading them"
NO_RESULTS: Final = "the recorded run has no results for this query"


class RunOptions(Common, frozen=True, kw_only=True):
    """Options of a recorded run."""

    ties: str = TREC
    """`trec`: equal scores stand by id, descending, as trec_eval and `rankle score` have them; `system`: as
    in the file."""
    order: str = "auto"
    """What the order comes from, as `--order` of `rankle score`: `score`, `rank` or `file`."""
    columns: dict[str, str] = msgspec.field(default_factory=dict)
    """The column of a role, as `--column` of `rankle score`: `{score = "sim"}`."""


class RunSystem:
    """A recorded run. Implements `core.ports.AskedSystem`: a query is known by its id."""

    def __init__(self, run: "Run", options: RunOptions, *, identity: Identity, content: str) -> None:
        """content: fingerprint of the file. Raises InputError on ties that are none."""
        if options.ties not in (TREC, SYSTEM):
            raise InputError(f'ties must be "{TREC}" or "{SYSTEM}", got "{options.ties}"')
        self._run = run
        self._options = options
        self._identity = identity
        self._content = content
        self._places = {query: place for place, query in enumerate(run.queries)}

    def describe(self) -> SystemDescription:
        found = self._identity.describe(self._options, parts={"index": self._content})
        # Queries are known by ids here, and results of before by texts; reading is quicker anyway.
        return replace(found, notices=(*self._run.notices, REPLAYED), is_reusable=False)

    def catalog(self) -> Catalog | None:
        return None

    async def search(
        self, query: str, *, depth: int, level: Level, collection: str | None = None
    ) -> SearchResult:
        return await self.search_ask(Ask(query, collection, query), depth=depth, level=level)

    async def search_ask(self, ask: Ask, *, depth: int, level: Level) -> SearchResult:
        """A query that the run lacks found nothing, as `rankle score` has it, and the result says so.

        level: is not looked at, since a run does not say of which level its ids are.
        """
        del level
        place = self._places.get(ask.query if ask.id is None else ask.id)
        if place is None:
            return SearchResult(ask.query, self._identity.method, (), (), 0.0, notices=(NO_RESULTS,))
        return SearchResult(ask.query, self._identity.method, self._hits(place, depth), (), 0.0)

    def _hits(self, place: int, depth: int) -> tuple[Hit, ...]:
        """Each target once, at its best, in the order that the option of ties asks for."""
        found = self._run.results_of(place).items()
        if self._options.ties == TREC:
            ordered = sorted(found, key=lambda item: (item[1], item[0].encode()), reverse=True)
        else:
            ordered = sorted(found, key=lambda item: -item[1])
        return tuple(
            Hit(name, name, score, rank) for rank, (name, score) in enumerate(ordered[:depth], start=1)
        )


def open_run(path: Path, options: RunOptions, *, identity: Identity) -> SearchSystem:
    """Read a run of any form, or a recording of ours.

    Raises InputError and BadLinesError as its reader does.
    """
    recording = read_recording(path)
    if recording is not None:
        return open_recording(recording, options, identity=identity, path=path)
    from rankle.formats.byte_source import held
    from rankle.formats.content import described, read_content

    source = held(path)
    content = read_content(source, _reading(options))
    if content.run is None:
        raise InputError(
            f"{path} is {described(content.found)}; expected a run. To see more: {NAME} inspect {path}"
        )
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    return RunSystem(content.run, options, identity=identity, content=digest)


def _reading(options: RunOptions) -> "ReadOptions":
    from rankle.formats.column_names import Role
    from rankle.formats.kinds import FileKind, Order, ReadOptions

    if options.order not in list(Order):
        raise UnknownNameError(what="order", name=options.order, known=list(Order))
    unknown = next((name for name in options.columns if name not in list(Role)), None)
    if unknown is not None:
        raise UnknownNameError(what="role of a column", name=unknown, known=list(Role))
    columns = {Role(name): column for name, column in options.columns.items()}
    return ReadOptions(expected=FileKind.RUN, order=Order(options.order), columns=columns)
