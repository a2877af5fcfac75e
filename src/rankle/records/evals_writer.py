"""Writes what one command runs: its evals, and at the end what came of all of them."""

import json
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import msgspec

from rankle.core.errors import RecordError
from rankle.core.evals import EvalsSummary, EvalSummary
from rankle.records.eval_cases import StoredCase
from rankle.records.eval_writer import EvalWriter
from rankle.records.group_writer import GroupWriter
from rankle.records.json_packing import JsonPacker
from rankle.records.run_info import RunFacts, RunInfo, RunState
from rankle.records.run_lock import RunLock
from rankle.records.run_rows import insert_run
from rankle.records.waiting import PATIENCE_S

_NEXT: Final = "wait for it, or end it first"


class EvalsWriter:
    """All evals of one command, while this process runs them. Close it, complete or not."""

    def __init__(
        self,
        path: Path,
        *,
        family: str,
        created: str,
        withheld: Iterable[str] = (),
        patience_s: float = PATIENCE_S,
    ) -> None:
        """path: of a store that is there. family: id of the whole run, new or one that goes on.

        withheld: texts that are not to be stored. Raises RecordError where another process fills the run.
        """
        self._path = path
        self._family = family
        self._created = created
        self._packer = JsonPacker(withheld)
        self._lock = RunLock(path, family)
        if not self._lock.take():
            raise RecordError(f"run {family} is being filled by another process; {_NEXT}")
        try:
            self._group = GroupWriter(path, patience_s=patience_s)
        except BaseException:
            self._lock.release()
            raise

    def begin(self, facts: RunFacts, cases: Sequence[StoredCase]) -> EvalWriter:
        """A new eval of this run. cases: those that are run, in order."""
        assert facts.eval is not None
        own = replace(
            facts,
            family=self._family,
            settings=msgspec.json.decode(self._packer.encode(facts.settings)),
            name=json.loads(self._packer.encode(facts.name)),
        )
        contents = [(place, case.id, self._packer.pack(case)) for place, case in enumerate(cases)]

        def write(connection: sqlite3.Connection) -> int:
            connection.execute(
                "INSERT OR IGNORE INTO eval_runs (family, created) VALUES (?, ?)",
                (self._family, self._created),
            )
            number = insert_run(connection, own)
            connection.executemany(
                "INSERT INTO eval_cases (run, position, case_id, content) VALUES (?, ?, ?, ?)",
                ((number, *content) for content in contents),
            )
            return number

        return self._writer(self._group.call(write), n_trials=len(cases) * facts.eval.trials)

    def go_on(self, info: RunInfo) -> EvalWriter:
        """An eval that was begun before; its trials stay."""
        assert info.eval is not None

        def write(connection: sqlite3.Connection) -> int:
            connection.execute(
                "UPDATE runs SET state = ? WHERE id = ? AND state <> ?",
                (RunState.RUNNING.value, info.id, RunState.COMPLETE.value),
            )
            (number,) = connection.execute("SELECT number FROM runs WHERE id = ?", (info.id,)).fetchone()
            return int(number)

        return self._writer(self._group.call(write), n_trials=info.n_queries * info.eval.trials)

    def finish(self, summary: EvalsSummary, evals: Sequence[EvalSummary]) -> None:
        """Write what came of all of them, and call the run complete.

        evals: all, in order, those too that could not be run. Raises RecordError where it cannot be written.
        """
        packed = self._packer.pack(summary)

        def write(connection: sqlite3.Connection) -> None:
            own = "SELECT id FROM runs WHERE family = ? AND kind = 'eval'"
            stored = {run for (run,) in connection.execute(own, (self._family,))}
            listed = [one.id if one.id in stored else one for one in evals]
            connection.execute(
                "UPDATE eval_runs SET summary = ?, evals = ? WHERE family = ?",
                (packed, self._packer.pack(listed), self._family),
            )
            connection.execute(
                "UPDATE runs SET family_size = ? WHERE family = ? AND kind = 'eval'",
                (len(stored), self._family),
            )

        self._group.call(write)

    def close(self) -> None:
        """Write all that waits and let go of the run."""
        try:
            self._group.close()
        finally:
            self._lock.release()

    def _writer(self, number: int, *, n_trials: int) -> EvalWriter:
        return EvalWriter(self._group, self._packer, path=self._path, number=number, n_trials=n_trials)
