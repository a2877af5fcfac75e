"""`rankle record SET --system URI -o FILE`: keep what a system answers, to be replayed."""

from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

import click

from rankle.cli import completing
from rankle.cli.options import collection_option, concurrency_option, max_failures_option, max_queries_option
from rankle.cli.reading import set_reading_options

if TYPE_CHECKING:
    from rankle.formats.kinds import ReadOptions


@click.command("record", short_help="Keep what a search of yours answers, to measure it without it.")
@click.argument("set_file", metavar="SET", type=click.Path(path_type=Path))
@click.option(
    "--system",
    shell_complete=completing.systems,
    required=True,
    metavar="URI",
    help="What is asked: http(s)://…, python:module:function, command:…, kb:WORKSPACE, or NAME of "
    "[systems.NAME] in rankle.toml.",
)
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Where the results go: run.parquet, run.jsonl, run.jsonl.gz or run.jsonl.zst.",
)
@click.option(
    "--depth",
    type=click.IntRange(min=1),
    default=100,
    show_default=True,
    metavar="N",
    help="Distinct results that are asked for; a replay goes no deeper.",
)
@click.option(
    "--level",
    type=click.Choice(["document", "chunk", "span"]),
    help="What is asked for; of passages (span) the chunks. Default: what the labels name, else documents.",
)
@collection_option
@max_queries_option
@max_failures_option
@concurrency_option
@set_reading_options
def record(
    set_file: Path,
    *,
    system: str,
    output: Path,
    depth: int,
    level: str | None,
    collection: str | None,
    max_queries: int | None,
    max_failures: int,
    concurrency: int,
    reading: "ReadOptions",
) -> None:
    """Ask a system every query of SET and keep what it answers, with texts and stages, in FILE.

    \b
      rankle record set.jsonl --system http://localhost:8080/search -o run.parquet
      rankle eval set.jsonl --system run:run.parquet

    The second line gives the figures that `rankle eval set.jsonl --system http://…` gave at that time, to
    the last bit, wherever the file is taken. Queries without judgments ("relevant": []) are asked too; those
    on which the system failed are kept as such. FILE is a run too, which `rankle score` and others read.
    """
    from rankle.app.record import record as keep
    from rankle.cli.asking import asking_others
    from rankle.cli.eval_measuring import progress
    from rankle.cli.main import INTERRUPTED
    from rankle.cli.screen import screen
    from rankle.core.evalset import Level
    from rankle.core.product import NAME
    from rankle.reports.evals_words import counted
    from rankle.reports.layout import wrapped

    try:
        with asking_others(), progress() as on_progress:
            found = keep(
                set_file,
                system=system,
                output=output,
                depth=depth,
                level=None if level is None else Level(level),
                collection=collection,
                max_queries=max_queries,
                concurrency=concurrency,
                reading=reading,
                on_progress=on_progress,
            )
    except KeyboardInterrupt as stop:
        click.echo("Interrupted. Nothing is kept: a recording is made whole, or not at all.", err=True)
        raise click.exceptions.Exit(INTERRUPTED) from stop
    if len(found.failures) < found.n_queries:
        words = (
            f"Recorded {counted(found.n_results, 'result')} of "
            f"{counted(found.n_queries, 'query', 'queries')} by {found.system} in {output}. "
            f"Measure them: {NAME} eval {quote(str(set_file))} --system {quote(f'run:{output}')}"
        )
        for line in wrapped(words, width=screen().width):
            click.echo(line)
    found.check(max_failures=max_failures)
