"""`rankle eval pool SET`: what is still to be judged, what tells most first."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from rankle.cli.options import json_option, workspace_option
from rankle.cli.pool_options import asking_for_pool, pool_call, pool_options

if TYPE_CHECKING:
    from rankle.app.pool_request import PoolRequest
    from rankle.app.pool_set import PooledSet
    from rankle.labels.pooling import Pooled
    from rankle.reports.judging_json import PoolReport

_COLUMN: Final = (6, 14)
"""Cells that the rank of a method takes, at least and at most."""
_LEAST: Final = 24
"""Cells that a query and its result need together to stand in a row."""


@click.command("pool", short_help="List what is still to be judged, what tells most first.")
@click.argument("set_file", metavar="SET", type=click.Path(path_type=Path))
@pool_options
@click.option(
    "-k", type=click.IntRange(min=1), default=20, show_default=True, metavar="N", help="Results shown."
)
@workspace_option
@json_option
def pool(asked: "PoolRequest", *, k: int, workspace: str | None, as_json: bool) -> None:
    """List the results for the queries of SET that nobody judged, those whose judgment tells most first.

    \b
      rankle eval pool set.jsonl
      rankle eval pool set.jsonl --method fts5,hybrid --json
      rankle eval pool set.jsonl --system production --system run:old.parquet

    A judgment tells most of what one method has at the top and another not at all; then of what all have at
    the top. The figure is the largest difference of the methods' weights plus their mean, from 0 to 2, where
    a rank weighs 1 / log2(rank + 1), its discount in nDCG. Behind it stands the rank in each method.

    --json prints rankle.pool/1: methods, level, n_queries, n_pooled, n_unjudged, agreement, and unjudged (all
    of it) with query, query_text, target, document, chunk, start, end, ranks and information.
    """
    from rankle.app.pool_set import pool_set
    from rankle.app.wiring.settings import load_settings
    from rankle.cli.options import print_report

    with asking_for_pool(asked) as told:
        found = pool_set(load_settings(workspace=workspace), asked, on_progress=told)
    if as_json:
        print_report(_report(found))
    else:
        from rankle.cli.screen import table_width

        click.echo("\n".join(_lines(found, asked, k=k, width=table_width())))


def _lines(found: "PooledSet", asked: "PoolRequest", *, k: int, width: int) -> list[str]:
    from rankle.cli.agreement_report import agreement_lines
    from rankle.reports.evals_words import counted
    from rankle.reports.layout import wrapped

    what = "documents" if found.by_document else "passages"
    n = len(found.unjudged)
    shown = f", {k} shown" if n > k else ""
    foot = [
        f"{n:,} of {found.n_pooled:,} {what} unjudged{shown}; {counted(found.n_queries, 'query', 'queries')}",
        *agreement_lines(found.agreement, what=what),
        *([f"Judge them: {pool_call('label', asked)}"] if n else []),
    ]
    lines = [*_open(found, k=k, width=width), ""] if n else []
    for text in foot:
        lines += [text] if len(text) <= width else wrapped(text, rest="    ", width=width, breaking=True)
    return lines


def _open(found: "PooledSet", *, k: int, width: int) -> list[str]:
    """What is unjudged, a row each, or in words where no row fits on the screen."""
    columns = "".join(_cell(method, method) for method in found.methods)
    rest = width - 6 - len(columns) - 4
    if rest < _LEAST:
        return [line for item in found.unjudged[:k] for line in _in_words(item, found, width=width)]
    query = rest * 3 // 5
    rows = (
        _row(item, found.methods, query=query, result=rest - query, has_lines=found.has_lines)
        for item in found.unjudged[:k]
    )
    return [f" Tells{columns}  {'Query':<{query}}  Result", *rows]


def _cell(value: object, method: str) -> str:
    """Flush right in the column of a method, which is as wide as its name, within bounds."""
    from rankle.reports.shortening import shortened

    width = min(max(len(method), _COLUMN[0]), _COLUMN[1])
    return "  " + shortened(str(value), width).rjust(width)


def _row(item: "Pooled", methods: tuple[str, ...], *, query: int, result: int, has_lines: bool) -> str:
    from rankle.reports.layout import one_line, pad
    from rankle.reports.shortening import shortened

    ranks = "".join(_cell(item.ranks.get(method, "–"), method) for method in methods)
    where = _place(item, has_lines=has_lines)
    text = pad(one_line(item.query.text, width=query), query)
    return f"{item.information:>6.2f}{ranks}  {text}  {shortened(where, max(3, result))}"


def _in_words(item: "Pooled", found: "PooledSet", *, width: int) -> list[str]:
    """What is open in three lines or more, for screens that no row fits on."""
    from rankle.reports.layout import one_line, wrapped

    ranks = ", ".join(f"{method} {item.ranks.get(method, '–')}" for method in found.methods)
    texts = (item.query.text, _place(item, has_lines=found.has_lines))
    return [
        *wrapped(f"{item.information:>6.2f}  {ranks}", rest="     ", width=width, breaking=True),
        *(
            line
            for text in texts
            for line in wrapped(one_line(text), first="     ", rest="       ", width=width, breaking=True)
        ),
    ]


def _place(item: "Pooled", *, has_lines: bool) -> str:
    return f"{item.document}:{item.passage.line_start}" if has_lines else item.document


def _report(found: "PooledSet") -> "PoolReport":
    from rankle.reports.judging_json import PooledRecord, PoolReport, judges_record

    return PoolReport(
        methods=list(found.methods),
        level="document" if found.by_document else "span",
        n_queries=found.n_queries,
        n_pooled=found.n_pooled,
        n_unjudged=len(found.unjudged),
        agreement=judges_record(found.agreement),
        unjudged=[
            PooledRecord(
                query=item.query.id,
                query_text=item.query.text,
                target=item.target,
                document=item.document,
                chunk=item.passage.chunk,
                start=item.passage.start,
                end=item.passage.end,
                ranks=dict(item.ranks),
                information=item.information,
            )
            for item in found.unjudged
        ],
    )
