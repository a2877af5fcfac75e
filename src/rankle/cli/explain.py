"""`rankle explain QUERY --target ID`: why a document or chunk is not on the first page."""

from typing import TYPE_CHECKING

import click

from rankle.cli.options import json_option, method_option, workspace_option
from rankle.cli.query_text import QueryCommand
from rankle.cli.ranking_options import ranking_options

if TYPE_CHECKING:
    from rankle.kb.search_settings import SearchSettings


@click.command("explain", cls=QueryCommand, short_help="Say why a document is not on the first page.")
@click.argument("words", metavar="QUERY", nargs=-1, required=True)
@click.option(
    "--target",
    required=True,
    metavar="ID",
    help="What is missed: a document by id, path or short content id, or a chunk by id.",
)
@click.option(
    "-k",
    type=click.IntRange(min=1),
    default=10,
    show_default=True,
    metavar="N",
    help="Results of the first page.",
)
@method_option
@click.option("--collection", metavar="NAME", help="As if this collection only had been searched.")
@ranking_options
@workspace_option
@json_option
def explain(
    words: tuple[str, ...],
    *,
    target: str,
    k: int,
    method: str | None,
    collection: str | None,
    ranking: "SearchSettings",
    workspace: str | None,
    as_json: bool,
) -> None:
    """Say why a document or chunk is, or is not, on the first page of results for QUERY.

    \b
      rankle explain how do I reset it --target guide/setup.md
      rankle explain reset --target chunk-0a1b2c3d4e5f --method fts5

    Tells what keeps it off the page; its rank and score in each stage, however far down; what stands above
    it and by how much; which of the query's terms it holds; and which settings of hybrid would bring it onto
    the page, each tried out. A document is ranked among documents, by its best chunk, a chunk among chunks.

    --json prints rankle.explain/1: workspace, query, method, collection, k, target, level, document, title,
    rank, lost_at, verdict, stages, terms, tries, took_ms and notices.
    """
    from rankle.app.explain import Miss
    from rankle.app.explain import explain as ask
    from rankle.app.wiring.settings import load_settings

    settings = load_settings(workspace=workspace)
    miss = Miss(
        query=" ".join(words), target=target, k=k, method=method, collection=collection, settings=ranking
    )
    found = ask(miss, settings=settings)
    if as_json:
        from rankle.reports.explain_json import explain_record, render_explain_json

        text = render_explain_json(explain_record(found, workspace=settings.workspace))
    else:
        from rankle.cli.screen import screen
        from rankle.reports.explain import render_explanation

        text = render_explanation(found, workspace=settings.workspace, width=screen().width)
    click.echo(text, nl=False)
