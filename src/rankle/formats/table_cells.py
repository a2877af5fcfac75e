"""Judgments, results and eval sets as columns, and columns as CSV, TSV or Parquet."""

import csv
import io
import json
from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

import numpy as np

from rankle.core.errors import InputError
from rankle.core.evalset import EvalSet, Label
from rankle.formats.column_names import Role
from rankle.formats.json_text import shown
from rankle.metrics.qrels import Qrels
from rankle.metrics.run import Run

Columns = Mapping[Role, Sequence[Any]]

NAMES: Final[Mapping[Role, str]] = {
    Role.ID: "query_id",
    Role.QUERY: "query",
    Role.TARGET: "doc_id",
    Role.GRADE: "relevance",
    Role.QUOTE: "quote",
    Role.START: "start",
    Role.END: "end",
    Role.OCCURRENCE: "occurrence",
    Role.SCORE: "score",
    Role.ANSWER: "answer",
    Role.TOPICS: "topics",
    Role.TAGS: "tags",
    Role.LANGUAGE: "language",
    Role.COLLECTION: "collection",
    Role.NOTE: "note",
}
"""Headers that are written, which `rankle` and most others read."""
BEIR_NAMES: Final[Mapping[Role, str]] = {
    Role.ID: "query-id",
    Role.TARGET: "corpus-id",
    Role.GRADE: "score",
}


def qrels_columns(qrels: Qrels) -> Columns:
    queries = np.repeat(np.array(qrels.queries, dtype=object), np.diff(qrels.offsets)).tolist()
    return {Role.ID: queries, Role.TARGET: qrels.names, Role.GRADE: qrels.grades.tolist()}


def run_columns(run: Run) -> Columns:
    queries = np.repeat(np.array(run.queries, dtype=object), np.diff(run.offsets)).tolist()
    return {Role.ID: queries, Role.TARGET: list(run.targets), Role.SCORE: run.scores.tolist()}


def set_columns(eval_set: EvalSet) -> Columns:
    """One row a label, and one without a target for a query without labels; no column that is all empty."""
    rows = [(query, label) for query in eval_set.queries for label in query.labels or (None,)]
    cells: dict[Role, list[Any]] = {
        Role.ID: [query.id for query, _ in rows],
        Role.QUERY: [query.text for query, _ in rows],
        Role.TARGET: [label.name if label else "" for _, label in rows],
        Role.GRADE: [label.grade if label else 0 for _, label in rows],
        **_passages([label for _, label in rows]),
        Role.ANSWER: [query.answer or "" for query, _ in rows],
        Role.TOPICS: [_listed(query.topics) for query, _ in rows],
        Role.TAGS: [_listed(query.tags) for query, _ in rows],
        Role.LANGUAGE: [query.language or "" for query, _ in rows],
        Role.COLLECTION: [query.collection or "" for query, _ in rows],
        Role.NOTE: [query.note or "" for query, _ in rows],
    }
    always = (Role.ID, Role.QUERY, Role.TARGET, Role.GRADE)
    return {role: column for role, column in cells.items() if role in always or any(column)}


def _passages(labels: Sequence[Label | None]) -> dict[Role, list[Any]]:
    spans = [label.span.to_json() if label and label.span else {} for label in labels]
    roles = (Role.QUOTE, Role.START, Role.END, Role.OCCURRENCE)
    return {role: [str(span.get(role.value, "")) for span in spans] for role in roles}


def _listed(names: Sequence[str]) -> str:
    return json.dumps(list(names), ensure_ascii=False) if names else ""


def render_table(columns: Columns, separator: str, *, names: Mapping[Role, str] = NAMES) -> str:
    """A header and the rows, quoted where a cell needs it; scores to the last digit.

    Raises InputError where a cell would not be read as it is: white space at its ends, or a carriage return.
    """
    for role, column in columns.items():
        for cell in column:
            if isinstance(cell, str) and (cell != cell.strip() or "\r" in cell):
                raise InputError(
                    f"the {role} {shown(cell)} would lose its white space in a table; write JSON instead"
                )
    first = next(iter(columns.values()))
    hashed = any(isinstance(cell, str) and cell.startswith("#") for cell in first)
    buffer = io.StringIO()
    quoting: Literal[0, 1] = csv.QUOTE_ALL if hashed else csv.QUOTE_MINIMAL  # a quoted # begins no comment
    writer = csv.writer(buffer, delimiter=separator, lineterminator="\n", quoting=quoting)
    writer.writerow([names[role] for role in columns])
    writer.writerows(zip(*(map(_cell, column) for column in columns.values()), strict=True))
    return buffer.getvalue()


def _cell(value: object) -> str:
    return repr(value) if isinstance(value, float) else str(value)


def render_parquet(columns: Columns, *, names: Mapping[Role, str] = NAMES) -> bytes:
    """The bytes of a file with these columns: text, whole numbers and fractions as they are."""
    import polars as pl

    buffer = io.BytesIO()
    frame = pl.DataFrame(
        {names[role]: pl.Series(list(column), dtype=_dtype(role)) for role, column in columns.items()}
    )
    frame.write_parquet(buffer)
    return buffer.getvalue()


def _dtype(role: Role) -> Any:
    import polars as pl

    return {Role.GRADE: pl.Int64, Role.SCORE: pl.Float64}.get(role, pl.String)
