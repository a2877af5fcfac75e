"""Systems that hold something are started before the first query and stopped after the last."""

import asyncio
from dataclasses import dataclass, field

import pytest

from fakes.scripted_system import ScriptedSystem
from rankle.core.evalset import Level
from rankle.core.ports import Ask
from rankle.core.search import SearchResult
from rankle.harness.outcome import ask_one
from rankle.harness.plan import Item
from rankle.harness.running import running


@dataclass
class Held(ScriptedSystem):
    """Notes when it is started and stopped."""

    name: str = ""
    log: list[str] = field(default_factory=list)
    refuses: bool = False

    async def start(self) -> None:
        self.log.append(f"start {self.name}")
        if self.refuses:
            raise ConnectionError("nobody there")

    async def stop(self) -> None:
        self.log.append(f"stop {self.name}")


@dataclass
class Asked(ScriptedSystem):
    """Wants to know the id of a query."""

    asks: list[Ask] = field(default_factory=list)

    async def search_ask(self, ask: Ask, *, depth: int, level: Level) -> SearchResult:
        self.asks.append(ask)
        return await self.search(ask.query, depth=depth, level=level, collection=ask.collection)


async def hold(*systems: ScriptedSystem) -> None:
    async with running(systems):
        for system in systems:
            if isinstance(system, Held):
                system.log.append("asked")


def test_all_are_started_before_any_is_asked_and_stopped_in_turn() -> None:
    log: list[str] = []
    asyncio.run(hold(Held(name="a", log=log), ScriptedSystem(), Held(name="b", log=log)))
    assert log == ["start a", "start b", "asked", "asked", "stop b", "stop a"]


def test_one_that_does_not_start_stops_with_those_before_it() -> None:
    log: list[str] = []
    systems = [Held(name="a", log=log), Held(name="b", log=log, refuses=True), Held(name="c", log=log)]
    with pytest.raises(ConnectionError):
        asyncio.run(hold(*systems))
    assert log == ["start a", "start b", "stop b", "stop a"]


def test_one_that_wants_to_know_more_than_the_text_is_told() -> None:
    system = Asked(answers={"q": ["a"]})
    item = Item("q", "c", "q7")
    outcome = asyncio.run(ask_one(system, item, depth=5, level=Level.DOCUMENT, clock=lambda: 0.0))
    assert outcome.answer is not None
    assert system.asks == [Ask("q", "c", "q7")]
