"""Reads a text file whole, and says in one clear error why it cannot be read."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from rankle.core.errors import BadLinesError, Fault, InputError
from rankle.formats.byte_source import STANDARD_INPUT, open_bytes

_BINARY_SIGNS: Final = (b"PK\x03\x04", b"%PDF", b"SQLite format 3\x00", b"\x89PNG")


@dataclass(frozen=True, slots=True)
class TextFile:
    """A text file as read: lines end in `\\n` only, and no byte order mark is left."""

    path: Path
    text: str


def read_text_file(path: str | Path, *, what: str = "a text file") -> TextFile:
    """Read UTF-8, with or without a byte order mark, or UTF-16 with one; CRLF and CR become LF.

    Gzip and Zstandard are unpacked; `-` is standard input. what: what the caller expects, for the
    messages, such as `an eval set`.
    Raises InputError where there is no such file, where it is a folder, empty, binary or forbidden, and
    BadLinesError with the line of the first byte that is not UTF-8.
    """
    if str(path) != STANDARD_INPUT and Path(path).is_dir():
        raise InputError(f"{path} is a folder; expected {what}{_files_within(Path(path))}")
    with open_bytes(path, what=what) as stream:
        data = stream.read()
    if not data.strip():
        raise InputError(f"{path} is empty; expected {what}")
    if data.startswith(_BINARY_SIGNS) or b"\x00" in data:
        raise InputError(f"{path} is a binary file; expected {what}, which is text")
    text = _decode(data, path=path)
    return TextFile(path=Path(path), text=text.replace("\r\n", "\n").replace("\r", "\n"))


def _files_within(folder: Path) -> str:
    names = sorted(entry.name for entry in folder.iterdir() if entry.suffix in {".jsonl", ".json"})
    return f". It holds {', '.join(names[:5])}{', …' if len(names) > 5 else ''}" if names else ""


def _decode(data: bytes, *, path: str | Path) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        message = f"is not UTF-8, got byte 0x{data[error.start]:02x}; save the file as UTF-8"
        raise BadLinesError(path=str(path), faults=[Fault(line, message)]) from error
