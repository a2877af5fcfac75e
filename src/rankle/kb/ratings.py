"""The ratings of a workspace, in a file of their own, which indexing neither touches nor locks.

They are the one thing in a workspace that cannot be made again from the documents. So the file stands apart
from the index, which may be damaged or be brought up to date by a later version.
"""

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from rankle.core.errors import WorkspaceError
from rankle.core.product import NAME
from rankle.core.rating import Rating

FILE_NAME: Final = "ratings.db"
APPLICATION_ID: Final = 0x726E6B72  # "rnkr"
VERSION: Final = 1
_CREATE: Final = """
CREATE TABLE ratings (
    id INTEGER PRIMARY KEY AUTOINCREMENT,  -- never given twice, so that a number in a script means one rating
    at TEXT NOT NULL,                      -- UTC, ISO 8601
    query TEXT NOT NULL,
    collection TEXT,
    document TEXT NOT NULL,
    chunk TEXT NOT NULL,
    start INTEGER NOT NULL,
    "end" INTEGER NOT NULL,
    quote TEXT NOT NULL,
    rating INTEGER NOT NULL CHECK (rating BETWEEN 1 AND 5),
    rater TEXT NOT NULL,
    note TEXT
)
"""
_INSERT: Final = """
INSERT INTO ratings (at, query, collection, document, chunk, start, "end", quote, rating, rater, note)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
_SELECT: Final = """
SELECT id, at, query, collection, document, chunk, start, "end", quote, rating, rater, note
FROM ratings ORDER BY id
"""


class Ratings:
    """Adds, reads and removes ratings. Each call is one transaction; several processes may call at once."""

    def __init__(self, folder: Path, *, patience_s: float = 30.0) -> None:
        """patience_s: how long to wait for another process that writes."""
        self.path = folder / FILE_NAME
        self._patience_s = patience_s

    def add(self, rating: Rating) -> Rating:
        """The rating with its number, once it is on disk. Raises WorkspaceError where it cannot be kept."""
        with self._opened("written") as connection:
            _begin(connection)
            cursor = connection.execute(
                _INSERT,
                (
                    _stamp(rating.at),
                    rating.query,
                    rating.collection,
                    rating.document,
                    rating.chunk,
                    rating.start,
                    rating.end,
                    rating.quote,
                    rating.rating,
                    rating.rater,
                    rating.note,
                ),
            )
            connection.commit()
        return replace(rating, id=cursor.lastrowid)

    def read(self) -> list[Rating]:
        """All ratings in the order in which they were given; empty where there is none."""
        if not self.path.is_file():
            return []
        with self._opened("read") as connection:
            rows = connection.execute(_SELECT).fetchall()
        return [
            Rating(
                id=row[0],
                at=datetime.fromisoformat(row[1]),
                query=row[2],
                collection=row[3],
                document=row[4],
                chunk=row[5],
                start=row[6],
                end=row[7],
                quote=row[8],
                rating=row[9],
                rater=row[10],
                note=row[11],
            )
            for row in rows
        ]

    def remove(self, ids: Iterable[int]) -> int:
        """Drops the ratings with these numbers, all or none. Returns how many there were."""
        if not self.path.is_file():
            return 0
        with self._opened("written") as connection:
            _begin(connection)
            before = connection.total_changes
            connection.executemany("DELETE FROM ratings WHERE id = ?", [(each,) for each in ids])
            connection.commit()
            return connection.total_changes - before

    def count(self) -> int:
        """How many there are. Raises WorkspaceError where they cannot be read."""
        if not self.path.is_file():
            return 0
        with self._opened("read") as connection:
            (n_ratings,) = connection.execute("SELECT count(*) FROM ratings").fetchone()
        return int(n_ratings)

    @contextmanager
    def _opened(self, doing: str) -> Iterator[sqlite3.Connection]:
        """A connection of the caller's own; SQLite's errors leave as WorkspaceError."""
        try:
            # The journal is a rollback journal, not a log as elsewhere: whoever copies this one file has all.
            connection = sqlite3.connect(self.path, timeout=self._patience_s, isolation_level=None)
            try:
                self._prepare(connection)
                yield connection
            finally:
                connection.close()  # what was not committed is rolled back
        except sqlite3.Error as error:
            raise WorkspaceError(self._words(doing, error)) from error

    def _prepare(self, connection: sqlite3.Connection) -> None:
        if _version(connection) == VERSION:
            return
        _begin(connection)
        version = _version(connection)  # asked again: another process may have been quicker
        if version == 0:
            connection.execute(_CREATE)
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {VERSION}")
        connection.commit()
        if version is None:
            raise WorkspaceError(f"{self.path} holds no ratings of {NAME}. Move it away")
        if version > VERSION:
            raise WorkspaceError(
                f"{self.path} was made by a newer {NAME} (version {version}; this one reads up to "
                f"{VERSION}). Upgrade {NAME}"
            )

    def _words(self, doing: str, error: sqlite3.Error) -> str:
        code = getattr(error, "sqlite_errorname", "")
        if code.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
            return f"{self.path} is locked: another process is writing to it. Wait for it, then try again"
        if code.startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB")):
            return (
                f"the ratings in {self.path} are damaged ({error}). Put back a copy of the file, or move it "
                "away to begin anew; the index is not concerned"
            )
        if code.startswith("SQLITE_FULL"):
            return f"the disk is full; {self.path} keeps all earlier ratings. Free some space and try again"
        return f"the ratings in {self.path} cannot be {doing} ({error}). Check permissions and disk"


def _version(connection: sqlite3.Connection) -> int | None:
    """0 for a new file, None for one that is not of ours."""
    application, version = (
        connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version")
    )
    if application == APPLICATION_ID:
        return int(version)
    is_empty = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0
    return 0 if is_empty and (application, version) == (0, 0) else None


def _begin(connection: sqlite3.Connection) -> None:
    """Asks for the right to write first: two that read and then both want to write would block each other."""
    connection.execute("BEGIN IMMEDIATE")


def _stamp(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="milliseconds")
