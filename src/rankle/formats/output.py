"""Files that are whole or not there: written beside their place, then renamed."""

import gzip
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from rankle.core.errors import InputError


def write_bytes(path: Path, data: bytes) -> None:
    """Write a file, packed where its name ends in `.gz` or `.zst`.

    A reader never meets half of it, and where writing fails what stood there before stays.
    A link stays and what it names is written; a file that is replaced keeps its permissions. A pipe or device
    is written to as it is.
    Raises InputError where it cannot be written: no folder, no permission, no space.
    """
    with as_input_error(path):
        _check_place(path)
        replace_file(path, _packed(path, data))


def replace_file(path: Path, data: bytes) -> None:
    """Puts `data` at `path` as it is: whole or not at all, links and permissions kept. Raises OSError."""
    with replacing(path) as file:
        file.write(data)


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """A file to write to piece by piece, that stands at `path` once all went well, as `replace_file` does it.

    Raises OSError.
    """
    if path.exists() and not path.is_file():  # a pipe or device takes bytes, and is not renamed over
        with path.open("wb") as file:
            yield file
        return
    place = path.resolve()
    temporary = place.with_name(f".{place.name}.{os.getpid()}.tmp")
    try:
        with temporary.open("wb") as file:
            yield file
        if place.exists():
            shutil.copymode(place, temporary)
        temporary.replace(place)
    finally:
        temporary.unlink(missing_ok=True)


def write_folder(path: Path, files: Mapping[str, bytes]) -> None:
    """Write a folder of files, names relative to it, that is there whole or not at all.

    Raises InputError where something stands at its place, and as `write_bytes` does.
    """
    with as_input_error(path):
        if path.exists():
            raise InputError(f"{path} is there already; write to a new folder, or remove it first")
        temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
        try:
            for name, data in files.items():
                place = temporary / name
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(data)
            temporary.replace(path)
        finally:
            shutil.rmtree(temporary, ignore_errors=True)


def _check_place(path: Path) -> None:
    if path.is_dir():
        raise InputError(f"{path} is a folder; name a file in it, such as {path / 'qrels.tsv'}")
    if not path.parent.is_dir():
        raise InputError(f"no such folder: {path.parent}; make it first, or write elsewhere")


def _packed(path: Path, data: bytes) -> bytes:
    if path.suffix == ".gz":
        return gzip.compress(data, mtime=0)  # no time, so that the same content has the same bytes
    if path.suffix == ".zst":
        import zstandard

        return zstandard.ZstdCompressor().compress(data)
    return data


@contextmanager
def as_input_error(path: Path) -> Iterator[None]:
    """What the system refuses when writing to `path`, in words and with the next step."""
    try:
        yield
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror or error}; write elsewhere") from error
