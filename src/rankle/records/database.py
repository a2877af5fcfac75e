"""Opening the SQLite file of a record store, and saying in words what SQLite says in codes."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rankle.core.errors import RecordError
from rankle.core.product import NAME
from rankle.records.place import make_folder
from rankle.records.schema import APPLICATION_ID, CREATE, MIGRATIONS, SCHEMA_VERSION
from rankle.records.waiting import PATIENCE_S, Waiting, is_locked


class Database:
    """One connection to one file. Readers run beside a writer; a write is kept whole or not at all."""

    def __init__(self, path: Path, *, create: bool = False, patience_s: float = PATIENCE_S) -> None:
        """Raises RecordError where the file is missing (unless `create`), foreign, damaged or newer."""
        self.path = path
        self._patience_s = patience_s
        if create:
            make_folder(path)
        elif not path.is_file():
            raise RecordError(
                f"there are no records at {path} yet. `{NAME} eval SET` makes them; "
                "--records FILE names another store"
            )
        with self._explained():
            self._connection = self._connect()
            self._waiting = Waiting(self._connection, path, patience_s=patience_s)
            try:
                self._prepare(create=create)
            except BaseException:
                self._connection.close()
                raise

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """One consistent state for all reads within, whatever another process commits meanwhile."""
        with self._explained():
            self._connection.execute("BEGIN")
            try:
                self._waiting.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone()
                yield self._connection
            finally:
                self._connection.rollback()

    @contextmanager
    def looking(self) -> Iterator[sqlite3.Connection]:
        """For a single statement that reads; it is its own transaction."""
        with self._explained():
            yield self._connection

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction: all of it is kept, or, after an error, a kill or Ctrl-C, nothing of it."""
        with self._explained():
            self._waiting.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
                self._connection.commit()
            except BaseException:
                if self._connection.in_transaction:  # SQLite ends it by itself where the disk is full
                    self._connection.rollback()
                raise

    def give_back_space(self) -> None:
        """Hand what deleted rows took back to the disk."""
        with self._explained(), self._waiting.silently():
            # As a script, since a cursor stops at the first of its rows, which have no columns.
            self._connection.executescript("PRAGMA incremental_vacuum; PRAGMA wal_checkpoint(TRUNCATE)")

    def close(self) -> None:
        with self._explained():
            self._connection.close()

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self.path, isolation_level=None, check_same_thread=False)
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA synchronous = NORMAL")
        return connection

    def _prepare(self, *, create: bool) -> None:
        application, version = self._versions()
        if application == APPLICATION_ID and version == SCHEMA_VERSION:
            return
        if application == APPLICATION_ID and version > SCHEMA_VERSION:
            raise RecordError(
                f"{self.path} was made by a newer {NAME} (schema {version}; this one reads up to "
                f"{SCHEMA_VERSION}); it stays as it is. Upgrade {NAME}, or name another store with --records"
            )
        if application == APPLICATION_ID and version in MIGRATIONS:
            self._migrate()
            return
        is_empty = self._waiting.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0
        if not is_empty and self._versions() == (APPLICATION_ID, SCHEMA_VERSION):
            return  # another process made it meanwhile
        if not is_empty or not create:
            raise RecordError(
                f"{self.path} is no store of records; it stays as it is. Name another file with --records"
            )
        self._create()

    def _versions(self) -> tuple[int, int]:
        application, version = (
            self._waiting.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("application_id", "user_version")
        )
        return application, version

    def _create(self) -> None:
        # All stand in the file from its first page on, so they come before any table. A case of a hundred
        # results takes some 2.5 kB, of which a usual page of 4 kB would hold but one.
        self._waiting.execute("PRAGMA page_size = 16384")
        self._waiting.execute("PRAGMA auto_vacuum = INCREMENTAL")
        self._waiting.execute("PRAGMA journal_mode = WAL")
        self._waiting.execute("BEGIN IMMEDIATE")
        try:
            # Another process may have been quicker, with the same tables.
            if not self._connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
                for statement in CREATE:
                    self._connection.execute(statement)
                self._connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
                self._connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
            self._connection.commit()
        except BaseException:
            self._connection.rollback()
            raise

    def _migrate(self) -> None:
        """Bring a file of an older version up to date; killed in the middle, it stays as it was."""
        self._waiting.execute("BEGIN IMMEDIATE")
        try:
            version = self._versions()[1]  # asked again: another process may have been quicker
            while version < SCHEMA_VERSION:
                for statement in MIGRATIONS[version]:
                    self._connection.execute(statement)
                version += 1
            self._connection.execute(f"PRAGMA user_version = {version}")
            self._connection.commit()
        except BaseException:
            self._connection.rollback()
            raise

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise RecordError(self._explain(error)) from error

    def _explain(self, error: sqlite3.Error) -> str:
        code = getattr(error, "sqlite_errorname", "")
        if is_locked(error):
            return (
                f"the records {self.path} are locked: another process is writing to them, for more than the "
                f"{self._patience_s:g} s that are waited. Wait until it is done, or end it, then try again"
            )
        if code.startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB")):
            return (
                f"the records {self.path} are damaged ({error}). Put a copy back, or move the file away to "
                "begin anew; --records FILE names another store"
            )
        if code.startswith("SQLITE_FULL"):
            return (
                f"the disk is full; the records {self.path} keep their last complete state. "
                "Free some space and try again"
            )
        if code.startswith(("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM", "SQLITE_IOERR")):
            return (
                f"the records {self.path} cannot be read or written ({error}). Check permissions and disk, "
                "or name another store with --records"
            )
        return f"the records {self.path}: {error}"
