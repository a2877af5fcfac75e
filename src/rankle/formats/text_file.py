"""Reads a text file whole, and says in one clear error why it cannot be read."""

import codecs
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from rankle.core.errors import BadLinesError, Fault, InputError, nearest

_BINARY_SIGNS: Final = (b"PK\x03\x04", b"%PDF", b"\x1f\x8b", b"SQLite format 3\x00", b"\x89PNG")
_UTF16_MARKS: Final = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


@dataclass(frozen=True, slots=True)
class TextFile:
    """A text file as read: lines end in `\\n` only, and no byte order mark is left."""

    path: Path
    text: str


def read_text_file(path: Path, *, what: str = "a text file") -> TextFile:
    """Read UTF-8, with or without a byte order mark, or UTF-16 with one; CRLF and CR become LF.

    what: what the caller expects, for the messages, such as `an eval set`.
    Raises InputError where there is no such file, where it is a folder, empty, binary or forbidden, and
    BadLinesError with the line of the first byte that is not UTF-8.
    """
    data = _read_bytes(path, what=what)
    if not data.strip():
        raise InputError(f"{path} is empty; expected {what}")
    if data.startswith(_UTF16_MARKS):
        text = _decode(data, "utf-16", path=path)
    elif data.startswith(_BINARY_SIGNS) or b"\x00" in data:
        raise InputError(f"{path} is a binary file; expected {what}, which is text")
    else:
        text = _decode(data, "utf-8-sig", path=path)
    return TextFile(path=path, text=text.replace("\r\n", "\n").replace("\r", "\n"))


def _read_bytes(path: Path, *, what: str) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError as error:
        raise InputError(f"no such file: {path}{_near_files(path)}") from error
    except IsADirectoryError as error:
        raise InputError(f"{path} is a folder; expected {what}{_files_within(path)}") from error
    except PermissionError as error:
        if path.is_dir():  # Windows refuses to open a folder with this very error
            raise InputError(f"{path} is a folder; expected {what}{_files_within(path)}") from error
        raise InputError(f"no permission to read {path}; allow it, for example: chmod u+r {path}") from error
    except (OSError, ValueError) as error:
        raise InputError(f"cannot read {path}: {error}") from error


def _near_files(path: Path) -> str:
    try:
        names = [entry.name for entry in path.parent.iterdir() if entry.is_file()]
    except OSError:
        return ""
    near = nearest(path.name, names, limit=1)
    return f"; did you mean {path.parent / near[0]}?" if near else ""


def _files_within(folder: Path) -> str:
    names = sorted(entry.name for entry in folder.iterdir() if entry.suffix in {".jsonl", ".json"})
    return f". It holds {', '.join(names[:5])}{', …' if len(names) > 5 else ''}" if names else ""


def _decode(data: bytes, encoding: str, *, path: Path) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        got = f"byte 0x{data[error.start]:02x}"
        message = f"is not {encoding.removesuffix('-sig').upper()}, got {got}; save the file as UTF-8"
        raise BadLinesError(path=str(path), faults=[Fault(line, message)]) from error
