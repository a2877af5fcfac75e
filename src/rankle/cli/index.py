"""`rankle index PATH...`: bring a workspace in line with folders and files."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rankle.cli.options import json_option, workspace_option

if TYPE_CHECKING:
    from rankle.app.wiring import Settings
    from rankle.kb.indexing import IndexProgress
    from rankle.kb.planning import IndexRequest


@click.command("index", short_help="Index folders and files into a workspace.")
@click.argument("paths", metavar="[PATH]...", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--collection",
    metavar="NAME",
    help="Group of these documents, such as contracts. Default: as before, else default.",
)
@click.option(
    "--as",
    "name",
    metavar="NAME",
    help="Prefix of the document ids, such as v2 for v2/setup.md, where two folders would have the same ids.",
)
@click.option(
    "--chunker",
    metavar="NAME",
    help="How to cut documents: heading, heading:N, fixed:N, sentence or document; N is a number of tokens. "
    "Default: as before, else heading.",
)
@click.option("--dry-run", is_flag=True, help="Only say what would change.")
@click.option("--watch", is_flag=True, help="Go on: index again whenever a file changes, until Ctrl-C.")
@click.option(
    "--max-mb",
    type=click.IntRange(min=1),
    default=50,
    show_default=True,
    metavar="N",
    help="Larger files are listed as failures.",
)
@click.option(
    "--wait",
    "wait_s",
    type=click.FloatRange(min=0),
    default=60,
    show_default=True,
    metavar="SECONDS",
    help="How long to wait while another process writes to the workspace.",
)
@workspace_option
@json_option
def index(
    paths: tuple[Path, ...],
    *,
    collection: str | None,
    name: str | None,
    chunker: str | None,
    dry_run: bool,
    watch: bool,
    max_mb: int,
    wait_s: float,
    workspace: str | None,
    as_json: bool,
) -> None:
    """Index folders and files; without PATH, all that were indexed before.

    \b
      rankle index docs/
      rankle index contracts/ --collection contracts
      rankle index ../v2/docs --as v2              ids begin with v2/
      rankle index --dry-run                       what changed since?

    Read are Markdown, HTML, text, reStructuredText, PDF and source code. Only what changed is prepared anew,
    and documents whose file is gone are dropped. .gitignore and .rankleignore are honoured, hidden files left
    out. The workspace changes at the end, all at once: what is interrupted leaves it as it was.

    Files that cannot be read are listed; the exit code is 0 if some could be read, 2 if none. Files without
    text are counted apart.
    """
    from rankle.app.index import index as run_index
    from rankle.app.wiring import load_settings
    from rankle.core.errors import InputError
    from rankle.kb.planning import IndexRequest

    if watch and (dry_run or as_json):
        raise InputError(f"--watch does not go with {'--dry-run' if dry_run else '--json'}; leave one out")
    settings = load_settings(workspace=workspace)
    request = IndexRequest(
        paths=paths,
        collection=collection,
        name=name,
        chunker=chunker,
        dry_run=dry_run,
        max_mb=max_mb,
        wait_s=wait_s,
    )
    with _watched() as seen:
        indexed = run_index(request, settings=settings, progress=seen.progress, waiting=seen.waiting)
    if as_json:
        from rankle.cli.index_report import index_json
        from rankle.cli.options import print_json

        print_json("rankle.index/1", index_json(indexed))
    else:
        from rankle.cli.index_report import index_lines

        click.echo("\n".join(index_lines(indexed)))
    if watch:
        _watch(request, settings)


def _watch(request: "IndexRequest", settings: "Settings") -> None:
    """Print a line for every change until Ctrl-C, which ends well."""
    from rankle.app.watch import follow, root_changes, roots_to_watch
    from rankle.cli.index_report import round_lines

    roots = roots_to_watch(request, settings=settings)
    click.echo("Watching; Ctrl-C ends it.")
    try:
        for done in follow(root_changes(roots), request, settings=settings):
            for line in round_lines(done, at=_local_time()):
                click.echo(line)
    except KeyboardInterrupt:
        click.echo("Stopped.")


def _local_time() -> datetime:
    return datetime.now(UTC).astimezone()


@dataclass(frozen=True, slots=True)
class _Watched:
    """What is called while an indexing goes on; None where nobody looks."""

    progress: Callable[["IndexProgress"], None] | None = None
    waiting: Callable[[], None] | None = None


@contextmanager
def _watched() -> Iterator[_Watched]:
    """A bar on the error stream where that is a terminal: how far, how fast, how long still, and where."""
    import sys

    if not sys.stderr.isatty():
        yield _Watched()
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from rankle.reports.layout import one_line

    columns = (
        BarColumn(20),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(compact=True),
        TextColumn("{task.fields[document]}", markup=False),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("index", total=None, rate="", document="looking for documents")
        started = time.perf_counter()

        def show(progress: "IndexProgress") -> None:
            rate = progress.n_done / max(time.perf_counter() - started, 1e-9)
            bar.update(
                task,
                completed=progress.n_done,
                total=progress.n_total,
                rate=f"{rate:,.0f}/s" if progress.n_done else "",
                document=one_line(progress.name, width=30),
            )

        def wait() -> None:
            bar.update(task, document="waiting: another process writes to the workspace")

        yield _Watched(show, wait)
