"""Adds a query to the end of a set that is JSON Lines or a JSON array, and leaves all else as it stands.

Only the end of the file is written, under a lock, so that two may add at once; what cannot be written whole
is taken back.
"""

import os
from pathlib import Path
from typing import IO, Final, NamedTuple

from rankle.core.errors import InputError
from rankle.core.evalset import EvalQuery, EvalSet
from rankle.formats.alone import opened_alone
from rankle.formats.eval_set import eval_set_of
from rankle.formats.json_array import parse_json_array
from rankle.formats.jsonl import parse_jsonl
from rankle.formats.kinds import ReadOptions
from rankle.formats.output import as_input_error
from rankle.formats.set_records import render_jsonl

_PACKED: Final = (b"\x1f\x8b", b"\x28\xb5\x2f\xfd")
_BOM: Final = b"\xef\xbb\xbf"
_ENDINGS: Final = (".jsonl", ".json")


class _End(NamedTuple):
    """The new end of a file."""

    kept: int
    """Bytes that stay."""
    tail: bytes


def append_query(path: Path, query: EvalQuery) -> None:
    """Adds the query; makes the file, which ends in `.jsonl` or `.json`, where there is none.

    Raises InputError where the file is of another form or cannot be written, BadLinesError where it has
    faults, or has the query's id already. Then it stands as it was.
    """
    if not path.exists():
        _create(path)
    with as_input_error(path), opened_alone(path, "r+b") as file:
        data = file.read()
        end = _new_end(path, data, query)
        try:
            _write(file, end)
        except OSError:
            _write(file, _End(end.kept, data[end.kept :]))
            raise


def _create(path: Path) -> None:
    if path.suffix not in _ENDINGS:
        raise InputError(f"the name {path.name} does not tell what to write; let it end in .jsonl or .json")
    if not path.parent.is_dir():
        raise InputError(f"no such folder: {path.parent}; make it first, or write elsewhere")
    with as_input_error(path):
        path.touch()


def _new_end(path: Path, data: bytes, query: EvalQuery) -> _End:
    record = render_jsonl(EvalSet(path.name, (query,))).rstrip("\n").encode()
    if not data.strip():
        is_array = path.suffix == ".json"
        end = _End(0, b"[\n" + record + b"\n]\n" if is_array else record + b"\n")
    elif data.startswith(_PACKED):
        raise _refused(path, "is packed")
    else:
        first = data.removeprefix(_BOM).lstrip()[:1]
        if first not in (b"[", b"{"):
            raise _refused(path, "is no JSON")
        end = _array_end(data, record) if first == b"[" else _lines_end(data, record)
    _check(path, data[: end.kept] + end.tail)
    return end


def _lines_end(data: bytes, record: bytes) -> _End:
    line_end = b"\r\n" if data.endswith(b"\r\n") else b"\n"
    before = b"" if data.endswith(b"\n") else line_end
    return _End(len(data), before + record + line_end)


def _array_end(data: bytes, record: bytes) -> _End:
    close = data.rfind(b"]")
    inside = data[:close].rstrip() if close >= 0 else data
    comma = b"" if inside.endswith((b"[", b",")) else b","
    return _End(len(inside), comma + b"\n" + record + b"\n" + (data[close:] if close >= 0 else b""))


def _check(path: Path, data: bytes) -> None:
    """The whole file as it would be must be a set: faults of what was there are faults too."""
    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        raise _refused(path, "is not UTF-8") from error
    raw = parse_json_array(text) if text.lstrip().startswith("[") else parse_jsonl(text)
    eval_set_of(raw, ReadOptions(), path=path)


def _refused(path: Path, why: str) -> InputError:
    return InputError(
        f"{path} {why}; queries are added to JSON Lines and JSON arrays in UTF-8. Name a new file, such as "
        f"{path.with_suffix('.jsonl').name}"
    )


def _write(file: IO[bytes], end: _End) -> None:
    file.seek(end.kept)
    file.write(end.tail)
    file.truncate()
    file.flush()
    os.fsync(file.fileno())
