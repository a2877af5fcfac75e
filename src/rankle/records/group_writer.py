"""Writes to a store from a thread of its own, all that waits in one transaction.

So a trial that is done waits for no disk and for no other process, and thousands of small rows cost little.
What a kill can take is what was put within the last few milliseconds.
"""

import sqlite3
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar

from rankle.core.errors import RecordError
from rankle.records.database import Database
from rankle.records.waiting import PATIENCE_S

_T = TypeVar("_T")
_LINGER_S: Final = 0.01
"""How long to gather what follows close on a write. The first after a pause is written at once."""
_MAX_WAITING: Final = 8_000_000
"""Bytes that wait before `put` does."""


@dataclass(frozen=True, slots=True)
class Row:
    """One statement to be written."""

    statement: str
    values: tuple[Any, ...]
    size: int
    """About how many bytes it holds."""
    pack: Callable[[bytes], bytes] | None = None
    """Makes what is written of the last value; what takes long is done by the thread that writes."""

    def packed(self) -> tuple[Any, ...]:
        """What is written."""
        return self.values if self.pack is None else (*self.values[:-1], self.pack(self.values[-1]))


@dataclass(frozen=True, slots=True)
class _Call:
    function: Callable[[sqlite3.Connection], Any]
    future: "Future[Any]"


class GroupWriter:
    """Writes rows in the order in which they were put. Any thread may put."""

    def __init__(self, path: Path, *, patience_s: float = PATIENCE_S) -> None:
        """Raises RecordError where the store cannot be opened."""
        self._database = Database(path, patience_s=patience_s)
        self._state = threading.Condition()
        self._waiting: deque[Row | _Call] = deque()
        self._n_waiting = 0
        """Bytes that wait or are being written."""
        self._problem: RecordError | None = None
        self._unwritten: list[Row] = []
        self._is_closing = False
        self._hurry = threading.Event()
        """Set where someone waits, so that nothing more is gathered."""
        self._thread = threading.Thread(target=self._work, name="records", daemon=True)
        self._thread.start()

    def put(self, row: Row) -> None:
        """Have a row written soon. Raises RecordError where an earlier one could not be; this one is not."""
        with self._state:
            while self._n_waiting > _MAX_WAITING and self._problem is None:
                self._state.wait()
            if self._problem is not None:
                raise self._problem
            self._check_open()
            self._waiting.append(row)
            self._n_waiting += row.size
            self._state.notify_all()

    def call(self, function: Callable[[sqlite3.Connection], _T]) -> _T:
        """What a function gives, run in a transaction of its own once all that was put before is written.

        Raises RecordError where one of these could not be written, or this cannot.
        """
        future: Future[_T] = Future()
        with self._state:
            self._check_open()
            self._waiting.append(_Call(function, future))
            self._hurry.set()
            self._state.notify_all()
        return future.result()

    def flush(self) -> None:
        """Return once all that was put is written. Raises RecordError where it could not be."""
        if not self._is_closing:
            self.call(lambda _: None)
            return
        self._thread.join()
        if self._problem is not None:
            raise self._problem

    @property
    def unwritten(self) -> list[Row]:
        """What was put and could not be written."""
        with self._state:
            return list(self._unwritten)

    def close(self) -> None:
        """Write all that waits, and end. Tells of no problem: `flush` does."""
        with self._state:
            self._is_closing = True
            self._hurry.set()
            self._state.notify_all()
        self._thread.join()
        self._database.close()

    def _check_open(self) -> None:
        if self._is_closing:
            raise RecordError(f"the records {self._database.path} are closed to what is running")

    def _work(self) -> None:
        while True:
            with self._state:
                while not self._waiting and not self._is_closing:
                    self._state.wait()
                if not self._waiting:
                    return
                batch = list(self._waiting)
                self._waiting.clear()
                if not self._is_closing:
                    self._hurry.clear()
            self._write_all(batch)
            self._hurry.wait(_LINGER_S)

    def _write_all(self, batch: list[Row | _Call]) -> None:
        rows: list[Row] = []
        for item in batch:
            if isinstance(item, Row):
                rows.append(item)
            else:
                self._write(rows)
                rows = []
                self._answer(item)
        self._write(rows)

    def _write(self, rows: list[Row]) -> None:
        if not rows:
            return
        problem = self._problem
        if problem is None:
            try:
                packed = [(row.statement, row.packed()) for row in rows]  # before others are locked out
                with self._database.writing() as connection:
                    for statement, values in packed:
                        connection.execute(statement, values)
            except RecordError as error:
                problem = error
            except Exception as error:  # noqa: BLE001 - whoever waits must be told, not left waiting
                problem = RecordError(f"the records {self._database.path}: {error!r}")
        with self._state:
            if problem is not None:
                self._problem = problem
                self._unwritten += rows
            self._n_waiting -= sum(row.size for row in rows)
            self._state.notify_all()

    def _answer(self, call: _Call) -> None:
        try:
            if self._problem is not None:
                raise self._problem
            with self._database.writing() as connection:
                result = call.function(connection)
        except BaseException as error:  # noqa: BLE001 - handed to whoever called
            call.future.set_exception(error)
        else:
            call.future.set_result(result)
