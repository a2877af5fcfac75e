"""Documents and their chunks in the workspace: rows in, rows out."""

import json
import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rankle.core.errors import UnknownNameError
from rankle.core.product import NAME
from rankle.kb.chunk_span import ChunkSpan


@dataclass(frozen=True, slots=True)
class FullTextRow:
    """The tokens of one chunk by field, as the index holds them."""

    title: str
    breadcrumb: str
    path: str
    body: str
    variants: str


@dataclass(frozen=True, slots=True)
class PreparedChunk:
    """One chunk, ready to be stored."""

    name: str
    span: ChunkSpan
    row: FullTextRow


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentFacts:
    """What is known of one document."""

    name: str
    """The document id."""
    path: str
    """Absolute path of its file."""
    collection: str
    kind: str
    title: str
    language: str | None
    """ISO 639-1."""
    tags: tuple[str, ...]
    n_bytes: int
    content_hash: str
    notices: tuple[str, ...]
    """What was guessed or lost in reading it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedDocument(DocumentFacts):
    """One document, read, cut and analysed."""

    pipeline: str
    stems: tuple[str, ...]
    """Languages that the rows of its chunks are stemmed in."""
    text: str
    chunks: tuple[PreparedChunk, ...]


@dataclass(frozen=True, slots=True)
class KnownDocument:
    """What tells whether a document is as it was."""

    id: int
    name: str
    root: int
    collection: str
    content_hash: str
    pipeline: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentInfo(DocumentFacts):
    """One document as lists show it."""

    n_chunks: int
    indexed_at: str


@dataclass(frozen=True, slots=True)
class StoredChunk:
    """One chunk with its text and place."""

    id: int
    name: str
    document: str
    title: str
    stems: tuple[str, ...]
    """Languages that its words are stemmed in."""
    text: str
    span: ChunkSpan


def known_documents(connection: sqlite3.Connection) -> dict[str, KnownDocument]:
    """Every document by its name."""
    rows = connection.execute("SELECT id, name, root, collection, content_hash, pipeline FROM documents")
    return {row[1]: KnownDocument(*row) for row in rows}


def insert_document(
    connection: sqlite3.Connection, document: PreparedDocument, *, root: int, now: str
) -> None:
    """Stores a document whose name is free."""
    cursor = connection.execute(
        "INSERT INTO documents (name, root, path, collection, kind, title, language, tags, n_bytes, "
        "content_hash, pipeline, stems, text, notices, indexed_at) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            document.name,
            root,
            document.path,
            document.collection,
            document.kind,
            document.title,
            document.language,
            json.dumps(document.tags, ensure_ascii=False),
            document.n_bytes,
            document.content_hash,
            document.pipeline,
            json.dumps(document.stems),
            document.text,
            json.dumps(document.notices, ensure_ascii=False),
            now,
        ),
    )
    for ordinal, chunk in enumerate(document.chunks):
        _insert_chunk(connection, chunk, document=cursor.lastrowid, ordinal=ordinal)


def _insert_chunk(
    connection: sqlite3.Connection, chunk: PreparedChunk, *, document: int | None, ordinal: int
) -> None:
    span, row = chunk.span, chunk.row
    cursor = connection.execute(
        'INSERT INTO chunks (document, ordinal, name, start, "end", line_start, line_end, page, breadcrumb) '
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            document,
            ordinal,
            chunk.name,
            span.start,
            span.end,
            span.line_start,
            span.line_end,
            span.page,
            json.dumps(span.breadcrumb, ensure_ascii=False),
        ),
    )
    connection.execute(
        "INSERT INTO fulltext (rowid, title, breadcrumb, path, body, variants) VALUES (?, ?, ?, ?, ?, ?)",
        (cursor.lastrowid, row.title, row.breadcrumb, row.path, row.body, row.variants),
    )


def delete_document(connection: sqlite3.Connection, document: int) -> None:
    """Drops a document with its chunks, in the tables and in the full-text index."""
    connection.execute(
        "DELETE FROM fulltext WHERE rowid IN (SELECT id FROM chunks WHERE document = ?)", (document,)
    )
    connection.execute("DELETE FROM documents WHERE id = ?", (document,))


_INFO = """
SELECT d.name, d.path, d.collection, d.kind, d.title, d.language, d.tags, d.n_bytes,
       (SELECT count(*) FROM chunks c WHERE c.document = d.id), d.content_hash, d.indexed_at, d.notices
FROM documents d
"""


def list_documents(connection: sqlite3.Connection, *, collection: str | None = None) -> list[DocumentInfo]:
    """All documents by name; of one collection where it is named."""
    where = "" if collection is None else "WHERE d.collection = ? "
    parameters = () if collection is None else (collection,)
    return [_info(row) for row in connection.execute(f"{_INFO} {where} ORDER BY d.name", parameters)]


def _info(row: tuple[Any, ...]) -> DocumentInfo:
    return DocumentInfo(
        name=row[0],
        path=row[1],
        collection=row[2],
        kind=row[3],
        title=row[4],
        language=row[5],
        tags=tuple(json.loads(row[6])),
        n_bytes=row[7],
        n_chunks=row[8],
        content_hash=row[9],
        indexed_at=row[10],
        notices=tuple(json.loads(row[11])),
    )


def document_text(connection: sqlite3.Connection, name: str) -> str:
    """The stored text of a document. Raises UnknownNameError where there is none of this name."""
    row = connection.execute("SELECT text FROM documents WHERE name = ?", (name,)).fetchone()
    if row is None:
        raise UnknownNameError(what="document", name=name, known=known_documents(connection))
    return str(row[0])


_SELECT_CHUNK = """
SELECT c.id, c.name, d.name, d.title, d.stems, {text}, c.start, c."end", c.breadcrumb, c.page, c.line_start,
       c.line_end
FROM chunks c JOIN documents d ON d.id = c.document
"""
_CHUNK = _SELECT_CHUNK.format(text='substr(d.text, c.start + 1, c."end" - c.start)')
_PLACED = _SELECT_CHUNK.format(text="NULL")


def chunks_by_id(connection: sqlite3.Connection, ids: list[int]) -> dict[int, StoredChunk]:
    """The chunks of these row ids."""
    only = " WHERE c.id IN (SELECT value FROM json_each(?))"  # however many: SQLite bounds its variables
    rows = connection.execute(_CHUNK + only, (json.dumps(ids),))
    return {row[0]: _chunk(row) for row in rows}


def chunk_named(connection: sqlite3.Connection, name: str) -> StoredChunk:
    """The chunk with this id. Raises UnknownNameError where there is none."""
    row = connection.execute(f"{_CHUNK} WHERE c.name = ? ORDER BY c.id LIMIT 1", (name,)).fetchone()
    if row is None:
        known = [found for (found,) in connection.execute("SELECT name FROM chunks")]
        raise UnknownNameError(
            what="chunk", name=name, known=known, hint=f"Results of {NAME} search name their chunks."
        )
    return _chunk(row)


def chunks_of_document(connection: sqlite3.Connection, name: str) -> list[StoredChunk]:
    """All chunks of a document, in order."""
    found = connection.execute("SELECT text FROM documents WHERE name = ?", (name,)).fetchone()
    # Cut here: SQLite would read the whole text again for every chunk.
    text = "" if found is None else str(found[0])
    rows = connection.execute(f"{_PLACED} WHERE d.name = ? ORDER BY c.ordinal", (name,))
    return [_chunk((*row[:5], text[row[6] : row[7]], *row[6:])) for row in rows]


def _chunk(row: tuple[Any, ...]) -> StoredChunk:
    span = ChunkSpan(
        start=row[6],
        end=row[7],
        breadcrumb=tuple(json.loads(row[8])),
        page=row[9],
        line_start=row[10],
        line_end=row[11],
    )
    return StoredChunk(row[0], row[1], row[2], row[3], tuple(json.loads(row[4])), row[5], span)


def stems_by_document(connection: sqlite3.Connection) -> Iterator[tuple[str, str | None, tuple[str, ...]]]:
    """Name and language of every document, and the languages that its rows are stemmed in."""
    for name, language, stems in connection.execute(
        "SELECT name, language, stems FROM documents ORDER BY name"
    ):
        yield name, language, tuple(json.loads(stems))


def replace_rows(
    connection: sqlite3.Connection, name: str, rows: Mapping[int, FullTextRow], *, stems: tuple[str, ...]
) -> None:
    """Writes a document's full-text rows anew, stemmed in other languages.

    rows: by the row id of the chunk.
    """
    connection.execute("UPDATE documents SET stems = ? WHERE name = ?", (json.dumps(stems), name))
    connection.executemany(
        "UPDATE fulltext SET title = ?, breadcrumb = ?, path = ?, body = ?, variants = ? WHERE rowid = ?",
        [(row.title, row.breadcrumb, row.path, row.body, row.variants, chunk) for chunk, row in rows.items()],
    )
