"""Runs calls of a user's code in threads that can be abandoned.

Not by `ThreadPoolExecutor`: the interpreter waits for its threads when it exits, so that one task that never
returns would keep the whole program from ending.
"""

import asyncio
import contextlib
import itertools
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextvars import Context
from dataclasses import dataclass, field
from queue import SimpleQueue
from typing import Any, TypeAlias

from rankle.harness.evals.called import Called, Clock, Unfinished, call_now, frames_at, timed_out

Results: TypeAlias = Sequence[Called]
"""What the steps before came to."""


@dataclass(frozen=True, slots=True)
class Step:
    """One of several calls that are made one after another."""

    call: Callable[[Results], Any]
    """Given what the steps before came to."""
    context: Context | None = None
    """The context to run in; None for that of the thread."""
    is_async: bool = False
    """Whether the call does nothing but give something to be awaited."""


@dataclass(slots=True)
class Batch:
    """Steps that one thread goes through, until one gives something to be awaited, or the first failed."""

    steps: Sequence[Step]
    results: list[Called]
    """Of the steps before; those of this batch are added."""
    clock: Clock
    at: tuple[int, float] | None = None
    """The step that is going on, and when it began; one value, so that it is never read half written."""
    unfinished: Unfinished | None = None
    is_given_up: bool = False

    def work(self) -> None:
        """Go through the steps; called in a worker's thread."""
        results = self.results  # who gives this up puts another list in its place
        while len(results) < len(self.steps) and not self.is_given_up:
            step = self.steps[len(results)]
            if step.is_async or (results and results[0].error):
                return
            self.at = (len(results), time.monotonic())
            called = _in_context(step, results, self.clock)
            if isinstance(called, Unfinished):
                self.unfinished = called
                return
            results.append(called)


def _in_context(step: Step, results: Results, clock: Clock) -> Called | Unfinished:
    def call() -> Any:
        return step.call(results)

    return call_now(call, clock) if step.context is None else step.context.run(call_now, call, clock)


@dataclass(slots=True)
class _Worker:
    thread: threading.Thread
    given: "SimpleQueue[Batch | None]" = field(default_factory=SimpleQueue)


class Workers:
    """Threads for whatever is not to be waited for without end. Used from one event loop.

    An idle thread is used again, so that a trivial call costs tens of microseconds.
    """

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._idle: list[_Worker] = []
        self._numbers = itertools.count(1)
        self._waiting: dict[int, asyncio.Future[Called | None]] = {}

    async def run(self, batch: Batch, *, timeout_s: float) -> Called | None:
        """Let a thread go through a batch.

        timeout_s: of each step. Returns None, or how the step ended that took longer: its thread was
        abandoned, and `batch.results` holds those before it.
        """
        worker = self._idle.pop() if self._idle else self._start()
        over: asyncio.Future[Called | None] = self._loop.create_future()
        self._waiting[id(batch)] = over
        timer = _Timer(self._loop)
        timer.after(timeout_s, lambda: self._look(batch, worker, timer, timeout_s))
        worker.given.put(batch)
        try:
            return await over
        except asyncio.CancelledError:
            batch.is_given_up = True
            raise
        finally:
            timer.cancel()
            del self._waiting[id(batch)]

    def close(self) -> None:
        """Let idle threads end; those that were abandoned end with the process at the latest."""
        while self._idle:
            worker = self._idle.pop()
            worker.given.put(None)
            worker.thread.join()

    def _start(self) -> _Worker:
        name = f"rankle-worker-{next(self._numbers)}"
        given: SimpleQueue[Batch | None] = SimpleQueue()
        worker = _Worker(threading.Thread(target=lambda: self._serve(worker), name=name, daemon=True), given)
        worker.thread.start()
        return worker

    def _serve(self, worker: _Worker) -> None:
        while (batch := worker.given.get()) is not None:
            batch.work()
            with contextlib.suppress(RuntimeError):  # the run has ended without waiting for this thread
                self._loop.call_soon_threadsafe(self._over, worker, batch)

    def _over(self, worker: _Worker, batch: Batch) -> None:
        if batch.is_given_up:
            worker.given.put(None)
            return
        self._idle.append(worker)
        over = self._waiting.get(id(batch))
        if over is not None and not over.done():
            over.set_result(None)

    def _look(self, batch: Batch, worker: _Worker, timer: "_Timer", timeout_s: float) -> None:
        """Time was up for the step that was going on when the timer was set; it may be over by now."""
        at = batch.at
        left = timeout_s if at is None else at[1] + timeout_s - time.monotonic()
        if left > 0:
            timer.after(left, lambda: self._look(batch, worker, timer, timeout_s))
            return
        assert at is not None
        batch.is_given_up = True
        batch.results = batch.results[: at[0]]
        frame = sys._current_frames().get(worker.thread.ident or 0)  # noqa: SLF001  (the only way to see where)
        over = self._waiting.get(id(batch))
        if over is not None and not over.done():
            over.set_result(timed_out(timeout_s, frames=frames_at(frame)))


class _Timer:
    """One call in the future at a time."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._handle: asyncio.TimerHandle | None = None

    def after(self, delay_s: float, call: Callable[[], None]) -> None:
        self._handle = self._loop.call_later(delay_s, call)

    def cancel(self) -> None:
        if self._handle is not None:
            self._handle.cancel()
