"""Fills the record of one run, case by case."""

import json
from collections.abc import Mapping, Sequence

from rankle.core.errors import RecordError
from rankle.core.outcome import Outcome
from rankle.core.run import RunReport
from rankle.records.database import Database
from rankle.records.fingerprints import judgments_fingerprint, queries_fingerprint
from rankle.records.packing import pack_outcome, pack_report
from rankle.records.reusing import copy_known, is_good_again
from rankle.records.run_info import RunState
from rankle.records.run_lock import RunLock


class RunWriter:
    """One run that this process fills, and no other can. `close` it, complete or not."""

    def __init__(
        self, database: Database, number: int, lock: RunLock, *, keys: Sequence[str] | None = None
    ) -> None:
        """lock: taken already. keys: of each case, in the order of the set; see `reuse`."""
        self._database = database
        self._number = number
        self._lock = lock
        self._keys = keys
        self._is_complete = False

    def reuse(self, queries: Sequence[str]) -> dict[int, Outcome]:
        """Take from earlier runs the cases of the same key, and keep them as cases of this one.

        queries: ids of the queries, in the order of the set. Returns place in the set to what it came to
        then; nothing without keys. Raises RecordError where nothing can be read or written.
        """
        if self._keys is None:
            return {}
        asked = dict(enumerate(zip(queries, self._keys, strict=True)))
        with self._database.writing() as connection:
            return copy_known(connection, self._number, asked)

    def keep(self, outcomes: Mapping[int, tuple[str, Outcome]]) -> None:
        """Write finished cases at once, all or none of them; a kill after this loses none.

        outcomes: place in the set to the id of the query and what it came to. Raises RecordError where they
        cannot be written.
        """
        rows = [
            (self._number, place, query, pack_outcome(outcome), self._key(place, outcome))
            for place, (query, outcome) in outcomes.items()
        ]
        with self._database.writing() as connection:
            connection.executemany(
                "INSERT INTO cases (run, position, query, outcome, key) VALUES (?, ?, ?, ?, ?)", rows
            )

    def _key(self, place: int, outcome: Outcome) -> str | None:
        return self._keys[place] if self._keys is not None and is_good_again(outcome) else None

    def finish(self, report: RunReport, *, at: str) -> None:
        """Write the report and call the run complete.

        at: UTC, ISO 8601. Raises RecordError where it cannot be written, or a case of the report is missing.
        """
        with self._database.writing() as connection:
            stored = connection.execute(
                "SELECT outcome FROM cases WHERE run = ? ORDER BY position", (self._number,)
            ).fetchall()
            if len(stored) != len(report.queries):
                raise RecordError(
                    f"run {report.id} holds {len(stored)} cases of {len(report.queries)}; it stays unfinished"
                )
            blob = pack_report(report, [outcome for (outcome,) in stored])
            connection.execute("INSERT OR REPLACE INTO reports VALUES (?, ?)", (self._number, blob))
            connection.execute(
                "UPDATE runs SET state = ?, finished = ?, measures = ?, n_failed = ?, "
                "queries_fingerprint = ?, judgments_fingerprint = ? WHERE number = ?",
                (
                    RunState.COMPLETE.value,
                    at,
                    json.dumps({name: summary.mean for name, summary in report.measures.items()}),
                    sum(query.status == "failed" for query in report.queries),
                    queries_fingerprint(report),
                    judgments_fingerprint(report),
                    self._number,
                ),
            )
        self._is_complete = True

    def close(self) -> None:
        """Let go of the run; unless it is complete, it is interrupted now, and can be gone on with."""
        try:
            if not self._is_complete:
                with self._database.writing() as connection:
                    connection.execute(
                        "UPDATE runs SET state = ? WHERE number = ? AND state = ?",
                        (RunState.INTERRUPTED.value, self._number, RunState.RUNNING.value),
                    )
        finally:
            self._lock.release()
