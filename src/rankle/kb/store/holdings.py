"""What a workspace holds, over all its documents: their names, languages, collections and pipelines."""

import sqlite3
from collections.abc import Iterator

from rankle.core.catalog import Catalog, CatalogDocument


def read_catalog(connection: sqlite3.Connection) -> Catalog:
    """Every document and chunk that a search could return."""
    documents = tuple(
        CatalogDocument(*row)
        for row in connection.execute(
            "SELECT name, path, content_hash, collection FROM documents ORDER BY name"
        )
    )
    chunks: dict[str, tuple[str, ...]] = {}
    for chunk, document in connection.execute(
        "SELECT c.name, d.name FROM chunks c JOIN documents d ON d.id = c.document ORDER BY d.name, c.ordinal"
    ):
        chunks[chunk] = tuple(dict.fromkeys((*chunks.get(chunk, ()), document)))
    return Catalog(documents, chunks)


def content_rows(connection: sqlite3.Connection) -> Iterator[tuple[str, str, str, str]]:
    """Name, collection, content hash and pipeline of every document, by name: what a fingerprint covers."""
    yield from connection.execute(
        "SELECT name, collection, content_hash, pipeline FROM documents ORDER BY name"
    )


def languages(connection: sqlite3.Connection) -> dict[str, int]:
    """How many documents each language has, most first; documents without one left out."""
    rows = connection.execute(
        "SELECT language, count(*) FROM documents WHERE language IS NOT NULL "
        "GROUP BY language ORDER BY 2 DESC, 1"
    )
    return dict(rows.fetchall())


def collections(connection: sqlite3.Connection) -> dict[str, int]:
    """How many documents each collection has, by name."""
    rows = connection.execute("SELECT collection, count(*) FROM documents GROUP BY collection ORDER BY 1")
    return dict(rows.fetchall())


def pipelines(connection: sqlite3.Connection) -> list[str]:
    """The distinct pipelines that made the rows; empty where there are no documents."""
    return [row[0] for row in connection.execute("SELECT DISTINCT pipeline FROM documents ORDER BY 1")]
