"""A recorded run of evals at `rankle export`."""

from collections.abc import Sequence
from pathlib import Path

from rankle.app.export import append_summary
from rankle.cli.eval_show import print_evals
from rankle.core.evals import EvalsRun
from rankle.reports.evals_exporting import check_evals_export, evals_format_named, write_evals_export
from rankle.reports.evals_markdown import render_evals_markdown


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
