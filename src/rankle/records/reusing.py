"""Takes cases from earlier runs of the same store that asked the same of the same."""

import sqlite3
from collections.abc import Mapping
from dataclasses import replace

from rankle.core.outcome import Outcome
from rankle.records.packing import unpack_outcome


def copy_known(
    connection: sqlite3.Connection, number: int, asked: Mapping[int, tuple[str, str]]
) -> dict[int, Outcome]:
    """Copy to a run what earlier ones came to, the newest first; each says whom it was taken from.

    number: of the run. asked: place in the set to the id of the query and the key of the case.
    Returns the outcomes by place; places that nobody knows are left out.
    """
    known: dict[int, Outcome] = {}
    rows = []
    for place, (query, key) in asked.items():
        found = connection.execute(
            "SELECT outcome, coalesce(reused_from, runs.id) FROM cases JOIN runs ON run = number "
            "WHERE key = ? ORDER BY cases.id DESC LIMIT 1",
            (key,),
        ).fetchone()
        if found is not None:
            blob, run = found
            known[place] = replace(unpack_outcome(blob), reused_from=run)
            rows.append((number, place, query, blob, key, run))
    connection.executemany(
        "INSERT INTO cases (run, position, query, outcome, key, reused_from) VALUES (?, ?, ?, ?, ?, ?)", rows
    )
    return known


def is_good_again(outcome: Outcome) -> bool:
    """Whether a later run may take it: a failure is asked again, and so is what a crash made slow."""
    return outcome.answer is not None and outcome.crash_of_batch is None
