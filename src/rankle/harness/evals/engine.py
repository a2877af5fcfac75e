"""Makes the calls of a user's code that trials consist of, sync and async, each for a limited time.

Threads take what is to be done from one supply, and go on with the next thing by themselves: handing each
trial over from one thread to another would cost more than a short trial takes. So one thread does short ones,
and others join it where trials take their time. They are none of a `ThreadPoolExecutor`: the interpreter
waits for those when it exits, and one task that never returns would keep the whole program from ending.
"""

import asyncio
import itertools
import sys
import threading
import time
from collections import deque
from collections.abc import Awaitable, Sequence
from contextvars import copy_context
from dataclasses import dataclass, field, replace
from queue import SimpleQueue
from typing import Any, Final

from rankle.harness.evals.called import Called, Clock, Unfinished, as_awaitable, frames_at, timed_out
from rankle.harness.evals.play import Play, Results, Step, Turn
from rankle.harness.evals.supply import Supply
from rankle.harness.evals.task_loop import GRACE_S, LOST, Make, Outcome, TaskLoop

_SHORT_S: Final = 0.0003
"""What takes less is not worth waking another thread for."""
_RECENT: Final = 0xFF
"""The last eight plays, a bit each."""
_STUCK_S: Final = 0.002
"""After so long in one turn a thread is not waited for: another takes what comes next."""
_LONGEST_LOOK_S: Final = 0.02
"""How late at most it is seen that time is up."""


@dataclass(slots=True, eq=False)
class _Worker:
    given: "SimpleQueue[bool]" = field(default_factory=SimpleQueue)
    """Woken by True, ended by False."""
    thread: threading.Thread | None = None
    turn: Turn | None = None
    began: float = 0.0


class Engine:
    """Makes plays. `watch` must be called again and again, from the thread that made it."""

    def __init__(self, supply: Supply[Play], *, clock: Clock, grace_s: float = GRACE_S) -> None:
        self.lock = threading.Lock()
        """Held while the supply is used."""
        self.failure: BaseException | None = None
        """What `Play.over` or `Play.make` raised: no failure of a user's code."""
        self._supply = supply
        self._clock = clock
        self._ready: deque[Play] = deque()
        """To be gone on with; before anything new."""
        self._idle: list[_Worker] = []
        self._active: dict[_Worker, None] = {}
        self._numbers = itertools.count(1)
        self._slow = 0
        """Which of the last plays took their time."""
        self._is_closed = False
        self._loop = TaskLoop(clock=clock, grace_s=grace_s)

    def look_at_supply(self) -> None:
        """Begin what may begin. To be called after the supply got more."""
        with self.lock:
            self._see_to_work()

    async def call(self, steps: Sequence[Step], *, timeout_s: float) -> list[Called]:
        """What steps come to that are in no supply."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[list[Called]] = loop.create_future()

        def over(results: list[Called]) -> None:
            loop.call_soon_threadsafe(_settle, future, results)

        self._go_on(Play(lambda: steps, timeout_s, over))
        return await future

    def watch(self) -> float:
        """Give up what takes too long, and let other threads join where one is held up.

        Returns after how many seconds to look again. Raises what is no failure of a user's code.
        """
        if self.failure is not None:
            raise self.failure
        now = time.monotonic()
        with self.lock:
            for worker in tuple(self._active):
                self._give_up_overdue(worker, now)
            n_wanted = self._n_wanted(now)
            for _ in range(n_wanted):
                self._wake()
        self._loop.watch(now)
        return _STUCK_S if n_wanted else _LONGEST_LOOK_S

    async def close(self) -> None:
        """End what is idle and leave what hangs."""
        with self.lock:
            self._is_closed = True
            for worker in self._active:
                if worker.turn is not None:
                    worker.turn.is_given_up = True
            idle, self._idle = self._idle, []
        for worker in idle:
            worker.given.put(False)
            assert worker.thread is not None
            worker.thread.join()
        await self._loop.close()

    def _serve(self, worker: _Worker) -> None:
        """The life of a thread."""
        while True:
            play = self._take(worker)
            if play is None:
                self._loop.flush()
                if self._is_closed or not worker.given.get():
                    return
                continue
            try:
                is_lost = self._advance(worker, play)
            except BaseException as error:  # noqa: BLE001  (raised where the run is waited for)
                self.failure = self.failure or error
                is_lost = False
            if is_lost:
                return

    def _take(self, worker: _Worker) -> Play | None:
        """What comes next; None where the thread is to rest."""
        now = time.monotonic()
        with self.lock:
            if worker.began:
                self._slow = (self._slow << 1 | (now - worker.began > _SHORT_S)) & _RECENT
            worker.began = 0.0
            play = None if self._is_closed or self._is_spare(worker, now) else self._next()
            if play is None:
                self._active.pop(worker, None)
                self._idle.append(worker)
                return None
            worker.began = now
            if self._slow.bit_count() > 3 and self._has_work:
                self._wake()
            return play

    def _is_spare(self, worker: _Worker, now: float) -> bool:
        """Whether another thread is at hand for what is short. The lock is held."""
        return (
            len(self._active) > 1
            and self._slow.bit_count() <= 1
            and any(now - one.began < _STUCK_S for one in self._active if one is not worker)
        )

    def _next(self) -> Play | None:
        return self._ready.popleft() if self._ready else self._supply.take()

    @property
    def _has_work(self) -> bool:
        return bool(self._ready) or self._supply.is_free

    def _advance(self, worker: _Worker, play: Play) -> bool:
        """Go on with a play as far as this thread can. Returns whether the thread was given up meanwhile."""
        if play.steps is None:
            play.steps = play.make()
        while not play.is_over:
            step = play.steps[len(play.results)]
            if step.is_async:
                self._await(play, step, _maker(step, tuple(play.results)), 0.0)
                return False
            self._loop.flush()
            turn = worker.turn = Turn(play, self._clock)
            turn.work()
            with self.lock:
                worker.turn = None
                if turn.is_given_up:
                    return True
            if turn.unfinished is not None:
                self._await_rest(play, turn.unfinished)
                return False
        play.over(play.results)
        return False

    def _await_rest(self, play: Play, unfinished: Unfinished) -> None:
        assert play.steps is not None
        step = play.steps[len(play.results)]
        self._await(play, step, lambda: unfinished.awaitable, unfinished.took_ms)

    def _await(self, play: Play, step: Step, make: Make, before_ms: float) -> None:
        """before_ms: what was spent on the step already."""

        def over(outcome: Outcome) -> None:
            if outcome != LOST:
                took_ms = None if outcome.took_ms is None else outcome.took_ms + before_ms
                play.results.append(replace(outcome, took_ms=took_ms))
            self._go_on(play)

        context = copy_context() if step.context is None else step.context
        self._loop.begin(make, context=context, timeout_s=play.timeout_s, over=over)

    def _go_on(self, play: Play) -> None:
        with self.lock:
            if self._is_closed:
                return
            self._ready.append(play)
            if not self._active:
                self._wake()

    def _see_to_work(self) -> None:
        if not self._active and self._has_work:
            self._wake()

    def _wake(self) -> None:
        """Let one more thread look for work, where there may be any for it. The lock is held."""
        if self._is_closed or len(self._active) >= self._supply.limit + len(self._ready):
            return
        if self._idle:
            worker = self._idle.pop()
            self._active[worker] = None
            worker.given.put(True)
        else:
            worker = _Worker()
            self._active[worker] = None
            name = f"rankle-worker-{next(self._numbers)}"
            worker.thread = threading.Thread(target=self._serve, args=(worker,), name=name, daemon=True)
            worker.thread.start()

    def _n_wanted(self, now: float) -> int:
        """How many threads are to join, since all are held up. The lock is held."""
        if not self._has_work or any(now - one.began < _STUCK_S for one in self._active if one.began):
            return 0
        if any(not one.began for one in self._active):
            return 0
        return len(self._ready) + min(self._supply.limit - self._supply.in_flight, self._supply.n_waiting)

    def _give_up_overdue(self, worker: _Worker, now: float) -> None:
        """The lock is held."""
        turn = worker.turn
        step = None if turn is None else turn.overdue(now)
        if turn is None or step is None:
            return
        turn.is_given_up = True
        del self._active[worker]
        play, thread = turn.play, worker.thread
        assert thread is not None
        frame = sys._current_frames().get(thread.ident or 0)  # noqa: SLF001  (no other way to see where)
        play.results = [*play.results[:step], timed_out(play.timeout_s, frames=frames_at(frame))]
        self._ready.append(play)


def _settle(future: "asyncio.Future[list[Called]]", results: list[Called]) -> None:
    if not future.done():
        future.set_result(results)


def _maker(step: Step, results: Results) -> Make:
    def make() -> Awaitable[Any]:
        value = step.call(results)
        awaitable = as_awaitable(value)
        return _itself(value) if awaitable is None else awaitable

    return make


async def _itself(value: Any) -> Any:
    return value
