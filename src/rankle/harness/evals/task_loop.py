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
from collections import deque
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
_NEVER_BEGUN: Final = "it had not begun, since something else held the event loop"


@dataclass(slots=True, eq=False)
class _Job:
    """Something that is awaited. Its context knows it, so it lets go of all that it holds when it is over: a
    ring would keep outputs in memory until the collector finds it."""

    make: Make | None
    context: Context | None
    over: Callable[[Outcome], None] | None
    timeout_s: float
    until: float
    """Monotonic time at which it is cancelled, and then given up. Its time runs from when it begins; one that
    does not begin is looked at after as long."""
    task: "asyncio.Task[None] | None" = None
    has_begun: bool = False
    is_cancelled: bool = False
    was_looked_at: bool = False
    """Whether the loop has failed to answer once, with nothing to be seen that holds it."""
    has_heard: bool = False
    """Whether the loop has passed the cancellation on."""


_OWNER: Final[ContextVar[_Job | None]] = ContextVar("owner", default=None)
"""What the running task belongs to."""


class TaskLoop:
    """Awaits things in another thread, each for a limited time. Used from any thread."""

    def __init__(self, *, clock: Clock, grace_s: float = GRACE_S) -> None:
        self._clock = clock
        self._grace_s = grace_s
        self._lock = threading.Lock()
        self._thread: _LoopThread | None = None

    def begin(
        self, make: Make, *, context: Context, timeout_s: float, over: Callable[[Outcome], None]
    ) -> None:
        """Have something awaited.

        make: gives what is awaited; called in the other thread. context: what it runs in.
        It begins with the next `flush`.
        over: called once, in any thread, with what it came to; with LOST where it must be begun anew, since
            another task blocked the loop.
        """
        job = _Job(make, context, over, timeout_s, time.monotonic() + timeout_s)
        context.run(_OWNER.set, job)
        with self._lock:
            if self._thread is None:
                self._thread = _LoopThread(self._clock, self._settle)
            self._thread.jobs.add(job)
            self._thread.waiting.append(job)

    def flush(self) -> None:
        """Let what was given begin. It is not woken for each: that costs more than a short task takes."""
        thread = self._thread
        if thread is not None and thread.waiting:
            thread.call(thread.begin_all)

    def watch(self, now: float) -> None:
        """Cancel what is overdue, and give up what does not end by that. To be called again and again."""
        self.flush()
        with self._lock:
            thread = self._thread
            late = [] if thread is None else [job for job in thread.jobs if job.until <= now]
        if thread is not None:
            for job in late:
                self._see_to(thread, job, now)

    async def close(self) -> None:
        """End the loop, with what tasks left running in it; a loop that does not answer is left to itself."""
        with self._lock:
            thread, self._thread = self._thread, None
        if thread is None:
            return
        thread.jobs.clear()
        thread.end()
        until = time.monotonic() + 2 * self._grace_s
        while thread.is_alive and time.monotonic() < until:  # noqa: ASYNC110  (a thread sets no event when it ends)
            await asyncio.sleep(0.001)

    def _see_to(self, thread: "_LoopThread", job: _Job, now: float) -> None:
        if not job.has_begun and not job.was_looked_at:
            job.was_looked_at = True  # a busy machine may not have let the loop run at all
            job.until = now + self._grace_s
        elif not job.is_cancelled:
            job.is_cancelled = True
            job.until = now + self._grace_s
            thread.call(thread.cancel, job)
        elif job.has_heard:
            frames = None if job.task is None else _frames_of(job.task)
            self._end(thread, job, timed_out(job.timeout_s, said=_DEAF, frames=frames))
        else:
            self._see_to_blocked(thread, job, now)

    def _see_to_blocked(self, thread: "_LoopThread", job: _Job, now: float) -> None:
        """The loop could not even pass on that the job is cancelled."""
        running = thread.running()
        if running is None and not job.was_looked_at:
            job.was_looked_at = True  # a busy machine may not have let the loop run at all
            job.until = now + self._grace_s
            return
        blocker = job if running is None or running not in thread.jobs else running
        if blocker is not job and not blocker.is_cancelled:
            # It still has time. When that is up, it takes the loop with it, and this job begins anew.
            job.until = blocker.until + 2 * self._grace_s
            return
        frames = thread.frames()
        with self._lock:
            if self._thread is thread:
                self._thread = None
        thread.end()
        for one in tuple(thread.jobs):
            blocked = timed_out(one.timeout_s, said=_BLOCKED, frames=frames)
            self._end(thread, one, blocked if one is blocker else LOST)

    def _end(self, thread: "_LoopThread", job: _Job, outcome: Outcome) -> None:
        """Tell what a job came to, unless that has been told."""
        with self._lock:
            if job not in thread.jobs:
                return
            thread.jobs.remove(job)
            over = job.over
            job.make = job.context = job.over = job.task = None
        if over is not None:
            over(outcome)

    def _settle(self, thread: "_LoopThread", job: _Job, called: Called) -> None:
        """In the loop. What ends after it was told to is late, whatever it gives."""
        if job.has_heard:
            where = None if called.error is None else called.error.traceback
            called = timed_out(job.timeout_s, said="" if job.has_begun else _NEVER_BEGUN, frames=where)
        self._end(thread, job, called)


class _LoopThread:
    """An event loop in a thread of its own."""

    def __init__(self, clock: Clock, settle: "Callable[[_LoopThread, _Job, Called], None]") -> None:
        self.jobs: set[_Job] = set()
        self.waiting: deque[_Job] = deque()
        """Jobs that have not begun."""
        self._clock = clock
        self._settle = settle
        self._is_ending = False
        self._owners: WeakKeyDictionary[Any, _Job] = WeakKeyDictionary()
        self._loop = asyncio.new_event_loop()
        self._loop.set_task_factory(self._new_task)  # type: ignore[arg-type]  # typeshed wants its own protocol
        self._loop.set_default_executor(DaemonExecutor())
        self._thread = threading.Thread(target=self._serve, name="rankle-tasks", daemon=True)
        self._thread.start()

    @property
    def is_alive(self) -> bool:
        return self._thread.is_alive()

    def call(self, call: Callable[..., object], *args: Any) -> None:
        """Have something called in the loop; nothing where it has ended."""
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(call, *args)

    def end(self) -> None:
        """Let the loop end as soon as it can."""
        self._is_ending = True
        self.call(self._loop.stop)

    def begin_all(self) -> None:
        """In the loop: begin what waits."""
        while self.waiting:
            job = self.waiting.popleft()
            if job.context is None or job.has_heard:  # it was told to begin anew elsewhere, or given up
                continue
            job.task = self._loop.create_task(self._body(job), context=job.context)

    def cancel(self, job: _Job) -> None:
        """In the loop."""
        job.has_heard = True
        if job.task is not None:
            job.task.cancel()
        if not job.has_begun:  # a task that is cancelled before its first step never comes to its body
            self._settle(self, job, Called())

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
        job.until, job.has_begun = time.monotonic() + job.timeout_s, True
        began = self._clock()
        try:
            make = job.make or _nothing
            called = Called(await make())
        except BaseException as error:  # noqa: BLE001  (whatever a task raises is its failure, not ours)
            called = Called(error=error_report(error))
        took_ms = (self._clock() - began) * 1000
        self._settle(self, job, Called(called.value, called.error, took_ms))

    def _serve(self) -> None:
        asyncio.set_event_loop(self._loop)
        while not self._is_ending:
            # A task of a task that exits ends the loop, which is no reason to end the others.
            with contextlib.suppress(BaseException):
                self._loop.run_forever()
        with contextlib.suppress(BaseException):
            self._loop.run_until_complete(self._tidy())
        self._loop.close()

    async def _tidy(self) -> None:
        # A task that is deaf to this too is told of as timed out; asyncio would tell of it again.
        self._loop.set_exception_handler(lambda _loop, _context: None)
        rest = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in rest:
            task.cancel()
        if rest:
            await asyncio.wait(rest, timeout=GRACE_S)
        await self._loop.shutdown_asyncgens()


async def _nothing() -> None:
    """What a job that is over awaits."""


def _frames_of(task: "asyncio.Task[Any]") -> str | None:
    """Where a task waits: it, what it awaits, what that awaits."""
    frames = []
    work: Any = task.get_coro()
    while (frame := getattr(work, "cr_frame", None)) is not None:
        frames.append((frame, frame.f_lineno))
        work = work.cr_await
    return own_frames(traceback.StackSummary.extract(iter(frames)))
