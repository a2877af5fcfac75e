"""Systems that hold something are started before the first query and stopped after the last."""

import asyncio
from dataclasses import dataclass, field

import pytest

from fakes.scripted_system import ScriptedSystem
from rankle.core.evalset import Level
from rankle.core.outcome import Outcome
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


class Stranger(BaseException):
    """What no `except Exception` sees."""


def ask(system: ScriptedSystem) -> Outcome:
    item = Item("q", None, "q7")
    return asyncio.run(ask_one(system, item, depth=5, level=Level.DOCUMENT, clock=lambda: 0.0))


@pytest.mark.parametrize(
    ("raised", "words"),
    [
        (Stranger("boom"), "Stranger: boom"),
        (SystemExit(3), "SystemExit: 3"),
        (asyncio.CancelledError("mine"), "CancelledError: mine"),
    ],
    ids=["stranger", "exit", "cancelled"],
)
def test_what_a_system_raises_is_its_failure_though_it_is_no_exception(
    raised: BaseException, words: str
) -> None:
    assert ask(ScriptedSystem(answers={"q": raised})) == Outcome(None, words, None)


def test_ctrl_c_is_no_failure_of_a_system() -> None:
    with pytest.raises(KeyboardInterrupt):
        ask(ScriptedSystem(answers={"q": KeyboardInterrupt()}))


def test_an_evaluation_that_is_cancelled_is_no_failure_of_a_system() -> None:
    @dataclass
    class Waiting(ScriptedSystem):
        async def search(self, *_args: object, **_options: object) -> SearchResult:
            await asyncio.Event().wait()
            raise AssertionError

    async def cancelled() -> bool:
        item = Item("q", None, "q7")
        task = asyncio.create_task(ask_one(Waiting(), item, depth=5, level=Level.DOCUMENT, clock=lambda: 0.0))
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait([task])
        return task.cancelled()

    assert asyncio.run(cancelled())


def test_one_that_wants_to_know_more_than_the_text_is_told() -> None:
    system = Asked(answers={"q": ["a"]})
    item = Item("q", "c", "q7")
    outcome = asyncio.run(ask_one(system, item, depth=5, level=Level.DOCUMENT, clock=lambda: 0.0))
    assert outcome.answer is not None
    assert system.asks == [Ask("q", "c", "q7")]
