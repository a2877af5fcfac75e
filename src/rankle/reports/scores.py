"""Scores of recorded runs, side by side for people, or as trec_eval prints them."""

from collections.abc import Sequence
from typing import Final

from rankle.core.run import MeasureSummary, RunReport
from rankle.metrics.figure import ScorerName, read_figure
from rankle.metrics.measure import Measure
from rankle.reports.layout import WIDTH, one_line, pad, wrapped
from rankle.reports.shortening import shortened

_ABSENT: Final = "—"
_RUN_WIDTH: Final = 12
_LONGEST_RUN: Final = 24
_TREC_NAMES: Final = {
    "AP": "map", "RR": "recip_rank", "Bpref": "bpref", "infAP": "infAP", "Rprec": "Rprec", "nDCG": "ndcg",
    "SetP": "set_P", "SetR": "set_recall", "F1": "set_F",
}  # fmt: skip
_TREC_CUT: Final = {"AP": "map_cut", "nDCG": "ndcg_cut", "P": "P", "R": "recall", "Hit": "success"}


def render_scores(runs: Sequence[RunReport], *, per_query: bool = False, width: int = WIDTH) -> str:
    """One column a run and one row a measure, within `width` cells; then what the means are over.

    per_query: a table of each run's queries, tab-separated, which ends with the means (`all`) and the
        number of queries that each is over (`n_scored`).
    """
    if per_query:
        return "".join(_query_lines(run, show_run=len(runs) > 1) for run in runs)
    described = runs[0]
    lines = [
        one_line(f"Scores: {described.set.name} ({_queries(described.set.n_queries)})", width=width),
        f"Ties: {described.ties}",
        "",
        *_table(runs, line_width=width),
        "",
    ]
    for run, title in zip(runs, _titles(runs), strict=True):
        lines += _footnotes(run, prefix=f"{title}: " if len(runs) > 1 else "", width=width)
    return "\n".join(lines) + "\n"


def render_trec(runs: Sequence[RunReport], *, per_query: bool = False) -> str:
    """The lines that trec_eval prints: measure, query or `all`, value with four digits.

    Measures that trec_eval does not have keep our names.
    """
    lines = []
    for run in runs:
        if per_query:
            for query in run.queries:
                lines += [_trec_line(name, query.id, value) for name, value in query.scores.items()]
        lines.append(f"{'runid':<22}\tall\t{one_line(run.system.name)}")
        lines.append(f"{'num_q':<22}\tall\t{len(run.queries)}")
        for name, summary in run.measures.items():
            lines.append(_trec_line(name, "all", summary.mean))
    return "\n".join(lines) + "\n"


def render_notices(runs: Sequence[RunReport]) -> str:
    """What a reader of the figures must know, a line each, for beside a table that programs read."""
    titles = _titles(runs)
    lines = []
    for run, title in zip(runs, titles, strict=True):
        prefix = f"{title}: " if len(runs) > 1 else ""
        lines += [one_line(f"{prefix}{notice}") + "\n" for notice in run.notices]
    return "".join(lines)


def trec_name(name: str) -> str:
    """trec_eval's name of a measure; our own where trec_eval has no such measure."""
    measure = read_figure(name)
    if isinstance(measure, ScorerName) or measure != Measure(measure.family, k=measure.k):
        return name
    if measure.k is None:
        return _TREC_NAMES.get(measure.family, name)
    return f"{_TREC_CUT[measure.family]}_{measure.k}" if measure.family in _TREC_CUT else name


def _trec_line(name: str, query: str, value: float | None) -> str:
    return f"{trec_name(name):<22}\t{query}\t{'nan' if value is None else f'{value:.4f}'}"


def _table(runs: Sequence[RunReport], *, line_width: int) -> list[str]:
    names = list(runs[0].measures)
    name_width = max(16, *(len(name) + 2 for name in names))
    titles = _titles(runs)
    width = max(_RUN_WIDTH, *(len(title) + 2 for title in titles))
    per_table = max(1, (line_width - name_width) // width)
    lines: list[str] = []
    for start in range(0, len(runs), per_table):
        part = range(start, min(start + per_table, len(runs)))
        lines += [""] if lines else []
        lines.append((pad("Measure", name_width) + "".join(pad(titles[i], width) for i in part)).rstrip())
        lines.append("─" * min(line_width, name_width + width * len(part)))
        for name in names:
            cells = [pad(_figure(runs[i].measures[name]), width) for i in part]
            lines.append((pad(name, name_width) + "".join(cells)).rstrip())
    return lines


def _titles(runs: Sequence[RunReport]) -> list[str]:
    """The names of runs, cut in the middle; numbered where that leaves two of them alike."""
    titles = [shortened(run.system.name, _LONGEST_RUN) for run in runs]
    alike = {title for title in titles if titles.count(title) > 1}
    return [
        f"{place}:{shortened(title, _LONGEST_RUN - 3)}" if title in alike else title
        for place, title in enumerate(titles, start=1)
    ]


def _figure(summary: MeasureSummary) -> str:
    return _ABSENT if summary.mean is None else f"{summary.mean:.4f}"


def _footnotes(run: RunReport, *, prefix: str, width: int) -> list[str]:
    """How many queries the means are over, one line for all measures that share it, and the notices."""
    by_count: dict[str, list[str]] = {}
    for name, summary in run.measures.items():
        by_count.setdefault(_counts(summary), []).append(name)
    lines: list[str] = []
    for counts, names in by_count.items():
        of = "" if len(by_count) == 1 else f"{', '.join(names)}: "
        lines += wrapped(f"{prefix}{of}{counts}", rest="  ", width=width)
    for notice in run.notices:
        lines += wrapped(one_line(f"{prefix}{notice}"), rest="  ", width=width, breaking=True)
    return lines


def _counts(summary: MeasureSummary) -> str:
    parts = [f"mean of {_queries(summary.n_scored)}"]
    if summary.n_missing:
        parts.append(f"{summary.n_missing} missing from the run, scored 0")
    if summary.n_undefined:
        parts.append(f"{summary.n_undefined} undefined, left out")
    return ", ".join(parts)


def _queries(number: int) -> str:
    return f"{number} {'query' if number == 1 else 'queries'}"


def _query_lines(run: RunReport, *, show_run: bool) -> str:
    names = list(run.measures)
    head = ["run"] * show_run + ["query", *names]
    rows = [head]
    for query in run.queries:
        cells = [f"{query.scores[name]:.4f}" if name in query.scores else _ABSENT for name in names]
        rows.append([one_line(run.system.name)] * show_run + [one_line(query.id), *cells])
    name_of_run = [one_line(run.system.name)] * show_run
    means = [run.measures[name] for name in names]
    rows.append([*name_of_run, "all", *map(_figure, means)])
    rows.append([*name_of_run, "n_scored", *(str(mean.n_scored) for mean in means)])
    return "".join("\t".join(row) + "\n" for row in rows)
