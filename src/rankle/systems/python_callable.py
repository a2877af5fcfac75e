"""`python:module:callable`: a function, an object or a retriever of Python as a measured system."""

import asyncio
import importlib
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import msgspec

from rankle.core.catalog import Catalog
from rankle.core.errors import InputError, SystemFailureError, nearest
from rankle.core.evalset import Level
from rankle.core.ports import Ask, SearchSystem, SystemDescription
from rankle.core.search import SearchResult
from rankle.systems.code import code_of_module
from rankle.systems.foreign import awaited, called
from rankle.systems.identity import Identity
from rankle.systems.options import Reading, Seconds
from rankle.systems.results import EVERYWHERE, HitReader
from rankle.systems.retrievers import Call, call_of
from rankle.systems.threads import Threads
from rankle.systems.waiting import Waited


class PythonOptions(Reading, frozen=True, kw_only=True):
    """Options of a system in Python."""

    threads: Annotated[int, msgspec.Meta(ge=0)] = 0
    """Threads in which a function that is not async is called, so that --concurrency has something to use.
    0 calls it where the evaluation runs, which objects of one thread need."""
    timeout_s: Seconds | None = None
    """How long an async function, or one in a thread, may take."""


def open_python(where: str, options: PythonOptions, *, identity: Identity, folder: Path) -> SearchSystem:
    """Import and make ready what `module:callable` names; an object with our own port is taken as it is.

    folder: looked in for modules first, as `python -m` looks in the current folder.
    Raises InputError where it is not there or cannot be asked.
    """
    found = _imported(where, folder)
    if hasattr(found, "describe") and hasattr(found, "catalog") and hasattr(found, "search"):
        return found  # type: ignore[no-any-return]
    call = call_of(found, where=where)
    code = code_of_module(where.partition(":")[0], folder)
    if call.is_batch:
        return PythonBatchSystem(call, options, identity=identity, code=code)
    return PythonSystem(call, options, identity=identity, code=code)


class PythonSystem:
    """One callable. Implements `core.ports.SearchSystem`."""

    def __init__(
        self,
        call: Call,
        options: PythonOptions,
        *,
        identity: Identity,
        code: str,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        """code: fingerprint of the files of its module."""
        if options.timeout_s is not None and not (call.is_async or options.threads):
            raise InputError("timeout_s needs an async function or threads = 1: nothing else can be given up")
        self._call = call
        self._code = code
        self._options = options
        self._identity = identity
        self._reader = HitReader(options, method=identity.method)
        self._threads = (
            Threads(options.threads, timeout_s=options.timeout_s)
            if options.threads and not call.is_async
            else None
        )
        self._clock = clock

    def describe(self) -> SystemDescription:
        return self._identity.describe(self._options, parts={"code": self._code})

    def catalog(self) -> Catalog | None:
        return None

    async def search(
        self, query: str, *, depth: int, level: Level, collection: str | None = None
    ) -> SearchResult:
        waited, began = Waited(clock=self._clock), self._clock()
        answer = await self._ask(query, depth=depth, level=level, collection=collection, waited=waited)
        took_ms = (self._clock() - began) * 1000
        notices = self._notices(collection)
        found = self._reader.read(answer, query, level=level, took_ms=took_ms, notices=notices)
        return waited.told_by(found)

    def _notices(self, collection: str | None) -> tuple[str, ...]:
        return () if collection is None or "collection" in self._call.accepts else (EVERYWHERE,)

    async def _ask(
        self, asked: object, *, depth: int, level: Level, collection: str | None, waited: Waited
    ) -> Any:
        wanted: Mapping[str, Any] = {
            "depth": depth * self._options.overfetch, "level": level.value, "collection": collection,
        }  # fmt: skip
        if self._threads is not None:
            answer = await self._threads.call(lambda: self._call(asked, **wanted), waited=waited)
        else:
            with called():
                answer = self._call(asked, **wanted)
        if not hasattr(answer, "__await__") and not hasattr(answer, "__aiter__"):
            return answer
        try:
            return await asyncio.wait_for(_awaited(answer), self._options.timeout_s)
        except TimeoutError as error:
            if self._options.timeout_s is None or str(error):
                raise
            raise SystemFailureError(f"no answer within {self._options.timeout_s:g} s") from error


class PythonBatchSystem(PythonSystem):
    """A function of several queries. Implements `core.ports.BatchSearchSystem`."""

    async def search(
        self, query: str, *, depth: int, level: Level, collection: str | None = None
    ) -> SearchResult:
        waited = Waited(clock=self._clock)
        (found,) = await self._batch([Ask(query, collection)], depth=depth, level=level, waited=waited)
        if isinstance(found, SystemFailureError):
            raise found
        return waited.told_by(found)

    async def search_batch(
        self, asks: Sequence[Ask], *, depth: int, level: Level
    ) -> list[SearchResult | SystemFailureError]:
        """Queries of different collections are asked apart, where the function takes one."""
        return await self._batch(asks, depth=depth, level=level, waited=Waited(clock=self._clock))

    async def _batch(
        self, asks: Sequence[Ask], *, depth: int, level: Level, waited: Waited
    ) -> list[SearchResult | SystemFailureError]:
        by_collection: dict[str | None, list[int]] = {}
        for place, ask in enumerate(asks):
            by_collection.setdefault(ask.collection, []).append(place)
        found: dict[int, SearchResult | SystemFailureError] = {}
        for collection, places in by_collection.items():
            texts = [asks[place].query for place in places]
            answers = await self._answers(
                texts, depth=depth, level=level, collection=collection, waited=waited
            )
            for place, text, answer in zip(places, texts, answers, strict=True):
                found[place] = self._read(answer, text, level=level, collection=collection)
        return [found[place] for place in range(len(asks))]

    async def _answers(
        self, texts: list[str], *, depth: int, level: Level, collection: str | None, waited: Waited
    ) -> list[Any]:
        answers = await self._ask(texts, depth=depth, level=level, collection=collection, waited=waited)
        if (
            not isinstance(answers, Sequence)
            or isinstance(answers, str | bytes)
            or len(answers) != len(texts)
        ):
            got = len(answers) if isinstance(answers, Sequence) else type(answers).__name__
            raise SystemFailureError(f"{len(texts)} queries need a list of {len(texts)} answers, got {got}")
        return list(answers)

    def _read(
        self, answer: object, query: str, *, level: Level, collection: str | None
    ) -> SearchResult | SystemFailureError:
        if isinstance(answer, Exception):
            return SystemFailureError(f"{type(answer).__name__}: {answer}")
        try:
            notices = self._notices(collection)
            return self._reader.read(answer, query, level=level, took_ms=0.0, notices=notices)
        except SystemFailureError as error:
            return error


async def _awaited(answer: Any) -> Any:
    """What comes of a coroutine, or one by one of an async generator."""
    with awaited():
        if hasattr(answer, "__await__"):
            return await answer
        return [entry async for entry in answer]


def _imported(where: str, folder: Path) -> Any:
    module_name, _, path = where.partition(":")
    if not module_name or not path:
        raise InputError(
            f'a Python system is python:module:callable, such as python:my_search:find; got "python:{where}"'
        )
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))
    found: Any = _module(module_name, folder)
    for name in path.split("."):
        if not hasattr(found, name):
            near = nearest(name, [each for each in dir(found) if not each.startswith("_")])
            hint = f"; did you mean {' or '.join(near)}?" if near else ""
            raise InputError(f'python:{where}: {module_name} has no "{name}"{hint}')
        found = getattr(found, name)
    return found


def _module(name: str, folder: Path) -> Any:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is None or not name.startswith(error.name):
            raise InputError(f'the module "{name}" cannot be imported: {error}') from error
        raise InputError(
            f'there is no module "{name}": it was looked for in {folder} and among what is installed'
        ) from error
    except (Exception, SystemExit) as error:
        raise InputError(
            f'the module "{name}" cannot be imported: {type(error).__name__}: {error}'
        ) from error
