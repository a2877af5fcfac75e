"""`rankle search QUERY`: search a workspace."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Literal

import click

from rankle.cli.options import json_option, method_option, workspace_option
from rankle.cli.query_text import QueryCommand
from rankle.cli.ranking_options import ranking_options

if TYPE_CHECKING:
    from rankle.app.search import Found
    from rankle.kb.search_settings import SearchSettings


@click.command("search", cls=QueryCommand, short_help="Search a workspace.")
@click.argument("words", metavar="QUERY", nargs=-1, required=True)
@click.option(
    "-k", type=click.IntRange(min=1), default=10, show_default=True, metavar="N", help="Results shown."
)
@click.option(
    "--depth",
    type=click.IntRange(min=1),
    metavar="N",
    help="Results ranked, of which the first k are shown. Default: 100, or k.",
)
@method_option
@click.option("--collection", metavar="NAME", help="Search this collection only, such as contracts.")
@click.option(
    "--group",
    type=click.Choice(["chunk", "document"]),
    default="chunk",
    show_default=True,
    help="What a result is. A document stands where its best chunk stands.",
)
@click.option(
    "--explain", is_flag=True, help="Show what is looked up, and why each result stands where it does."
)
@click.option("--no-log", is_flag=True, help="Keep this search out of `rankle analytics`.")
@ranking_options
@workspace_option
@json_option
def search(
    words: tuple[str, ...],
    *,
    k: int,
    depth: int | None,
    method: str | None,
    collection: str | None,
    group: Literal["chunk", "document"],
    explain: bool,
    no_log: bool,
    ranking: "SearchSettings",
    workspace: str | None,
    as_json: bool,
) -> None:
    """Search a workspace for QUERY, any text.

    Method fts5 finds chunks with the query's words, rarer ones first; vector finds chunks that mean the same;
    hybrid fuses both. With no --method, the best that the workspace is ready for is used, and named below the
    results.

    \b
      rankle search how do I reset it
      rankle search '"battery voltage" -Plover'     a phrase; without Plover
      rankle search 'calib*' --group document       words that begin so; documents
      rankle search DEC-0054 --explain              why these, in this order
      rankle search car repair --method vector      also finds "garage"
      rankle search -- "-k is ignored"              begins with a minus

    A result shows its rank, title and score; document, lines, page and chunk id; the headings above; and the
    lines around the matches. Matches are bold on a terminal and «so» elsewhere, or with NO_COLOR set.

    --json prints rankle.search/1: workspace, query, method, collection, group, k, depth, took_ms, notices,
    stages, terms, and results with rank, id, document, chunk, chunks, score, title, breadcrumb, page, lines,
    span, text, marks, terms, folded, rank_at and score_at.
    """
    from rankle.app.search import Question
    from rankle.app.search import search as ask
    from rankle.app.wiring.settings import load_settings

    question = Question(
        query=" ".join(words),
        k=k,
        depth=depth,
        method=method,
        collection=collection,
        group=group,
        explain=explain,
        log=not no_log,
        settings=ranking,
    )
    found = ask(question, settings=load_settings(workspace=workspace), now=lambda: datetime.now(UTC))
    click.echo(_json(found) if as_json else _text(found), nl=False)
    if found.log_problem:
        click.echo(f"Warning: {found.log_problem}", err=True)


def _json(found: "Found") -> str:
    from rankle.reports.search_json import render_search_json, search_record

    asked = found.question
    record = search_record(
        found.result,
        workspace=found.workspace,
        collection=asked.collection,
        group=asked.group,
        k=asked.k,
        depth=asked.n_ranked,
    )
    return render_search_json(record)


def _text(found: "Found") -> str:
    from rankle.cli.screen import screen
    from rankle.reports.search import SearchView, render_search

    seen = screen()
    view = SearchView(
        workspace=found.workspace,
        collection=found.question.collection,
        explain=found.question.explain,
        depth=found.question.n_ranked,
        width=seen.width,
        marking=seen.marking,
    )
    return render_search(found.result, view)
