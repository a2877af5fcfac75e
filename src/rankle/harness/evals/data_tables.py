"""Rows of tables of Polars, pandas and Arrow, which are known by what they offer."""

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final

from rankle.core.errors import BadLinesError, InputError
from rankle.harness.evals.rows import RawRow

_OF_TABLES: Final = ("columns", "to_pylist", "__arrow_c_stream__")
"""Members of classes whose objects hold columns."""
_NOTHING: Final = ("NAType", "NaTType")
"""Classes of what pandas writes where a cell is empty, beside the float that is no number."""


def is_table(given: Any) -> bool:
    """Whether it is a table, or a stream of batches of one. A single column is no table."""
    kind = type(given)  # asking a lazy frame itself would make it look for its columns
    return kind.__name__ != "Series" and any(hasattr(kind, name) for name in _OF_TABLES)


def table_rows(table: Any, *, said: str) -> list[RawRow]:
    """A row for each of a table; of one without a column `input`, those of an eval set.

    said: what the table is called in errors. Raises InputError on a table of another kind and on columns of
    one name, BadLinesError on rows of an eval set that are none.
    """
    if hasattr(table, "collect_schema") and hasattr(table, "collect"):  # a lazy frame of Polars
        table = table.collect()
    _check_columns(table, said=said)
    records = [
        {str(name): _cell(value) for name, value in record.items()} for record in _records(table, said=said)
    ]
    if records and "input" not in records[0]:
        from rankle.harness.evals.set_rows import check_queries, rows_of_records

        check_queries(records[0], said=said)
        stated = [{name: value for name, value in record.items() if value is not None} for record in records]
        with telling_faults_of(said):
            return [RawRow(row) for row in rows_of_records(stated)]
    return [RawRow(record) for record in records]


@contextmanager
def telling_faults_of(source: str) -> Iterator[None]:
    """Names what has faults as reports do."""
    try:
        yield
    except BadLinesError as error:
        raise BadLinesError(path=source, faults=error.faults) from error


def _records(table: Any, *, said: str) -> Sequence[Mapping[Any, Any]]:
    found: Sequence[Mapping[Any, Any]]
    if hasattr(table, "to_dicts"):  # Polars
        found = table.to_dicts()
    elif hasattr(table, "to_pylist"):  # Arrow
        found = table.to_pylist(maps_as_pydicts="strict")
    elif hasattr(table, "to_dict"):  # pandas
        found = table.to_dict("records")
    elif hasattr(table, "__arrow_c_stream__"):  # a reader of batches, or a table of any other package
        import polars as pl

        found = pl.DataFrame(table).to_dicts()
    else:
        raise InputError(f"{said}: a table must be of Polars, pandas or Arrow, got a {type(table).__name__}")
    if not all(isinstance(record, Mapping) for record in found):
        raise InputError(f"{said} must be a table with named columns, got a {type(table).__name__} of values")
    return found


def _check_columns(table: Any, *, said: str) -> None:
    """One of two columns of a name would be lost without a word."""
    named = getattr(table, "column_names", None)
    names = list(map(str, getattr(table, "columns", ()) if named is None else named))
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InputError(f'{said} has two columns "{twice}"; give each a name of its own')


def _cell(value: Any) -> Any:
    """The value as JSON has it: pandas keeps lists as arrays of NumPy, and has several kinds of nothing."""
    if hasattr(value, "tolist") and hasattr(value, "dtype"):
        value = value.tolist()
    if isinstance(value, list):
        return [_cell(one) for one in value]
    if isinstance(value, dict):
        return {name: _cell(one) for name, one in value.items()}
    is_nothing = type(value).__name__ in _NOTHING or (isinstance(value, float) and math.isnan(value))
    return None if is_nothing else value
