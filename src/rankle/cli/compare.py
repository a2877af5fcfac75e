"""`rankle compare A B`: better, worse, or no difference shown."""

from pathlib import Path

import click

from rankle.cli import completing
from rankle.cli.options import json_option
from rankle.cli.run_options import records_option


@click.command("compare", short_help="Compare runs: better, worse, or no difference shown.")
@click.argument("runs", metavar="A B [C]...", nargs=-1, required=True, shell_complete=completing.runs)
@click.option(
    "--measures",
    shell_complete=completing.measures,
    multiple=True,
    metavar="NAME,…",
    help="Measures to compare by, such as nDCG@10; made from the record where a run lacks them. Default: of "
    "each kind the deepest cut that all have.",
)
@click.option(
    "--test",
    type=click.Choice(["randomisation", "t", "wilcoxon", "sign"]),
    default="randomisation",
    show_default=True,
    help="The paired test; wilcoxon and sign do not test the mean, and say so.",
)
@click.option(
    "--pairs",
    type=click.Choice(["all", "first"]),
    help="Of more than two runs: all pairs, by randomised Tukey HSD, or each with the first, by Holm. "
    "Default: all; first with another test.",
)
@click.option(
    "--alpha",
    type=click.FloatRange(min=0, max=1, min_open=True, max_open=True),
    default=0.05,
    show_default=True,
    metavar="P",
    help="The chance of a false alarm that is accepted, over all tests together.",
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    metavar="N",
    help="Of the randomisation.",
)
@click.option(
    "--worst",
    type=click.IntRange(min=0),
    metavar="N",
    help="Queries shown that lost most, and that gained most. Default: 5 of two runs, 2 per pair of more.",
)
@click.option(
    "--force",
    is_flag=True,
    help="Compare what runs have in common that differ in more than their systems; every line says so.",
)
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), metavar="FILE", help="Save the comparison as JSON."
)
@json_option
@records_option
def compare(
    runs: tuple[str, ...],
    *,
    measures: tuple[str, ...],
    test: str,
    pairs: str | None,
    alpha: float,
    seed: int,
    worst: int | None,
    force: bool,
    output: Path | None,
    as_json: bool,
    records: Path | None,
) -> None:
    """Compare run A with B, and further ones, query by query.

    A run is an id or the beginning of one, latest (the newest complete run), latest~1 (the one before it),
    a tag, or a file that was saved with --output; of a file with several, FILE#2 or FILE#hybrid is one, and
    FILE alone stands for all. Of a run of evals, RUN#NAME is one of them; whole runs are compared eval by
    eval, by their files and names.

    \b
      rankle compare latest~1 latest
      rankle compare main latest --measures nDCG@10
      rankle compare before.json after.json
      rankle compare methods.json --pairs first

    Each measure has a verdict: better, worse, or no difference shown, with the smallest that would have
    been. Then the figures, the queries that moved most, and the parts of the set, worst first. p is
    adjusted for the number of measures and pairs, so name the measure that matters.

    Exit code 0 whatever the verdict, since a comparison is no gate; 2 if something cannot be compared: other
    queries, judgments, level, depth or measures (see --force), a run with itself, no query scored by both.
    """
    from rankle.app.compare import compare_named
    from rankle.cli.screen import screen
    from rankle.core.errors import CannotMeasureError
    from rankle.metrics.spelling import read_list
    from rankle.reports.comparing import Request
    from rankle.reports.comparison_text import comparisons_json, render_comparisons
    from rankle.reports.json import check_output, check_replaces, write_text

    if output is not None:
        check_output(output, inputs=[run.partition("#")[0] for run in runs])
        check_replaces(output, "(compare|comparisons)", what="comparison")
    request = Request(
        measures=tuple(read_list(",".join(measures))) if measures else None,
        alpha=alpha,
        test=test,  # type: ignore[arg-type]  # click allows only what it is
        pairs=pairs,  # type: ignore[arg-type]
        seed=seed,
        force=force,
    )
    found = compare_named(runs, request, records=records)
    if as_json:
        click.echo(comparisons_json(found), nl=False)
    else:
        click.echo(render_comparisons(found, worst=worst, width=screen().width), nl=False)
    if output is not None:
        write_text(output, comparisons_json(found))
    if found.refused:
        raise click.exceptions.Exit(CannotMeasureError.exit_code)
