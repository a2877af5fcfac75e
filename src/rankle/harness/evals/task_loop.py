"""Runs what must be awaited in an event loop of its own thread, which can be given up.

All tasks share one loop, since clients that they share belong to the loop that first used them. A task that
blocks the loop would hang them all; so the loop is watched from outside. If it does not answer when time is
up for what it runs, it is left to itself, and what else it ran begins anew in a fresh one.
"""

import asyncio
import contextlib
import sys
import threading
import time
import traceback
from collections.abc import Awaitable, Callable, Coroutine
from contextvars import Context, ContextVar
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias
from weakref import WeakKeyDictionary

from rankle.harness.evals.called import Called, Clock, frames_at, timed_out
from rankle.harness.evals.daemon_executor import DaemonExecutor
from rankle.harness.evals.failures import error_report, own_frames

GRACE_S: Final = 1.0
"""How long a cancelled task has to end, and a loop to answer."""
LOST: Final = "lost"
"""In place of an outcome: another task blocked the loop, so that this one must begin anew."""
Outcome: TypeAlias = "Called | Literal['lost']"
Make: TypeAlias = Callable[[], Awaitable[Any]]
_BLOCKED: Final = "it blocked the event loop, where nothing else could go on: await, or use asyncio.to_thread"
_DEAF: Final = "it was cancelled and went on"


@dataclass(slots=True, eq=False)
class _Job:
    make: Make
    context: Context
    over: "asyncio.Future[Outcome]"
    """Of the event loop that waits."""
    timeout_s: float
    until: float
    """Monotonic time at which it is overdue."""
    task: "asyncio.Task[None] | None" = None
    is_cancelled: bool = False
    has_heard: bool = False
    """Whether the loop has passed the cancellation on."""
    timer: asyncio.TimerHandle | None = None


_OWNER: Final[ContextVar[_Job | None]] = ContextVar("owner", default=None)
"""What the running task belongs to."""


class TaskLoop:
    """Awaits things in another thread, each for a limited time. Used from one event loop."""

    def __init__(self, *, clock: Clock, grace_s: float = GRACE_S) -> None:
        self._clock = clock
        self._grace_s = grace_s
        self._loop = asyncio.get_running_loop()
        self._thread: _LoopThread | None = None

    async def run(self, make: Make, *, context: Context, timeout_s: float) -> Outcome:
        """What awaiting it comes to.

        make: gives what is awaited; called in the other thread. context: what it runs in.
        Returns LOST where it must be begun anew, since another task blocked the loop.
        """
        if self._thread is None:
            self._thread = _LoopThread(self._loop, self._clock)
        thread = self._thread
        job = _Job(make, context, self._loop.create_future(), timeout_s, time.monotonic() + timeout_s)
        context.run(_OWNER.set, job)
        thread.jobs.add(job)
        thread.call(thread.begin, job)
        job.timer = self._loop.call_later(timeout_s, self._overdue, thread, job)
        try:
            return await job.over
        except asyncio.CancelledError:
            job.is_cancelled = True
            thread.call(thread.cancel, job)
            raise
        finally:
            job.timer.cancel()
            thread.jobs.discard(job)

    async def close(self) -> None:
        """End the loop, with what tasks left running in it; a loop that does not answer is left to itself."""
        if self._thread is not None:
            thread, self._thread = self._thread, None
            thread.end()
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(asyncio.shield(thread.ended), self._grace_s)

    def _overdue(self, thread: "_LoopThread", job: _Job) -> None:
        job.is_cancelled = True
        thread.call(thread.cancel, job)
        job.timer = self._loop.call_later(self._grace_s, self._give_up, thread, job)

    def _give_up(self, thread: "_LoopThread", job: _Job) -> None:
        """The task did not end when it was told to: it does not listen, or its loop cannot even tell it."""
        if job.over.done():
            return
        if job.has_heard:
            frames = None if job.task is None else _frames_of(job.task)
            job.over.set_result(timed_out(job.timeout_s, said=_DEAF, frames=frames))
            return
        blocker = thread.running() or job
        if blocker is not job and blocker in thread.jobs and blocker.until > time.monotonic():
            # It still has time; when that is up, its own timer gives up the loop and this job with it.
            later = blocker.until - time.monotonic() + 2 * self._grace_s
            job.timer = self._loop.call_later(later, self._give_up, thread, job)
            return
        self._leave(thread, blocker if blocker in thread.jobs else job)

    def _leave(self, thread: "_LoopThread", blocker: _Job) -> None:
        """Give the loop up: the job that blocks it has failed, and its others begin anew."""
        if self._thread is thread:
            self._thread = None
        frames = thread.frames()
        thread.end()
        for job in tuple(thread.jobs):
            if not job.over.done():
                blocked = timed_out(job.timeout_s, said=_BLOCKED, frames=frames)
                job.over.set_result(blocked if job is blocker else LOST)


class _LoopThread:
    """An event loop in a thread of its own."""

    def __init__(self, owner: asyncio.AbstractEventLoop, clock: Clock) -> None:
        self.jobs: set[_Job] = set()
        self.ended: asyncio.Future[None] = owner.create_future()
        self._owner = owner
        self._clock = clock
        self._is_ending = False
        self._owners: WeakKeyDictionary[Any, _Job] = WeakKeyDictionary()
        self._loop = asyncio.new_event_loop()
        self._loop.set_task_factory(self._new_task)  # type: ignore[arg-type]  # typeshed wants its own protocol
        self._loop.set_default_executor(DaemonExecutor())
        self._thread = threading.Thread(target=self._serve, name="rankle-tasks", daemon=True)
        self._thread.start()

    def call(self, call: Callable[..., object], *args: Any) -> None:
        """Have something called in the loop; nothing where it has ended."""
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(call, *args)

    def end(self) -> None:
        """Let the loop end as soon as it can."""
        self._is_ending = True
        self.call(self._loop.stop)

    def begin(self, job: _Job) -> None:
        """In the loop."""
        job.task = self._loop.create_task(self._body(job), context=job.context)

    def cancel(self, job: _Job) -> None:
        """In the loop."""
        job.has_heard = True
        if job.task is not None:
            job.task.cancel()

    def running(self) -> _Job | None:
        """What the task belongs to that has the loop now; None where none has, or it is nobody's."""
        task = asyncio.current_task(self._loop)
        return None if task is None else self._owners.get(task)

    def frames(self) -> str | None:
        """Where the loop stands."""
        return frames_at(sys._current_frames().get(self._thread.ident or 0))  # noqa: SLF001  (no other way)

    def _new_task(
        self, loop: asyncio.AbstractEventLoop, work: Coroutine[Any, Any, Any], **options: Any
    ) -> asyncio.Task[Any]:
        """Tasks that a task begins belong to the same job, so that it is known who blocks."""
        task = asyncio.Task(work, loop=loop, **options)
        context: Context | None = options.get("context")
        owner = _OWNER.get() if context is None else context.get(_OWNER)
        if owner is not None:
            self._owners[task] = owner
        return task

    async def _body(self, job: _Job) -> None:
        began = self._clock()
        try:
            called = Called(await job.make())
        except BaseException as error:  # noqa: BLE001  (whatever a task raises is its failure, not ours)
            called = Called(error=error_report(error))
        self._post(job, called, took_ms=(self._clock() - began) * 1000)

    def _post(self, job: _Job, called: Called, *, took_ms: float) -> None:
        outcome = Called(called.value, called.error, took_ms)
        with contextlib.suppress(RuntimeError):  # the run has ended without waiting for this
            self._owner.call_soon_threadsafe(_settle, job, outcome)

    def _serve(self) -> None:
        asyncio.set_event_loop(self._loop)
        while not self._is_ending:
            # A task of a task that exits ends the loop, which is no reason to end the others.
            with contextlib.suppress(BaseException):
                self._loop.run_forever()
        with contextlib.suppress(BaseException):
            self._loop.run_until_complete(self._tidy())
        self._loop.close()
        with contextlib.suppress(RuntimeError):
            self._owner.call_soon_threadsafe(_resolve, self.ended)

    async def _tidy(self) -> None:
        rest = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in rest:
            task.cancel()
        if rest:
            await asyncio.wait(rest, timeout=GRACE_S)
        await self._loop.shutdown_asyncgens()


def _settle(job: _Job, called: Called) -> None:
    """In the loop that waits. What ends after it was told to is late, whatever it gives."""
    if job.over.done():
        return
    if job.has_heard:
        where = None if called.error is None else called.error.traceback
        called = timed_out(job.timeout_s, frames=where)
    job.over.set_result(called)


def _resolve(ended: "asyncio.Future[None]") -> None:
    if not ended.done():
        ended.set_result(None)


def _frames_of(task: "asyncio.Task[Any]") -> str | None:
    """Where a task waits: it, what it awaits, what that awaits."""
    frames = []
    work: Any = task.get_coro()
    while (frame := getattr(work, "cr_frame", None)) is not None:
        frames.append((frame, frame.f_lineno))
        work = work.cr_await
    return own_frames(traceback.StackSummary.extract(iter(frames)))
