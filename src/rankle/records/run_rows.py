"""The rows of runs: how a run is written to its row, and read from it."""

import json
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from rankle.records.run_info import RunFacts, RunInfo, RunState
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
_JSON: Final = frozenset({"parts", "settings", "measures"})


def insert_run(connection: sqlite3.Connection, facts: RunFacts) -> int:
    """The number of the new row."""
    values = {name: getattr(facts, name) for name in _FACTS}
    values["family"] = facts.family or facts.id
    written = [_written(name, values[name]) for name in _FACTS]
    places = ", ".join("?" * (len(_FACTS) + 2))
    cursor = connection.execute(
        f"INSERT INTO runs ({', '.join(_FACTS)}, state, measures) VALUES ({places})",  # noqa: S608 - constants
        [*written, RunState.RUNNING.value, "{}"],
    )
    assert cursor.lastrowid is not None
    return cursor.lastrowid


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
    tags = _tags(connection)
    for row in rows:
        members = {name: _read(name, value) for name, value in zip(names, row, strict=True)}
        number = members.pop("number")
        state = RunState(members.pop("state"))
        if state is RunState.RUNNING and not RunLock(store, members["id"]).is_held():
            state = RunState.INTERRUPTED  # its process was killed, and could not say so
        yield (
            number,
            RunInfo(
                **members,
                state=state,
                tags=tags.get(number, ()),
                n_done=_n_done(connection, number, state, row),
            ),
        )


def _n_done(connection: sqlite3.Connection, number: int, state: RunState, row: Sequence[Any]) -> int:
    if state is RunState.COMPLETE:
        return int(row[_FACTS.index("n_queries")])
    (n_done,) = connection.execute("SELECT count(*) FROM cases WHERE run = ?", (number,)).fetchone()
    return int(n_done)


def _tags(connection: sqlite3.Connection) -> dict[int, tuple[str, ...]]:
    found: dict[int, tuple[str, ...]] = {}
    for name, number in connection.execute("SELECT name, run FROM tags ORDER BY name"):
        found[number] = (*found.get(number, ()), name)
    return found


def _written(name: str, value: Any) -> Any:
    return json.dumps(value, ensure_ascii=False) if name in _JSON else value


def _read(name: str, value: Any) -> Any:
    if name in _JSON:
        return json.loads(value)
    return bool(value) if name == "git_dirty" and value is not None else value
