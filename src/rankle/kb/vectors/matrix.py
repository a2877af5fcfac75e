"""The matrix that a vector search multiplies: derived from the workspace, in a file that processes share.

The file is a copy that may be missing, old or cut short at any time: its header names the state that it was
made of, and one that does not fit is made anew. The workspace's SQLite file stays the truth.
"""

import mmap
import os
import sqlite3
import struct
import tempfile
import time
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rankle.core.embedding import Vectors
from rankle.kb.vectors.store import (
    STORED_TYPE,
    Generation,
    embedded_chunks,
    read_generation,
    read_model,
    vector_blocks,
)

MATRIX_FILE: Final = "vectors.mat"
_MAGIC: Final = b"rnklvec1"
_HEADER: Final = struct.Struct("<8sqqqq")
"""Magic, generation number and mark, rows, dimensions; little endian as all of the file."""
_DATA_AT: Final = 64
_ROW_IDS: Final = np.dtype("<i8")
_TEMPORARY: Final = "vectors-", ".tmp"
_ABANDONED_S: Final = 3_600.0
"""A temporary file that nobody wrote to for so long was left by a process that was killed."""


@dataclass(frozen=True, slots=True, eq=False)
class VectorMatrix:
    """The vectors of all chunks that have one, as one state of the workspace has them."""

    chunks: NDArray[np.int64]
    """Row ids of the chunks, ascending, shape (n,)."""
    vectors: Vectors
    """Unit vectors, shape (n, dimensions), read-only; mapped from the file where there could be one."""
    generation: int


def open_matrix(connection: sqlite3.Connection, folder: Path) -> VectorMatrix:
    """The matrix of the state that `connection` reads, which must be within a transaction.

    Taken from the file in `folder`, which is made anew where it belongs to another state. Where it cannot be
    written (read-only folder, full disk), or where another process went on meanwhile, the matrix is made in
    memory. Shape (0, 0) where the workspace has no model.
    """
    generation = read_generation(connection)
    path = folder / MATRIX_FILE
    mapped = _mapped(path, generation)
    if mapped is not None:
        return mapped
    if _is_latest(connection, generation):  # else the file of a newer state would be lost
        with suppress(OSError):
            _write(connection, path, generation)
            mapped = _mapped(path, generation)
            if mapped is not None:
                return mapped
    return _in_memory(connection, generation)


def _mapped(path: Path, generation: Generation) -> VectorMatrix | None:
    """The file's matrix; None where there is none, or it is of another state, or cut short."""
    try:
        with path.open("rb") as file:
            header = file.read(_HEADER.size)
            if len(header) < _HEADER.size:
                return None
            magic, number, mark, n_rows, dimensions = _HEADER.unpack(header)
            ids = n_rows * _ROW_IDS.itemsize
            size = _DATA_AT + ids + n_rows * dimensions * np.dtype(STORED_TYPE).itemsize
            if (magic, number, mark) != (_MAGIC, *generation) or os.fstat(file.fileno()).st_size != size:
                return None
            data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError):
        return None
    chunks = np.frombuffer(data, dtype=_ROW_IDS, count=n_rows, offset=_DATA_AT)
    vectors = np.frombuffer(data, dtype=STORED_TYPE, count=n_rows * dimensions, offset=_DATA_AT + ids)
    return VectorMatrix(chunks, vectors.reshape(n_rows, dimensions), generation.number)


def _is_latest(connection: sqlite3.Connection, generation: Generation) -> bool:
    """Whether what `connection` reads is what any other process would read now."""
    (path,) = (row[2] for row in connection.execute("PRAGMA database_list") if row[1] == "main")
    uri = f"{Path(path).as_uri()}?mode=ro"
    with suppress(sqlite3.Error), closing(sqlite3.connect(uri, uri=True, timeout=0)) as other:
        return read_generation(other) == generation
    return False


def _write(connection: sqlite3.Connection, path: Path, generation: Generation) -> None:
    """Puts the matrix in place in one step, so that no reader ever sees half of it. Raises OSError."""
    _drop_abandoned(path.parent)
    prefix, suffix = _TEMPORARY
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=prefix, suffix=suffix)
    temporary = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            chunks, dimensions = embedded_chunks(connection), _dimensions(connection)
            header = _HEADER.pack(_MAGIC, *generation, len(chunks), dimensions)
            file.write(header.ljust(_DATA_AT, b"\0"))
            file.write(chunks.astype(_ROW_IDS).tobytes())
            for block in vector_blocks(connection, dimensions=dimensions):
                file.write(block.tobytes())
            file.flush()
            os.fsync(file.fileno())  # else a power cut could leave the name without the content
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _drop_abandoned(folder: Path) -> None:
    prefix, suffix = _TEMPORARY
    for path in folder.glob(f"{prefix}*{suffix}"):
        with suppress(OSError):
            if time.time() - path.stat().st_mtime > _ABANDONED_S:
                path.unlink()


def _in_memory(connection: sqlite3.Connection, generation: Generation) -> VectorMatrix:
    chunks, dimensions = embedded_chunks(connection), _dimensions(connection)
    vectors = np.empty((len(chunks), dimensions), dtype=np.float32)
    at = 0
    for block in vector_blocks(connection, dimensions=dimensions):
        vectors[at : at + len(block)] = block
        at += len(block)
    vectors.flags.writeable = False
    return VectorMatrix(chunks, vectors, generation.number)


def _dimensions(connection: sqlite3.Connection) -> int:
    model = read_model(connection)
    return 0 if model is None else model.dimensions
