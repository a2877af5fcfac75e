"""`rankle export RUN...`: a run that was measured before as a report or as a table."""

from pathlib import Path

import click

from rankle.cli import completing
from rankle.cli.options import github_option
from rankle.cli.run_options import records_option
from rankle.core.errors import InputError

_FORMATS = ("json", "markdown", "csv", "csv-measures", "junit", "html", "trec")


@click.command("export", short_help="Make a report or a table of a run that was measured before.")
@click.argument("runs", metavar="RUN...", nargs=-1, required=True, shell_complete=completing.runs)
@click.option(
    "--format",
    "name",
    type=click.Choice(_FORMATS),
    help="What to make. Default: what FILE ends in, else markdown.",
)
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), metavar="FILE", help="Write it to FILE; else print it."
)
@github_option
@records_option
def export(
    runs: tuple[str, ...], *, name: str | None, output: Path | None, github: bool, records: Path | None
) -> None:
    """Make a report or a table of RUN, from what was saved of it; nothing is searched again.

    RUN is a recorded run (its id, latest, latest~1, a tag), or a file that --output of `rankle eval`,
    `rankle score` or `rankle run` wrote. All runs stand side by side; FILE#2 or FILE#hybrid is one of a file.
    Runs of evals are exported one at a time; RUN#NAME is one of the evals.

    \b
      rankle export latest -o report.html
      rankle export run.json --format csv > queries.csv
      rankle export before.json after.json -o both.html

    \b
      markdown      figures, differences, failed and worst queries
      html          one file with charts, tables to sort, and each
                    query's results; opens from disk
      csv           a row a query; of evals, a row a trial
      csv-measures  a row a measure, or a scorer
      junit         for CI: a suite a run, a case a measure and a failed query;
                    of evals, a suite an eval and a case a case
      trec          the results, for trec_eval; of one run
      json          the record itself
    """
    from rankle.app.export import append_summary, export_notices, load_runs, write_export
    from rankle.app.wiring.variables import step_summary
    from rankle.cli.evals_named import evals_of
    from rankle.reports.exporting import check_export, format_named
    from rankle.reports.markdown import render_markdown

    summary = step_summary() if github else None
    told = name or _told(output)
    inputs = [ref.partition("#")[0] for ref in runs]
    evals = evals_of(runs, records=records)
    if evals is not None:
        from rankle.cli.evals_export import export_evals

        export_evals(evals, told, output=output, inputs=inputs, summary=summary, is_asked=name is not None)
        return
    form = format_named(told)
    if output is not None:
        check_export(output, form, inputs=inputs)
    reports = load_runs(runs, records=records)
    if output is not None:
        write_export(output, reports, form)
    elif name is not None or summary is None:
        click.echo(form.render(reports), nl=False)
    for notice in export_notices(reports, form):
        click.echo(f"Note: {notice}", err=True)
    if summary is not None:
        append_summary(summary, render_markdown(reports))


def _told(output: Path | None) -> str:
    """The format that the name of a file tells; Markdown where there is no file."""
    from rankle.reports.exporting import format_of

    if output is None:
        return "markdown"
    form = format_of(output)
    if form is None:
        raise InputError(
            f"the name {output.name} does not tell what to make; let it end in .json, .md, .html, "
            f".csv, .xml or .trec, or add --format {'|'.join(_FORMATS)}"
        )
    return form.name
