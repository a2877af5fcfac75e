"""`command:…`: a program that answers lines of JSON by lines of JSON as a measured system."""

import asyncio
import shlex
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import msgspec

from rankle.core.catalog import Catalog
from rankle.core.errors import CannotMeasureError, InputError, SystemFailureError
from rankle.core.evalset import Level
from rankle.core.ports import Ask, SearchSystem, SystemDescription
from rankle.core.search import SearchResult
from rankle.systems.child import Child
from rankle.systems.code import code_of_command
from rankle.systems.identity import Identity
from rankle.systems.options import Count, Reading, Seconds
from rankle.systems.results import HitReader
from rankle.systems.waiting import Waited

NO_CHECK: Final = "none"


class CommandOptions(Reading, frozen=True, kw_only=True):
    """Options of a program."""

    env: dict[str, str] = msgspec.field(default_factory=dict)
    """Variables that it gets beside those of the environment."""
    processes: Count = 1
    """How many run at a time, each with one query at a time; `--concurrency` says how many are asked."""
    timeout_s: Seconds = 30.0
    """For one answer; a process that takes longer is ended, and the next query starts another."""
    start_timeout_s: Seconds = 120.0
    """For the first answer of a process, which may have an index to read."""
    health: str | None = None
    """`none` asks no `probe` before the first query."""
    probe: str = "health check"
    """The query that is asked first, to see that the program answers."""


def open_command(
    text: str, options: CommandOptions, *, identity: Identity, folder: Path, environ: Mapping[str, str]
) -> SearchSystem:
    """Nothing is started yet. folder: where it runs. Raises InputError on a command that cannot be split."""
    try:
        arguments = shlex.split(text)
    except ValueError as error:
        raise InputError(f"the command cannot be split into words: {error}. It is: {text}") from error
    children = [
        Child(arguments, folder=folder, environ={**environ, **options.env}) for _ in range(options.processes)
    ]
    return CommandSystem(children, options, identity=identity, code=code_of_command(arguments, folder))


class CommandSystem:
    """Processes that are kept alive, each asked one query at a time. Implements `core.ports.SearchSystem`."""

    def __init__(
        self,
        children: list[Child],
        options: CommandOptions,
        *,
        identity: Identity,
        code: str,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        """code: fingerprint of the files that the command names."""
        self._children = children
        self._code = code
        self._options = options
        self._identity = identity
        self._reader = HitReader(options, method=identity.method)
        self._free: asyncio.Queue[Child] | None = None
        self._clock = clock
        self._n_asked = 0

    def describe(self) -> SystemDescription:
        return self._identity.describe(self._options, parts={"code": self._code})

    def catalog(self) -> Catalog | None:
        return None

    async def start(self) -> None:
        """Starts the first process and asks it `probe`. Raises CannotMeasureError, with its last words."""
        self._free = asyncio.Queue()
        for child in self._children:
            self._free.put_nowait(child)
        if self._options.health == NO_CHECK:
            return
        try:
            answer = await self._answer(self._children[0], Ask(self._options.probe), 1, Level.DOCUMENT)
            self._reader.check(answer)
        except SystemFailureError as error:
            raise CannotMeasureError(
                f"the system cannot be asked, so no query was: {error}. To ask without this check: "
                f'health = "{NO_CHECK}"'
            ) from error

    async def stop(self) -> None:
        await asyncio.gather(*(child.end() for child in self._children))
        self._free = None

    async def search(
        self, query: str, *, depth: int, level: Level, collection: str | None = None
    ) -> SearchResult:
        if self._free is None:
            raise InputError("a command is asked between start and stop")
        waited, began = Waited(clock=self._clock), self._clock()
        with waited.waiting():
            child = await self._free.get()
        try:
            answer = await self._answer(child, Ask(query, collection), depth, level)
        finally:
            self._free.put_nowait(child)
        took_ms = (self._clock() - began) * 1000
        return waited.told_by(self._reader.read(answer, query, level=level, took_ms=took_ms))

    async def _answer(self, child: Child, ask: Ask, depth: int, level: Level) -> Any:
        """What it says to one question. Raises SystemFailureError where it fails, or says that it has."""
        self._n_asked += 1
        question = {
            "id": str(self._n_asked), "query": ask.query, "depth": depth * self._options.overfetch,
            "level": level.value, "collection": ask.collection,
        }  # fmt: skip
        timeout_s = self._options.start_timeout_s if child.is_fresh else self._options.timeout_s
        answer = await child.ask(question, timeout_s=timeout_s)
        if isinstance(answer, Mapping):
            await self._check(child, answer, question)
        return answer

    @staticmethod
    async def _check(child: Child, answer: Mapping[str, Any], question: Mapping[str, Any]) -> None:
        """Raises SystemFailureError on an answer that says so, and on one to another question."""
        if "id" in answer and str(answer["id"]) != question["id"]:
            await child.end(kill=True)  # nobody knows what its next line would be an answer to
            raise SystemFailureError(f"the command answered question {answer['id']}, not {question['id']}")
        if answer.get("error") is not None:
            said = str(answer["error"]).strip()
            raise SystemFailureError(said or "the command says that it failed, and not why")
