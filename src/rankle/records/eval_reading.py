"""Reads evals from a store: whole runs with their cases one after another, and the figures of one eval."""

import sqlite3
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from rankle.core.errors import CannotMeasureError, InputError, RecordError
from rankle.core.evals import EvalsRun, EvalsSummary, EvalSummary
from rankle.core.product import NAME
from rankle.core.run import RunReport
from rankle.core.trials import CaseReport, TrialReport
from rankle.records.database import Database
from rankle.records.eval_cases import CaseFigures, StoredCase, case_report
from rankle.records.finding import check_complete
from rankle.records.json_packing import unpack_json
from rankle.records.run_info import RunInfo
from rankle.records.run_rows import read_runs
from rankle.records.units import Row


@dataclass(frozen=True, slots=True)
class EvalFigures:
    """What the cases of one complete eval came to."""

    id: str
    created: str
    summary: EvalSummary
    cases: tuple[CaseFigures, ...]


def load_evals(connection: sqlite3.Connection, path: Path, rows: Sequence[Row], *, ref: str) -> EvalsRun:
    """The run that these evals are of, with them alone where they are not all of it.

    rows: what `ref` was found to mean. Raises InputError where it is no run of evals, CannotMeasureError
    where it did not come to its end.
    """
    first = check_evals(rows, ref=ref)
    for _, info in rows:
        check_complete(info)
    stored = connection.execute(
        "SELECT summary, evals FROM eval_runs WHERE family = ? AND summary IS NOT NULL", (first.family,)
    ).fetchone()
    if stored is None:
        raise CannotMeasureError(
            f"run {first.family} was interrupted before its last eval. Go on with it: call `{NAME} run` as "
            "before, with --resume"
        )
    summaries = {info.id: _summary(connection, path, number, info.id) for number, info in rows}
    listed: list[str | EvalSummary] = unpack_json(stored[1], list[str | EvalSummary])
    is_whole = "#" not in ref and len(rows) == sum(isinstance(one, str) for one in listed)
    evals = tuple(
        summaries[one] if isinstance(one, str) else one
        for one in listed
        if (one in summaries if isinstance(one, str) else is_whole)
    )
    numbers = {info.id: number for number, info in rows}

    def read_cases(eval_id: str) -> Iterator[CaseReport]:
        if eval_id not in numbers:
            return iter(())
        return _cases(path, numbers[eval_id], eval_id)

    return EvalsRun(
        unpack_json(stored[0], EvalsSummary), evals, read_cases, _StoredCases(path, MappingProxyType(numbers))
    )


@dataclass(frozen=True, slots=True)
class _StoredCases:
    """Implements `core.evals.CasesByPlace`."""

    path: Path
    numbers: Mapping[str, int]
    """Id of an eval to that of its row."""

    def scores(self, eval_id: str) -> Mapping[int, float | None]:
        with closing(Database(self.path)) as database, database.reading() as connection:
            blob = _blobs(connection, self.path, self.numbers[eval_id], eval_id)[1]
        return {place: case.score for place, case in enumerate(unpack_json(blob, list[CaseFigures]))}

    def read(self, eval_id: str, places: Collection[int]) -> Iterator[CaseReport]:
        return _cases(self.path, self.numbers[eval_id], eval_id, places)


def check_evals(rows: Sequence[Row], *, ref: str) -> RunInfo:
    """The first of what a name means. Raises InputError where that is a run of search."""
    first = rows[0][1]
    if first.eval is None:
        raise InputError(f'"{ref}" is a run of search, not of evals; see it with: {NAME} show {first.id}')
    return first


def newest_figures(
    connection: sqlite3.Connection, path: Path, key: str, *, other_than: str
) -> EvalFigures | None:
    """The newest complete run of an eval that left no case out; None where there is none.

    key: `path::name[variant]`. other_than: a family that does not count.
    """
    rows = read_runs(
        connection,
        path,
        where="state = 'complete' AND family <> ? AND number IN "
        "(SELECT run FROM evals WHERE key = ? AND is_full)",
        values=(other_than, key),
    )
    row = next(rows, None)
    return None if row is None else read_figures(connection, path, row)


def read_report(blob: bytes) -> RunReport:
    """A stored eval as a measured run."""
    report: RunReport = unpack_json(blob, RunReport)
    return report


def read_figures(connection: sqlite3.Connection, path: Path, row: Row) -> EvalFigures:
    """The figures of one eval. Raises CannotMeasureError where it is not complete."""
    number, info = row
    check_complete(info)
    summary, cases = _blobs(connection, path, number, info.id)
    return EvalFigures(
        info.id,
        info.created,
        unpack_json(summary, EvalSummary),
        tuple(unpack_json(cases, list[CaseFigures])),
    )


def scores_by_scorer(figures: EvalFigures) -> Mapping[str, Mapping[str, float]]:
    """Scorer to case to its score."""
    found: dict[str, dict[str, float]] = {one.name: {} for one in figures.summary.scorers}
    for case in figures.cases:
        for scorer, score in case.scores.items():
            found.setdefault(scorer, {})[case.id] = score
    return found


def _summary(connection: sqlite3.Connection, path: Path, number: int, run: str) -> EvalSummary:
    summary: EvalSummary = unpack_json(_blobs(connection, path, number, run)[0], EvalSummary)
    return summary


def _blobs(connection: sqlite3.Connection, path: Path, number: int, run: str) -> tuple[bytes, bytes]:
    row = connection.execute("SELECT summary, figures FROM evals WHERE run = ?", (number,)).fetchone()
    if row is None or row[0] is None or row[1] is None:
        raise RecordError(f"the records {path} are damaged: run {run} has no summary")
    return row[0], row[1]


def _cases(path: Path, number: int, run: str, places: Collection[int] | None = None) -> Iterator[CaseReport]:
    """From a connection of its own, one case after another; those at `places` alone, where any are named."""
    database = Database(path)
    try:
        with database.reading() as connection:
            figures = unpack_json(_blobs(connection, path, number, run)[1], list[CaseFigures])
            contents = connection.execute(
                "SELECT position, content FROM eval_cases WHERE run = ? ORDER BY position", (number,)
            )
            for position, content in contents:
                if places is not None and position not in places:
                    continue
                trials = connection.execute(
                    "SELECT report FROM trials WHERE run = ? AND position = ? ORDER BY trial",
                    (number, position),
                )
                yield case_report(
                    unpack_json(content, StoredCase),
                    figures[position],
                    [unpack_json(blob, TrialReport) for (blob,) in trials],
                )
    finally:
        database.close()
