"""Run evals, and keep what they come to."""

import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rankle.app.eval_keeping import RunKeeper
from rankle.app.eval_recording import eval_keeper
from rankle.app.evals_request import (
    EvalsRequest,
    LoadedEvals,
    OnProgress,
    load_evals,
    prepared_evals,
    settings_told,
)
from rankle.app.record_request import Recording
from rankle.core.errors import RecordError
from rankle.core.evals import EvalsRun, EvalsSummary
from rankle.core.product import VERSION
from rankle.core.sync import run_sync
from rankle.harness.evals.case import Case
from rankle.harness.evals.choosing import marked_to_stay_out
from rankle.harness.evals.keeping import Cache
from rankle.harness.evals.options import RunOptions
from rankle.harness.evals.prepared import PreparedEval
from rankle.harness.evals.runner import RanEvals, run_prepared
from rankle.harness.evals.stop import Stop
from rankle.harness.evals.suite import Suite
from rankle.harness.evals.verdict import verdict
from rankle.harness.tracing.recorder import recording as trace_recording
from rankle.records.cache import RecordCache


@dataclass(frozen=True, slots=True)
class FinishedEvals:
    """A run of evals that is over."""

    run: EvalsRun
    is_recorded: bool
    can_resume: bool
    """Whether it was stopped, and its trials are recorded."""
    left_out: tuple[str, ...]
    """Evals that were not run since they, or others, are marked."""
    without_evals: tuple[str, ...]
    """Files that define no eval, relative to the project's folder."""
    files: tuple[Path, ...]
    """The files of evals, absolute."""
    suites: tuple[Suite, ...]
    """All that were made in Python or loaded, whether they were run or not."""


@contextmanager
def evals_run(
    request: EvalsRequest, *, on_progress: OnProgress = lambda _: None, stop: Stop | None = None
) -> Iterator[FinishedEvals]:
    """Run what is asked for to its end. Its cases can be read within the context.

    What is wrong with one file or eval is told in the run, and the others are run. Raises InputError where
    the request, the project file or a setup file is wrong, and where there is nothing to run; RecordError
    where a record that was asked for cannot be kept; CannotMeasureError where it is stopped before its first
    trial, while data is read.
    """
    began = time.perf_counter()
    stop = stop or Stop()
    loaded = load_evals(request)
    prepared = run_sync(prepared_evals(request, loaded, on_progress, stop))
    root, options = loaded.settings.root, loaded.settings.options_for(request.asked, seed=request.seed)
    recording = None if options.storage == "memory" else request.recording
    told = settings_told(request, loaded)
    history = request.recording.path if request.recording is not None else None
    with (
        eval_keeper(
            recording, root=root, settings=told, seed=request.seed, withheld=loaded.withheld, history=history
        ) as keeper,
        _cache(recording, loaded.withheld) as cache,
    ):
        ran = _ran(prepared, options=options, keeper=keeper, cache=cache, on_progress=on_progress, stop=stop)
        summary = _summary(request, loaded, keeper, ran, told=told, took_s=time.perf_counter() - began)
        if not ran.interrupted:
            keeper.finish(summary, ran.evals)
        yield FinishedEvals(
            EvalsRun(summary, ran.evals, ran.read_cases, ran.by_place),
            keeper.is_recorded,
            ran.interrupted and recording is not None,
            marked_to_stay_out(loaded.suites),
            loaded.without_evals,
            loaded.files,
            loaded.suites,
        )


def _ran(
    prepared: Sequence[PreparedEval],
    *,
    options: RunOptions,
    keeper: RunKeeper,
    cache: Cache | None,
    on_progress: OnProgress,
    stop: Stop,
) -> RanEvals:
    """Run what is prepared to its end, each trial traced."""
    running = run_prepared(
        prepared,
        options=options,
        keeper=keeper,
        cache=cache,
        previous=lambda one: keeper.previous(one.key),
        on_progress=on_progress,
        stop=stop,
        recording=lambda one, case: _traced(one, case, cache),
    )
    return run_sync(running)


def _traced(one: PreparedEval, case: Case, cache: Cache | None) -> AbstractContextManager[Any]:
    """What records a trial. Where the eval wants no cache, calls of models are made too."""
    return trace_recording(
        case=case.id,
        trial=case.trial,
        cache=cache if one.options.cache else None,
        task=one.task_fingerprint,
    )


@contextmanager
def _cache(recording: Recording | None, withheld: Sequence[str]) -> Iterator[Cache | None]:
    """The cache beside the records; None where nothing is recorded, or it cannot be opened."""
    if recording is None:
        yield None
        return
    try:
        cache = RecordCache(recording.path, on_problem=recording.on_problem, withheld=withheld)
    except RecordError as error:
        recording.on_problem(error)
        yield None
        return
    with cache:
        yield cache


def _summary(
    request: EvalsRequest,
    loaded: LoadedEvals,
    keeper: RunKeeper,
    ran: RanEvals,
    *,
    told: dict[str, Any],
    took_s: float,
) -> EvalsSummary:
    max_failures = loaded.settings.options_for(request.asked).max_failures
    found = verdict(
        ran.evals, broken_files=loaded.broken, max_failures=max_failures, interrupted=ran.interrupted
    )
    return EvalsSummary(
        id=keeper.id,
        created=keeper.created,
        rankle_version=VERSION,
        git=keeper.git,
        seed=request.seed,
        settings=told,
        max_failures=max_failures,
        broken_files=list(loaded.broken),
        interrupted=ran.interrupted,
        took_s=took_s,
        exit_code=found.exit_code,
        verdict=found.sentence,
    )
