"""Ratings, in lines for people and members for programs."""

from collections.abc import Sequence
from typing import Final

from rich.cells import cell_len

from rankle.app.ratings import ListedRating, Standing
from rankle.cli.options import count
from rankle.formats.rating_rows import rating_record
from rankle.reports.layout import one_line, pad, wrapped
from rankle.reports.rating_json import RatingsReport, StandingRatingRecord
from rankle.reports.shortening import shortened

_RATER: Final = 10
_LEAST_DOCUMENT: Final = 16
_LEAST_QUERY: Final = 12
_MARKS: Final = {Standing.INDEXED: "", Standing.RECUT: " (cut anew)", Standing.GONE: " (gone)"}


def list_lines(found: Sequence[ListedRating], *, width: int) -> list[str]:
    """One line a rating; where there is none, how to give one."""
    if not found:
        return ["No ratings. Give some: rankle rate"]
    raters = max(5, *(min(_RATER, cell_len(one_line(each.rating.rater))) for each in found))
    room = width - len("   12  5  2026-11-30    ") - raters - 2
    marks = max(cell_len(_MARKS[each.standing]) for each in found)
    documents = max(len("Document"), *(cell_len(one_line(each.rating.document)) for each in found))
    documents = min(documents, max(_LEAST_DOCUMENT, room // 2 - marks))
    queries = room - documents - marks
    head = f"{'#':>5}  R  {'Date':<10}  {pad('Rater', raters)}  {pad('Query', queries)}  Document"
    if queries < _LEAST_QUERY:
        lines = [line for each in found for line in _in_words(each, width=width)]
    else:
        rows = (_row(each, raters=raters, queries=queries, documents=documents) for each in found)
        lines = [head, *rows]
    n_gone = sum(each.standing is Standing.GONE for each in found)
    gone = f", {n_gone:,} of documents that are gone" if n_gone else ""
    n_queries = len({each.rating.key for each in found})
    queried = f"{n_queries:,} {'query' if n_queries == 1 else 'queries'}"
    n_raters = len({each.rating.rater for each in found})
    foot = f"{count(len(found), 'rating')}, {queried}, {count(n_raters, 'rater')}{gone}"
    return [*lines, "", *wrapped(foot, width=width)]


def _row(each: ListedRating, *, raters: int, queries: int, documents: int) -> str:
    rating = each.rating
    who = pad(shortened(rating.rater, raters), raters)
    query = pad(one_line(rating.query, width=queries), queries)
    where = shortened(rating.document, documents) + _MARKS[each.standing]
    return f"{rating.id:>5}  {rating.rating}  {rating.at.astimezone():%Y-%m-%d}  {who}  {query}  {where}"


def _in_words(each: ListedRating, *, width: int) -> list[str]:
    """A rating in three lines or more, for screens that no row fits on."""
    rating = each.rating
    first = f"{rating.id:>5}  {rating.rating}  {rating.at.astimezone():%Y-%m-%d}  "
    texts = (rating.query, rating.document + _MARKS[each.standing])
    told = [
        line
        for text in texts
        for line in wrapped(one_line(text), first="       ", rest="         ", width=width, breaking=True)
    ]
    return [first + shortened(rating.rater, max(3, width - len(first))), *told]


def list_json(found: Sequence[ListedRating], *, workspace: str) -> RatingsReport:
    """All of them, for programs."""
    return RatingsReport(
        workspace=workspace,
        ratings=[
            StandingRatingRecord(**rating_record(each.rating), standing=each.standing.value) for each in found
        ],
    )
