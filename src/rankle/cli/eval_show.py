"""A recorded run of evals at `rankle show`."""

from pathlib import Path
from typing import Final

import click

from rankle.cli.screen import screen, styled
from rankle.core.evals import EvalsRun
from rankle.core.product import NAME
from rankle.reports.evals_exporting import (
    EVALS_FORMATS,
    EvalsFormat,
    check_evals_export,
    write_evals_export,
)
from rankle.reports.evals_terminal import evals_text
from rankle.reports.layout import one_line, wrapped

_COMMIT: Final = 8
_JSON: Final = EVALS_FORMATS["json"]


def show_evals(run: EvalsRun, *, worst: int, output: Path | None, as_json: bool) -> None:
    """Print a run of evals as `rankle run` did, and save it where that was asked for."""
    if output is not None:
        check_evals_export(output, _JSON)
    if as_json:
        print_evals(run, _JSON)
    else:
        text = evals_text(run, width=screen().width, worst=worst, saved=output is not None)
        click.echo(styled(text), nl=False)
        click.echo("\n" + "\n".join(_about(run)))
    if output is not None:
        write_evals_export(output, run, _JSON)


def _about(run: EvalsRun) -> list[str]:
    """What is known of the run beside its report."""
    summary = run.summary
    parts = [f"Run {summary.id}", f"begun {summary.created}", f"{NAME} {summary.rankle_version}"]
    if summary.git is not None:
        parts.append(f"git {summary.git.revision[:_COMMIT]}{', with changes' if summary.git.dirty else ''}")
    return wrapped(one_line(f"{'; '.join(parts)}."), rest="  ", width=screen().width)


def print_evals(run: EvalsRun, form: EvalsFormat) -> None:
    """Print a run in a format, piece by piece."""
    for part in form.parts(run):
        click.echo(part, nl=False)
