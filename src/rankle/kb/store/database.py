"""Opening the SQLite file of a workspace, and saying in words what SQLite says in codes."""

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from rankle.core.errors import WorkspaceError
from rankle.core.product import NAME
from rankle.kb.store.schema import APPLICATION_ID, CREATE, SCHEMA_VERSION

FILE_NAME: Final = "workspace.db"


class Database:
    """One SQLite file. Readers run side by side, also beside a writer; a write is all or nothing."""

    def __init__(self, path: Path, *, create: bool = False, patience_ms: int = 5_000) -> None:
        """Raises WorkspaceError where the file is missing (unless `create`), foreign, damaged or newer.

        patience_ms: how long to wait for another process that writes.
        """
        self.path = path
        self._patience_ms = patience_ms
        self._idle: list[sqlite3.Connection] = []
        self._lock = threading.Lock()
        if create:
            _make_folder(path.parent)
        elif not path.is_file():
            raise WorkspaceError(f"no workspace at {path.parent}. Make one with: {NAME} index PATH")
        with self._connection() as connection:
            self._prepare(connection, create=create)

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """One consistent state for all reads within, whatever another process commits meanwhile."""
        with self._connection() as connection:
            connection.execute("BEGIN")
            try:
                yield connection
            finally:
                connection.rollback()

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction: all of it is kept, or, after an error, a kill or Ctrl-C, nothing of it."""
        with self._connection() as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
            except BaseException:
                connection.rollback()
                raise
            connection.commit()

    def close(self) -> None:
        """Closes the connections that nobody uses; the next use opens new ones."""
        with self._lock:
            while self._idle:
                self._idle.pop().close()

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        """A connection for the caller alone. SQLite's errors leave as WorkspaceError."""
        try:
            with self._lock:
                idle = self._idle.pop() if self._idle else None
            connection = idle or self._connect()
            try:
                yield connection
            except sqlite3.Error:
                connection.close()
                raise
            except BaseException:
                self._give_back(connection)
                raise
            self._give_back(connection)
        except sqlite3.Error as error:
            raise WorkspaceError(self._explain(error)) from error

    def _give_back(self, connection: sqlite3.Connection) -> None:
        with self._lock:
            self._idle.append(connection)

    def _connect(self) -> sqlite3.Connection:
        # A connection wanders between threads, one at a time.
        connection = sqlite3.connect(self.path, isolation_level=None, check_same_thread=False)
        connection.execute(f"PRAGMA busy_timeout = {self._patience_ms}")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA synchronous = NORMAL")
        return connection

    def _prepare(self, connection: sqlite3.Connection, *, create: bool) -> None:
        application, version = (
            connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version")
        )
        if application == APPLICATION_ID and version == SCHEMA_VERSION:
            return
        if application == APPLICATION_ID and version > SCHEMA_VERSION:
            raise WorkspaceError(
                f"{self.path} was made by a newer {NAME} (schema {version}; this one reads up to "
                f"{SCHEMA_VERSION}). Upgrade {NAME}, or name another workspace with -w"
            )
        is_empty = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0
        if not is_empty or not create:
            raise WorkspaceError(
                f"{self.path} is not a {NAME} workspace. Move it away, or name another workspace with -w"
            )
        self._create(connection)

    def _create(self, connection: sqlite3.Connection) -> None:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("BEGIN IMMEDIATE")
        if connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            connection.rollback()  # another process was quicker, with the same tables
            return
        for statement in CREATE.split(";\n"):
            connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        connection.commit()

    def _explain(self, error: sqlite3.Error) -> str:
        code = getattr(error, "sqlite_errorname", "")
        if code.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
            return f"{self.path} is locked: another process is writing to it. Wait for it, then try again"
        if code.startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB")):
            return (
                f"{self.path} is damaged ({error}). The documents are safe: delete the workspace with "
                f"`{NAME} workspace delete NAME` and index again"
            )
        if code.startswith("SQLITE_FULL"):
            return (
                f"the disk is full; {self.path} keeps its last complete state. Free some space and try again"
            )
        if code.startswith(("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM", "SQLITE_IOERR")):
            return f"{self.path} cannot be read or written ({error}). Check its permissions and its disk"
        return f"{self.path}: {error}"


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise WorkspaceError(
            f"the folder {folder} cannot be made: {error.strerror}. "
            "Set RANKLE_HOME to a folder that you may write to"
        ) from error
