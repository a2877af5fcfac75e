"""A run for people at a terminal: plain text within its width, no markup, no colour."""

from collections.abc import Callable, Sequence
from typing import Final

from rich.cells import cell_len

from rankle.core.run import Latency, RunReport
from rankle.reports.failures import document_lines, failed_lines, worst_lines
from rankle.reports.layout import WIDTH, one_line, wrapped
from rankle.reports.table import ABSENT, denominator_lines, measure_table, shown_measures

_HINTS: Final = {
    "intervals": "--intervals adds 95 % intervals",
    "output": "--output FILE saves every query in full",
}


def render_run(
    report: RunReport,
    *,
    worst: int = 10,
    intervals: bool = False,
    saved: bool = False,
    width: int = WIDTH,
) -> str:
    """The report of one run, ending in a line break.

    Labels that name nothing are told of first, since they are in every figure below.
    worst: how many of the worst queries to show.
    width: cells of a line, at least 40.
    saved: whether the full breakdown was written to a file; if not, the last line names the option.
    """
    measures = shown_measures(report)
    n_first = 1 if report.labels.unknown else 0
    blocks = [
        _header(report, width=width),
        _notes(report.notices[:n_first], width=width),
        measure_table(measures, intervals=intervals, width=width),
        [*denominator_lines(measures, width=width), *_notes(report.notices[n_first:], width=width)],
        failed_lines(report, width=width),
        worst_lines(report, worst=worst, width=width),
        document_lines(report, width=width),
        latency_lines(report.latency_ms, width=width),
        _hints(intervals=intervals, saved=saved, width=width),
    ]
    return "\n\n".join("\n".join(block) for block in blocks if block) + "\n"


def _header(report: RunReport, *, width: int) -> list[str]:
    asked, total = report.set.n_queries, report.set.n_in_file
    count = f"{total} queries" if asked == total else f"{asked} of {total} queries"
    cuts = ", ".join(str(cut) for cut in report.k)
    counted = f" ({count if total != 1 else '1 query'})"
    name = one_line(report.set.name, width=max(10, width - len("Evaluation: ") - len(counted)))
    about = (f"Method: {one_line(report.system.method)}", f"level: {report.level}", f"k: {cuts}")
    in_one_line = "  ".join(about)
    fits = cell_len(in_one_line) <= width
    return [f"Evaluation: {name}{counted}", *([in_one_line] if fits else map(_cut_to(width), about))]


def _cut_to(width: int) -> Callable[[str], str]:
    return lambda text: one_line(text, width=width)


def _notes(notices: Sequence[str], *, width: int) -> list[str]:
    return [
        line
        for notice in notices
        for line in wrapped(one_line(notice), first="Note: ", rest="  ", width=width, breaking=True)
    ]


def latency_lines(latency: Latency, *, width: int = WIDTH) -> list[str]:
    """What a search took; or a query's share of its batch, and that a search takes longer than that."""
    figures = f"p50 {_milliseconds(latency.p50)}, p95 {_milliseconds(latency.p95)}"
    if latency.of == "search":
        return [f"Latency: {figures}"]
    return wrapped(
        f"Latency in batches of {latency.batch_size}: {figures} a query. That is its share of the batch, "
        "not what one search takes; --one-by-one times each search.",
        rest="  ",
        width=width,
    )


def _milliseconds(value: float | None) -> str:
    return ABSENT if value is None else f"{value:,.1f} ms"


def _hints(*, intervals: bool, saved: bool, width: int) -> list[str]:
    given = {"intervals": intervals, "output": saved}
    hints = [words for name, words in _HINTS.items() if not given[name]]
    return wrapped("; ".join(hints) + ".", width=width) if hints else []
