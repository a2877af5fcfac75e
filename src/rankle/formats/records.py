"""JSON records as a table: one object a row, its members the columns."""

import json
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from rankle.core.errors import BadLinesError, Fault
from rankle.formats.column_names import Role, column_roles
from rankle.formats.json_text import shown
from rankle.formats.jsonl import RawRecord, RawRecords
from rankle.formats.kinds import ReadOptions
from rankle.formats.table_rows import Cells, Table
from rankle.formats.trec_lines import passed_over

_JUDGED: Final = ("relevant", "relevantDocs", "judgments", "answerable")


def states_judgments(records: Sequence[RawRecord]) -> bool:
    """Whether records are of an eval set: queries that name their judgments, one record a query."""
    return any(
        isinstance(record.value, dict) and any(key in record.value for key in _JUDGED) for record in records
    )


def records_table(raw: RawRecords, options: ReadOptions, *, path: str) -> Table:
    """Raises BadLinesError where the file is not JSON throughout, or a record is no object."""
    faults = list(raw.faults)
    faults += [
        Fault(record.line, f"must be an object, got {shown(record.value)}")
        for record in raw.records
        if not isinstance(record.value, dict)
    ]
    if faults:
        raise BadLinesError(path=path, faults=sorted(faults, key=lambda fault: fault.line or 0))
    names = list(dict.fromkeys(name for record in raw.records for name in record.value))
    columns = tuple(column([record.value.get(name) for record in raw.records]) for name in names)
    roles = column_roles(names, path=path, chosen=options.columns)
    lines = [record.line for record in raw.records]
    notices = tuple(passed_over(n_comments=0, n_blank=raw.n_blank))
    return Table(path, tuple(names), columns, lines, roles, notices)


def column(values: Sequence[Any]) -> Cells:
    """Cells of a column: numbers where all are and some have fractions, else text; absent ones are empty."""
    kinds = set(map(type, values))
    if float in kinds and kinds <= {int, float}:
        return np.array(values, dtype=np.float64)
    return [_text(value) for value in values]


def _text(value: object) -> str:
    if isinstance(value, str):
        return value
    return "" if value is None else json.dumps(value, ensure_ascii=False, default=str)


def role_table(path: str, cells: dict[Role, Cells], *, lines: Sequence[int]) -> Table:
    """A table of these columns and no others."""
    names = tuple(role.value for role in cells)
    return Table(path, names, tuple(cells.values()), lines, {role: n for n, role in enumerate(cells)})
