"""Loads the data of an eval, whatever it is given as."""

import inspect
import os
from collections.abc import AsyncIterable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from rankle.core.errors import InputError, nearest
from rankle.harness.evals.data_tables import is_table, table_rows, telling_faults_of
from rankle.harness.evals.rows import NumberedRow, RawRow, RawRows, read_rows
from rankle.harness.evals.suite import Suite

ROWS: Final = "rows"
"""What data is called that is from no file."""


@dataclass(frozen=True, slots=True)
class LoadedData:
    """The rows of an eval."""

    rows: tuple[NumberedRow, ...]
    source: str
    """A path as it is shown, or ROWS."""


def given_data(data: Any) -> Any:
    """What the data is, after a function was called and a generator gone through; or what is to be awaited
    for that. Raises whatever the user's code does."""
    if callable(data) and not is_table(data):
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


def _raw_rows(given: Any, *, said: str) -> list[RawRow]:
    if is_table(given):
        return table_rows(given, said=said)
    if isinstance(given, str | bytes | Mapping) or not isinstance(given, Iterable):
        raise InputError(
            f"{said} must be a list of rows, a function that gives them, a path or a table, got {given!r:.80}"
        )
    return [RawRow(value) for value in given]
