"""Recorded runs of evals at `rankle show` and `rankle export`."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import click

from rankle.app.eval_runs import find_evals
from rankle.app.export import append_summary
from rankle.cli.screen import screen, styled
from rankle.core.errors import InputError
from rankle.core.evals import EvalsRun
from rankle.core.product import NAME
from rankle.reports.evals_exporting import (
    EVALS_FORMATS,
    EvalsFormat,
    check_evals_export,
    evals_format_named,
    write_evals_export,
)
from rankle.reports.evals_markdown import render_evals_markdown
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


def evals_of(refs: Sequence[str], *, records: Path | None) -> EvalsRun | None:
    """The run of evals that is named; None where all names are of runs of search.

    Raises InputError where it is named beside others: each is a report of its own.
    """
    found = [run for ref in refs if (run := find_evals(ref, records=records)) is not None]
    if found and len(refs) > 1:
        raise InputError(
            "a report is of one run of evals, which may hold several; name one run, or hold two against each "
            f"other: rankle compare {' '.join(refs[:2])}"
        )
    return found[0] if found else None


def export_evals(
    run: EvalsRun,
    name: str,
    *,
    output: Path | None,
    inputs: Sequence[str],
    summary: Path | None,
    is_asked: bool,
) -> None:
    """Write a run to a file in the format of this name, or else print it; add it to the summary of a job.

    inputs: files that are read, which are never written over. is_asked: whether the format was named, so that
    it is printed beside a summary too.
    """
    form = evals_format_named(name)
    if output is not None:
        check_evals_export(output, form, inputs=inputs)
        write_evals_export(output, run, form)
    elif is_asked or summary is None:
        print_evals(run, form)
    if summary is not None:
        append_summary(summary, render_evals_markdown(run))
