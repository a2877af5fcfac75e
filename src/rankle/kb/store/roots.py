"""The roots of a workspace: folders and files that were indexed, and what could not be read there."""

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Root:
    """One folder, or one file, that was indexed."""

    id: int
    path: Path
    name: str | None
    """Prefix of the document ids, from `--as`."""
    collection: str
    chunker: str
    """How its documents are cut, such as `heading`."""
    indexed_at: str


@dataclass(frozen=True, slots=True)
class Failure:
    """One file that could not be read."""

    path: str
    message: str


def list_roots(connection: sqlite3.Connection) -> list[Root]:
    rows = connection.execute(
        "SELECT id, path, name, collection, chunker, indexed_at FROM roots ORDER BY path"
    )
    return [Root(row[0], Path(row[1]), *row[2:]) for row in rows]


def save_root(
    connection: sqlite3.Connection, *, path: Path, name: str | None, collection: str, chunker: str, now: str
) -> int:
    """Adds the root, or updates the one at this path. Returns its id."""
    row = connection.execute(
        "INSERT INTO roots (path, name, collection, chunker, indexed_at) VALUES (?, ?, ?, ?, ?) "
        "ON CONFLICT (path) DO UPDATE SET name = excluded.name, collection = excluded.collection, "
        "chunker = excluded.chunker, indexed_at = excluded.indexed_at RETURNING id",
        (str(path), name, collection, chunker, now),
    ).fetchone()
    return int(row[0])


def delete_root(connection: sqlite3.Connection, root: int) -> None:
    """Drops a root without documents; its failures go with it."""
    connection.execute("DELETE FROM roots WHERE id = ?", (root,))


def replace_failures(connection: sqlite3.Connection, root: int, failures: Iterable[Failure]) -> None:
    connection.execute("DELETE FROM failures WHERE root = ?", (root,))
    connection.executemany(
        "INSERT INTO failures (root, path, message) VALUES (?, ?, ?)",
        [(root, failure.path, failure.message) for failure in failures],
    )


def list_failures(connection: sqlite3.Connection) -> list[Failure]:
    return [Failure(*row) for row in connection.execute("SELECT path, message FROM failures ORDER BY path")]
