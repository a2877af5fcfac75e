"""What a workspace holds of vectors, read past its own code."""

import sqlite3
from contextlib import closing

import numpy as np

from rankle.kb.knowledge_base import KnowledgeBase
from rankle.kb.store.database import FILE_NAME
from rankle.kb.vectors.matrix import VectorMatrix


def vectors_by_chunk(kb: KnowledgeBase) -> dict[tuple[str, int], bytes]:
    """The vector of each chunk that has one, by document and place."""
    with closing(sqlite3.connect(kb.folder / FILE_NAME)) as connection:
        rows = connection.execute(
            "SELECT d.name, c.ordinal, v.vector FROM documents d JOIN chunks c ON c.document = d.id "
            "JOIN chunk_vectors l ON l.chunk = c.id JOIN vectors v ON v.id = l.vector"
        )
        return {(name, ordinal): vector for name, ordinal, vector in rows}


def n_rows(kb: KnowledgeBase, table: str) -> int:
    with closing(sqlite3.connect(kb.folder / FILE_NAME)) as connection:
        return int(connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0])


def execute(kb: KnowledgeBase, statement: str) -> None:
    with closing(sqlite3.connect(kb.folder / FILE_NAME)) as connection:
        connection.execute(statement)
        connection.commit()


def matrix(kb: KnowledgeBase) -> VectorMatrix:
    with kb._database.reading() as connection:
        return kb._vectors.matrix(connection)


def assert_fits(found: VectorMatrix, kb: KnowledgeBase) -> None:
    """The matrix holds the vectors that the tables hold, in the order of the chunks' row ids."""
    with closing(sqlite3.connect(kb.folder / FILE_NAME)) as connection:
        rows = connection.execute(
            "SELECT l.chunk, v.vector FROM chunk_vectors l JOIN vectors v ON v.id = l.vector ORDER BY l.chunk"
        ).fetchall()
    assert found.chunks.tolist() == [chunk for chunk, _vector in rows]
    assert found.vectors.tobytes() == b"".join(vector for _chunk, vector in rows)
    assert [found.chunks.dtype, found.vectors.dtype] == [np.dtype("int64"), np.dtype("float32")]
    assert not found.vectors.flags.writeable
