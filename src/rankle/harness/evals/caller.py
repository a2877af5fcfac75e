"""Makes the calls of a user's code that a trial consists of, sync and async, each for a limited time."""

import asyncio
from collections.abc import Awaitable, Sequence
from contextvars import copy_context
from dataclasses import replace
from typing import Any

from rankle.harness.evals.called import Called, Clock, as_awaitable
from rankle.harness.evals.task_loop import GRACE_S, LOST, Make, TaskLoop
from rankle.harness.evals.workers import Batch, Results, Step, Workers


class Caller:
    """Used from one event loop, in which none of the user's code runs."""

    def __init__(self, *, clock: Clock, grace_s: float = GRACE_S) -> None:
        self._clock = clock
        self._workers = Workers()
        self._loop = TaskLoop(clock=clock, grace_s=grace_s)

    async def run(self, steps: Sequence[Step], *, timeout_s: float) -> list[Called]:
        """What each step came to, in order; those after the first are not made where it failed.

        timeout_s: of each step.
        """
        results: list[Called] = []
        while len(results) < len(steps) and not (results and results[0].error):
            step = steps[len(results)]
            if step.is_async:
                called = await self._awaited(step, _maker(step, tuple(results)), timeout_s=timeout_s)
            else:
                batch = Batch(steps, results, self._clock)
                called = await self._workers.run(batch, timeout_s=timeout_s)
                results = batch.results
                if batch.unfinished is not None:
                    called = await self._rest(batch, timeout_s=timeout_s)
            if called is not None:
                results.append(called)
        return results

    async def close(self) -> None:
        """End what is idle and leave what hangs."""
        self._workers.close()
        await self._loop.close()

    async def _rest(self, batch: Batch, *, timeout_s: float) -> Called | None:
        """Await what the last step of a batch gave; None where the step must be made anew."""
        unfinished = batch.unfinished
        assert unfinished is not None
        step = batch.steps[len(batch.results)]
        called = await self._awaited(step, lambda: unfinished.awaitable, timeout_s=timeout_s)
        if called is None or called.took_ms is None:
            return called
        return replace(called, took_ms=called.took_ms + unfinished.took_ms)

    async def _awaited(self, step: Step, make: Make, *, timeout_s: float) -> Called | None:
        context = copy_context() if step.context is None else step.context
        outcome = await self._loop.run(make, context=context, timeout_s=timeout_s)
        return None if outcome == LOST else outcome


def _maker(step: Step, results: Results) -> Make:
    def make() -> Awaitable[Any]:
        value = step.call(results)
        awaitable = as_awaitable(value)
        return _itself(value) if awaitable is None else awaitable

    return make


async def _itself(value: Any) -> Any:
    await asyncio.sleep(0)
    return value
