"""`rankle inspect FILE...`: what files are, what is wrong with them, and how well their ids join."""

from typing import TYPE_CHECKING

import click

from rankle.cli import completing
from rankle.cli.options import json_option
from rankle.cli.reading import kinds_of, normalise_option, reading_options

if TYPE_CHECKING:
    from rankle.formats.kinds import ReadOptions


@click.command("inspect", short_help="Say what files are, what is wrong with them, and how ids join.")
@click.argument("files", metavar="FILE...", nargs=-1, required=True, shell_complete=completing.files)
@click.option(
    "--as",
    "kinds",
    multiple=True,
    metavar="[FILE=]KIND",
    help="What files are, where that is unclear: qrels, run, set, queries or corpus.",
)
@reading_options
@normalise_option
@json_option
def inspect(
    files: tuple[str, ...],
    *,
    kinds: tuple[str, ...],
    reading: "ReadOptions",
    normalisations: tuple[str, ...],
    as_json: bool,
) -> None:
    """Say what each FILE is, what is wrong with it, and how well its ids join those of the others.

    \b
      rankle inspect qrels.tsv run.json
      rankle inspect beir/scifact bm25.run --split test
      rankle inspect judged.csv bm25.run --normalise ids=zeros
      rankle inspect a.tsv b.tsv --as a.tsv=qrels --as b.tsv=run

    FILE is judgments (qrels), a run, an eval set, a question set, queries or documents, as TREC text,
    CSV, TSV, JSONL, JSON, Parquet or a BEIR folder, plain, gzip or Zstandard; - is the standard input.
    What it is shows by its content; where that fits several kinds, its name or --as tells.

    Exit code 2 where a file cannot be read; its faults are listed with their lines.
    """
    from dataclasses import replace

    from rankle.app.inspect import inspect as inspect_files
    from rankle.formats.normalise import parse_normalisation
    from rankle.reports.inspection import render_inspection, render_inspection_json

    of_all, by_file = kinds_of(kinds, files)
    report = inspect_files(
        files,
        replace(reading, kind=of_all),
        kinds=by_file,
        normalisation=parse_normalisation(normalisations),
    )
    render = render_inspection_json if as_json else render_inspection
    click.echo(render(report), nl=False)
    if any(file.kind is None for file in report.files):
        raise click.exceptions.Exit(2)
