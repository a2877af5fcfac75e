"""The gate of `rankle eval --gate`: its options, the measures it needs, its verdict and exit code."""

from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click
from click.core import ParameterSource

from rankle.cli.gate_options import asked_of, baseline_option, phase_option

if TYPE_CHECKING:
    from rankle.app.evaluation_options import EvaluationOptions
    from rankle.core.gate import Baseline, GateReport
    from rankle.core.run import RunReport
    from rankle.gates.choosing import Asked

_F = TypeVar("_F", bound=Callable[..., Any])
_GATE: Final = click.option(
    "--gate", is_flag=True, help="Judge the run by the gates of the project; --baseline and --phase do too."
)


def gate_options(command: _F) -> _F:
    """Adds the options of gates; the command gets a `Gating` as `gating`, or None where none is asked for."""

    @wraps(command)
    def with_gating(*args: Any, gate: bool, baseline: str | None, phase: str | None, **kwargs: Any) -> Any:
        gating = None
        if gate or baseline is not None or phase is not None:
            source = click.get_current_context().get_parameter_source("max_failures")
            given = kwargs["max_failures"] if source is ParameterSource.COMMANDLINE else None
            recording = kwargs["record"].recording
            gating = Gating(
                asked_of(baseline=baseline, phase=phase, max_failures=given),
                records=None if recording is None else recording.path,
            )
        return command(*args, gating=gating, **kwargs)

    for option in (phase_option, baseline_option, _GATE):
        with_gating = option(with_gating)
    return with_gating  # type: ignore[return-value]


class Gating:
    """A gate that is asked for beside an evaluation."""

    def __init__(self, asked: "Asked", *, records: Path | None) -> None:
        """records: where a run is looked up that stands for a baseline; None for the project's store."""
        self._asked = asked
        self._records = records
        self._baseline: Baseline | None = None

    def prepare(self, options: "EvaluationOptions", set_file: Path) -> "EvaluationOptions":
        """What to evaluate so that every rule finds its measure: what is asked for, then the others.

        Raises InputError on gates that cannot be used, before anything is measured for them.
        """
        from rankle.app.evaluation_options import settings_of
        from rankle.app.gates import needed_for

        needed = needed_for(set_file.name, asked=self._asked, records=self._records)
        self._baseline = needed.baseline
        asked = settings_of(options).all_measures
        further = [measure for measure in needed.measures if measure not in asked]
        if not further:
            return options
        names = ",".join(str(measure) for measure in (*asked, *further))
        return {**options, "k": None, "measures": names}

    def judge(self, reports: "Sequence[RunReport]") -> "tuple[GateReport, ...]":
        """The verdict on each run, by what `prepare` looked up."""
        from rankle.app.gates import judge_runs

        return judge_runs(reports, asked=self._asked, baseline=self._baseline)


def gate_text(judged: "Sequence[GateReport]", *, width: int) -> str:
    """The verdict of every run, for below the report of them all."""
    from rankle.reports.gate import render_gate

    return "".join("\n" + render_gate(one, width=width) for one in judged)


def end_with(judged: "Sequence[GateReport]") -> None:
    """Ends the command with the worst exit code of all."""
    raise click.exceptions.Exit(max(one.exit_code for one in judged))
