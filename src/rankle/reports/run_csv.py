"""Runs as CSV: a row a query, or a row a measure; every digit kept, and safe to open in a spreadsheet."""

import csv
import io
import re
from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import UnsetType

from rankle.core.run import QueryReport, RunReport
from rankle.reports.abstention import abstention_figures, abstention_reports
from rankle.reports.run_names import run_names

QUERY_COLUMNS: Final = (
    "run", "set", "method", "query_id", "query", "collection", "language", "tags", "status", "error",
    "n_relevant", "n_found", "first_relevant_rank", "lost_at", "n_results", "took_ms",
)  # fmt: skip
"""What stands before the measures in the table of queries."""
ABSTENTION_COLUMNS: Final = ("answerable", "abstained")
"""What stands behind them where a run has abstention."""
MEASURE_COLUMNS: Final = (
    "run", "set", "method", "measure", "mean", "low", "high", "n_scored", "n_undefined", "n_failed",
    "n_missing",
)  # fmt: skip
_BETWEEN: Final = "; "
_FORMULA: Final = re.compile(r"\s*[=+\-@＝＋－＠]")
"""What spreadsheets take for the beginning of a formula, behind white space too."""
_CONTROLS: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


def render_queries_csv(runs: Sequence[RunReport]) -> str:
    """A row for every query of every run, with a column for each measure that any of them has.

    An empty cell is a figure that the query does not have. `n_found` counts relevant targets within the
    largest k, `lost_at` says of the others where each was lost.
    """
    measures = list(dict.fromkeys(name for run in runs for name in run.measures))
    told = any(abstention_reports(runs))
    rows: list[Sequence[object]] = [(*QUERY_COLUMNS, *measures, *(ABSTENTION_COLUMNS if told else ()))]
    for run, name in zip(runs, run_names(runs), strict=True):
        for query in run.queries:
            scores = [query.scores.get(measure) for measure in measures]
            sides = [_truth(query.answerable), _truth(query.abstained)] if told else []
            rows.append((name, run.set.name, run.system.method, *_query_cells(query, run), *scores, *sides))
    return _table(rows)


def render_measures_csv(runs: Sequence[RunReport]) -> str:
    """A row for every measure of every run: mean, 95 % interval and how many queries they are over.

    Where a run has abstention, its shares follow, as `abstention_precision` and the like.
    """
    rows: list[Sequence[object]] = [MEASURE_COLUMNS]
    for run, name in zip(runs, run_names(runs), strict=True):
        for measure, one in run.measures.items():
            figures = (
                one.mean,
                one.low,
                one.high,
                one.n_scored,
                one.n_undefined,
                one.n_failed,
                one.n_missing,
            )
            rows.append((name, run.set.name, run.system.method, measure, *figures))
        for one_share in abstention_figures(run):
            share = one_share.share
            counts = (share.n_of, one_share.n_undefined, one_share.n_failed, 0)
            figures = (share.share, share.low, share.high, *counts)
            rows.append((name, run.set.name, run.system.method, one_share.name, *figures))
    return _table(rows)


def _query_cells(query: QueryReport, run: RunReport) -> tuple[object, ...]:
    relevant = [target for target in query.targets if target.relevant]
    k = run.k[-1]
    return (
        query.id,
        query.query,
        query.collection,
        query.language,
        _BETWEEN.join(query.tags),
        query.status,
        query.error,
        len(relevant),
        sum(target.rank is not None and target.rank <= k for target in relevant),
        query.first_relevant_rank,
        _BETWEEN.join(target.lost_at for target in relevant if target.lost_at is not None),
        len(query.results),
        None if query.reused_from else query.took_ms,  # another run took it
    )


def _truth(value: bool | UnsetType) -> str | None:
    return None if isinstance(value, UnsetType) else "true" if value else "false"


def _table(rows: Iterable[Sequence[object]]) -> str:
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerows([safe_cell(value) for value in row] for row in rows)
    return file.getvalue()


def safe_cell(value: object) -> object:
    """A cell that says what it is: numbers stay; text that a spreadsheet would run gets an apostrophe."""
    if not isinstance(value, str):
        return value
    text = _CONTROLS.sub("\N{REPLACEMENT CHARACTER}", value)
    return f"'{text}" if _FORMULA.match(text) and not _is_number(text) else text


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
