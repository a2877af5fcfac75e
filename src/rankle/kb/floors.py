"""The floors of a workspace: of each method, the score at or below which a result is taken for none.

They stand in the table `meta`, a row a method. Search itself does not look at them.
"""

import math
import sqlite3
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from rankle.core.errors import InputError, WorkspaceError
from rankle.core.product import NAME
from rankle.kb.methods import METHODS, check_method
from rankle.kb.store.database import Database

_KEY: Final = "floor:"


@dataclass(frozen=True, slots=True, kw_only=True)
class Floor:
    """One method's floor. Raises InputError for a value that is no number."""

    method: str
    value: float
    chosen: str
    """When: UTC, ISO 8601 with a trailing Z."""
    basis: Mapping[str, Any]
    """What the scores are made with: settings of the ranking, and the model. Scores of another basis are on
    another scale, and the floor says nothing about them."""
    set_name: str | None = None
    """The set that it was chosen on; None where it was set by hand."""
    set_fingerprint: str | None = None
    index: str | None = None
    """Fingerprint of what was indexed when it was chosen on a set."""

    def __post_init__(self) -> None:
        check_method(self.method)
        if not math.isfinite(self.value):
            raise InputError(f"a floor must be a finite number, got {self.value}")


class Floors:
    """Reads and writes the floors of one workspace."""

    def __init__(self, database: Callable[[], Database]) -> None:
        """database: the workspace's, opened by the first use."""
        self._database = database

    def all(self) -> tuple[Floor, ...]:
        """In the order of the methods, best first. Raises WorkspaceError where one cannot be read."""
        with self._database().reading() as connection:
            return read_floors(connection)

    def of(self, method: str) -> Floor | None:
        """None where the method has none. Raises UnknownNameError for what is no method."""
        check_method(method)
        return next((floor for floor in self.all() if floor.method == method), None)

    def keep(self, floor: Floor, *, waiting: Callable[[], None] | None = None) -> None:
        """In place of the one that the method had.

        waiting: called once where another process writes to the workspace.
        """
        with self._database().writing(waiting=waiting) as connection:
            connection.execute(
                "INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)",
                (_KEY + floor.method, msgspec.json.encode(floor).decode()),
            )

    def clear(self, method: str, *, waiting: Callable[[], None] | None = None) -> bool:
        """Returns whether there was one. Raises UnknownNameError for what is no method."""
        check_method(method)
        with self._database().writing(waiting=waiting) as connection:
            return connection.execute("DELETE FROM meta WHERE key = ?", (_KEY + method,)).rowcount > 0


def read_floors(connection: sqlite3.Connection) -> tuple[Floor, ...]:
    """connection: within a transaction."""
    found = []
    for method in METHODS:
        row = connection.execute("SELECT value FROM meta WHERE key = ?", (_KEY + method,)).fetchone()
        if row is not None:
            found.append(_read(row[0], method))
    return tuple(found)


def _read(text: str, method: str) -> Floor:
    try:
        return msgspec.json.decode(text, type=Floor)
    except (msgspec.DecodeError, InputError) as error:
        raise WorkspaceError(
            f"the floor of {method} cannot be read ({error}). Drop it: {NAME} eval floor --clear "
            f"--method {method}"
        ) from error
