"""A run as JSON, members in the order of its types, and as a file that is whole or not there."""

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import msgspec

from rankle.core.errors import InputError
from rankle.core.run import RunReport, RunsReport
from rankle.formats.output import as_input_error, replace_file
from rankle.reports.json_text import json_text

_HEAD: Final = 64
_RECORD: Final = r'\s*\{{\s*"schema":\s*"rankle\.{}/\d+"'


def render_json(runs: Sequence[RunReport]) -> str:
    """One run as `rankle.run/1`, several as `rankle.runs/1`; indented, ending in a line break."""
    value = runs[0] if len(runs) == 1 else RunsReport(runs=list(runs))
    return json_text(value)


def parse_json(text: str | bytes) -> tuple[RunReport, ...]:
    """The runs that `render_json` wrote. Raises InputError on any other text."""
    try:
        value = msgspec.json.decode(text, type=RunReport | RunsReport)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise InputError(f"not a record of a run: {error}") from error
    return tuple(value.runs) if isinstance(value, RunsReport) else (value,)


def check_output(path: Path, *, inputs: Sequence[str | Path] = (), replaces_runs_only: bool = False) -> None:
    """Refuse a file that cannot be written or must not be, before anything is measured for it.

    inputs: files that are read, by any of their names; none of them is written over.
    replaces_runs_only: whether a file that is there already must be a record of a run, to be replaced.
    """
    with as_input_error(path):
        if any(_is_same(path, source) for source in inputs):
            raise InputError(
                f"{path} is the file that is read; --output names another file, such as run.json"
            )
        if replaces_runs_only:
            check_replaces(path, "(runs?|evals)", what="record of a run")
        if path.is_dir():
            raise InputError(f"{path} is a folder; --output names a file, such as {path / 'run.json'}")
        if not path.parent.is_dir():
            raise InputError(f"no such folder: {path.parent}; make it first, or write elsewhere")
        if (path.is_file() or not path.exists()) and not os.access(path.parent, os.W_OK):
            raise InputError(f"no permission to write into {path.parent}")


def check_replaces(path: Path, kind: str, *, what: str) -> None:
    """Refuse a file that is there already, unless it is empty or a record of a kind, such as `compare`.

    kind: as a pattern. what: the kind in words that fit behind "is no".
    """
    if path.is_file() and not _is_record(path, kind):
        raise InputError(
            f"{path} is there already and is no {what}, so it is not written over; "
            "--output names another file, or delete this one first"
        )


def _is_same(path: Path, source: str | Path) -> bool:
    return path.exists() and Path(source).exists() and path.samefile(source)


def _is_record(path: Path, kind: str) -> bool:
    """Whether a file is empty, as `mktemp` leaves it, or begins as our records of a kind do."""
    with path.open("rb") as file:
        head = file.read(_HEAD)
    return not head.strip() or re.match(_RECORD.format(kind).encode(), head) is not None


def write_json(path: Path, runs: Sequence[RunReport]) -> None:
    """Write to a file beside it and rename, so that a reader never meets half a record; permissions stay.

    Raises InputError where it cannot be written.
    """
    write_text(path, render_json(runs))


def write_text(path: Path, text: str) -> None:
    """`write_json` of a text that is made already."""
    check_output(path)
    with as_input_error(path):
        replace_file(path, text.encode())
