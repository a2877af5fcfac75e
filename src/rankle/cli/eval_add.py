"""`rankle eval add SET`: one more query."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from rankle.cli.options import workspace_option

if TYPE_CHECKING:
    from rankle.core.evalset import Label


@click.command("add", short_help="Add a query with what should be found to a set.")
@click.argument("set_file", metavar="SET", type=click.Path(path_type=Path))
@click.option("--query", required=True, metavar="TEXT", help="What somebody searches for.")
@click.option(
    "--relevant",
    multiple=True,
    metavar="ID",
    help="A document, by id or path, or a chunk, by id, that should be found; may be given several times.",
)
@click.option("--nothing", is_flag=True, help="Nothing should be found, in the place of --relevant.")
@click.option(
    "--grade",
    type=click.IntRange(0, 2**31 - 1),
    default=1,
    show_default=True,
    metavar="N",
    help="How relevant they are; 0 is judged not relevant.",
)
@click.option(
    "--quote",
    "quotes",
    multiple=True,
    metavar="TEXT",
    help="The passage of the document that is meant; may be given several times.",
)
@click.option(
    "--occurrence",
    type=click.IntRange(min=1),
    metavar="N",
    help="Which of the places that hold the quote, from 1.",
)
@click.option("--id", "id_", metavar="ID", help="The query's id. Default: made of its text.")
@click.option("--collection", metavar="NAME", help="The collection that the query searches.")
@click.option("--note", metavar="TEXT", help="A note beside the query.")
@workspace_option
def add(
    set_file: Path,
    *,
    query: str,
    relevant: tuple[str, ...],
    nothing: bool,
    grade: int,
    quotes: tuple[str, ...],
    occurrence: int | None,
    id_: str | None,
    collection: str | None,
    note: str | None,
    workspace: str | None,
) -> None:
    """Add a query to SET, JSON Lines or a JSON array; it is made where there is none.

    \b
      rankle eval add set.jsonl --query "how to reset" --relevant guide/reset.md
      rankle eval add set.jsonl --query E42 --relevant errors.md --quote "11 V"
      rankle eval add set.jsonl --query "E43" --relevant chunk-0a1b2c3d4e5f
      rankle eval add set.jsonl --query "who won the cup" --nothing

    Names are checked against the workspace, and so are quotes. A chunk is written as the passage that it
    holds, with its id beside, so that the label outlasts a new chunking. All else in SET stays as it is, and
    a set with faults is not touched.
    """
    from rankle.app.add_query import Addition, add_query
    from rankle.app.wiring.settings import load_settings
    from rankle.core.errors import InputError
    from rankle.reports.layout import one_line, wrapped

    if nothing == bool(relevant):
        raise InputError("say what should be found, --relevant ID, or that nothing should: --nothing")
    addition = Addition(
        query=query, relevant=relevant, grade=grade, quotes=quotes, occurrence=occurrence, id=id_,
        collection=collection, note=note,
    )  # fmt: skip
    added = add_query(set_file, addition, settings=load_settings(workspace=workspace))
    click.echo(f'Added to {set_file}: {added.query.id} "{one_line(added.query.text, width=50)}"')
    for label in added.query.labels:
        click.echo(f"  grade {label.grade}  {_words(label)}")
    if added.mixed:
        click.echo("\n".join(wrapped(f"Note: {added.mixed}", rest="  ")))


def _words(label: "Label") -> str:
    from rankle.reports.layout import one_line

    if label.span is None:
        return one_line(label.name)
    return f'{one_line(label.name)} "{one_line(label.span.quote or "", width=40)}"'
