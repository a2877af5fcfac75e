"""What every adapter does alike, each before something real."""

import asyncio
import math
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from itertools import count
from pathlib import Path
from typing import Final

import pytest

from fakes.opened import opened, write_project
from fakes.search_server import search_server
from fakes.searchable import DOCUMENTS, FAILS, FOUND, KEY, PROGRAM, write_module
from rankle.core.errors import SystemFailureError
from rankle.core.evalset import Level
from rankle.core.ports import Ask, BatchSearchSystem, RunningSystem, SearchSystem
from rankle.core.search import SearchResult
from rankle.harness.batches import answers_batches
from rankle.harness.outcome import takes_asks
from rankle.kb.knowledge_base import KnowledgeBase

_NUMBER = count()
_ENVIRON: Final = {"SEARCH_API_KEY": KEY}
Make = Callable[[Path], AbstractContextManager[SearchSystem]]


def _python(function: str) -> Make:
    @contextmanager
    def make(folder: Path) -> Iterator[SearchSystem]:
        module = write_module(folder, f"searchable_{next(_NUMBER)}")
        with opened(f"python:{module}:{function}", cwd=folder, environ=_ENVIRON) as system:
            yield system

    return make


@contextmanager
def _run(folder: Path) -> Iterator[SearchSystem]:
    lines = [
        f"{query.replace(' ', '_')} Q0 {name} {rank} {score} tag"
        for query, found in FOUND.items()
        for rank, (name, score) in enumerate(found, start=1)
    ]
    (folder / "results.run").write_text("\n".join(lines) + "\n", encoding="utf-8")
    with opened("run:results.run", cwd=folder) as system:
        yield system


@contextmanager
def _knowledge_base(folder: Path) -> Iterator[SearchSystem]:
    docs = folder / "docs"
    for name, text in DOCUMENTS.items():
        (docs / name).parent.mkdir(parents=True, exist_ok=True)
        (docs / name).write_text(text, encoding="utf-8")
    with KnowledgeBase(folder / "home" / "small", name="small", create=True) as kb:
        kb.index(docs)
    with opened("kb:small?method=fts5", cwd=folder, environ={"RANKLE_HOME": str(folder / "home")}) as system:
        yield system


@contextmanager
def _http(folder: Path) -> Iterator[SearchSystem]:
    with search_server() as server:
        write_project(
            folder, "served", f'uri = "{server.url}/search"\nheaders = {{X-Key = "${{SEARCH_API_KEY}}"}}'
        )
        with opened("served", cwd=folder, environ=_ENVIRON) as system:
            yield system


@contextmanager
def _command(folder: Path) -> Iterator[SearchSystem]:
    (folder / "search.py").write_text(PROGRAM, encoding="utf-8")
    with opened(f"command:{sys.executable} search.py", cwd=folder, environ=_ENVIRON) as system:
        yield system


SYSTEMS: Final[dict[str, Make]] = {
    "command": _command,
    "http": _http,
    "kb": _knowledge_base,
    "python": _python("find"),
    "python async": _python("find_async"),
    "python batch": _python("find_many"),
    "run": _run,
}
BATCHES: Final = ["kb", "python batch"]
THAT_FAIL: Final = [name for name in SYSTEMS if name not in ("kb", "run")]
"""A workspace and a file do not fail on a query."""


@pytest.fixture(params=SYSTEMS)
def system(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[SearchSystem]:
    with SYSTEMS[request.param](tmp_path) as found:
        yield found


@pytest.fixture(params=BATCHES)
def batches(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[BatchSearchSystem]:
    with SYSTEMS[request.param](tmp_path) as found:
        assert answers_batches(found)
        yield found


@pytest.fixture(params=THAT_FAIL)
def failing(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[SearchSystem]:
    with SYSTEMS[request.param](tmp_path) as found:
        yield found


def asked(system: SearchSystem, work: Callable[[], Awaitable[SearchResult]]) -> SearchResult:
    async def run() -> SearchResult:
        if not isinstance(system, RunningSystem):
            return await work()
        try:
            await system.start()
            return await work()
        finally:
            await system.stop()

    return asyncio.run(run())


def search(
    system: SearchSystem, query: str, *, depth: int = 10, level: Level = Level.DOCUMENT
) -> SearchResult:
    """As the harness asks: by the id of the query where the system wants to know it."""

    async def ask() -> SearchResult:
        if takes_asks(system):
            return await system.search_ask(
                Ask(query, None, query.replace(" ", "_")), depth=depth, level=level
            )
        return await system.search(query, depth=depth, level=level)

    return asked(system, ask)


@pytest.mark.parametrize("query", FOUND)
def test_it_returns_what_is_there_best_first(system: SearchSystem, query: str) -> None:
    hits = search(system, query).hits
    assert [(hit.id, hit.document) for hit in hits] == [(name, name) for name, _ in FOUND[query]]
    assert [hit.rank for hit in hits] == list(range(1, len(hits) + 1))
    assert all(math.isfinite(hit.score) for hit in hits)
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


def test_it_may_be_asked_for_fewer(system: SearchSystem) -> None:
    assert [hit.id for hit in search(system, "pump filter", depth=1).hits][:1] == ["guide/pump.md"]


def test_it_answers_the_same_when_it_is_started_again(system: SearchSystem) -> None:
    assert search(system, "battery").hits == search(system, "battery").hits


def test_it_describes_itself_alike_each_time(system: SearchSystem) -> None:
    described = system.describe()
    assert described == system.describe()
    assert len(described.fingerprint) == 64
    assert described.name
    assert described.method


def test_those_that_answer_batches_are_known(tmp_path: Path) -> None:
    found: set[str] = set()
    for name, make in SYSTEMS.items():
        (tmp_path / name).mkdir()
        with make(tmp_path / name) as system:
            if answers_batches(system):
                found.add(name)
    assert found == set(BATCHES)


def test_a_batch_answers_like_single_searches(batches: BatchSearchSystem) -> None:
    system = batches

    async def ask() -> SearchResult:
        asks = [Ask("battery"), Ask("pump filter")]
        first, second = await batches.search_batch(asks, depth=10, level=Level.DOCUMENT)
        assert isinstance(first, SearchResult)
        assert isinstance(second, SearchResult)
        assert first.hits == (await batches.search("battery", depth=10, level=Level.DOCUMENT)).hits
        return second

    assert asked(system, ask).hits == search(system, "pump filter").hits


def test_a_failure_is_told_in_its_own_words_and_without_its_key(failing: SearchSystem) -> None:
    with pytest.raises(SystemFailureError, match="the index is on fire") as caught:
        search(failing, FAILS)
    assert KEY not in str(caught.value)
    assert caught.value.__cause__ is None
    assert len(str(caught.value)) <= 500
    assert search(failing, "battery").hits


def test_no_key_is_in_its_description(tmp_path: Path) -> None:
    module = write_module(tmp_path, f"searchable_{next(_NUMBER)}")
    write_project(
        tmp_path, "mine", f'uri = "python:{module}:find"\nversion = "x"\nfloor = 0.5\noverfetch = 2'
    )
    with opened("mine", cwd=tmp_path, environ=_ENVIRON) as system:
        described = system.describe()
    assert KEY not in repr(described)
    assert (described.name, described.method, described.floor) == ("mine", "mine", 0.5)
    assert described.settings["overfetch"] == 2
