"""Options of how evals are run, shared by `rankle run` and `rankle watch`."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from rankle.cli import completing
from rankle.cli.gate_options import baseline_option
from rankle.cli.record_options import Record
from rankle.core.errors import InputError

if TYPE_CHECKING:
    from rankle.app.evals_request import EvalsRequest
    from rankle.app.run_evals import FinishedEvals
    from rankle.core.gate import GatesReport
    from rankle.harness.evals.options import Asked

_F = TypeVar("_F", bound=Callable[..., Any])
worst_cases_option: Final = click.option(
    "--worst",
    type=click.IntRange(min=0),
    default=5,
    show_default=True,
    metavar="N",
    help="Worst cases shown of each eval.",
)
quiet_option: Final = click.option(
    "-q", "--quiet", is_flag=True, help="A line an eval and the verdict; no progress."
)
_CALLED: Final = {
    "timeout_s": "--timeout",
    "concurrency": "--concurrency",
    "trials": "--trials",
    "threshold": "--threshold",
    "cache": "--no-cache",
    "max_failures": "--max-failures",
}
_OPTIONS: Final = (
    click.option(
        "--threshold", type=float, metavar="PERCENT", help="The score that each eval must reach, 0 to 100."
    ),
    click.option("--trials", type=int, metavar="N", help="How often each case is run. Default: 1."),
    click.option("--concurrency", type=int, metavar="N", help="Trials in flight at a time. Default: 5."),
    click.option("--timeout", type=float, metavar="SECONDS", help="What a task may take. Default: 30."),
    click.option(
        "--filter",
        "text",
        metavar="TEXT",
        help="Run evals with it in their name; where none has it, cases with it in their id.",
    ),
    click.option(
        "--tag", "tags", multiple=True, metavar="NAME", help="Run evals and cases with this tag; repeatable."
    ),
    click.option(
        "--failing",
        metavar="RUN",
        shell_complete=completing.runs,
        help="Run only cases that crashed or did not pass in this run.",
    ),
    click.option(
        "--errors",
        metavar="RUN",
        shell_complete=completing.runs,
        help="Run only cases that crashed in this run.",
    ),
    click.option(
        "--seed",
        type=int,
        default=0,
        show_default=True,
        metavar="N",
        help="Of the tests of changes against the run before.",
    ),
    click.option("--no-cache", is_flag=True, help="Call every task and model; read nothing from the cache."),
    click.option("--max-failures", type=int, metavar="N", help="Failed cases that are accepted. Default: 0."),
    click.option("--name", metavar="TEXT", help="What to call the run in `rankle history`."),
    click.option(
        "--records",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="The store to record the run in. Default: .rankle/records.db of the project.",
    ),
    click.option("--no-record", is_flag=True, help="Leave no record, and use no cache."),
)
_OF_ONE_RUN: Final = (
    click.option(
        "--resume",
        is_flag=True,
        help="Go on with the run that was interrupted; its trials are not run again.",
    ),
    click.option(
        "--gate", is_flag=True, help="Judge the run by the gates of the project; --baseline does too."
    ),
    baseline_option,
)


def run_evals_options(command: _F) -> _F:
    """Adds the options of running; the command gets them as one `Running`, named `running`."""
    return _with_options(command, (*_OPTIONS, *_OF_ONE_RUN))


def watch_evals_options(command: _F) -> _F:
    """As `run_evals_options`, without what is about one run that comes to an end and is judged."""
    return _with_options(command, _OPTIONS)


def _with_options(command: _F, options: Sequence[Callable[[Any], Any]]) -> _F:
    @wraps(command)
    def with_running(*args: Any, **kwargs: Any) -> Any:
        own = {name: kwargs.pop(name, None) for name in _NAMES}
        return command(*args, running=_running(own), **kwargs)

    for option in reversed(options):
        with_running = option(with_running)
    return with_running  # type: ignore[return-value]


_NAMES: Final = (
    "threshold", "trials", "concurrency", "timeout", "text", "tags", "failing", "errors", "seed", "no_cache",
    "max_failures", "name", "resume", "records", "no_record", "gate", "baseline",
)  # fmt: skip


class EvalGating:
    """A gate that is asked for beside a run of evals."""

    def __init__(
        self, baseline: str | None, *, max_failures: int | None = None, records: Path | None = None
    ) -> None:
        """max_failures: cases that may fail; None for what the gate says. records: where a run is looked up
        that stands for a baseline; None for the project's store.

        A run that stands for one is looked up now, since `latest` means another one when this has run.
        Raises InputError where there is none.
        """
        from rankle.app.eval_gates import find_held
        from rankle.gates.choosing import Asked as AskedOfGate

        self._asked = AskedOfGate(baseline=baseline, max_failures=max_failures)
        self._records = records
        self._held = find_held(self._asked, records=records)

    def judge(self, finished: "FinishedEvals") -> "GatesReport":
        """Each eval by its gate. Raises InputError on gates that cannot be used."""
        from rankle.app.eval_gates import judge_evals

        return judge_evals(finished.run, asked=self._asked, held=self._held, records=self._records)


@dataclass(frozen=True, slots=True, kw_only=True)
class Running:
    """What was asked about how evals are run."""

    asked: "Asked"
    filter: str | None
    tags: tuple[str, ...]
    failing: str | None
    errors: str | None
    seed: int
    record: Record
    gating: EvalGating | None

    def request(self, paths: tuple[str, ...]) -> "EvalsRequest":
        """The evals of these paths, so."""
        from rankle.app.evals_request import EvalsRequest

        return EvalsRequest(
            paths=paths,
            asked=self.asked,
            filter=self.filter,
            tags=self.tags,
            failing=self.failing,
            errors=self.errors,
            seed=self.seed,
            recording=self.record.recording,
        )


def _running(own: dict[str, Any]) -> Running:
    """Raises InputError on what no eval can be run by."""
    from rankle.harness.evals.asking import checked_asked
    from rankle.harness.evals.options import Asked

    if own["failing"] is not None and own["errors"] is not None:
        raise InputError("what --errors names is part of what --failing names; give one of them")
    asked = Asked(
        timeout_s=own["timeout"],
        concurrency=own["concurrency"],
        trials=own["trials"],
        threshold=own["threshold"],
        cache=False if own["no_cache"] else None,
        max_failures=own["max_failures"],
    )
    record = Record(
        name=own["name"],
        tag=None,
        resume=bool(own["resume"]),
        records=own["records"],
        no_cache=own["no_cache"],
        no_record=own["no_record"],
    )
    return Running(
        asked=checked_asked(asked, called=_CALLED.__getitem__),
        filter=own["text"],
        tags=own["tags"],
        failing=own["failing"],
        errors=own["errors"],
        seed=own["seed"],
        record=record,
        gating=_gating(own) if own["gate"] or own["baseline"] else None,
    )


def _gating(own: dict[str, Any]) -> EvalGating:
    return EvalGating(own["baseline"], max_failures=own["max_failures"], records=own["records"])
