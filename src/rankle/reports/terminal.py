"""A run for people at a terminal: plain text within 80 columns, no markup, no colour."""

from typing import Final

from rankle.core.run import RunReport
from rankle.reports.failures import document_lines, failed_lines, worst_lines
from rankle.reports.layout import one_line, wrapped
from rankle.reports.table import ABSENT, denominator_lines, measure_table, shown_measures

_HINTS: Final = {
    "intervals": "--intervals adds 95 % intervals",
    "output": "--output FILE saves every query in full",
}


def render_run(report: RunReport, *, worst: int = 10, intervals: bool = False, saved: bool = False) -> str:
    """The report of one run, ending in a line break.

    worst: how many of the worst queries to show.
    saved: whether the full breakdown was written to a file; if not, the last line names the option.
    """
    measures = shown_measures(report)
    blocks = [
        _header(report),
        measure_table(measures, intervals=intervals),
        [*denominator_lines(measures), *_notices(report)],
        failed_lines(report),
        worst_lines(report, worst=worst),
        document_lines(report),
        [_latency(report)],
        _hints(intervals=intervals, saved=saved),
    ]
    return "\n\n".join("\n".join(block) for block in blocks if block) + "\n"


def _header(report: RunReport) -> list[str]:
    asked, total = report.set.n_queries, report.set.n_in_file
    count = f"{total} queries" if asked == total else f"{asked} of {total} queries"
    cuts = ", ".join(str(cut) for cut in report.k)
    return [
        f"Evaluation: {one_line(report.set.name)} ({count if total != 1 else '1 query'})",
        f"Method: {one_line(report.system.method)}  level: {report.level}  k: {cuts}",
    ]


def _notices(report: RunReport) -> list[str]:
    return [
        line for notice in report.notices for line in wrapped(one_line(notice), first="Note: ", rest="  ")
    ]


def _latency(report: RunReport) -> str:
    p50, p95 = report.latency_ms.p50, report.latency_ms.p95
    return f"Latency: p50 {_milliseconds(p50)}, p95 {_milliseconds(p95)}"


def _milliseconds(value: float | None) -> str:
    return ABSENT if value is None else f"{value:,.1f} ms"


def _hints(*, intervals: bool, saved: bool) -> list[str]:
    given = {"intervals": intervals, "output": saved}
    hints = [words for name, words in _HINTS.items() if not given[name]]
    return wrapped("; ".join(hints) + ".") if hints else []
