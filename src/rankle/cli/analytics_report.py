"""What people searched for, in lines for people and members for programs."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from rich.cells import cell_len

from rankle.app.analytics import Analytics
from rankle.core.product import NAME
from rankle.kb.analytics import DayCount, QueryCount
from rankle.reports.shortening import shortened

_WEAK: Final = "With weak results (first result holds under half of the terms)"
_BAR: Final = 40
_BARS: Final = 31
"""More days than this are drawn by weeks, more weeks by blocks of four."""
_BLOCKS: Final = ((1, "day"), (7, "week"), (28, "four weeks"))


@dataclass(frozen=True, slots=True)
class _Bar:
    label: str
    n: int
    n_without: int


def analytics_lines(found: Analytics, *, width: int) -> list[str]:
    statistics = found.statistics
    head = f"Searches in workspace {found.workspace}, {found.since:%Y-%m-%d} to {found.until:%Y-%m-%d}"
    if not statistics.n_searches:
        return [head, "", *_nothing(found)]
    p50, p95 = found.latency_ms.p50, found.latency_ms.p95
    return [
        head,
        "",
        f"Searches:          {statistics.n_searches:,} ({_queries(statistics.n_queries)})",
        f"Without results:   {_share(statistics.n_without_results, statistics.n_searches)}",
        f"With weak results: {_share(statistics.n_weak, statistics.n_searches)}",
        f"Latency:           p50 {p50:,.1f} ms, p95 {p95:,.1f} ms",
        *_queries_block("Popular", statistics.popular, width=width),
        *_queries_block("Without results", statistics.without_results, width=width),
        *_queries_block(_WEAK, statistics.weak, width=width),
        *_trend(statistics.trend, width=width),
    ]


def analytics_json(found: Analytics) -> dict[str, Any]:
    """The members of `rankle.analytics/1`."""
    statistics = found.statistics
    return {
        "workspace": found.workspace,
        "since": found.since.isoformat(),
        "until": found.until.isoformat(),
        "days": found.days,
        "n_searches": statistics.n_searches,
        "n_queries": statistics.n_queries,
        "n_without_results": statistics.n_without_results,
        "n_weak": statistics.n_weak,
        "latency_ms": {"p50": found.latency_ms.p50, "p95": found.latency_ms.p95},
        "popular": [_query_json(each) for each in statistics.popular],
        "without_results": [_query_json(each) for each in statistics.without_results],
        "weak": [_query_json(each) for each in statistics.weak],
        "trend": [
            {
                "day": day.day.isoformat(),
                "n_searches": day.n_searches,
                "n_without_results": day.n_without_results,
                "n_weak": day.n_weak,
            }
            for day in statistics.trend
        ],
    }


def _nothing(found: Analytics) -> list[str]:
    if found.n_before:
        return [f"None within these days; {found.n_before:,} before. Look further back with --days N."]
    return [f'No searches yet. Every {NAME} search "…" without --no-log is counted here.']


def _queries_block(title: str, queries: Sequence[QueryCount], *, width: int) -> list[str]:
    if not queries:
        return []
    return ["", f"{title}:", *(_query_line(each, width=width) for each in queries)]


def _query_line(each: QueryCount, *, width: int) -> str:
    return f"  {each.n:>6,}  {shortened(each.query, width - 10)}"


def _query_json(each: QueryCount) -> dict[str, Any]:
    return {"query": each.query, "n": each.n, "last": each.last.isoformat()}


def _trend(days: Sequence[DayCount], *, width: int) -> list[str]:
    n_days, noun = next(
        (n_days, noun) for n_days, noun in _BLOCKS if len(days) <= n_days * _BARS or n_days == _BLOCKS[-1][0]
    )
    bars = list(_bars(days, n_days))
    most = max(bar.n for bar in bars)
    cells = min(_BAR, width - max(cell_len(_bar_begin(bar) + " " + _bar_figures(bar)) for bar in bars))
    return ["", f"Per {noun}:", *(_bar_line(bar, most, cells=max(1, cells)) for bar in bars)]


def _bars(days: Sequence[DayCount], width: int) -> Iterator[_Bar]:
    for start in range(0, len(days), width):
        block = days[start : start + width]
        label = block[0].day.isoformat()
        yield _Bar(label, sum(day.n_searches for day in block), sum(day.n_without_results for day in block))


def _bar_line(bar: _Bar, most: int, *, cells: int) -> str:
    length = -(-bar.n * cells // most)  # a search is never drawn as none
    return f"{_bar_begin(bar)}{'█' * length}{' ' if length else ''}{_bar_figures(bar)}"


def _bar_begin(bar: _Bar) -> str:
    return f"  {bar.label}  "


def _bar_figures(bar: _Bar) -> str:
    without = f", {bar.n_without:,} without results" if bar.n_without else ""
    return f"{bar.n:,}{without}"


def _share(n: int, n_all: int) -> str:
    return f"{n:,} ({100 * n / n_all:.1f}%)"


def _queries(n: int) -> str:
    return "1 query" if n == 1 else f"{n:,} different queries"
