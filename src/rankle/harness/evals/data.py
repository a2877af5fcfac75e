"""Loads the data of an eval, whatever it is given as."""

import inspect
import math
import os
from collections.abc import AsyncIterable, Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from rankle.core.errors import BadLinesError, InputError, nearest
from rankle.harness.evals.rows import NumberedRow, RawRow, RawRows, read_rows
from rankle.harness.evals.suite import Suite

ROWS: Final = "rows"
"""What data is called that is from no file."""
_TABLE_WAYS: Final[tuple[tuple[str, Callable[[Any], Any]], ...]] = (
    ("to_dicts", lambda table: table.to_dicts()),  # Polars
    ("to_pylist", lambda table: table.to_pylist()),  # Arrow
    ("to_dict", lambda table: table.to_dict("records")),  # pandas
)


@dataclass(frozen=True, slots=True)
class LoadedData:
    """The rows of an eval."""

    rows: tuple[NumberedRow, ...]
    source: str
    """A path as it is shown, or ROWS."""


def given_data(data: Any) -> Any:
    """What the data is, after a function was called and a generator gone through; or what is to be awaited
    for that. Raises whatever the user's code does."""
    if callable(data) and not _is_table(data):
        data = data()
    if inspect.isgenerator(data):
        return list(data)
    return _awaited(data) if inspect.isawaitable(data) or isinstance(data, AsyncIterable) else data


async def _awaited(data: Any) -> Any:
    """The data, after all that it is awaited for; a stream is read to its end."""
    if inspect.isawaitable(data):
        data = await data
    if isinstance(data, AsyncIterable):
        return [row async for row in data]
    return list(data) if inspect.isgenerator(data) else data


def loaded_data(given: Any, *, suite: Suite, root: Path) -> LoadedData:
    """All rows of an eval. given: what its data came to.

    root: the project's folder. A path is looked for in the folder of the eval's file, and then there.
    Raises InputError where there is nothing that could be read, or no row although that is not allowed;
    BadLinesError with all faults of the rows.
    """
    if isinstance(given, str | os.PathLike):
        path = find_data(Path(given), suite=suite, root=root)
        source = _shown(path, root)
        raw = _read_file(path, source)
    else:
        source = ROWS
        raw = RawRows(_raw_rows(given, said=f'data of eval "{suite.name}"'))
    rows = read_rows(raw, source=f'data of eval "{suite.name}"' if source == ROWS else source)
    if not rows and not suite.allow_empty:
        raise InputError(
            f'the data of eval "{suite.name}" holds no row. Where that is fine, say allow_empty=True'
        )
    return LoadedData(tuple(rows), source)


def find_data(path: Path, *, suite: Suite, root: Path) -> Path:
    """Where a path of an eval leads. Raises InputError where it leads nowhere, with the nearest name."""
    beside = Path(suite.place.file).parent if suite.place else Path.cwd()
    candidates = [folder / path.expanduser() for folder in dict.fromkeys((beside, root))]
    for candidate in candidates:
        if candidate.exists():
            return candidate
    near = [found for one in candidates for found in _near(one)]
    meant = f"; did you mean {_shown(near[0], root)}?" if near else ""
    places = " or ".join(_shown(candidate, root) for candidate in candidates)
    raise InputError(f'eval "{suite.name}": there is no {places}{meant}')


def _near(path: Path) -> tuple[Path, ...]:
    try:
        names = [entry.name for entry in path.parent.iterdir()]
    except OSError:
        return ()
    return tuple(path.parent / name for name in nearest(path.name, names, limit=1))


def _shown(path: Path, root: Path) -> str:
    """Relative to the project's folder where it is below; without the `..` that led there."""
    whole = Path(os.path.normpath(path.absolute()))
    return whole.relative_to(root).as_posix() if whole.is_relative_to(root) else str(whole)


def _read_file(path: Path, source: str) -> RawRows:
    from rankle.harness.evals.data_files import read_data_file

    with telling_faults_of(source):
        return read_data_file(path)


@contextmanager
def telling_faults_of(source: str) -> Iterator[None]:
    """Names what has faults as reports do."""
    try:
        yield
    except BadLinesError as error:
        raise BadLinesError(path=source, faults=error.faults) from error


def _raw_rows(given: Any, *, said: str) -> list[RawRow]:
    if _is_table(given):
        return _table_rows(given, said=said)
    if isinstance(given, str | bytes | Mapping) or not isinstance(given, Iterable):
        raise InputError(
            f"{said} must be a list of rows, a function that gives them, a path or a table, got {given!r:.80}"
        )
    return [RawRow(value) for value in given]


def _is_table(given: Any) -> bool:
    kind = type(given)  # asking a lazy frame itself would make it look for its columns
    return any(hasattr(kind, name) for name in ("columns", "to_pylist"))


def _table_rows(table: Any, *, said: str) -> list[RawRow]:
    if hasattr(table, "collect_schema") and hasattr(table, "collect"):  # a lazy frame of Polars
        table = table.collect()
    way = next((read for name, read in _TABLE_WAYS if hasattr(table, name)), None)
    if way is None:
        raise InputError(f"a table must be of Polars, pandas or Arrow, got a {type(table).__name__}")
    records = [{str(name): _cell(value) for name, value in record.items()} for record in way(table)]
    if records and "input" not in records[0]:
        from rankle.harness.evals.set_rows import check_queries, rows_of_records

        check_queries(records[0], said=said)
        stated = [{name: value for name, value in record.items() if value is not None} for record in records]
        with telling_faults_of(said):
            return [RawRow(row) for row in rows_of_records(stated)]
    return [RawRow(record) for record in records]


def _cell(value: Any) -> Any:
    """The value, or None for what pandas writes where a cell is empty."""
    return None if isinstance(value, float) and math.isnan(value) else value
