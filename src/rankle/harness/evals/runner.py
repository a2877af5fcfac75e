"""Runs the trials of all evals at once, each scored and kept as soon as it is done."""

import asyncio
import contextlib
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextvars import copy_context
from dataclasses import dataclass
from typing import Final

from rankle.core.evals import CasesByPlace, EvalSummary
from rankle.core.trials import CaseReport
from rankle.harness.evals.called import Clock
from rankle.harness.evals.engine import Engine
from rankle.harness.evals.keeping import Cache, EvalKeeper
from rankle.harness.evals.options import RunOptions
from rankle.harness.evals.play import Play
from rankle.harness.evals.prepared import PreparedEval, PreviousRun
from rankle.harness.evals.progress import Progress
from rankle.harness.evals.recorded import Recording, untraced
from rankle.harness.evals.running import RunningEval, Shared
from rankle.harness.evals.stop import Stop
from rankle.harness.evals.summary import not_run
from rankle.harness.evals.supply import Supply
from rankle.harness.evals.tally import Tally

_AHEAD: Final = 1_000
"""Trials that wait before a further eval begins; more than are done until it is looked at again."""
_PAUSE_S: Final = 0.01


@dataclass(frozen=True, slots=True)
class RanEvals:
    """What a run of evals came to."""

    evals: tuple[EvalSummary, ...]
    """In the order in which they were given. Where the run was stopped, those with a trial that is done."""
    read_cases: Callable[[str], Iterable[CaseReport]]
    """The cases of the eval of this id, in the order of the data; may be called again."""
    by_place: CasesByPlace
    interrupted: bool
    """Whether it was stopped before its last trial."""


async def run_prepared(
    evals: Sequence[PreparedEval],
    *,
    options: RunOptions,
    keeper: EvalKeeper,
    cache: Cache | None,
    previous: Callable[[PreparedEval], PreviousRun | None],
    on_progress: Callable[[Progress], None],
    stop: Stop,
    recording: Recording = untraced,
    clock: Clock = time.perf_counter,
) -> RanEvals:
    """Run evals, as far as they can be: one that has an `error` is told of, and the others run.

    Trials begin in the order of the evals, the cases and their numbers, as many at once as the limits allow.
    None of the evals' code runs in the caller's thread. What it raises is a failure of the trial; what the
    keeper, the cache and `on_progress` raise ends the run. `KeptEval.keep` and `on_progress` are called from
    any thread, one after another, the cache from several at once, all else in the caller's thread.
    previous: asked when an eval is done, for the run that its changes are against.
    stop: asked once, what is in flight is finished and kept; asked again, it is given up. Evals that lack
        trials then are left without `finish`, and can be resumed.
    recording: what traces the steps of a trial.
    """
    supply: Supply[Play] = Supply(options.concurrency, options.limits, lambda: stop.is_finishing)
    shared = Shared(
        supply=supply,
        engine=Engine(supply, clock=clock),
        keeper=keeper,
        cache=cache,
        previous=previous,
        recording=recording,
        context=copy_context(),
        clock=clock,
        seed=options.seed,
        tally=Tally(evals, on_progress, clock),
    )
    running = [RunningEval(one, shared) for one in evals if one.error is None]
    shared.tally.tell()
    try:
        await _until_stopped(running, shared, stop)
    finally:
        await shared.engine.close()
    return _ran(evals, running)


async def _until_stopped(running: Sequence[RunningEval], shared: Shared, stop: Stop) -> None:
    loop = asyncio.get_running_loop()
    work = asyncio.ensure_future(_all(running, shared))

    def obey() -> None:
        for one in running:
            one.may_begin.set()
            one.see_whether_over()
        if stop.is_now:
            work.cancel()

    def told() -> None:
        with contextlib.suppress(RuntimeError):  # the run has ended, so there is nothing to stop
            loop.call_soon_threadsafe(obey)

    stop.on_change(told)
    try:
        await work
    except asyncio.CancelledError:
        if not stop.is_now:
            raise


async def _all(running: Sequence[RunningEval], shared: Shared) -> None:
    try:
        async with asyncio.TaskGroup() as group:
            evals = [group.create_task(one.run()) for one in running]
            others = [group.create_task(work) for work in (_watch(shared), _begin_in_order(running, shared))]
            await asyncio.wait(evals) if evals else None
            for other in others:
                other.cancel()
    except BaseExceptionGroup as errors:
        raise _first(errors) from None


async def _watch(shared: Shared) -> None:
    while True:  # noqa: ASYNC110  (what it looks for is that nothing happens)
        await asyncio.sleep(shared.engine.watch())


async def _begin_in_order(running: Sequence[RunningEval], shared: Shared) -> None:
    """Let evals begin before those before them are done, so that whoever is free finds something to do."""
    for one in running:
        while shared.supply.n_waiting > _AHEAD:  # noqa: ASYNC110  (an event for each trial would cost more)
            await asyncio.sleep(_PAUSE_S)
        one.may_begin.set()
        await one.has_begun.wait()


def _first(error: BaseException) -> BaseException:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def _ran(evals: Sequence[PreparedEval], running: Sequence[RunningEval]) -> RanEvals:
    by_eval = {id(one.prepared): one for one in running}
    summaries: list[EvalSummary] = []
    by_id: dict[str, RunningEval] = {}
    for prepared in evals:
        one = by_eval.get(id(prepared))
        if one is None:
            summaries.append(not_run(prepared))
        elif one.kept is not None and one.has_anything:
            summaries.append(one.summary())
            by_id[one.kept.id] = one

    def read_cases(eval_id: str) -> Iterator[CaseReport]:
        return by_id[eval_id].cases() if eval_id in by_id else iter(())

    interrupted = not all(one.is_complete for one in running)
    return RanEvals(tuple(summaries), read_cases, _ByPlace(by_id), interrupted)


@dataclass(frozen=True, slots=True)
class _ByPlace:
    """Implements `core.evals.CasesByPlace`."""

    running: Mapping[str, RunningEval]

    def scores(self, eval_id: str) -> Mapping[int, float | None]:
        return self.running[eval_id].scores()

    def read(self, eval_id: str, places: Collection[int]) -> Iterator[CaseReport]:
        return self.running[eval_id].cases(places)
