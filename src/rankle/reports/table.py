"""The table of measures: one row a measure, one column a cut."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from rankle.core.run import MeasureSummary, RunReport
from rankle.metrics.figure import Figure, read_figure
from rankle.reports.layout import WIDTH, columns, wrapped

ABSENT: Final = "—"
PERCENT: Final = frozenset({"Hit"})
_NAME_WIDTH: Final = 16
_VALUE_WIDTH: Final = 9
_INTERVAL_WIDTH: Final = 14
_RULE_END: Final = 4
"""How far the rule under the header reaches into the last column."""


@dataclass(frozen=True, slots=True)
class Shown:
    """One figure of the table."""

    measure: Figure
    summary: MeasureSummary


def shown_measures(report: RunReport) -> tuple[Shown, ...]:
    """The measures of a run that people see: `Judged` only where some results are unjudged."""
    every = [Shown(read_figure(name), summary) for name, summary in report.measures.items()]
    return tuple(
        shown
        for shown in every
        if shown.measure.family != "Judged" or shown.summary.mean is None or shown.summary.mean < 1
    )


def measure_table(measures: Sequence[Shown], *, intervals: bool, width: int = WIDTH) -> list[str]:
    """The table; with intervals, each row is followed by a line of 95 % intervals.

    Cuts that do not fit the width go to a further table below. A measure without a cut stands under
    `all`.
    """
    cell = _INTERVAL_WIDTH if intervals else _VALUE_WIDTH
    cuts = sorted({shown.measure.k for shown in measures}, key=lambda k: (k is None, k))
    per_table = max(1, (width - _NAME_WIDTH) // cell)
    lines: list[str] = []
    for start in range(0, len(cuts), per_table):
        lines += [""] if lines else []
        lines += _one_table(measures, cuts[start : start + per_table], width=cell, intervals=intervals)
    return lines


def denominator_lines(measures: Sequence[Shown], *, width: int = WIDTH) -> list[str]:
    """How many queries the means are over: one line, and one more for each measure that differs."""
    if not measures:
        return []
    usual = denominator_of(measures[0].summary)
    lines = wrapped(f"Queries: {usual}", rest="  ", width=width)
    for shown in measures[1:]:
        own = denominator_of(shown.summary)
        if own != usual:
            lines += wrapped(f"{shown.measure}: {own}", first="  ", rest="    ", width=width)
    return lines


def percent(share: float) -> str:
    return f"{100 * share:.1f}%"


def _one_table(
    measures: Sequence[Shown], cuts: Sequence[int | None], *, width: int, intervals: bool
) -> list[str]:
    header = [ABSENT if not cuts else "all" if cut is None else f"@{cut}" for cut in cuts]
    lines = [_line("Metric", header, width), "─" * (_NAME_WIDTH + width * (len(cuts) - 1) + _RULE_END)]
    rows: dict[str, dict[int | None, Shown]] = {}
    for shown in measures:
        rows.setdefault(shown.measure.title, {})[shown.measure.k] = shown
    for title, row in rows.items():
        cells = [row.get(cut) for cut in cuts]
        if not any(cells):
            continue
        lines.append(_line(title, [_mean(cell) for cell in cells], width))
        if intervals:
            lines.append(_line("  95% interval", [_interval(cell) for cell in cells], width))
    return lines


def _line(name: str, cells: Sequence[str], width: int) -> str:
    if len(name) < _NAME_WIDTH:
        return columns(name, cells, name_width=_NAME_WIDTH, cell_width=width)
    # A long name, such as one with parameters, has a line of its own, so that the cells stay in place.
    return f"{name}\n{columns('', cells, name_width=_NAME_WIDTH, cell_width=width)}"


def title_of(measure: Figure) -> str:
    """The name of a measure with its cut, for people: `NDCG@10`."""
    return f"{measure.title}{'' if measure.k is None else f'@{measure.k}'}"


def figure_of(summary: MeasureSummary, measure: Figure) -> str:
    """The mean as people read it."""
    return ABSENT if summary.mean is None else _figure(summary.mean, measure)


def interval_of(summary: MeasureSummary, measure: Figure) -> str:
    """The 95 % interval of the mean."""
    if summary.low is None or summary.high is None:
        return ABSENT
    low, high = _figure(summary.low, measure), _figure(summary.high, measure)
    return f"{low.removesuffix('%')}–{high}"


def _mean(shown: Shown | None) -> str:
    return ABSENT if shown is None else figure_of(shown.summary, shown.measure)


def _interval(shown: Shown | None) -> str:
    return ABSENT if shown is None else interval_of(shown.summary, shown.measure)


def _figure(value: float, measure: Figure) -> str:
    return percent(value) if measure.family in PERCENT else f"{value:.3f}"


def denominator_of(summary: MeasureSummary) -> str:
    """How many queries a mean is over, and what became of the others."""
    words = f"{summary.n_scored} scored, {summary.n_undefined} undefined, {summary.n_failed} failed"
    return f"{words}, {summary.n_missing} missing (scored 0)" if summary.n_missing else words
