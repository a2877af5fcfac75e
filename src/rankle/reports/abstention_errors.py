"""The queries on which a floor is wrong, on either side, for people at a terminal."""

from collections.abc import Sequence

from msgspec import UnsetType

from rankle.core.run import QueryReport, RunReport
from rankle.reports.abstention import floor_text
from rankle.reports.failures import INDENT, first_hit, headline
from rankle.reports.layout import WIDTH, one_line, wrapped


def abstention_error_blocks(report: RunReport, *, worst: int, width: int = WIDTH) -> list[list[str]]:
    """For each kind of error the `worst` queries, the farthest from the floor first; ties keep their order.

    Empty without a floor, where every query that finds anything would be listed.
    """
    if worst < 1 or isinstance(report.abstention, UnsetType) or report.abstention.floor is None:
        return []
    let_through = [one for one in report.queries if one.answerable is False and one.abstained is False]
    withheld = [one for one in report.queries if one.answerable is True and one.abstained is True]
    let_through.sort(key=_best, reverse=True)
    withheld.sort(key=_best)
    heads = (
        f"Answered though nothing does: {len(let_through):,} of {report.abstention.recall.n_of:,}",
        f"Abstained though there is an answer: {len(withheld):,} of {report.abstention.answered.n_of:,}",
    )
    return [
        _block(head, queries[:worst], report, width=width)
        for head, queries in zip(heads, (let_through, withheld), strict=True)
        if queries
    ]


def _block(head: str, queries: Sequence[QueryReport], report: RunReport, *, width: int) -> list[str]:
    lines = wrapped(head, rest="  ", width=width)
    for number, query in enumerate(queries, start=1):
        lines.append(headline(number, query, width=width))
        told = "; ".join(_told(query, report))
        lines += wrapped(told, first=INDENT, rest=INDENT, width=width, breaking=True)
    return lines


def _told(query: QueryReport, report: RunReport) -> list[str]:
    if not query.results:
        return ["nothing was returned"]
    best = max(query.results, key=lambda result: result.score)
    told = [f"{floor_text(float(f'{best.score:.4g}'))} for {one_line(best.id)}"]
    return [*told, first_hit(query, k=report.k[-1])] if query.answerable else told


def _best(query: QueryReport) -> float:
    return max((result.score for result in query.results), default=float("-inf"))
