"""The queries that one method answers worse than another, with what became of their targets."""

from typing import Final

from rankle.core.run import QueryReport, RunReport
from rankle.metrics.figure import read_figure
from rankle.reports.failures import INDENT, first_hit, headline, losses
from rankle.reports.layout import WIDTH, wrapped
from rankle.reports.table import title_of

_SAME: Final = 1e-9
"""Scores within it differ by rounding only."""


def worse_lines(
    first: RunReport,
    run: RunReport,
    *,
    names: tuple[str, str],
    measure: str,
    worst: int,
    width: int = WIDTH,
) -> list[str]:
    """The `worst` queries by how much less `run` scores than `first`, of those that both scored.

    names: of the two, in this order. Ties keep the order of the set; nothing where no query is worse.
    """
    before = {query.id: query for query in first.queries if measure in query.scores}
    scored = [query for query in run.queries if measure in query.scores]
    pairs = [(before[query.id], query) for query in scored if query.id in before]
    worse = [pair for pair in pairs if _change(pair, measure) < -_SAME]
    if not worse or worst < 1:
        return []
    worse.sort(key=lambda pair: _change(pair, measure))
    shown = worse[:worst]
    count = f"{len(worse):,}" if len(shown) == len(worse) else f"{len(shown):,} of {len(worse):,}"
    title = title_of(read_figure(measure))
    head = f"Worse with {names[1]} than with {names[0]}, by {title} ({count})"
    lines = wrapped(head, rest="  ", width=width)
    for number, (old, new) in enumerate(shown, start=1):
        change = f"{old.scores[measure]:.3f} → {new.scores[measure]:.3f}"
        parts = [change, first_hit(new, k=run.k[-1]), *losses(new)]
        lines.append(headline(number, new, width=width))
        lines += wrapped("; ".join(parts), first=INDENT, rest=INDENT, width=width, breaking=True)
    return lines


def _change(pair: tuple[QueryReport, QueryReport], measure: str) -> float:
    old, new = pair
    return new.scores[measure] - old.scores[measure]
