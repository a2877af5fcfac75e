"""Keeps what tasks and models gave in the store of records, so that equal questions are asked once.

A cache is of no use where it stands in the way: what it cannot read is made anew, what it cannot keep is not
kept, and whoever opened it is told once.
"""

import sqlite3
import threading
import time
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from rankle.core.cached import CachedOutput
from rankle.core.errors import RecordError
from rankle.records.cache_contents import CacheLimits, Removed, remove_beyond, remove_older
from rankle.records.choosing import stamp_of
from rankle.records.database import Database
from rankle.records.group_writer import GroupWriter, Row
from rankle.records.json_packing import JsonPacker, unpack_bytes
from rankle.records.waiting import PATIENCE_S

_INSERT: Final = (
    "INSERT OR REPLACE INTO cache (key, kind, took_ms, created, last_used, size, value) "
    "VALUES (?, ?, ?, ?, ?, ?, ?)"
)
_TOUCH: Final = "UPDATE cache SET last_used = ? WHERE key = ?"
_UNTOUCHED_S: Final = 600
"""What was used within so many seconds is not written as used again."""
_TOUCHED: Final = 256
"""Uses that are written together; they only say what goes first."""
_UNSEEN: Final = 1024
"""Keys that may wait to be written before a look waits for them."""
_CHECKED_EACH: Final = 20
"""How often the size is looked at while as much is put as the cache may hold."""
_LEFT_FREE: Final = 10
"""Of a cache that was full, one part in so many is free afterwards."""


class RecordCache:
    """A cache in a store. Any thread may use it. Implements `harness.evals.keeping.Cache`."""

    def __init__(
        self,
        path: Path,
        *,
        on_problem: Callable[[RecordError], None],
        limits: CacheLimits = CacheLimits(),  # noqa: B008 - frozen
        withheld: Iterable[str] = (),
        clock: Callable[[], float] = time.time,
        patience_s: float = PATIENCE_S,
    ) -> None:
        """path: of the store; made where it is not there.

        on_problem: told once, where reading or writing fails. withheld: texts that are not to be stored; what
        has one in it is not kept. clock: seconds since 1970. Raises RecordError where it cannot be opened.
        """
        self._database = Database(path, create=True, patience_s=patience_s)
        try:
            self._group = GroupWriter(path, patience_s=patience_s)
        except BaseException:
            self._database.close()
            raise
        self._on_problem = on_problem
        self._limits = limits
        self._packer = JsonPacker(withheld)
        self._clock = clock
        self._turn = threading.RLock()
        self._is_broken = False
        self._unseen: set[str] = set()
        """Keys that were put and may not be written yet."""
        self._used: dict[str, int] = {}
        """Key to when it was used, not written yet."""
        self._n_put = 0
        """Bytes put since the size was looked at."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def get(self, key: str) -> CachedOutput | None:
        """What is kept under a key; None where nothing is, or it is too old."""
        with self._turn:
            if self._is_broken:
                return None
            try:
                return self._read(key)
            except RecordError as error:
                self._tell(error)
                return None

    def put(self, key: str, value: bytes, *, took_ms: float, kind: str) -> None:
        """Keep JSON that took so long to make. kind: `task` or `model`."""
        if self._packer.has_withheld(value):
            return
        blob = self._packer.compress(value)
        if len(blob) > self._limits.max_bytes:
            return
        now = self._clock()
        values = (key, kind, took_ms, int(now), int(now * 1000), len(blob), blob)
        with self._turn:
            if self._is_broken:
                return
            try:
                self._group.put(Row(_INSERT, values, len(blob)))
                self._unseen.add(key)
                self._n_put += len(blob)
                if self._n_put * _CHECKED_EACH > self._limits.max_bytes:
                    self._make_room()
            except RecordError as error:
                self._tell(error)

    def close(self) -> None:
        """Write what waits, and remove what is too old or too much."""
        with self._turn:
            if not self._is_broken:
                try:
                    self._write_used()
                    if self._n_put:
                        self._make_room()
                except RecordError as error:
                    self._tell(error)
            self._is_broken = True
            self._group.close()
            self._database.close()

    def _read(self, key: str) -> CachedOutput | None:
        if key in self._unseen or len(self._unseen) > _UNSEEN:
            self._group.flush()
            self._unseen.clear()
        with self._database.looking() as connection:
            row = connection.execute(
                "SELECT value, took_ms, created, last_used FROM cache WHERE key = ?", (key,)
            ).fetchone()
        now = self._clock()
        if row is None or row[2] < now - self._limits.max_age_s:
            return None
        if row[3] < (now - _UNTOUCHED_S) * 1000:
            self._used[key] = int(now * 1000)
            if len(self._used) >= _TOUCHED:
                self._write_used()
        created = stamp_of(datetime.fromtimestamp(row[2], tz=UTC))
        return CachedOutput(unpack_bytes(row[0]), row[1], created)

    def _write_used(self) -> None:
        used, self._used = self._used, {}
        for key, moment in used.items():
            self._group.put(Row(_TOUCH, (moment, key), len(key)))

    def _make_room(self) -> None:
        limits, self._n_put = self._limits, 0
        before = self._clock() - limits.max_age_s

        def remove(connection: sqlite3.Connection) -> Removed:
            gone = remove_older(connection, before_s=before)
            kept = limits.max_bytes - limits.max_bytes // _LEFT_FREE
            return gone + remove_beyond(connection, max_bytes=limits.max_bytes, down_to=kept)

        self._group.call(remove)

    def _tell(self, error: RecordError) -> None:
        self._is_broken = True
        self._on_problem(error)
