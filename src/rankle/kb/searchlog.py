"""The search log of a workspace, in a file of its own so that logging never waits for indexing."""

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from rankle.core.errors import WorkspaceError
from rankle.core.search import SearchResult

FILE_NAME: Final = "searches.db"
_CREATE: Final = """
CREATE TABLE IF NOT EXISTS searches (
    id INTEGER PRIMARY KEY,
    at TEXT NOT NULL,            -- UTC, ISO 8601
    query TEXT NOT NULL,
    method TEXT NOT NULL,
    collection TEXT,
    n_results INTEGER NOT NULL,
    top_score REAL,
    coverage REAL,               -- share of the query's terms that the first result holds
    took_ms REAL NOT NULL
)
"""


@dataclass(frozen=True, slots=True)
class LoggedSearch:
    """One search that someone made."""

    at: datetime
    query: str
    method: str
    collection: str | None
    n_results: int
    top_score: float | None
    coverage: float | None
    """Share of the query's terms, in 0 to 1, that stand in the first result; None without a result."""
    took_ms: float


class SearchLog:
    """Appends searches and reads them back."""

    def __init__(self, folder: Path, *, patience_s: float = 5.0) -> None:
        """patience_s: how long to wait for another process that writes."""
        self.path = folder / FILE_NAME
        self._patience_s = patience_s

    def append(self, entry: LoggedSearch) -> None:
        """Raises WorkspaceError where the log cannot be written."""
        try:
            with closing(self._connect()) as connection, connection:
                connection.execute(
                    "INSERT INTO searches VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?)",
                    (
                        _stamp(entry.at),
                        entry.query,
                        entry.method,
                        entry.collection,
                        entry.n_results,
                        entry.top_score,
                        entry.coverage,
                        entry.took_ms,
                    ),
                )
        except sqlite3.Error as error:
            raise WorkspaceError(self._words("written", error)) from error

    def read(self, *, since: datetime | None = None) -> list[LoggedSearch]:
        """All searches, oldest first; from a moment on where it is given. Empty where nothing was logged."""
        if not self.path.is_file():
            return []
        try:
            with closing(self._connect()) as connection:
                rows = connection.execute(
                    "SELECT * FROM searches WHERE at >= ? ORDER BY id",
                    (_stamp(since) if since else "",),
                ).fetchall()
        except sqlite3.Error as error:
            raise WorkspaceError(self._words("read", error)) from error
        return [LoggedSearch(datetime.fromisoformat(row[1]), *row[2:]) for row in rows]

    def count(self) -> int:
        """How many searches it holds. Raises WorkspaceError where it cannot be read."""
        if not self.path.is_file():
            return 0
        try:
            with closing(self._connect()) as connection:
                (n_searches,) = connection.execute("SELECT count(*) FROM searches").fetchone()
        except sqlite3.Error as error:
            raise WorkspaceError(self._words("read", error)) from error
        return int(n_searches)

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self.path, timeout=self._patience_s)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute(_CREATE)
        return connection

    def _words(self, doing: str, error: sqlite3.Error) -> str:
        return f"the search log {self.path} cannot be {doing} ({error}). Delete it, or search with --no-log"


def _stamp(at: datetime) -> str:
    """Texts of this shape sort as the moments do."""
    return at.astimezone(UTC).isoformat(timespec="milliseconds")


def logged(result: SearchResult, *, collection: str | None, at: datetime, n_shown: int) -> LoggedSearch:
    """The log entry of a search whose first hit came with its passage."""
    first = result.hits[0] if result.hits else None
    return LoggedSearch(
        at=at,
        query=result.query,
        method=result.method,
        collection=collection,
        n_results=min(len(result.hits), n_shown),
        top_score=first.score if first else None,
        coverage=len(first.passage.terms) / result.n_terms if first and first.passage else None,
        took_ms=result.took_ms,
    )
