"""What a query waits for since others are asked is no latency of the system."""

import asyncio
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from fakes.search_server import Asked, Reply, search_server
from rankle.core.evalset import Level
from rankle.core.outcome import Outcome
from rankle.core.ports import RunningSystem, SearchSystem
from rankle.harness.plan import Item
from rankle.harness.runner import run_plan
from rankle.systems.child import Child
from rankle.systems.command_system import CommandOptions, CommandSystem
from rankle.systems.http_options import HttpOptions
from rankle.systems.http_sending import Sender
from rankle.systems.http_system import HttpBatchSystem, HttpSystem
from rankle.systems.identity import Identity
from rankle.systems.python_callable import PythonBatchSystem, PythonOptions, PythonSystem
from rankle.systems.retrievers import call_of

_ME = Identity("m", "m")
_QUERIES = ("one", "two", "three")
Clock = Callable[[], float]
_PROGRAM = """
import json, sys
for line in sys.stdin:
    open("asked", "a").write(".")
    print(json.dumps({"id": json.loads(line)["id"], "results": []}), flush=True)
"""


@asynccontextmanager
async def running(system: SearchSystem) -> AsyncIterator[None]:
    try:
        yield
    finally:
        if isinstance(system, RunningSystem):
            await system.stop()


def latencies(system: SearchSystem, clock: Clock) -> list[float | None]:
    """Of all queries, asked at once."""
    items = [Item(query, None, query) for query in _QUERIES]

    async def ask() -> Sequence[Outcome]:
        async with running(system):
            if isinstance(system, CommandSystem):
                await system.start()
            return await run_plan(
                system, items, depth=3, level=Level.DOCUMENT, concurrency=3, clock=clock,
                on_progress=lambda _done, _total: None,
            )  # fmt: skip

    return [outcome.took_ms for outcome in asyncio.run(ask())]


@pytest.mark.parametrize("batch", [False, True])
def test_nor_is_the_wait_for_a_thread(batch: bool) -> None:
    times: list[float] = []

    def find(query: str) -> list[str]:
        times.append(1.0)
        return [query]

    def find_many(queries: list[str]) -> list[list[str]]:
        return [find(query) for query in queries]

    kind, function = (PythonBatchSystem, find_many) if batch else (PythonSystem, find)
    call = call_of(function, where="find")
    system = kind(call, PythonOptions(threads=1), identity=_ME, code="", clock=lambda: sum(times))
    assert latencies(system, lambda: sum(times)) == [1000.0] * 3


def test_nor_is_the_wait_for_a_process(tmp_path: Path) -> None:
    (tmp_path / "search.py").write_text(_PROGRAM, encoding="utf-8")
    (tmp_path / "asked").write_text("", encoding="utf-8")

    def clock() -> float:
        return float((tmp_path / "asked").stat().st_size)

    child = Child([sys.executable, "search.py"], folder=tmp_path, environ={})
    system = CommandSystem([child], CommandOptions(), identity=_ME, code="", clock=clock)
    assert latencies(system, clock) == [1000.0] * 3


@pytest.mark.parametrize("batch_size", [1, 2])
def test_nor_is_the_wait_for_room_and_pace_of_a_server(batch_size: int) -> None:
    times: list[float] = []

    def clock() -> float:
        return sum(times)

    def respond(asked: Asked) -> Reply:
        times.append(1.0)
        return Reply({"answers": [{"results": []}]} if batch_size > 1 else {"results": []})

    async def sleep(seconds: float) -> None:
        times.append(seconds)

    options = HttpOptions(max_in_flight=1, rate_per_s=0.1, batch_size=batch_size)
    with search_server() as server:
        server.respond = respond
        sender = Sender(options, host="127.0.0.1", sleep=sleep, clock=clock)
        kind = HttpBatchSystem if batch_size > 1 else HttpSystem
        system = kind(f"{server.url}/search", options, identity=_ME, sender=sender, clock=clock)
        assert latencies(system, clock) == [1000.0] * 3
    assert sum(times) > 20  # since it kept the pace
