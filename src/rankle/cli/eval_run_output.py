"""What `rankle run` prints and saves."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from rankle.core.product import NAME

if TYPE_CHECKING:
    from rankle.app.run_evals import FinishedEvals
    from rankle.core.evals import EvalsRun
    from rankle.core.gate import GatesReport
    from rankle.reports.evals_exporting import EvalsFormat

_ID: Final = 8


class EvalOutput:
    """Where a run of evals goes."""

    def __init__(self, outputs: Sequence[Path], *, form: str, github: bool, worst: int, quiet: bool) -> None:
        """form: `text`, or the name of a format. Raises InputError where one of the places cannot be used,
        before anything is run for it."""
        from rankle.app.wiring.variables import step_summary
        from rankle.reports.evals_exporting import check_evals_export, evals_format_named, evals_output_format

        self._outputs = tuple((path, evals_output_format(path)) for path in outputs)
        for path, output_form in self._outputs:
            check_evals_export(path, output_form)
        self._form: EvalsFormat | None = None if form == "text" else evals_format_named(form)
        self._summary = step_summary() if github else None
        self._worst = worst
        self._quiet = quiet

    def give(self, finished: "FinishedEvals", judged: "GatesReport | None") -> None:
        """Print it, and save it where that was asked. Raises InputError where it cannot be written."""
        from rankle.reports.evals_exporting import write_evals_export

        run = finished.run
        if self._form is None:
            self._print_text(finished, judged)
            _print_gates(judged)
        else:
            _print_parts(self._form, run, judged)
        for path, form in self._outputs:
            write_evals_export(path, run, form, gates=judged)
            if judged is not None and not form.has_place:
                click.echo(f"Note: {path}: a {form.words} has no place for the verdict of gates", err=True)
        if finished.can_resume:
            click.echo("To go on with it, run it again with --resume.", err=True)
        if self._summary is not None:
            _append_summary(self._summary, run, judged)

    def _print_text(self, finished: "FinishedEvals", judged: "GatesReport | None") -> None:
        from rankle.cli.screen import screen, styled
        from rankle.reports.evals_terminal import evals_text
        from rankle.reports.layout import wrapped

        width = screen().width
        text = evals_text(
            finished.run,
            width=width,
            worst=self._worst,
            quiet=self._quiet,
            saved=bool(self._outputs),
            gates=judged,
        )
        click.echo(styled(text), nl=False)
        told = [
            f"{what}: {', '.join(names)}"
            for what, names in (
                ("Left out by their marks", finished.left_out),
                ("Define no eval", finished.without_evals),
            )
            if names
        ]
        if finished.is_recorded and not self._quiet:
            run = finished.run.summary.id[:_ID]
            told.append(f"Recorded as {run}. See it again: {NAME} show {run}")
        for text in told:
            click.echo("\n".join(["", *wrapped(text, width=width)]))


def _print_parts(form: "EvalsFormat", run: "EvalsRun", judged: "GatesReport | None") -> None:
    for part in form.parts(run, judged):
        click.echo(part, nl=False)
    if not form.has_place:
        _print_gates(judged, err=True)


def _print_gates(judged: "GatesReport | None", *, err: bool = False) -> None:
    from rankle.cli.screen import screen
    from rankle.reports.gate import render_gates

    if judged is not None:
        click.echo("\n" + render_gates(judged, width=screen().width), nl=False, err=err)


def _append_summary(path: Path, run: "EvalsRun", judged: "GatesReport | None") -> None:
    from rankle.app.export import append_summary
    from rankle.reports.evals_markdown import render_evals_markdown

    append_summary(path, render_evals_markdown(run, judged))
