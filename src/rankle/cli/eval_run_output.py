"""What `rankle run` prints and saves."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rankle.cli.gating import gate_text
from rankle.cli.screen import screen, styled
from rankle.reports.evals_json import evals_json
from rankle.reports.evals_terminal import evals_text
from rankle.reports.layout import wrapped

if TYPE_CHECKING:
    from rankle.app.run_evals import FinishedEvals
    from rankle.core.gate import GatesReport


class EvalOutput:
    """Where a run of evals goes."""

    def __init__(self, outputs: Sequence[Path], *, form: str, github: bool, worst: int, quiet: bool) -> None:
        """Raises InputError where one of the places cannot be used, before anything is run for it."""
        from rankle.app.wiring import step_summary

        self._outputs = tuple(outputs)
        self._form = form
        self._summary = step_summary() if github else None
        self._worst = worst
        self._quiet = quiet

    def give(self, finished: "FinishedEvals", judged: "GatesReport | None") -> None:
        """Print it, and save it where that was asked."""
        run = finished.run
        if self._form == "json":
            for part in evals_json(run):
                click.echo(part.decode(), nl=False)
        else:
            shown = evals_text(
                run, width=screen().width, worst=self._worst, quiet=self._quiet, saved=bool(self._outputs)
            )
            click.echo(styled(shown), nl=False)
            for line in _left_out(finished):
                click.echo(line)
            if judged is not None:
                click.echo(gate_text(judged.gates, width=screen().width), nl=False)


def _left_out(finished: "FinishedEvals") -> list[str]:
    if not finished.left_out:
        return []
    names = ", ".join(finished.left_out)
    return ["", *wrapped(f"Left out by their marks: {names}", width=screen().width)]
