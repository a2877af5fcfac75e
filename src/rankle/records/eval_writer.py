"""Writes one eval while it runs: each trial as soon as it is done, the summary at the end."""

import json
import sqlite3
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from rankle.core.errors import RecordError
from rankle.core.evals import EvalSummary
from rankle.core.run import RunReport
from rankle.core.trials import TrialReport
from rankle.records.database import Database
from rankle.records.eval_cases import BareTrial, CaseFigures
from rankle.records.fingerprints import judgments_fingerprint, queries_fingerprint
from rankle.records.group_writer import GroupWriter, Row
from rankle.records.json_packing import JsonPacker, unpack_json
from rankle.records.run_info import RunState

Place = tuple[int, int]
"""The place of a case among those that are run, and the number of its trial."""
_INSERT = "INSERT INTO trials (run, position, trial, report) VALUES (?, ?, ?, ?)"
_ALL = "SELECT position, trial, report FROM trials WHERE run = ? ORDER BY position, trial"
_SOME = (
    "SELECT position, trial, report FROM trials WHERE run = ? "
    "AND position IN (SELECT value FROM json_each(?)) ORDER BY position, trial"
)


class EvalWriter:
    """One eval that this process fills. Calls come one after another, from any thread."""

    def __init__(self, group: GroupWriter, packer: JsonPacker, *, path: Path, number: int, n_trials: int):
        """number: that of its row. n_trials: how many make it complete, over all cases."""
        self._group = group
        self._packer = packer
        self._path = path
        self._number = number
        self._n_trials = n_trials
        self._is_complete = False

    def keep(self, place: Place, trial: TrialReport) -> None:
        """Have a trial written. Raises RecordError where one before could not be; this one is not kept."""
        data = self._packer.encode(trial)
        self._group.put(Row(_INSERT, (self._number, *place, data), len(data), self._packer.compress))

    def flush(self) -> None:
        """Return once all that was kept is written. Raises RecordError where it could not be."""
        self._group.flush()

    def written(self, cases: Collection[int] | None = None) -> Iterator[tuple[Place, TrialReport]]:
        """What stands in the store, by case and trial; of these cases alone."""
        return ((place, unpack_json(blob, TrialReport)) for place, blob in self._blobs(cases))

    def unwritten(self) -> list[tuple[Place, TrialReport]]:
        """What was kept and could not be written."""
        with suppress(RecordError):  # it is why there is something
            self._group.flush()
        return [
            ((row.values[1], row.values[2]), unpack_json(row.values[3], TrialReport))
            for row in self._group.unwritten
            if row.values[0] == self._number
        ]

    def known(self) -> dict[Place, TrialReport]:
        """What stands in the store, without outputs, traces and columns."""
        return {
            place: msgspec.convert(msgspec.to_builtins(unpack_json(blob, BareTrial)), TrialReport)
            for place, blob in self._blobs()
        }

    def finish(
        self, summary: EvalSummary, report: RunReport, figures: Sequence[CaseFigures], *, at: str
    ) -> None:
        """Write what the eval came to, and call it complete.

        report: the eval as a measured run. figures: of each case, in order. at: UTC, ISO 8601.
        Raises RecordError where it cannot be written, or a trial is missing.
        """
        # Packed here: the thread that writes must not be held up, and others' rows wait behind it.
        packed = {
            "summary": self._packer.pack(summary),
            "figures": self._packer.pack(list(figures)),
            "report": self._packer.pack(report),
        }

        def write(connection: sqlite3.Connection) -> None:
            self._check_whole(connection)
            self._write(connection, packed, report, summary, at)

        self._group.call(write)
        self._is_complete = True

    def close(self) -> None:
        """Let go of it; unless it is complete, it is interrupted now, and can be gone on with."""
        if self._is_complete:
            return
        self._group.call(
            lambda connection: connection.execute(
                "UPDATE runs SET state = ? WHERE number = ? AND state = ?",
                (RunState.INTERRUPTED.value, self._number, RunState.RUNNING.value),
            )
        )

    def _check_whole(self, connection: sqlite3.Connection) -> None:
        query = "SELECT count(*) FROM trials WHERE run = ?"
        (n_written,) = connection.execute(query, (self._number,)).fetchone()
        if n_written != self._n_trials:
            raise RecordError(
                f"an eval in {self._path} holds {n_written} trials of {self._n_trials}; it stays unfinished"
            )

    def _write(
        self,
        connection: sqlite3.Connection,
        packed: dict[str, bytes],
        report: RunReport,
        summary: EvalSummary,
        at: str,
    ) -> None:
        connection.execute(
            "UPDATE evals SET summary = ?, figures = ? WHERE run = ?",
            (packed["summary"], packed["figures"], self._number),
        )
        connection.execute("INSERT OR REPLACE INTO reports VALUES (?, ?)", (self._number, packed["report"]))
        values: dict[str, Any] = {
            "state": RunState.COMPLETE.value,
            "finished": at,
            "set_name": report.set.name,
            "level": report.level,
            "depth": report.depth,
            "system_name": report.system.name,
            "method": report.system.method,
            "measures": json.dumps({name: one.mean for name, one in report.measures.items()}),
            "n_failed": summary.n_failed,
            "queries_fingerprint": queries_fingerprint(report),
            "judgments_fingerprint": judgments_fingerprint(report),
        }
        connection.execute(
            f"UPDATE runs SET {', '.join(f'{name} = ?' for name in values)} WHERE number = ?",  # noqa: S608
            [*values.values(), self._number],
        )

    def _blobs(self, cases: Collection[int] | None = None) -> Iterator[tuple[Place, bytes]]:
        """One after another, from a connection of its own, so that any number of them fits in memory."""
        database = Database(self._path)
        try:
            with database.reading() as connection:
                if cases is None:
                    rows = connection.execute(_ALL, (self._number,))
                else:
                    rows = connection.execute(_SOME, (self._number, json.dumps(sorted(cases))))
                for position, trial, blob in rows:
                    yield (position, trial), blob
        finally:
            database.close()
