"""The rows of runs: how a run is written to its row, and read from it."""

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from rankle.records.run_info import EvalFacts, RunFacts, RunInfo, RunState
from rankle.records.run_lock import RunLock

_FACTS: Final = (
    "id", "family", "family_size", "name", "created", "rankle_version", "git_revision", "git_dirty",
    "set_name", "set_fingerprint", "n_queries", "level", "depth", "seed", "system_name", "method",
    "system_fingerprint", "parts", "settings",
)  # fmt: skip
_LATER: Final = (
    "number", "state", "finished", "measures", "n_failed", "queries_fingerprint", "judgments_fingerprint",
    "pinned_for",
)  # fmt: skip
_EVAL: Final = ("key", "name", "trials", "is_full", "scorers", "cases_fingerprint")
_JSON: Final = frozenset({"parts", "settings", "measures", "scorers"})
_FLAGS: Final = frozenset({"git_dirty", "is_full"})


def insert_run(connection: sqlite3.Connection, facts: RunFacts) -> int:
    """The number of the new row."""
    values = {name: getattr(facts, name) for name in _FACTS}
    values["family"] = facts.family or facts.id
    written = [_written(name, values[name]) for name in _FACTS]
    kind = "run" if facts.eval is None else "eval"
    places = ", ".join("?" * (len(_FACTS) + 3))
    cursor = connection.execute(
        f"INSERT INTO runs ({', '.join(_FACTS)}, state, measures, kind) VALUES ({places})",  # noqa: S608 - constants
        [*written, RunState.RUNNING.value, "{}", kind],
    )
    assert cursor.lastrowid is not None
    if facts.eval is not None:
        own = [_written(name, getattr(facts.eval, name)) for name in _EVAL]
        connection.execute(
            f"INSERT INTO evals (run, {', '.join(_EVAL)}) VALUES (?, {', '.join('?' * len(_EVAL))})",  # noqa: S608
            [cursor.lastrowid, *own],
        )
    return cursor.lastrowid


def delete_run(connection: sqlite3.Connection, number: int) -> int:
    """Delete a run with all that was kept of it, unless it, or an eval of its command, has a tag or a pin.

    Returns how many were deleted, 1 or 0.
    """
    n_deleted = connection.execute(
        "DELETE FROM runs WHERE number = ? AND pinned_for IS NULL AND number NOT IN (SELECT run FROM tags) "
        "AND NOT (kind = 'eval' AND family IN (SELECT family FROM runs WHERE kind = 'eval' "
        "AND (pinned_for IS NOT NULL OR number IN (SELECT run FROM tags))))",
        (number,),
    ).rowcount
    connection.execute(
        "DELETE FROM eval_runs WHERE family NOT IN (SELECT family FROM runs WHERE kind = 'eval')"
    )
    return n_deleted


def read_runs(
    connection: sqlite3.Connection, store: Path, *, where: str = "", values: Sequence[Any] = ()
) -> Iterator[tuple[int, RunInfo]]:
    """The number and the facts of runs, newest first.

    where: a condition in SQL, written by us, with `values` for its question marks.
    """
    names = (*_FACTS, *_LATER)
    condition = f"WHERE {where}" if where else ""
    rows = connection.execute(
        f"SELECT {', '.join(names)} FROM runs {condition} ORDER BY number DESC",  # noqa: S608 - constants
        values,
    ).fetchall()
    beside = _Beside(connection, store)
    for row in rows:
        members = {name: _read(name, value) for name, value in zip(names, row, strict=True)}
        number = members.pop("number")
        yield number, beside.info(number, members)


class _Beside:
    """What other tables say of runs. Evals of one family are tagged, pinned and filled together."""

    def __init__(self, connection: sqlite3.Connection, store: Path) -> None:
        self._connection = connection
        self._store = store
        self._tags = _grouped(connection.execute("SELECT run, name FROM tags ORDER BY name"))
        self._family_tags = _grouped(
            connection.execute(
                "SELECT family, tags.name FROM tags JOIN runs ON number = run WHERE kind = 'eval' "
                "ORDER BY tags.name"
            )
        )
        self._family_pins = dict(
            connection.execute(
                "SELECT family, pinned_for FROM runs WHERE kind = 'eval' AND pinned_for IS NOT NULL"
            )
        )
        self._complete = {
            family
            for (family,) in connection.execute("SELECT family FROM eval_runs WHERE summary IS NOT NULL")
        }
        self._evals = {
            number: EvalFacts(**{name: _read(name, value) for name, value in zip(_EVAL, row, strict=True)})
            for number, *row in connection.execute(f"SELECT run, {', '.join(_EVAL)} FROM evals")  # noqa: S608
        }
        self._held: dict[str, bool] = {}

    def info(self, number: int, members: dict[str, Any]) -> RunInfo:
        """The run of this number. members: what its own row says."""
        own = self._evals.get(number)
        family: str = members["family"]
        state = RunState(members.pop("state"))
        if state is RunState.RUNNING and not self._is_held(members["id"] if own is None else family):
            state = RunState.INTERRUPTED  # its process was killed, and could not say so
        if own is not None:
            members["pinned_for"] = self._family_pins.get(family)
        return RunInfo(
            **members,
            state=state,
            family_state=RunState.COMPLETE if own is None else self._family_state(family),
            tags=self._tags.get(number, ()) if own is None else self._family_tags.get(family, ()),
            n_done=members["n_queries"] if state is RunState.COMPLETE else self._n_done(number, own),
            eval=own,
        )

    def _family_state(self, family: str) -> RunState:
        if family in self._complete:
            return RunState.COMPLETE
        return RunState.RUNNING if self._is_held(family) else RunState.INTERRUPTED

    def _is_held(self, lock: str) -> bool:
        if lock not in self._held:
            self._held[lock] = RunLock(self._store, lock).is_held()
        return self._held[lock]

    def _n_done(self, number: int, own: EvalFacts | None) -> int:
        if own is None:
            query = "SELECT count(*) FROM cases WHERE run = ?"
            values: tuple[int, ...] = (number,)
        else:
            query = (
                "SELECT count(*) FROM (SELECT 1 FROM trials WHERE run = ? GROUP BY position "
                "HAVING count(*) >= ?)"
            )
            values = (number, own.trials)
        return int(self._connection.execute(query, values).fetchone()[0])


def _grouped(rows: Iterable[tuple[Any, str]]) -> dict[Any, tuple[str, ...]]:
    found: dict[Any, tuple[str, ...]] = {}
    for key, name in rows:
        found[key] = (*found.get(key, ()), name)
    return found


def _written(name: str, value: Any) -> Any:
    return json.dumps(value, ensure_ascii=False) if name in _JSON else value


def _read(name: str, value: Any) -> Any:
    if name == "scorers":
        return tuple(json.loads(value))
    if name in _JSON:
        return json.loads(value)
    return bool(value) if name in _FLAGS and value is not None else value
