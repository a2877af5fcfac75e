"""The event loop of tasks, where something that belongs to no task holds it."""

import asyncio
import threading
import time
from collections.abc import Iterator
from contextvars import copy_context

import pytest

from rankle.harness.evals.called import Called
from rankle.harness.evals.task_loop import Make, Outcome, TaskLoop

LONG_S = 30.0


class Held:
    """A loop that is held by a call that a task has left behind, until it is let go."""

    def __init__(self, *, grace_s: float) -> None:
        self.loop = TaskLoop(clock=time.perf_counter, grace_s=grace_s)
        self.let_go = threading.Event()
        held = threading.Event()

        async def leave_behind() -> None:
            def hold() -> None:
                held.set()
                self.let_go.wait(LONG_S)

            asyncio.get_running_loop().call_soon(hold)

        self.begin(leave_behind, timeout_s=LONG_S)
        assert held.wait(LONG_S)

    def begin(self, make: Make, *, timeout_s: float) -> list[Outcome]:
        outcomes: list[Outcome] = []
        self.loop.begin(make, context=copy_context(), timeout_s=timeout_s, over=outcomes.append)
        self.loop.flush()
        return outcomes

    def watch_until_over(self, outcomes: list[Outcome]) -> Called:
        until = time.monotonic() + LONG_S
        while not outcomes and time.monotonic() < until:
            self.loop.watch(time.monotonic())
            time.sleep(0.001)
        assert isinstance(outcomes[0], Called)
        return outcomes[0]


@pytest.fixture
def patient() -> Iterator[Held]:
    held = Held(grace_s=LONG_S)
    yield held
    held.let_go.set()
    asyncio.run(held.loop.close())


async def answer() -> str:
    return "done"


def test_the_time_of_a_task_runs_from_when_it_begins(patient: Held) -> None:
    outcomes = patient.begin(answer, timeout_s=5.0)
    patient.loop.watch(time.monotonic() + 6.0)  # its time would be up, had it begun
    patient.let_go.set()
    assert patient.watch_until_over(outcomes).value == "done"


def test_a_task_that_is_given_up_before_it_begins_is_told_so_and_never_runs(patient: Held) -> None:
    ran: list[str] = []

    async def run() -> None:
        ran.append("ran")

    outcomes = patient.begin(run, timeout_s=5.0)
    patient.loop.watch(time.monotonic() + 6.0)
    patient.loop.watch(time.monotonic() + 7.0 + LONG_S)  # nor within the grace
    patient.let_go.set()
    called = patient.watch_until_over(outcomes)
    assert called.timed_out
    assert called.error is not None
    assert called.error.message.endswith("; it had not begun, since something else held the event loop")
    assert ran == []
