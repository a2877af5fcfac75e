"""A run for people at a terminal: plain text within its width, no markup, no colour."""

from typing import Final

from rankle.core.run import RunReport
from rankle.reports.abstention import abstention_lines
from rankle.reports.abstention_errors import abstention_error_blocks
from rankle.reports.failures import document_lines, failed_lines, worst_lines
from rankle.reports.funnel import funnel_lines
from rankle.reports.header import header_lines, n_label_notices, note_lines, system_words
from rankle.reports.latency import latency_lines
from rankle.reports.layout import WIDTH, wrapped
from rankle.reports.table import denominator_lines, measure_table, shown_measures

_HINTS: Final = {
    "worst": "One alone shows its worst queries",
    "intervals": "--intervals adds 95 % intervals",
    "funnel": "--funnel shows which stage lost what",
    "output": "--output FILE saves every query in full",
}


def render_run(
    report: RunReport,
    *,
    worst: int = 10,
    intervals: bool = False,
    funnel: bool = False,
    by_default: bool = False,
    saved: bool = False,
    width: int = WIDTH,
) -> str:
    """The report of one run, ending in a line break.

    Labels that are stale or name nothing are told of first, since they are in every figure below.
    worst: how many of the worst queries to show, of those on which a floor is wrong, and how many targets of
        each fate.
    funnel: whether to show what each stage handed on, and where every relevant target stood.
    by_default: whether nobody named the method, so that the best of the workspace was taken.
    width: cells of a line, at least 40.
    saved: whether the full breakdown was written to a file; if not, the last line names the option.
    """
    measures = shown_measures(report)
    n_first = n_label_notices(report)
    best = " (the best of the workspace)" if by_default else ""
    method = system_words([report], [report.system.method + best])
    blocks = [
        header_lines(report, methods=method, width=width),
        note_lines(report.notices[:n_first], width=width),
        measure_table(measures, intervals=intervals, width=width),
        [*denominator_lines(measures, width=width), *note_lines(report.notices[n_first:], width=width)],
        abstention_lines(report, width=width),
        failed_lines(report, width=width),
        *(funnel_lines(report, listed=worst, width=width) if funnel else ()),
        worst_lines(report, worst=worst, width=width),
        *abstention_error_blocks(report, worst=worst, width=width),
        document_lines(report, width=width),
        latency_lines(report.latency_ms, width=width),
        hint_lines({"intervals": intervals, "funnel": funnel, "output": saved}, width=width),
    ]
    return "\n\n".join("\n".join(block) for block in blocks if block) + "\n"


def hint_lines(given: dict[str, bool], *, width: int) -> list[str]:
    """What else could be asked for, of what is named and was not given; nothing where all was."""
    hints = [words for name, words in _HINTS.items() if not given.get(name, True)]
    return wrapped("; ".join(hints) + ".", width=width) if hints else []
