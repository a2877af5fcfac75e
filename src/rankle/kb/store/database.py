"""Opening the SQLite file of a workspace, and saying in words what SQLite says in codes."""

import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from rankle.core.errors import WorkspaceError
from rankle.core.product import NAME
from rankle.kb.store.schema import APPLICATION_ID, CREATE, MIGRATIONS, SCHEMA_VERSION

FILE_NAME: Final = "workspace.db"
WRITE_PATIENCE_S: Final = 60.0
_SLICE_MS: Final = 250

_File = tuple[int, int]
"""Device and number of a file: two files that have the same path, one after the other, differ in it."""


class Database:
    """One SQLite file. Readers run side by side, also beside a writer; a write is all or nothing."""

    def __init__(
        self,
        path: Path,
        *,
        create: bool = False,
        patience_ms: int = 5_000,
        write_patience_s: float = WRITE_PATIENCE_S,
    ) -> None:
        """Raises WorkspaceError where the file is missing (unless `create`), foreign, damaged or newer.

        patience_ms: how long a reader waits for another process that writes.
        write_patience_s: how long a writer does.
        """
        self.path = path
        self._patience_ms = patience_ms
        self._write_patience_s = write_patience_s
        self._idle: list[sqlite3.Connection] = []
        self._file: _File | None = None
        self._lock = threading.Lock()
        self.open(create=create)

    def open(self, *, create: bool = False) -> None:
        """Opens the file that is at the path now. Costs next to nothing where that is open already.

        A file that was deleted or replaced stays readable through connections that are open, so every use
        looks. Raises WorkspaceError as the constructor does.
        """
        with self._lock:
            if self._file is not None and self._file == _file_at(self.path):
                return
            self._drop_idle()
            if create:
                _make_folder(self.path.parent)
            elif not self.path.is_file():
                raise WorkspaceError(f"no workspace at {self.path.parent}. Make one with: {NAME} index PATH")
            with self._explained():
                connection = self._connect()
                try:
                    self._prepare(connection, create=create)
                except BaseException:
                    connection.close()
                    raise
            self._file = _file_at(self.path)
            self._idle.append(connection)

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
    def writing(
        self, *, wait_s: float | None = None, waiting: Callable[[], None] | None = None
    ) -> Iterator[sqlite3.Connection]:
        """One transaction: all of it is kept, or, after an error, a kill or Ctrl-C, nothing of it.

        wait_s: how long to wait for another process that writes; None for what the constructor was told.
        waiting: called once, as soon as there is something to wait for.
        """
        patience_s = self._write_patience_s if wait_s is None else wait_s
        with self._connection() as connection:
            self._begin_writing(connection, patience_s=patience_s, waiting=waiting)
            try:
                yield connection
                self._refuse_lost_file()
            except BaseException:
                connection.rollback()
                raise
            connection.commit()

    def close(self) -> None:
        """Closes the connections that nobody uses; the next use opens new ones."""
        with self._lock:
            self._drop_idle()

    def _drop_idle(self) -> None:
        self._file = None
        while self._idle:
            self._idle.pop().close()

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        """A connection for the caller alone. SQLite's errors leave as WorkspaceError."""
        self.open()
        with self._explained():
            with self._lock:
                file = self._file
                idle = self._idle.pop() if self._idle else None
            connection = idle or self._connect()
            try:
                yield connection
            except sqlite3.Error:
                connection.close()
                raise
            except BaseException:
                self._give_back(connection, file)
                raise
            self._give_back(connection, file)

    def _give_back(self, connection: sqlite3.Connection, file: _File | None) -> None:
        with self._lock:
            if file is not None and file == self._file:
                self._idle.append(connection)
            else:  # closed, or another file took its place meanwhile
                connection.close()

    def _begin_writing(
        self, connection: sqlite3.Connection, *, patience_s: float, waiting: Callable[[], None] | None
    ) -> None:
        """Waits in slices, since SQLite lets no Ctrl-C through while it waits."""
        deadline = time.monotonic() + patience_s
        connection.execute(f"PRAGMA busy_timeout = {_SLICE_MS}")
        while True:
            try:
                connection.execute("BEGIN IMMEDIATE")
                break
            except sqlite3.OperationalError as error:
                if not _is_busy(error) or time.monotonic() >= deadline:
                    raise
            if waiting is not None:
                waiting()
                waiting = None
        connection.execute(f"PRAGMA busy_timeout = {self._patience_ms}")

    def _refuse_lost_file(self) -> None:
        """What is written to a file that was deleted or replaced is lost, and SQLite does not say so."""
        if self._file is not None and self._file != _file_at(self.path):
            raise WorkspaceError(
                f"{self.path} was deleted or replaced while it was written to; nothing was kept. "
                f"Index again: {NAME} index PATH"
            )

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise WorkspaceError(self._explain(error)) from error

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
        if application == APPLICATION_ID and version in MIGRATIONS:
            self._migrate(connection)
            return
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
        for statement in CREATE:
            connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        connection.commit()

    def _migrate(self, connection: sqlite3.Connection) -> None:
        """Brings a file of an older version up to date; killed in the middle, it stays as it was."""
        connection.execute("BEGIN IMMEDIATE")
        try:
            # Asked again: another process may have been quicker.
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            while version < SCHEMA_VERSION:
                for statement in MIGRATIONS[version]:
                    connection.execute(statement)
                version += 1
            connection.execute(f"PRAGMA user_version = {version}")
        except BaseException:
            connection.rollback()
            raise
        connection.commit()

    def _explain(self, error: sqlite3.Error) -> str:
        code = getattr(error, "sqlite_errorname", "")
        if _is_busy(error):
            return f"{self.path} is locked: another process is writing to it. Wait for it, then try again"
        if code.startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB")):
            return (
                f"{self.path} is damaged ({error}). The documents are safe: delete the workspace with "
                f"`{NAME} workspace delete {self.path.parent.name}` and index again"
            )
        if code.startswith("SQLITE_FULL"):
            return (
                f"the disk is full; {self.path} keeps its last complete state. Free some space and try again"
            )
        if code.startswith(("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM", "SQLITE_IOERR")):
            return (
                f"{self.path} cannot be read or written ({error}). Check its permissions and its disk; its "
                "folder must be writable for searches too, since SQLite keeps its locks there"
            )
        return f"{self.path}: {error}"


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise WorkspaceError(
            f"the folder {folder} cannot be made: {error.strerror}. "
            "Set RANKLE_HOME to a folder that you may write to"
        ) from error


def _file_at(path: Path) -> _File | None:
    try:
        found = os.stat(path)  # noqa: PTH116 - a third of the time, and every search asks
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _is_busy(error: sqlite3.Error) -> bool:
    return getattr(error, "sqlite_errorname", "").startswith(("SQLITE_BUSY", "SQLITE_LOCKED"))
