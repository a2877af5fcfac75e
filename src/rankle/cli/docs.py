"""`rankle docs list|show|remove`: the documents of a workspace."""

from pathlib import Path

import click

from rankle.cli.groups import SuggestingGroup
from rankle.cli.options import json_option, workspace_option, yes_option


@click.group("docs", cls=SuggestingGroup, short_help="List, show and remove indexed documents.")
def docs() -> None:
    """List, show and remove indexed documents.

    \b
      rankle docs list --collection contracts
      rankle docs show guide/setup.md --chunks
      rankle docs remove guide/old.md
    """


@docs.command("list", short_help="List the documents, or the files that could not be read.")
@click.option("--collection", metavar="NAME", help="Of this collection only, such as contracts.")
@click.option("--failed", is_flag=True, help="The files that the last index could not read, and why.")
@workspace_option
@json_option
def list_(*, collection: str | None, failed: bool, workspace: str | None, as_json: bool) -> None:
    """List the documents by id; with --failed, the files that could not be read.

    \b
      rankle docs list
      rankle docs list --failed
    """
    from rankle.app import documents
    from rankle.app.wiring.settings import load_settings
    from rankle.cli import docs_report
    from rankle.cli.options import print_json
    from rankle.core.errors import InputError

    settings = load_settings(workspace=workspace)
    if failed:
        if collection is not None:
            raise InputError("--failed does not go with --collection; leave one out")
        failures = documents.list_failures(settings)
        if as_json:
            print_json("rankle.failures/1", docs_report.failures_json(failures))
        else:
            click.echo("\n".join(docs_report.failure_lines(failures)))
        return
    found = documents.list_documents(settings, collection=collection)
    if as_json:
        print_json("rankle.documents/1", {"documents": [docs_report.document_json(info) for info in found]})
    else:
        from rankle.cli.screen import table_width

        click.echo("\n".join(docs_report.table_lines(found, width=table_width())))


@docs.command("show", short_help="Show what is known of one document.")
@click.argument("document", metavar="DOC")
@click.option("--chunks", is_flag=True, help="With its chunks: id, place, size and beginning of each.")
@click.option("--text", is_flag=True, help="The stored text alone, which all offsets point into.")
@workspace_option
@json_option
def show(document: str, *, chunks: bool, text: bool, workspace: str | None, as_json: bool) -> None:
    """Show the document DOC: its id, its path, or its content id (in quotes, for the #).

    \b
      rankle docs show guide/setup.md --chunks
      rankle docs show "#1a2b3c" --text
    """
    from rankle.app.documents import show_document
    from rankle.app.wiring.settings import load_settings
    from rankle.cli import docs_report
    from rankle.cli.options import print_json

    view = show_document(load_settings(workspace=workspace), document)
    if as_json:
        print_json("rankle.document/1", docs_report.view_json(view, chunks=chunks, text=text))
    elif text:
        # color: a pipe gets the text as it is stored, which click would else clear of styles.
        click.echo(docs_report.safe_text(view.text), nl=not view.text.endswith("\n"), color=True)
    else:
        from rankle.cli.screen import table_width

        click.echo("\n".join(docs_report.view_lines(view, chunks=chunks, width=table_width())))


@docs.command("remove", short_help="Drop documents from the workspace.")
@click.argument("names", metavar="[DOC]...", nargs=-1)
@click.option(
    "--root",
    type=click.Path(path_type=Path),
    metavar="PATH",
    help="An indexed folder or file with all its documents, such as docs/.",
)
@click.option("--collection", metavar="NAME", help="A collection with all its documents, such as contracts.")
@yes_option
@workspace_option
def remove(
    names: tuple[str, ...],
    *,
    root: Path | None,
    collection: str | None,
    yes: bool,
    workspace: str | None,
) -> None:
    """Drop documents from the workspace: DOC by id, path or content id, or all of a root or collection.

    \b
      rankle docs remove guide/old.md
      rankle docs remove --root docs/ --yes

    The files stay where they are. A single document comes back with the next index of its folder, unless a
    .rankleignore there names it; a root or collection does not come back by itself.
    """
    from rankle.app import documents
    from rankle.app.wiring.settings import load_settings
    from rankle.cli import docs_report
    from rankle.cli.options import confirm, tell_waiting

    settings = load_settings(workspace=workspace)
    removal = documents.plan_removal(settings, names, root=root, collection=collection)
    confirm(docs_report.removal_question(removal, workspace=settings.workspace), yes=yes)
    documents.remove(settings, removal, waiting=tell_waiting)
    click.echo("\n".join(docs_report.removal_lines(removal)))
