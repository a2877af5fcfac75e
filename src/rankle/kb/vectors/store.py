"""Vectors in the workspace's SQLite file: rows in, rows out."""

import json
import sqlite3
from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Final, NamedTuple

from rankle.core.canonical import fingerprint
from rankle.core.embedding import EmbedderInfo, Vectors
from rankle.kb.vectors.passage import PASSAGE_VERSION, embedded_text, passage_hash

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

STORED_TYPE: Final = "<f4"
"""Of the numbers of a vector, as numpy names it."""
_KEPT_UNUSED: Final = 1_000
"""So many vectors of text that is gone are kept in any case: they take little room, and text comes back."""
_READ_AT_ONCE: Final = 1_024


class Generation(NamedTuple):
    """Which state of chunks and vectors a reader sees; two states never share it."""

    number: int
    mark: int
    """Random. Tells apart the states of one number before and after a roll-back, or a file put back."""


@dataclass(frozen=True, slots=True)
class StoredModel:
    """The one model whose vectors a workspace holds."""

    name: str
    fingerprint: str
    dimensions: int
    passage_version: int

    @property
    def is_current(self) -> bool:
        """Whether this version of ours embeds the same of a chunk."""
        return self.passage_version == PASSAGE_VERSION

    def is_same(self, info: EmbedderInfo) -> bool:
        """Whether the vectors of `info` may be compared with those that are stored."""
        return (self.fingerprint, self.dimensions) == (info.fingerprint, info.dimensions)


class Passage(NamedTuple):
    """What of one chunk is embedded."""

    chunk: int
    """Row id."""
    text: str
    hash: bytes


def read_generation(connection: sqlite3.Connection) -> Generation:
    return Generation(*connection.execute("SELECT number, mark FROM generation").fetchone())


def read_model(connection: sqlite3.Connection) -> StoredModel | None:
    """None where the workspace has no model."""
    row = connection.execute("SELECT name, fingerprint, dimensions, passage_version FROM models").fetchone()
    return None if row is None else StoredModel(*row)


def vector_fingerprint(connection: sqlite3.Connection) -> str | None:
    """SHA-256 over model and what of a chunk it embeds; None where the workspace has no model."""
    model = read_model(connection)
    if model is None:
        return None
    return fingerprint([model.fingerprint, model.dimensions, model.passage_version])


def write_model(connection: sqlite3.Connection, info: EmbedderInfo) -> None:
    """Makes `info` the workspace's model. Drops what another model, or another version of ours, embedded."""
    old = read_model(connection)
    if old is not None and old.is_same(info) and old.is_current and old.name == info.name:
        return
    if old is None or not old.is_same(info):
        connection.execute("DELETE FROM chunk_vectors")
        connection.execute("DELETE FROM vectors")
    elif not old.is_current:
        connection.execute("DELETE FROM chunk_vectors")  # texts that stayed the same find their vector again
    connection.execute(
        "INSERT OR REPLACE INTO models VALUES (1, ?, ?, ?, ?)",
        (info.name, info.fingerprint, info.dimensions, PASSAGE_VERSION),
    )


def count_chunks(connection: sqlite3.Connection) -> int:
    (n_chunks,) = connection.execute("SELECT count(*) FROM chunks").fetchone()
    return int(n_chunks)


def count_embedded(connection: sqlite3.Connection) -> int:
    """Chunks that have a vector."""
    (n_embedded,) = connection.execute("SELECT count(*) FROM chunk_vectors").fetchone()
    return int(n_embedded)


_PLACES: Final = """
SELECT c.id, c.document, c.breadcrumb, c.start, c."end" FROM chunks c
WHERE {which} ORDER BY c.id
"""
_WITHOUT: Final = "NOT EXISTS (SELECT 1 FROM chunk_vectors v WHERE v.chunk = c.id)"


def passages(connection: sqlite3.Connection, *, after: int, every: bool = False) -> Generator[Passage]:
    """The chunks without a vector whose row id is above `after`, ascending.

    every: those with a vector as well.
    """
    which = "c.id > ?" if every else f"c.id > ? AND {_WITHOUT}"
    yield from _passages(connection, which, after)


def passages_without_vector(connection: sqlite3.Connection, chunks: list[int]) -> Iterator[Passage]:
    """Those of the chunks that are still there and have no vector."""
    which = f"c.id IN (SELECT value FROM json_each(?)) AND {_WITHOUT}"  # noqa: S608 - texts of ours
    yield from _passages(connection, which, json.dumps(chunks))


def _passages(connection: sqlite3.Connection, which: str, value: int | str) -> Generator[Passage]:
    places = connection.execute(_PLACES.format(which=which), (value,))
    for document, rows in groupby(places, key=lambda row: row[1]):
        # Cut here: SQLite would read a document's whole text again for every chunk.
        found = "SELECT title, text FROM documents WHERE id = ?"
        title, text = connection.execute(found, (document,)).fetchone()
        for chunk, _document, breadcrumb, start, end in rows:
            embedded = embedded_text(title, json.loads(breadcrumb), text[start:end])
            yield Passage(chunk, embedded, passage_hash(embedded))


def has_vector(connection: sqlite3.Connection, passage_hash: bytes) -> bool:
    """Whether this text was embedded before."""
    found = connection.execute("SELECT 1 FROM vectors WHERE passage_hash = ?", (passage_hash,))
    return found.fetchone() is not None


def insert_vectors(connection: sqlite3.Connection, vectors: Mapping[bytes, Vectors]) -> None:
    """Stores vectors by the hash of their text; one that is there stays."""
    connection.executemany(
        "INSERT INTO vectors (passage_hash, vector) VALUES (?, ?) ON CONFLICT DO NOTHING",
        [(key, vector.astype(STORED_TYPE).tobytes()) for key, vector in vectors.items()],
    )


def link(connection: sqlite3.Connection, found: list[Passage]) -> int:
    """Gives chunks the vector of their text, where it is stored. Returns how many have one now."""
    linked = connection.executemany(
        "INSERT INTO chunk_vectors (chunk, vector) SELECT ?, id FROM vectors WHERE passage_hash = ? "
        "ON CONFLICT DO NOTHING",
        [(passage.chunk, passage.hash) for passage in found],
    )
    return linked.rowcount


def is_crowded(connection: sqlite3.Connection) -> bool:
    """Whether the vectors of text that is gone outnumber those that are used."""
    used, stored = connection.execute(
        "SELECT (SELECT count(DISTINCT vector) FROM chunk_vectors), (SELECT count(*) FROM vectors)"
    ).fetchone()
    return bool(stored - used > max(used, _KEPT_UNUSED))


def prune(connection: sqlite3.Connection) -> None:
    """Drops the vectors of text that is gone, where they are many."""
    if is_crowded(connection):
        connection.execute("DELETE FROM vectors WHERE id NOT IN (SELECT vector FROM chunk_vectors)")


def embedded_chunks(connection: sqlite3.Connection) -> "NDArray[np.int64]":
    """Row ids of the chunks that have a vector, ascending, shape (n,)."""
    import numpy as np

    rows = connection.execute("SELECT chunk FROM chunk_vectors ORDER BY chunk")
    return np.fromiter((row[0] for row in rows), dtype=np.int64)


def vector_blocks(connection: sqlite3.Connection, *, dimensions: int) -> Iterator[Vectors]:
    """The vectors of `embedded_chunks` in the same order, in blocks of shape (up to 1,024, dimensions)."""
    import numpy as np

    rows = connection.execute(
        "SELECT v.vector FROM chunk_vectors c JOIN vectors v ON v.id = c.vector ORDER BY c.chunk"
    )
    while block := rows.fetchmany(_READ_AT_ONCE):
        joined = b"".join(row[0] for row in block)
        yield np.frombuffer(joined, dtype=STORED_TYPE).reshape(len(block), dimensions)
