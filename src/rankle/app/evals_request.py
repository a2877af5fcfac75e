"""What a run of evals is asked for, and the evals that this names, loaded and ready to run."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rankle.app.eval_files import find_eval_files, load_eval_files
from rankle.app.eval_history import failed_cases, failing_cases
from rankle.app.eval_settings import EvalSettings, load_eval_settings
from rankle.app.eval_setup import set_up
from rankle.app.record_request import Recording
from rankle.app.wiring.variables import secret_values
from rankle.core.evals import BrokenFile
from rankle.harness.evals.choosing import Selection, nothing_chosen
from rankle.harness.evals.keys import eval_key, shown_file
from rankle.harness.evals.options import Asked
from rankle.harness.evals.prepared import PreparedEval
from rankle.harness.evals.progress import Progress, reading_of
from rankle.harness.evals.selection import prepare
from rankle.harness.evals.stop import Stop
from rankle.harness.evals.suite import Suite
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
    """An earlier run: only those of its cases are run that crashed or did not pass."""
    errors: str | None = None
    """An earlier run: only those of its cases are run that crashed."""
    within: frozenset[str] | None = None
    """Files relative to the project's folder, and keys of evals without their variant: of what is chosen only
    these are run, which may be none. What is marked, doubled or filtered is weighed as if all were run. None
    for all."""
    seed: int = 0
    recording: Recording | None = None
    """None leaves no record, and has no cache."""
    cwd: Path | None = None


@dataclass(slots=True)
class LoadedEvals:
    """The evals that a request names, with what they are run by."""

    settings: EvalSettings
    suites: tuple[Suite, ...]
    broken: tuple[BrokenFile, ...]
    names: tuple[str, ...]
    withheld: tuple[str, ...]
    files: tuple[Path, ...] = ()
    without_evals: tuple[str, ...] = ()
    case_ids: Mapping[str, frozenset[str]] | None = None


def load_evals(request: EvalsRequest) -> LoadedEvals:
    """Load settings and files; what is wrong with one file is told in `broken`. Raises InputError where the
    request, the project file or a setup file is wrong."""
    settings = load_eval_settings(request.cwd)
    withheld = (*set_up(settings.setup_files), *secret_values())
    loaded = LoadedEvals(settings, request.suites, (), (), withheld)
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


async def prepared_evals(
    request: EvalsRequest, loaded: LoadedEvals, on_progress: OnProgress, stop: Stop
) -> list[PreparedEval]:
    """Those that are run, their data read.

    Raises InputError where there is nothing to run, CannotMeasureError where the run is stopped meanwhile.
    """
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


def settings_told(request: EvalsRequest, loaded: LoadedEvals) -> dict[str, Any]:
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
