"""Run evals from Python and notebooks: `rankle.run` and `rankle.arun`."""

import asyncio
from collections.abc import Iterable
from pathlib import Path
from typing import TypedDict, Unpack

from rankle.app.eval_runs import find_evals
from rankle.app.evals_request import EvalsRequest
from rankle.app.record_request import Recording, recording_of
from rankle.app.run_evals import evals_run
from rankle.core.errors import InputError
from rankle.core.evals import EvalsRun
from rankle.core.evals_result import EvalsResult
from rankle.harness.evals.asking import checked_asked
from rankle.harness.evals.option_names import unknown_option
from rankle.harness.evals.options import Asked
from rankle.harness.evals.stop import Stop
from rankle.harness.evals.suite import Suite

Target = Suite | Path | str


class RunOptions(TypedDict, total=False):
    """What `rankle.run` may be asked; what is left out is up to the evals, the project file and defaults."""

    trials: int
    timeout_s: float
    data_timeout_s: float
    concurrency: int
    threshold: float
    """Per cent, 0 to 100."""
    cache: bool
    max_failures: int
    filter: str
    tags: Iterable[str]
    failing: str
    errors: str
    seed: int
    record: Recording | Path | str | bool
    """True records where the command line does, a path there; False, the default, leaves no record."""
    cwd: Path | str
    """Where the project file and the evals are looked for; the current folder by default."""


def run(*targets: Target, **options: Unpack[RunOptions]) -> EvalsResult:
    """Run evals and wait for them, also in a notebook.

    targets: suites, files, folders, and `FILE::NAME`; none means the evals of the project. options: those of
        `rankle run`, by their names.
    Returns the figures; a crash of a task or scorer is part of them. Raises InputError on what cannot be run.
    """
    return _ran(_request(targets, options), Stop())


async def arun(*targets: Target, **options: Unpack[RunOptions]) -> EvalsResult:
    """As `run`. Where the awaiting task is cancelled, what is in flight is given up."""
    request, stop = _request(targets, options), Stop()
    try:
        return await asyncio.to_thread(_ran, request, stop)
    except asyncio.CancelledError:
        stop.now()
        raise


def _ran(request: EvalsRequest, stop: Stop) -> EvalsResult:
    with evals_run(request, stop=stop) as finished:
        run = finished.run
        if not finished.is_recorded:  # then what it holds goes when the context ends
            kept = {one.id: list(run.read_cases(one.id)) for one in run.evals}
            return EvalsResult(EvalsRun(run.summary, run.evals, lambda eval_id: kept.get(eval_id, [])))
    recorded = (
        None if request.recording is None else find_evals(run.summary.id, records=request.recording.path)
    )
    assert recorded is not None, "it was recorded just now"
    return EvalsResult(recorded)


def _request(targets: tuple[Target, ...], options: RunOptions) -> EvalsRequest:
    for target in targets:
        if not isinstance(target, Suite | Path | str):
            raise InputError(
                f"run takes suites and paths, got {target!r:.80}; rankle.eval(...) must decorate a task"
            )
    for name in options:
        if name not in RunOptions.__annotations__:
            raise unknown_option(name, known=RunOptions.__annotations__, what="option of rankle.run")
    asked = Asked(
        timeout_s=options.get("timeout_s"),
        data_timeout_s=options.get("data_timeout_s"),
        concurrency=options.get("concurrency"),
        trials=options.get("trials"),
        threshold=options.get("threshold"),
        cache=options.get("cache"),
        max_failures=options.get("max_failures"),
    )
    tags = options.get("tags", ())
    return EvalsRequest(
        paths=tuple(str(target) for target in targets if not isinstance(target, Suite)),
        suites=tuple(target for target in targets if isinstance(target, Suite)),
        asked=checked_asked(asked, called=lambda name: f"{name}="),
        filter=options.get("filter"),
        tags=(tags,) if isinstance(tags, str) else tuple(tags),
        failing=options.get("failing"),
        errors=options.get("errors"),
        seed=options.get("seed", 0),
        recording=recording_of(options.get("record", False)),
        cwd=Path(options["cwd"]) if "cwd" in options else None,
    )
