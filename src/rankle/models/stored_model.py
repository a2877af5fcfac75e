"""Model files in the cache: written whole or not at all, and verified by checksum.

A model is a folder with its files and a manifest of their sizes and SHA-256. It is written under another
name and then renamed, so that a process that is killed, or two that write at once, leave either no model or
a whole one.
"""

import contextlib
import errno
import hashlib
import secrets
import shutil
import time
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec

from rankle.core.errors import ModelError

MANIFEST: Final = "manifest.json"
_SCHEMA: Final = "rankle.model/1"
_UNFINISHED: Final = ".unfinished-"
_ABANDONED_AFTER_S: Final = 3600.0


class StoredFile(msgspec.Struct, frozen=True):
    """What a file of the model must be."""

    size: int
    sha256: str


class Manifest(msgspec.Struct, frozen=True):
    """What a model in the cache was made of, and what its files must be."""

    schema: str
    source: str
    """Where the weights came from, for people."""
    weights_sha256: str
    """Of the weights that the model was made from: tells its vectors from those of other weights."""
    files: dict[str, StoredFile]


@dataclass(frozen=True, slots=True)
class StoredModel:
    """A model in the cache whose files have the right size."""

    folder: Path
    manifest: Manifest

    def verify(self) -> None:
        """Read all files and compare checksums; 150 MB take a tenth of a second. Raises ModelError."""
        for name, expected in self.manifest.files.items():
            if sha256_of(self.folder / name) != expected.sha256:
                raise ModelError(f"{self.folder / name} is damaged: its checksum is not that of the manifest")


@dataclass(frozen=True, slots=True)
class Origin:
    """What a model is made from."""

    source: str
    weights_sha256: str


def find_model(folder: Path, *, needed: Collection[str] = ()) -> StoredModel | None:
    """The model in `folder`; None where there is none. Raises ModelError where it is damaged, as far as
    sizes tell.
    """
    path = folder / MANIFEST
    try:
        manifest = msgspec.json.decode(path.read_bytes(), type=Manifest)
    except FileNotFoundError:
        if not folder.exists():
            return None
        raise ModelError(f"{folder} is damaged: it has no {MANIFEST}") from None
    except (OSError, msgspec.DecodeError) as error:
        raise ModelError(f"{path} is damaged: {error}") from error
    if manifest.schema != _SCHEMA:
        raise ModelError(f"{path} is of another version: {manifest.schema}, {_SCHEMA} is expected")
    if missing := set(needed) - manifest.files.keys():
        raise ModelError(f"{folder} is damaged: it has no {', '.join(sorted(missing))}")
    for name, expected in manifest.files.items():
        size = (folder / name).stat().st_size if (folder / name).is_file() else None
        if size != expected.size:
            found = "is missing" if size is None else f"has {size:,} bytes"
            raise ModelError(f"{folder / name} is damaged: it {found}, {expected.size:,} are expected")
    return StoredModel(folder, manifest)


def store_model(folder: Path, *, write: Callable[[Path], Origin]) -> StoredModel:
    """Have `write` fill an empty folder, and put it at `folder` in one step.

    Where another process was faster, its model is taken and ours is dropped. Nothing stays behind on failure.
    Raises ModelError where the disk is full or the cache cannot be written, and whatever `write` raises.
    """
    with _writing_into(folder.parent):
        folder.parent.mkdir(parents=True, exist_ok=True)
        _drop_abandoned(folder.parent)
        ours = _folder_beside(folder)
        try:
            origin = write(ours)
            _write_manifest(ours, origin)
            with contextlib.suppress(FileExistsError):
                _rename(ours, folder)
        finally:
            shutil.rmtree(ours, ignore_errors=True)
    stored = find_model(folder)
    assert stored is not None, "a model was just put here"
    return stored


def drop_model(folder: Path) -> None:
    """Remove a model, damaged or not."""
    with _writing_into(folder.parent):
        aside = _folder_beside(folder)
        try:
            with contextlib.suppress(FileNotFoundError):
                folder.rename(aside / "dropped")
        finally:
            shutil.rmtree(aside, ignore_errors=True)


def sha256_of(path: Path) -> str:
    """SHA-256 of a file's bytes, as hex."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _folder_beside(folder: Path) -> Path:
    """A new folder that only this call knows. Other users may read what it becomes: a cache can be shared."""
    beside = folder.parent / f"{_UNFINISHED}{folder.name}-{secrets.token_hex(8)}"
    beside.mkdir()
    return beside


def _write_manifest(folder: Path, origin: Origin) -> None:
    files = {path.name: StoredFile(path.stat().st_size, sha256_of(path)) for path in sorted(folder.iterdir())}
    manifest = Manifest(_SCHEMA, origin.source, origin.weights_sha256, files)
    (folder / MANIFEST).write_bytes(msgspec.json.format(msgspec.json.encode(manifest)) + b"\n")


def _rename(ours: Path, folder: Path) -> None:
    try:
        ours.rename(folder)
    except OSError as error:
        # a folder that is not empty is refused under several names
        if error.errno in {errno.ENOTEMPTY, errno.EEXIST} or folder.exists():
            raise FileExistsError(str(folder)) from error
        raise


def _drop_abandoned(parent: Path) -> None:
    """What killed processes left, once no living one can still be writing it."""
    for left in parent.glob(f"{_UNFINISHED}*"):
        with contextlib.suppress(OSError):
            if time.time() - left.stat().st_mtime > _ABANDONED_AFTER_S:
                shutil.rmtree(left, ignore_errors=True)


@contextlib.contextmanager
def _writing_into(cache: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        hint = "set RANKLE_CACHE to a folder that can be written"
        if error.errno == errno.ENOSPC:
            hint = "free some 150 MB, or set RANKLE_CACHE to a folder on another disk"
        raise ModelError(f"cannot write the model to {cache}: {error.strerror or error}; {hint}") from error
