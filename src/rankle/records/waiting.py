"""Waits for another process that has a database locked, and says so where that is more than a moment."""

import logging
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from rankle.core.product import NAME

PATIENCE_S: Final = 10.0
"""How long a process waits for another one that writes, which takes milliseconds but for a prune."""
_SILENT_S: Final = 1.0
_SLICE_MS: Final = 100
"""SQLite lets no Ctrl-C through while it waits itself."""


class Waiting:
    """How one connection waits."""

    def __init__(self, connection: sqlite3.Connection, path: Path, *, patience_s: float) -> None:
        self._connection = connection
        self._path = path
        self._patience_s = patience_s
        self._slice_ms = _SLICE_MS if patience_s else 0
        self._let_sqlite_wait(self._slice_ms)

    def execute(self, statement: str) -> sqlite3.Cursor:
        """Run a statement that needs a lock. Raises sqlite3.OperationalError where the file stays locked."""
        began, is_told = time.monotonic(), False
        while True:
            try:
                return self._connection.execute(statement)
            except sqlite3.OperationalError as error:
                waited_s = time.monotonic() - began
                if not is_locked(error) or waited_s >= self._patience_s:
                    raise
            if waited_s >= _SILENT_S and not is_told:
                is_told = True
                # Where nobody set logging up, a warning stands on the error stream as it is.
                logging.getLogger(NAME).warning(
                    "waiting up to %g s for another process that is writing to the records %s",
                    self._patience_s,
                    self._path,
                )

    @contextmanager
    def silently(self) -> Iterator[None]:
        """Within, SQLite waits itself, for what cannot be begun anew."""
        self._let_sqlite_wait(int(self._patience_s * 1000))
        try:
            yield
        finally:
            self._let_sqlite_wait(self._slice_ms)

    def _let_sqlite_wait(self, milliseconds: int) -> None:
        self._connection.execute(f"PRAGMA busy_timeout = {milliseconds}")


def is_locked(error: sqlite3.Error) -> bool:
    """Whether another process, or another connection of this one, is in the way."""
    return getattr(error, "sqlite_errorname", "").startswith(("SQLITE_BUSY", "SQLITE_LOCKED"))
