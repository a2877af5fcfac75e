"""What a gate is asked on the command line, the same for `rankle gate` and `rankle eval --gate`."""

from typing import TYPE_CHECKING, Final

import click

from rankle.cli import completing
from rankle.core.errors import InputError

if TYPE_CHECKING:
    from rankle.gates.choosing import Asked

baseline_option: Final = click.option(
    "--baseline",
    shell_complete=completing.baselines,
    metavar="NAME",
    help="What the run is held against: a baseline by its name or file, or another run. Default: the gate's.",
)
phase_option: Final = click.option(
    "--phase",
    metavar="NAME",
    help="Ask for Hit@10 of at least 70 % (mvp), 80 % (beta) or 90 % (ga), or a percentage such as 85.",
)


def asked_of(*, baseline: str | None, phase: str | None, max_failures: int | None = None) -> "Asked":
    """Raises InputError on a phase that there is not, and on a floor that is no percentage."""
    from rankle.gates.choosing import Asked  # costs 100 ms, and most runs are judged by no gate
    from rankle.gates.phases import read_phase

    if baseline is not None and not baseline.strip():
        raise InputError("--baseline must name a baseline or a run, got nothing")
    floor = None if phase is None else read_phase(phase, what="--phase")
    return Asked(phase=floor, baseline=baseline, max_failures=max_failures)
