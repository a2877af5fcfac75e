"""`rankle search QUERY`: search a workspace."""

from datetime import UTC, datetime
from typing import Final, Literal

import click

from rankle.cli.options import json_option, method_option, workspace_option
from rankle.core.product import NAME

_AS_TEXT: Final = (
    'To exclude a word, quote the query: "apple -pie". '
    f'A query that begins with a minus: {NAME} search -- "-pie"'
)
_PLACE: Final = "-"
"""Stands for a first argument that looks like an option while the rest is parsed; click takes it as text."""


class _SearchCommand(click.Command):
    """Takes a first argument as text where it begins with a minus and is no option, as any query is text."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        first = args[0] if args and self._is_text(args[0]) else None
        try:
            left = super().parse_args(ctx, args if first is None else [_PLACE, *args[1:]])
        except click.NoSuchOption as error:
            if not error.option_name.startswith("--"):
                raise click.UsageError(f"{error.message} {_AS_TEXT}", ctx) from error
            raise
        if first is not None:
            ctx.params["words"] = (first, *ctx.params["words"][1:])
        return left

    def _is_text(self, arg: str) -> bool:
        """Whether no option could be meant: neither `-k5` nor a misspelt `--option`."""
        if not arg.startswith("-") or arg == "--":
            return False
        if arg.startswith("--"):
            return any(char.isspace() for char in arg.partition("=")[0])
        known = {"-h", *(option for parameter in self.params for option in parameter.opts)}
        return arg[:2] not in known


@click.command("search", cls=_SearchCommand, short_help="Search a workspace.")
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
    workspace: str | None,
    as_json: bool,
) -> None:
    """Search a workspace for QUERY, any text. Results with more of its words, and rarer ones, come first.

    \b
      rankle search how do I reset it
      rankle search '"battery voltage" -Plover'     a phrase; without Plover
      rankle search 'calib*' --group document       words that begin so; documents
      rankle search DEC-0054 --explain              why these, in this order
      rankle search -- "-k is ignored"              begins with a minus

    A result shows its rank, title and score; document, lines, page and chunk id; the headings above; and the
    lines around the matches. Matches are bold on a terminal and «so» elsewhere, or with NO_COLOR set.

    --json prints rankle.search/1: workspace, query, method, collection, group, k, depth, took_ms, notices,
    stages, terms, and results with rank, id, document, chunk, chunks, score, title, breadcrumb, page, lines,
    span, text, marks, terms, rank_at and score_at.
    """
    from rankle.app.search import Question
    from rankle.app.search import search as ask
    from rankle.app.wiring import load_settings

    question = Question(
        query=" ".join(words),
        k=k,
        depth=depth,
        method=method,
        collection=collection,
        group=group,
        explain=explain,
        log=not no_log,
    )
    found = ask(question, settings=load_settings(workspace=workspace), now=lambda: datetime.now(UTC))
    if as_json:
        from rankle.reports.search_json import render_search_json, search_record

        record = search_record(
            found.result,
            workspace=found.workspace,
            collection=collection,
            group=group,
            k=k,
            depth=question.candidates,
        )
        click.echo(render_search_json(record), nl=False)
    else:
        from rankle.cli.screen import screen
        from rankle.reports.search import SearchView, render_search

        seen = screen()
        view = SearchView(
            workspace=found.workspace,
            collection=collection,
            explain=explain,
            depth=question.candidates,
            width=seen.width,
            marking=seen.marking,
        )
        click.echo(render_search(found.result, view), nl=False)
    if found.log_problem:
        click.echo(f"Warning: {found.log_problem}", err=True)
