"""`rankle index PATH...`: bring a workspace in line with folders and files."""

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rankle.cli import completing
from rankle.cli.options import json_option, workspace_option

if TYPE_CHECKING:
    from rankle.app.index import Indexed
    from rankle.app.wiring.settings import Settings
    from rankle.kb.index_request import IndexRequest
    from rankle.kb.vectors.choice import VectorWish


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
    shell_complete=completing.chunkers,
    metavar="NAME",
    help="How to cut documents: heading, heading:N, fixed:N, sentence or document; N is a number of tokens. "
    "Default: as before, else heading.",
)
@click.option(
    "--model",
    shell_complete=completing.models,
    metavar="NAME",
    help="Embedding model of the workspace: e5-small, openai:MODEL@URL or onnx:PATH. Another one than before "
    "replaces all vectors. Default: as before, else e5-small where it is installed.",
)
@click.option("--no-vectors", is_flag=True, help="Index the text only.")
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
    model: str | None,
    no_vectors: bool,
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

    New text is embedded then, for search by meaning; what is interrupted there goes on with the next index,
    or with `rankle embed`. --no-vectors leaves it out, and so does RANKLE_MODEL=none or model = "none" in
    rankle.toml, for good.

    Files that cannot be read are listed; the exit code is 0 if some could be read, 2 if none, or if the
    model failed, which leaves the text indexed. Files without text are counted apart.
    """
    from rankle.app.index import index as run_index
    from rankle.app.wiring.settings import load_settings
    from rankle.cli.index_bar import index_bar
    from rankle.core.errors import InputError
    from rankle.kb.index_request import IndexRequest
    from rankle.kb.vectors.choice import VectorWish

    if watch and (dry_run or as_json):
        raise InputError(f"--watch does not go with {'--dry-run' if dry_run else '--json'}; leave one out")
    if no_vectors and model:
        raise InputError("--no-vectors does not go with --model; leave one out")
    settings = load_settings(workspace=workspace)
    wish = VectorWish(vectors=False if no_vectors else None, model=model)
    request = IndexRequest(
        paths=paths,
        collection=collection,
        name=name,
        chunker=chunker,
        dry_run=dry_run,
        max_mb=max_mb,
        wait_s=wait_s,
    )
    with index_bar("looking for documents") as bar:
        indexed = run_index(
            request, settings=settings, wish=wish, watchers=bar.watchers, open_embedder=bar.open_embedder
        )
    _print(indexed, as_json=as_json)
    if indexed.problem is not None:
        raise indexed.problem
    if watch:
        _watch(request, settings, wish)


def _print(indexed: "Indexed", *, as_json: bool) -> None:
    if as_json:
        from rankle.cli.index_report import index_json
        from rankle.cli.options import print_json

        print_json("rankle.index/1", index_json(indexed))
    else:
        from rankle.cli.index_report import index_lines
        from rankle.cli.screen import screen

        click.echo("\n".join(index_lines(indexed, width=screen().width)))


def _watch(request: "IndexRequest", settings: "Settings", wish: "VectorWish") -> None:
    """Print a line for every change until Ctrl-C, which ends well."""
    from rankle.app.watch import follow, root_changes, roots_to_watch
    from rankle.cli.index_report import round_lines

    roots = roots_to_watch(request, settings=settings)
    click.echo("Watching; Ctrl-C ends it.")
    try:
        for done in follow(root_changes(roots), request, settings=settings, wish=wish):
            for line in round_lines(done, at=_local_time()):
                click.echo(line)
    except KeyboardInterrupt:
        click.echo("Stopped.")


def _local_time() -> datetime:
    return datetime.now(UTC).astimezone()
