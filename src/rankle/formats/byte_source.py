"""Bytes from a file, plain, gzip or Zstandard, or from standard input; one clear error for what fails."""

import codecs
import io
import os
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, BinaryIO, Final, TypeGuard, cast

from rankle.core.errors import InputError, nearest

if TYPE_CHECKING:
    from pathlib import Path

    from zstandard import ZstdDecompressionReader

STANDARD_INPUT: Final = "-"
_GZIP: Final = b"\x1f\x8b"
_ZSTD: Final = b"\x28\xb5\x2f\xfd"
_UTF16: Final = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_FOREIGN: Final = {
    b"PK\x03\x04": "a ZIP archive, which is not read (gzip and Zstandard are); unpack it first",
    b"\x04\x22\x4d\x18": "packed with LZ4, which is not read (gzip and Zstandard are); unpack it first "
    "(lz4 -d FILE), or save it from ranx as .json or .parquet",
    b"BZh91AY&": "packed with bzip2, which is not read (gzip and Zstandard are); unpack it first "
    "(bunzip2 FILE)",
    b"\xfd7zXZ\x00": "packed with xz, which is not read (gzip and Zstandard are); unpack it first "
    "(unxz FILE)",
    b"%PDF-": "a PDF; to search its text: rankle index FILE",
}
"""What files begin with that are of no use here, and what they are."""
_SIGN: Final = 8
"""Bytes that tell what a file is."""
_HEAD: Final = 4096
_ADDRESSES: Final = frozenset({"http", "https", "ftp", "s3", "gs", "hf"})


@contextmanager
def open_bytes(path: "str | Path", *, what: str) -> Iterator[BinaryIO]:
    """Open for reading, unpacked by what the content is and not by the name; `-` is standard input.

    UTF-16 with a byte order mark comes out as UTF-8, and a mark of UTF-8 is dropped; where no line of the
    beginning ends in LF, CR becomes LF.
    what: what the caller expects, for the messages, such as `a run`.
    Raises InputError where there is no such file, where it is a folder, forbidden, binary, damaged or packed
    in another way.
    """
    with _as_input_errors(path, what=what), _open_raw(path) as raw:
        _check_form(raw.read(_SIGN), path=path)
        raw.seek(0)
        yield _as_utf8(_unpacked(raw), path=path, what=what)


def first_bytes(path: "str | Path", *, what: str) -> bytes:
    """The first bytes as they stand, not unpacked. Raises InputError as `open_bytes` does."""
    with _as_input_errors(path, what=what), _open_raw(path) as raw:
        head = raw.read(_SIGN)
    _check_form(head, path=path)
    return head


def _check_form(head: bytes, *, path: "str | Path") -> None:
    """Raises InputError on the first bytes of archives and the like, with what to do."""
    for sign, words in _FOREIGN.items():
        if head.startswith(sign):
            raise InputError(f"{path} is {words.replace('FILE', str(path))}")


def encoding_notices(path: "str | Path") -> tuple[str, ...]:
    """What must be said of how a text is encoded, by its beginning: a byte order mark, UTF-16, CR.

    Raises InputError as `open_bytes` does.
    """
    with _as_input_errors(path, what="a file"), _open_raw(path) as raw:
        head = _unpacked(raw).read(_HEAD)
    if head.startswith(_UTF16):
        return ("encoded as UTF-16, read as it says",)
    notices = ["begins with a byte order mark, passed over"] if head.startswith(codecs.BOM_UTF8) else []
    if b"\r\n" in head:
        notices.append("lines end in CRLF, as on Windows")
    elif b"\r" in head and b"\n" not in head:
        notices.append("lines end in CR, as on old Macs")
    return tuple(notices)


class HeldInput(str):
    """The name of an input that can be read but once, with its bytes, so that it can be read again."""

    __slots__ = ("data",)
    data: bytes


def held(path: "str | Path") -> "str | Path":
    """The path itself; for standard input and pipes a name that holds what came through them.

    Whoever looks at an input before reading it looks at this. Raises InputError as `open_bytes` does.
    """
    if isinstance(path, HeldInput):
        return path
    standard = str(path) == STANDARD_INPUT
    if not standard and (not os.path.exists(path) or os.path.isfile(path) or os.path.isdir(path)):
        return path
    with _as_input_errors(path, what="a file"), _open_raw(path) as raw:
        holder = HeldInput(path)
        holder.data = raw.read()
        return holder


@contextmanager
def _as_input_errors(path: "str | Path", *, what: str) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError as error:
        raise _not_there(path) from error
    except IsADirectoryError as error:
        raise InputError(f"{path} is a folder; expected {what}") from error
    except PermissionError as error:
        raise InputError(f"no permission to read {path}; allow it, for example: chmod u+r {path}") from error
    except (EOFError, OSError, zlib.error) as error:  # gzip and zstandard tell damage as these
        raise InputError(f"cannot read {path}: {error}") from error


def _not_there(path: "str | Path") -> InputError:
    name = str(path)
    if not name:
        return InputError("the name of a file is empty, as that of a variable that is not set; name a file")
    scheme, sign, rest = name.partition(":/")
    if sign and scheme.lower() in _ADDRESSES:
        address = f"{scheme}://{rest.lstrip('/')}"
        how = f"curl -LO {address}" if scheme.lower().startswith("http") else "copy it here"
        return InputError(f"{address} is an address, and only files are read. Fetch it first: {how}")
    return InputError(f"no such file: {path}{_near(path)}")


def is_path(value: object) -> "TypeGuard[str | Path]":
    """Whether the value names a file."""
    return isinstance(value, (str, os.PathLike))


def file_size(path: "str | Path") -> int | None:
    """Bytes of a regular file as it lies there, packed or not; None where it is none, or not to be seen."""
    try:
        return os.path.getsize(path) if os.path.isfile(path) else None
    except OSError:
        return None


def name_of(path: "str | Path") -> str:
    """The last part of a path."""
    return os.path.basename(os.fspath(path).rstrip(os.sep))


def size_of(path: "str | Path") -> int | None:
    """Size of a plain, unpacked file in bytes; None where only reading tells."""
    if str(path) == STANDARD_INPUT:
        return None
    try:
        with open(path, "rb") as file:
            head = file.read(4)
            return None if head.startswith((_GZIP, _ZSTD)) else file.seek(0, io.SEEK_END)
    except OSError:
        return None


def _open_raw(path: "str | Path") -> BinaryIO:
    if isinstance(path, HeldInput):
        return io.BytesIO(path.data)
    if str(path) == STANDARD_INPUT:
        return io.BytesIO(sys.stdin.buffer.read())
    if "\0" in str(path):
        raise InputError(f"no such file: {str(path)!r}; a name cannot hold the character NUL")
    return open(path, "rb", buffering=1 << 16)


def _unpacked(raw: BinaryIO) -> BinaryIO:
    head = raw.read(4)
    raw.seek(0)
    if head.startswith(_GZIP):
        import gzip

        return cast("BinaryIO", gzip.GzipFile(fileobj=raw))
    if head.startswith(_ZSTD):
        import zstandard

        reader = zstandard.ZstdDecompressor().stream_reader(raw, read_across_frames=True)
        return io.BufferedReader(_ZstdRaw(reader))
    return raw


class _ZstdRaw(io.RawIOBase):
    """A Zstandard stream whose faults are OSErrors, as gzip's are."""

    def __init__(self, reader: "ZstdDecompressionReader") -> None:
        self._reader = reader

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "bytearray | memoryview") -> int:  # type: ignore[override]
        import zstandard

        try:
            data = self._reader.read(len(buffer)) or b""
        except zstandard.ZstdError as error:
            raise OSError(str(error)) from error
        buffer[: len(data)] = data
        return len(data)


def _as_utf8(stream: BinaryIO, *, path: "str | Path", what: str) -> BinaryIO:
    buffered = stream if hasattr(stream, "peek") else io.BufferedReader(cast("io.RawIOBase", stream))
    head = buffered.peek(_HEAD)[:_HEAD]
    if head.startswith(_UTF16):
        try:
            return io.BytesIO(buffered.read().decode("utf-16").encode())
        except UnicodeDecodeError as error:
            raise InputError(
                f"{path} begins as UTF-16 and is not: {error.reason}; save it as UTF-8"
            ) from error
    if b"\x00" in head:
        raise InputError(f"{path} is a binary file; expected {what}, which is text")
    if head.startswith(codecs.BOM_UTF8):
        buffered.read(len(codecs.BOM_UTF8))
    if b"\r" in head and b"\n" not in head:  # the line ends of old Macs, and of spreadsheets on new ones
        return io.BytesIO(buffered.read().replace(b"\r\n", b"\n").replace(b"\r", b"\n"))
    return buffered


def _near(name: "str | Path") -> str:
    from pathlib import Path

    path = Path(name)
    try:
        entries = sorted(path.parent.iterdir())
        names = [entry.name for entry in entries if entry.is_file()]
        below = next((entry / path.name for entry in entries if os.path.isfile(entry / path.name)), None)
    except OSError:
        return ""
    if below is not None:
        return f"; did you mean {below}?"
    found = nearest(path.name, names, limit=1)
    return f"; did you mean {path.parent / found[0]}?" if found else ""
