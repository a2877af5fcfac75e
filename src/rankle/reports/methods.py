"""Several methods on one set for people at a terminal: one table, what differs, what each failed on."""

from collections.abc import Sequence
from typing import Final

from rankle.core.run import RunReport
from rankle.metrics.figure import Figure, ranks, read_figure
from rankle.reports.abstention import abstention_rows, note_lines_of
from rankle.reports.differences import difference_lines, main_measure
from rankle.reports.funnel import counted, fate_words, stage_lines
from rankle.reports.header import header_lines, n_label_notices, note_lines, system_words
from rankle.reports.latency import batch_lines, milliseconds
from rankle.reports.layout import WIDTH, columns, one_line, wrapped
from rankle.reports.moves import worse_lines
from rankle.reports.run_names import run_names
from rankle.reports.shortening import shortened_apart
from rankle.reports.table import ABSENT, denominator_of, figure_of, interval_of, title_of
from rankle.reports.terminal import hint_lines

_NAME: Final = 19
_LEAST: Final = 11
_WITH_INTERVAL: Final = 14
_LONGEST: Final = 20
_FAILED: Final = 5
"""Failed queries that are named."""
_BEST: Final = "*"


def render_methods(
    runs: Sequence[RunReport],
    *,
    worst: int = 10,
    intervals: bool = False,
    funnel: bool = False,
    saved: bool = False,
    width: int = WIDTH,
) -> str:
    """Two or more runs over the same queries, side by side, ending in a line break.

    The highest figure of a row is marked, which claims nothing: what is more than chance stands below, as
    paired differences from the first method.
    worst: how many of the queries to show that a method answers worse than the first.
    The other arguments are those of `render_run`.
    """
    names = shortened_apart(run_names(runs), _LONGEST)
    methods = system_words(runs, names)
    shared = [notice for notice in runs[0].notices if all(notice in run.notices for run in runs)]
    n_first = n_label_notices(runs[0])
    table = _table(runs, names, intervals=intervals, width=width)
    blocks = [
        header_lines(runs[0], methods=methods, width=width),
        note_lines(shared[:n_first], width=width),
        table,
        [
            *_legend(table, width=width),
            *_denominators(runs, names, width=width),
            *batch_lines([run.latency_ms for run in runs], width=width),
            *note_lines(shared[n_first:], width=width),
            *note_lines(_own_notices(runs, names, shared), width=width),
        ],
        _abstention(runs, names, width=width),
        _failures(runs, names, width=width),
        difference_lines(runs, names, width=width) if _some_scored(runs) else [],
        *_worse(runs, names, worst=worst, width=width),
        *(_funnels(runs, names, width=width) if funnel else ()),
        hint_lines({"worst": False, "intervals": intervals, "funnel": funnel, "output": saved}, width=width),
    ]
    return "\n\n".join("\n".join(block) for block in blocks if block) + "\n"


def _table(runs: Sequence[RunReport], names: Sequence[str], *, intervals: bool, width: int) -> list[str]:
    rows: list[tuple[str, list[str]]] = []
    for name in runs[0].measures:
        measure = read_figure(name)
        if _is_shown(runs, measure):
            means = [figure_of(run.measures[name], measure) for run in runs]
            rows.append((title_of(measure), _marked(means, measure)))
            if intervals:
                rows.append(("  95% interval", [interval_of(run.measures[name], measure) for run in runs]))
    rows.append(("Latency p50", [milliseconds(run.latency_ms.p50) for run in runs]))
    rows.append(("Latency p95", [milliseconds(run.latency_ms.p95) for run in runs]))
    return side_by_side("Metric", names, rows, least=_WITH_INTERVAL if intervals else _LEAST, width=width)


def _legend(table: Sequence[str], *, width: int) -> list[str]:
    """What the mark means, where a row has one."""
    if not any(_BEST in line for line in table[1:]):
        return []
    return wrapped(f"{_BEST} highest of its row; whether by more than chance stands below.", width=width)


def _some_scored(runs: Sequence[RunReport]) -> bool:
    """Not so of a set of nothing but queries that nothing answers."""
    return any(summary.n_scored for run in runs for summary in run.measures.values())


def _abstention(runs: Sequence[RunReport], names: Sequence[str], *, width: int) -> list[str]:
    rows = abstention_rows(runs)
    if not rows:
        return []
    table = side_by_side("Abstention", names, rows, least=_WITH_INTERVAL, width=width)
    return [*table, "", *note_lines_of(runs, names, width=width)]


def side_by_side(
    corner: str,
    names: Sequence[str],
    rows: Sequence[tuple[str, Sequence[str]]],
    *,
    least: int,
    width: int,
) -> list[str]:
    """A table with a column a method; columns that do not fit go to a further table below."""
    cell = max(least, *(len(name) + 2 for name in names))
    per_table = max(1, (width - _NAME) // cell)
    lines: list[str] = []
    for start in range(0, len(names), per_table):
        part = slice(start, start + per_table)
        lines += [""] if lines else []
        lines.append(columns(corner, names[part], name_width=_NAME, cell_width=cell))
        lines.append("─" * min(width, _NAME + cell * len(names[part])))
        for title, cells in rows:
            if len(title) >= _NAME:  # has a line of its own, so that the cells stay in place
                lines.append(title)
            lead = "" if len(title) >= _NAME else title
            lines.append(columns(lead, cells[part], name_width=_NAME, cell_width=cell))
    return lines


def _is_shown(runs: Sequence[RunReport], measure: Figure) -> bool:
    """`Judged` only where some results are unjudged."""
    means = [run.measures[str(measure)].mean for run in runs]
    return measure.family != "Judged" or any(mean is None or mean < 1 for mean in means)


def _marked(figures: list[str], measure: Figure) -> list[str]:
    """With a mark behind the highest, by what is printed: whoever looks alike is marked alike."""
    known = [figure for figure in figures if figure != ABSENT]
    if not ranks(measure) or len(set(known)) < 2:
        return figures
    best = max(known, key=lambda figure: float(figure.removesuffix("%")))
    return [figure + _BEST if figure == best else figure for figure in figures]


def _denominators(runs: Sequence[RunReport], names: Sequence[str], *, width: int) -> list[str]:
    """How many queries the means are over: one line where all are alike, else one for each kind."""
    measures = list(runs[0].measures)
    every = {denominator_of(run.measures[measure]) for run in runs for measure in measures}
    if len(every) == 1:
        return wrapped(f"Queries: {next(iter(every))}", rest="  ", width=width)
    lines = wrapped(
        "The means are over different queries; each difference below is over common ones.", width=width
    )
    for run, name in zip(runs, names, strict=True):
        usual = denominator_of(run.measures[measures[0]])
        lines += wrapped(f"Queries with {name}: {usual}", rest="  ", width=width)
        for measure in measures[1:]:
            own = denominator_of(run.measures[measure])
            if own != usual:
                lines += wrapped(f"{measure}: {own}", first="  ", rest="    ", width=width)
    return lines


def _own_notices(runs: Sequence[RunReport], names: Sequence[str], shared: Sequence[str]) -> list[str]:
    return [
        f"{name}: {notice}"
        for run, name in zip(runs, names, strict=True)
        for notice in run.notices
        if notice not in shared
    ]


def _failures(runs: Sequence[RunReport], names: Sequence[str], *, width: int) -> list[str]:
    lines: list[str] = []
    for run, name in zip(runs, names, strict=True):
        failed = [query for query in run.queries if query.status == "failed"]
        if not failed:
            continue
        ids = ", ".join(one_line(query.id, width=24) for query in failed[:_FAILED])
        more = f" and {len(failed) - _FAILED} more" if len(failed) > _FAILED else ""
        text = (
            f"{name} failed on {len(failed)} of {counted(len(run.queries), 'query', 'queries')}: {ids}{more}"
        )
        first = one_line(failed[0].error or "")
        lines += wrapped(f"{text}. The first: {first}", rest="  ", width=width, breaking=True)
    return lines


def _worse(runs: Sequence[RunReport], names: Sequence[str], *, worst: int, width: int) -> list[list[str]]:
    measure = main_measure(runs[0])
    if measure is None:
        return []
    return [
        worse_lines(runs[0], run, names=(names[0], name), measure=measure, worst=worst, width=width)
        for run, name in zip(runs[1:], names[1:], strict=True)
    ]


def _funnels(runs: Sequence[RunReport], names: Sequence[str], *, width: int) -> list[list[str]]:
    """What became of the relevant targets, method beside method; then the stages of each."""
    funnels = [run.funnel for run in runs if run.funnel is not None]
    if len(funnels) < len(runs):
        return []
    rows = [("relevant targets", [f"{funnel.n_targets:,}" for funnel in funnels])]
    by_method = [{fate.fate: fate.n_targets for fate in funnel.fates} for funnel in funnels]
    for fate in _all_fates([list(fates) for fates in by_method]):
        title = fate_words(fate, k=runs[0].k[-1])
        rows.append((title, [f"{fates.get(fate, 0):,}" for fates in by_method]))
    blocks = [
        [
            *wrapped("Funnel: where the relevant targets of the answered queries stand", width=width),
            *side_by_side("Fate", names, rows, least=_LEAST, width=width),
        ]
    ]
    for name, funnel in zip(names, funnels, strict=True):
        if funnel.n_targets:
            blocks.append([f"Stages of {name}", *stage_lines(funnel, width=width)])
    return blocks


def _all_fates(orders: Sequence[Sequence[str]]) -> list[str]:
    """Every fate once, each behind those that stand before it in some method."""
    merged: list[str] = []
    for order in orders:
        place = 0
        for fate in order:
            if fate in merged:
                place = merged.index(fate) + 1
            else:
                merged.insert(place, fate)
                place += 1
    return merged
