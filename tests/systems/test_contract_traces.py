"""What every adapter hands on alike: the collection to the system; texts, places and stages from it."""

import asyncio
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from itertools import count
from pathlib import Path
from typing import Any, Final

import pytest

from fakes.opened import opened, write_project
from fakes.search_server import Asked, Reply, search_server
from rankle.app.record import record
from rankle.core.evalset import Level
from rankle.core.ports import Ask, RunningSystem, SearchSystem
from rankle.core.search import Hit, Passage, SearchResult, StageRank
from rankle.harness.outcome import takes_asks
from rankle.systems.results import EVERYWHERE

_NUMBER = count()
_ANSWER: Final = """
def rich(collection):
    one = {"chunk_id": "a#1", "document": "a.md", "score": 2.0, "text": f"of {collection}", "title": "A"}
    two = {"chunk_id": "a#2", "document": "a.md", "score": 1.5, "text": "more of a", "start": 40, "end": 49}
    three = {"chunk_id": "b#1", "document": "b.md", "score": 1.0, "text": "b", "start": 0, "end": 1}
    words = {"name": "words", "took_ms": 1.5, "results": [three, two]}
    ranks = {"name": "ranks", "results": [one, two, three]}
    one |= {"start": 10, "end": 10 + len(one["text"])}
    return {"results": [one, two, three], "stages": [words, ranks]}
"""
_MODULE: Final = (
    _ANSWER
    + """
def find(query, depth, collection):
    return rich(collection)

async def find_async(query, collection):
    return rich(collection)

def find_many(queries, collection):
    return [rich(collection) for _ in queries]

def find_anywhere(query):
    return rich(None)
"""
)
_PROGRAM: Final = (
    "import json, sys\n"
    + _ANSWER
    + """
for line in sys.stdin:
    print(json.dumps(rich(json.loads(line)["collection"])), flush=True)
"""
)
_STAGES: Final = 'stages = ["words", "ranks"]\n'
Make = Callable[[Path], AbstractContextManager[SearchSystem]]


def _rich(collection: str | None) -> Any:
    scope: dict[str, Any] = {}
    exec(_ANSWER, scope)
    return scope["rich"](collection)


@contextmanager
def _table(folder: Path, options: str) -> Iterator[SearchSystem]:
    write_project(folder, "mine", options + _STAGES)
    with opened("mine", cwd=folder) as system:
        yield system


def _module(folder: Path) -> str:
    name = f"traced_{next(_NUMBER)}"
    (folder / f"{name}.py").write_text(_MODULE, encoding="utf-8")
    return name


def _python(function: str) -> Make:
    return lambda folder: _table(folder, f'uri = "python:{_module(folder)}:{function}"\n')


def _command(folder: Path) -> AbstractContextManager[SearchSystem]:
    (folder / "search.py").write_text(_PROGRAM, encoding="utf-8")
    return _table(folder, f'uri = "command:{sys.executable} search.py"\n')


def _http(options: str) -> Make:
    @contextmanager
    def make(folder: Path) -> Iterator[SearchSystem]:
        def respond(asked: Asked) -> Reply:
            told = asked.body or asked.arguments
            answer = _rich(told.get("collection"))
            return Reply([answer] * len(asked.body["queries"]) if "queries" in told else answer)

        with search_server() as server:
            server.respond = respond
            with _table(folder, options.replace("URL", f"{server.url}/s")) as system:
                yield system

    return make


@contextmanager
def _recording(folder: Path) -> Iterator[SearchSystem]:
    """Of the same at both levels is recorded what is asked below."""
    write_project(folder, "mine", f'uri = "python:{_module(folder)}:find"\n{_STAGES}')
    with opened("mine", cwd=folder) as system:
        queries = [{"id": "q", "query": "x", "collection": "guides", "relevant": []}]
        record(queries, system=system, output=folder / "run.parquet", level=Level.CHUNK)
    with opened("run:run.parquet", cwd=folder) as system:
        yield system


SYSTEMS: Final[dict[str, Make]] = {
    "command": _command,
    "http": _http('uri = "URL"\n'),
    "http by url": _http('uri = "URL?q={{ query }}&collection={{ collection }}"\n'),
    "http batch": _http('uri = "URL"\nbatch_size = 2\n'),
    "python": _python("find"),
    "python async": _python("find_async"),
    "python batch": _python("find_many"),
    "recording": _recording,
}
WITHOUT: Final[dict[str, Make]] = {
    "http": _http('uri = "URL?q={{ query }}"\n'),
    "python": _python("find_anywhere"),
}
_FIRST: Final = Passage("a#1", "A", (), "of guides", 10, 19, 1, 1)
_SECOND: Final = Passage("a#2", "", (), "more of a", 40, 49, 1, 1)
_THIRD: Final = Passage("b#1", "", (), "b", 0, 1, 1, 1)


def asked(make: Make, folder: Path, level: Level) -> SearchResult:
    """As the harness asks one query of the collection `guides`."""

    async def ask(system: SearchSystem) -> SearchResult:
        try:
            if isinstance(system, RunningSystem):
                await system.start()
            if takes_asks(system):
                return await system.search_ask(Ask("x", "guides", "q"), depth=10, level=level)
            return await system.search("x", depth=10, level=level, collection="guides")
        finally:
            if isinstance(system, RunningSystem):
                await system.stop()

    with make(folder) as system:
        return asyncio.run(ask(system))


@pytest.mark.parametrize("name", SYSTEMS)
def test_chunks_keep_their_document_text_place_and_stages(name: str, tmp_path: Path) -> None:
    result = asked(SYSTEMS[name], tmp_path, Level.CHUNK)
    assert result.hits == (
        Hit("a#1", "a.md", 2.0, 1, ("a#1",), _FIRST),
        Hit("a#2", "a.md", 1.5, 2, ("a#2",), _SECOND),
        Hit("b#1", "b.md", 1.0, 3, ("b#1",), _THIRD),
    )
    words, ranks = result.stages
    assert (words.name, words.took_ms, ranks.name) == ("words", 1.5, "ranks")
    assert words.ranks == {"b#1": StageRank(1, 1.0), "a#2": StageRank(2, 1.5)}
    assert [rank.rank for rank in ranks.ranks.values()] == [3, 2, 1]
    assert result.notices == ()


@pytest.mark.parametrize("name", [name for name in SYSTEMS if name != "recording"])
def test_documents_keep_their_chunks_and_the_text_of_the_best(name: str, tmp_path: Path) -> None:
    result = asked(SYSTEMS[name], tmp_path, Level.DOCUMENT)
    assert result.hits == (
        Hit("a.md", "a.md", 2.0, 1, ("a#1", "a#2"), _FIRST),
        Hit("b.md", "b.md", 1.0, 2, ("b#1",), _THIRD),
    )
    assert {name: rank.rank for name, rank in result.stages[1].ranks.items()} == {"a.md": 1, "b.md": 2}


@pytest.mark.parametrize("name", WITHOUT)
def test_a_collection_that_the_system_does_not_hear_of_is_told(name: str, tmp_path: Path) -> None:
    assert asked(WITHOUT[name], tmp_path, Level.CHUNK).notices == (EVERYWHERE,)
