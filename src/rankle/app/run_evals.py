"""Run evals: find and load their files, run them, keep what they come to."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rankle.app.eval_files import find_eval_files, load_eval_files
from rankle.app.eval_history import failed_cases, failing_cases
from rankle.app.eval_keeping import RunKeeper
from rankle.app.eval_recording import eval_keeper
from rankle.app.eval_settings import EvalSettings, load_eval_settings
from rankle.app.eval_setup import set_up
from rankle.app.record_request import Recording
from rankle.app.wiring.variables import secret_values
from rankle.core.errors import RecordError
from rankle.core.evals import BrokenFile, EvalsRun, EvalsSummary
from rankle.core.product import VERSION
from rankle.core.sync import run_sync
from rankle.harness.evals.case import Case
from rankle.harness.evals.choosing import Selection, marked_to_stay_out, nothing_chosen
from rankle.harness.evals.keeping import Cache
from rankle.harness.evals.keys import eval_key, shown_file
from rankle.harness.evals.options import Asked
from rankle.harness.evals.prepared import PreparedEval
from rankle.harness.evals.progress import Progress, reading_of
from rankle.harness.evals.runner import RanEvals, run_prepared
from rankle.harness.evals.selection import prepare
from rankle.harness.evals.stop import Stop
from rankle.harness.evals.suite import Suite
from rankle.harness.evals.verdict import verdict
from rankle.harness.tracing.recorder import recording as trace_recording
from rankle.records.cache import RecordCache
from rankle.records.store import open_store

OnProgress = Callable[[Progress], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalsRequest:
    """What is to be run, and how."""

    paths: tuple[str, ...] = ()
    """Files, folders and `FILE::NAME`; none means `evals/` or the current folder, unless there are suites."""
    suites: tuple[Suite, ...] = ()
    """Evals that were made in Python."""
    asked: Asked = Asked()  # noqa: RUF009 - frozen
    """What outranks the evals and the project file."""
    filter: str | None = None
    tags: tuple[str, ...] = ()
    failing: str | None = None
    """A run of before: only its cases are run that crashed or did not pass."""
    errors: str | None = None
    """A run of before: only its cases are run that crashed."""
    within: frozenset[str] | None = None
    """Files relative to the project's folder, and keys of evals without their variant: of what is chosen only
    these are run, which may be none. What is marked, doubled or filtered is weighed as if all were run. None
    for all."""
    seed: int = 0
    recording: Recording | None = None
    """None leaves no record, and has no cache."""
    cwd: Path | None = None


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


@dataclass(slots=True)
class _Loaded:
    """What a request names."""

    settings: EvalSettings
    suites: tuple[Suite, ...]
    broken: tuple[BrokenFile, ...]
    names: tuple[str, ...]
    withheld: tuple[str, ...]
    files: tuple[Path, ...] = ()
    without_evals: tuple[str, ...] = ()
    case_ids: Mapping[str, frozenset[str]] | None = None


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
    loaded = _load(request)
    prepared = run_sync(_prepared(request, loaded, on_progress, stop))
    root, options = loaded.settings.root, loaded.settings.options_for(request.asked, seed=request.seed)
    recording = None if options.storage == "memory" else request.recording
    told = _settings_of(request, loaded)
    history = request.recording.path if request.recording is not None else None
    with (
        eval_keeper(
            recording, root=root, settings=told, seed=request.seed, withheld=loaded.withheld, history=history
        ) as keeper,
        _cache(recording, loaded.withheld) as cache,
    ):
        ran = run_sync(
            run_prepared(
                prepared,
                options=options,
                keeper=keeper,
                cache=cache,
                previous=lambda one: keeper.previous(one.key),
                on_progress=on_progress,
                stop=stop,
                recording=lambda one, case: _traced(one, case, cache),
            )
        )
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


def _traced(one: PreparedEval, case: Case, cache: Cache | None) -> AbstractContextManager[Any]:
    """What records a trial. Where the eval wants no cache, calls of models are made too."""
    return trace_recording(
        case=case.id,
        trial=case.trial,
        cache=cache if one.options.cache else None,
        task=one.task_fingerprint,
    )


def _load(request: EvalsRequest) -> _Loaded:
    settings = load_eval_settings(request.cwd)
    withheld = (*set_up(settings.setup_files), *secret_values())
    loaded = _Loaded(settings, request.suites, (), (), withheld)
    if request.paths or not request.suites:
        found = find_eval_files(request.paths, root=settings.root, cwd=request.cwd)
        of_files = load_eval_files(found, root=settings.root)
        loaded.suites = (*request.suites, *of_files.suites)
        loaded.broken, loaded.names, loaded.files = of_files.broken, found.names, found.files
        loaded.without_evals = of_files.without_evals
    for ref, choose in ((request.failing, failing_cases), (request.errors, failed_cases)):
        if ref is not None:
            from rankle.app.runs import records_to_read  # imports numpy, before the first case could begin

            path = request.recording.path if request.recording is not None else None
            with open_store(records_to_read(path)) as store:
                loaded.case_ids = choose(store, ref)
    return loaded


async def _prepared(
    request: EvalsRequest, loaded: _Loaded, on_progress: OnProgress, stop: Stop
) -> list[PreparedEval]:
    chosen = Selection(names=loaded.names, filter=request.filter, tags=request.tags, case_ids=loaded.case_ids)
    root, within = loaded.settings.root, request.within
    found = await prepare(
        loaded.suites,
        asked=request.asked,
        config=loaded.settings.asked,
        chosen=chosen,
        root=root,
        stop=stop,
        on_reading=lambda name, elapsed_s: on_progress(reading_of(name, elapsed_s)),
    )
    if within is not None:
        return [
            one
            for one in found
            if eval_key(one.suite, root=root) in within or shown_file(one.suite, root=root) in within
        ]
    if not found and not loaded.broken:
        raise nothing_chosen(loaded.suites, chosen, files=loaded.without_evals)
    return found


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


def _settings_of(request: EvalsRequest, loaded: _Loaded) -> dict[str, Any]:
    """What was asked, for the record: what outranks the evals, and what the project says."""
    asked, config = request.asked, loaded.settings.asked
    weighed = {
        name: next(
            (value for value in (getattr(asked, name), getattr(config, name)) if value is not None), None
        )
        for name in ("timeout_s", "concurrency", "trials", "threshold", "cache")
    }
    chosen = {
        "paths": list(request.paths),
        "filter": request.filter,
        "tags": list(request.tags),
        "failing": request.failing,
        "errors": request.errors,
    }
    return {name: value for name, value in (chosen | weighed).items() if value not in (None, [])}


def _summary(
    request: EvalsRequest,
    loaded: _Loaded,
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
