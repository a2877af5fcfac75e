"""`rankle score QRELS RUN...`: score recorded runs against judgments."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from rankle.cli import completing
from rankle.cli.options import json_option
from rankle.cli.reading import normalise_option, reading_options

if TYPE_CHECKING:
    from rankle.core.run import RunReport
    from rankle.formats.kinds import ReadOptions

_INPUT: Final = click.Path(path_type=Path, allow_dash=True, readable=False)  # its reader says it better


@click.command("score", short_help="Score recorded runs against judgments, as trec_eval does.")
@click.argument("qrels", metavar="QRELS", type=_INPUT)
@click.argument("runs", metavar="RUN...", nargs=-1, required=True, type=_INPUT)
@click.option(
    "--measures",
    shell_complete=completing.measures,
    default="nDCG@10,R@10,R@100,RR,AP,P@10",
    show_default=True,
    metavar="NAME,…",
    help="Measures, in our spelling or that of trec_eval, ranx, BEIR or ir_measures.",
)
@click.option(
    "--trec",
    is_flag=True,
    help="trec_eval's output and means: undefined queries are 0, queries that the run lacks are left out.",
)
@click.option(
    "--complete", is_flag=True, help="With --trec: queries that the run lacks are 0 (trec_eval's -c)."
)
@click.option(
    "--per-query", is_flag=True, help="Show every query, then the means and how many queries they are over."
)
@json_option
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, readable=False),
    metavar="FILE",
    help="Save the records: JSON, or what FILE ends in, of .md, .html, .csv, .xml (JUnit) and .trec.",
)
@click.option(
    "--ties",
    type=click.Choice(["trec", "system"]),
    default="trec",
    show_default=True,
    help="Equal scores: by id, descending, or in the order of the file.",
)
@click.option(
    "--max-results",
    type=click.IntRange(min=1),
    metavar="N",
    help="Only the first N results count (trec_eval's -M).",
)
@click.option(
    "--ignore-self", is_flag=True, help="Leave out results whose id is the query's own, as BEIR does."
)
@reading_options
@normalise_option
def score(
    qrels: Path,
    runs: tuple[Path, ...],
    *,
    measures: str,
    trec: bool,
    complete: bool,
    per_query: bool,
    as_json: bool,
    output: Path | None,
    ties: str,
    max_results: int | None,
    ignore_self: bool,
    reading: "ReadOptions",
    normalisations: tuple[str, ...],
) -> None:
    """Score each RUN against QRELS and show the runs side by side.

    \b
      rankle score set.qrels bm25.run dense.run.gz --measures nDCG@10,AP
      rankle score set.qrels bm25.run --trec --per-query

    QRELS lines are QUERY 0 TARGET GRADE (or QUERY TARGET GRADE, or QUERY TARGET); RUN lines are
    QUERY Q0 TARGET RANK SCORE TAG (or QUERY TARGET SCORE, or QUERY TARGET, best first), between
    spaces or tabs. CSV and TSV with a header, JSON, JSONL and Parquet are read too, as QRELS also BEIR
    folders and eval sets; plain, gzip or Zstandard; - is the standard input. `rankle inspect` shows
    what a file is taken for.

    Order comes from the scores, ties are broken by id as trec_eval breaks them.

    Queries without a relevant judgment are undefined and counted apart; a query that the run lacks
    scores 0. --trec gives trec_eval's figures instead. With --trec and --per-query the remarks go to
    the error stream.
    """
    from rankle.app.score_runs import score_runs
    from rankle.core.errors import InputError
    from rankle.metrics.ties import Ties

    if complete and not trec:
        raise InputError("--complete goes with --trec; without it, queries that the run lacks score 0 anyway")
    if output is not None:
        from rankle.reports.exporting import check_export, output_format

        check_export(output, output_format(output), inputs=[qrels, *runs], n_runs=len(runs))
    reports = score_runs(
        qrels,
        runs,
        measures,
        ties=Ties(ties),
        undefined="zero" if trec else "nan",
        missing="skip" if trec and not complete else "zero",
        max_results=max_results,
        ignore_self=ignore_self,
        reading=reading,
        normalise=normalisations,
        details=as_json or output is not None,
    )
    if output is not None:
        from rankle.cli.saving import save  # small inputs are scored before this is imported

        save(output, reports)
    if as_json:
        from rankle.reports.json import render_json

        click.echo(render_json(reports), nl=False)
    else:
        _show(reports, trec=trec, per_query=per_query)


def _show(reports: "Sequence[RunReport]", *, trec: bool, per_query: bool) -> None:
    from rankle.reports.scores import render_notices, render_scores, render_trec

    if trec or per_query or not sys.stdout.isatty():
        render = render_trec if trec else render_scores
        click.echo(render(reports, per_query=per_query), nl=False)
    else:
        from rankle.cli.screen import screen, styled

        click.echo(styled(render_scores(reports, width=screen().width)), nl=False)
    if trec or per_query:  # whose lines are for programs
        click.echo(render_notices(reports), nl=False, err=True)
