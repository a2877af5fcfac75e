"""The store of records: runs are begun, gone on with, found by name, read back, tagged and deleted here."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import Self

from rankle.core.errors import InputError, RecordError, UnknownNameError
from rankle.core.evals import EvalsRun
from rankle.core.outcome import Outcome
from rankle.core.product import NAME
from rankle.core.run import RunReport
from rankle.records.database import Database
from rankle.records.eval_reading import (
    EvalFigures,
    check_evals,
    load_evals,
    newest_figures,
    read_figures,
    read_report,
)
from rankle.records.evals_writer import EvalsWriter
from rankle.records.exported import read_exported
from rankle.records.finding import check_complete, find_rows, find_run, find_whole, names_file
from rankle.records.packing import pack, unpack, unpack_outcome, unpack_report
from rankle.records.reference import check_tag
from rankle.records.run_info import RunFacts, RunInfo, RunState
from rankle.records.run_lock import RunLock
from rankle.records.run_rows import delete_run, insert_run, read_runs
from rankle.records.run_writer import RunWriter
from rankle.records.waiting import PATIENCE_S


def open_store(path: str | Path, *, create: bool = False, patience_s: float = PATIENCE_S) -> "Store":
    """The records in a file. Close it, or use it as a context.

    create: make the file, with its folder, where it is not there. patience_s: how long to wait for another
    process that writes. Raises RecordError where it is missing, foreign, damaged, locked or newer.
    """
    return Store(Database(Path(path), create=create, patience_s=patience_s))


@dataclass(frozen=True, slots=True)
class StoredRun:
    """All that was kept of a run, complete or not."""

    info: RunInfo
    plan: bytes
    """What the cases were made from, as `begin` was given it."""
    outcomes: Mapping[int, Outcome]
    """Place in the set to what the query came to."""


class Store:
    """The records in one file. Several processes may use it at once."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @property
    def path(self) -> Path:
        return self._database.path

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self._database.close()

    # Writing

    def begin(self, facts: RunFacts, *, plan: bytes, keys: Sequence[str] | None = None) -> RunWriter:
        """A run that this process fills.

        keys: of each case, by which later runs know it; see `RunWriter.reuse`. None keeps none.
        plan: what its cases are made from; given back by `read`, and otherwise not looked at.
        """
        lock = RunLock(self.path, facts.id)
        if not lock.take():
            raise RecordError(f"another process fills a run {facts.id}")
        try:
            with self._database.writing() as connection:
                number = insert_run(connection, facts)
                connection.execute("INSERT INTO plans VALUES (?, ?)", (number, pack(plan)))
        except BaseException:
            lock.release()
            raise
        return RunWriter(self._database, number, lock, keys=keys)

    def go_on(self, run: str, *, plan: bytes | None = None, keys: Sequence[str] | None = None) -> RunWriter:
        """The run of this id, to be filled further; its cases stay.

        plan: takes the place of the one that it has; None leaves that.
        Raises RecordError where another process fills it.
        """
        number, _ = self._one(run)
        lock = RunLock(self.path, run)
        if not lock.take():
            raise RecordError(f"run {run} is being filled by another process; wait for it, or end it first")
        try:
            with self._database.writing() as connection:
                connection.execute(
                    "UPDATE runs SET state = ? WHERE number = ? AND state = ?",
                    (RunState.RUNNING.value, number, RunState.INTERRUPTED.value),
                )
                if plan is not None:
                    connection.execute("UPDATE plans SET plan = ? WHERE run = ?", (pack(plan), number))
        except BaseException:
            lock.release()
            raise
        return RunWriter(self._database, number, lock, keys=keys)

    def begin_evals(
        self, family: str, *, created: str, withheld: Iterable[str] = (), patience_s: float = PATIENCE_S
    ) -> EvalsWriter:
        """A run of evals that this process fills, new or one to go on with; see `EvalsWriter`."""
        return EvalsWriter(
            self.path, family=family, created=created, withheld=withheld, patience_s=patience_s
        )

    def tag(self, ref: str, name: str) -> RunInfo | None:
        """Name a run by a tag, which leaves the run that had it. Returns that one; None where none had.

        Raises InputError for what can be no tag, UnknownNameError where there is no such run.
        """
        check_tag(name)
        rows = self._rows()
        number = find_whole(ref, rows, store=self.path)
        before = [info for _, info in rows if name in info.tags]
        with self._database.writing() as connection:
            connection.execute("INSERT OR REPLACE INTO tags VALUES (?, ?)", (name, number))
        return before[0] if before else None

    def untag(self, name: str) -> None:
        """Take a tag away; the run stays. Raises UnknownNameError where no run has it."""
        with self._database.writing() as connection:
            if not connection.execute("DELETE FROM tags WHERE name = ?", (name,)).rowcount:
                known = [row[0] for row in connection.execute("SELECT name FROM tags")]
                raise UnknownNameError(what="tag", name=name, known=known, hint=f"See: {NAME} history")

    def pin(self, ref: str, reason: str | None) -> None:
        """Keep a run from being pruned, for a reason such as that it is a baseline; None lets it go again."""
        number, _ = self._one(ref)
        with self._database.writing() as connection:
            connection.execute("UPDATE runs SET pinned_for = ? WHERE number = ?", (reason, number))

    def delete(self, runs: Iterable[str]) -> int:
        """Delete runs by their ids, with all that was kept of them. Returns how many there were.

        Runs that were tagged, pinned or gone on with meanwhile stay.
        """
        wanted = set(runs)
        going = [
            (number, info) for number, info in self._rows() if info.id in wanted and not info.is_protected
        ]
        n_deleted = 0
        for number, info in going:
            # One transaction each, so that who fills a run meanwhile need not wait long.
            with self._database.writing() as connection:
                n_deleted += delete_run(connection, number)
            RunLock(self.path, info.id if info.eval is None else info.family).remove()
        self._database.give_back_space()
        return n_deleted

    # Reading

    def runs(self) -> list[RunInfo]:
        """Every run, newest first."""
        return [info for _, info in self._rows()]

    def info(self, ref: str) -> RunInfo:
        """The run that a name means. Raises UnknownNameError where there is none, InputError for several."""
        return self._one(ref)[1]

    def infos(self, ref: str) -> tuple[RunInfo, ...]:
        """The run that a name means, or all evals of one command in their order. Raises as `info` does."""
        return tuple(info for _, info in find_rows(ref, self._rows(), store=self.path))

    def load(self, ref: str) -> RunReport:
        """The report of a run, as it was printed the day it ran, to the byte; or that of a file.

        ref: an id or its beginning, `latest`, `latest~1`, a tag, or a file; see `info`.
        Raises CannotMeasureError where the run is not complete.
        """
        if names_file(ref, tags={tag for info in self.runs() for tag in info.tags}):
            return read_exported(ref)
        number, info = self._one(ref)
        check_complete(info)
        with self._database.reading() as connection:
            row = connection.execute("SELECT report FROM reports WHERE run = ?", (number,)).fetchone()
        if row is None:
            raise RecordError(f"the records {self.path} are damaged: run {info.id} has no report")
        if info.eval is not None:
            return read_report(row[0])
        return unpack_report(row[0], list(self._cases(number).values()))

    def load_evals(self, ref: str) -> EvalsRun:
        """A run of evals, whose cases are read when they are needed, also after the store is closed.

        ref: as for `load`, but for a file; `RUN#NAME` and the id of an eval give the run with it alone.
        Raises InputError where it is no run of evals, CannotMeasureError where it is not complete.
        """
        with self._database.reading() as connection:
            rows = find_rows(ref, list(read_runs(connection, self.path)), store=self.path)
            return load_evals(connection, self.path, rows, ref=ref)

    def eval_figures(self, ref: str) -> tuple[EvalFigures, ...]:
        """What the cases of the evals of a run came to. Raises as `load_evals` does."""
        with self._database.reading() as connection:
            rows = find_rows(ref, list(read_runs(connection, self.path)), store=self.path)
            check_evals(rows, ref=ref)
            return tuple(read_figures(connection, self.path, row) for row in rows)

    def newest_of_eval(self, key: str, *, other_than: str = "") -> EvalFigures | None:
        """The newest complete run of an eval that left no case out; None where there is none.

        key: `path::name[variant]`. other_than: the family that is being run.
        """
        with self._database.reading() as connection:
            return newest_figures(connection, self.path, key, other_than=other_than)

    def read(self, ref: str) -> StoredRun:
        """All that was kept of a run, complete or not. Raises as `info` does."""
        number, info = self._one(ref)
        if info.eval is not None:
            raise InputError(f"run {info.id} is of an eval, which keeps no results of a search: {ref}")
        with self._database.reading() as connection:
            row = connection.execute("SELECT plan FROM plans WHERE run = ?", (number,)).fetchone()
        if row is None:
            raise RecordError(f"the records {self.path} are damaged: run {info.id} has no plan")
        return StoredRun(info, unpack(row[0]), self._outcomes(number))

    def _outcomes(self, number: int) -> dict[int, Outcome]:
        """By place in the set; each says which run it was taken from."""
        with self._database.reading() as connection:
            rows = connection.execute(
                "SELECT position, outcome, reused_from FROM cases WHERE run = ? ORDER BY position", (number,)
            ).fetchall()
        return {place: replace(unpack_outcome(blob), reused_from=run) for place, blob, run in rows}

    def _cases(self, number: int) -> dict[int, bytes]:
        """Place in the set to the blob of the case, in the order of the set."""
        with self._database.reading() as connection:
            return dict(
                connection.execute(
                    "SELECT position, outcome FROM cases WHERE run = ? ORDER BY position", (number,)
                )
            )

    def _rows(self) -> list[tuple[int, RunInfo]]:
        with self._database.reading() as connection:
            return list(read_runs(connection, self.path))

    def _one(self, ref: str) -> tuple[int, RunInfo]:
        return find_run(ref, self._rows(), store=self.path)
