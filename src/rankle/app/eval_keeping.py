"""What keeps all evals of one command, and the keeper of those that leave no record."""

import warnings
from collections.abc import Iterable
from pathlib import Path
from typing import Protocol

from rankle.app.eval_history import previous_run
from rankle.app.ids import new_id
from rankle.app.revision import Revision
from rankle.core.errors import RecordError
from rankle.core.evals import EvalsSummary, EvalSummary, GitRevision
from rankle.harness.evals.keeping import EvalKeeper
from rankle.harness.evals.memory_keeping import MemoryKeeper
from rankle.harness.evals.prepared import PreviousRun
from rankle.records.store import open_store


class RunKeeper(EvalKeeper, Protocol):
    """Keeps all evals of one command."""

    @property
    def id(self) -> str:
        """Of the whole run. With `--resume` it is known once the first eval has begun."""
        ...

    @property
    def created(self) -> str:
        """UTC, ISO 8601 with a trailing Z; of a run that goes on, when it first began."""
        ...

    @property
    def git(self) -> GitRevision | None:
        """Of the project's folder; None outside a repository."""
        ...

    @property
    def is_recorded(self) -> bool:
        """Whether the whole run stands in the records; False before `finish`."""
        ...

    def previous(self, key: str) -> PreviousRun | None:
        """The newest full run of an eval before this one; None where there is none."""
        ...

    def finish(self, summary: EvalsSummary, evals: Iterable[EvalSummary]) -> None:
        """Called when all evals are done, with those too that could not be run; not with an interrupted run
        that can be gone on with."""
        ...


class InMemory(MemoryKeeper):
    """Leaves no record. Implements `RunKeeper`."""

    def __init__(self, created: str, revision: Revision | None, history: Path | None) -> None:
        """created: UTC, ISO 8601. history: a store of earlier runs, there or not; None for none."""
        super().__init__(new_id=new_id, created=created)
        self.id = new_id()
        self.created = created
        self.git = git_of(revision)
        self.is_recorded = False
        self._history = history

    def previous(self, key: str) -> PreviousRun | None:
        if self._history is None or not self._history.is_file():
            return None
        try:
            with open_store(self._history) as store:
                return previous_run(store, key)
        except RecordError as error:
            self._history = None
            warnings.warn(f"earlier runs cannot be read: {error}", RuntimeWarning, stacklevel=2)
            return None

    def finish(self, summary: EvalsSummary, evals: Iterable[EvalSummary]) -> None:
        del summary, evals


def git_of(revision: Revision | None) -> GitRevision | None:
    """A revision as reports state it."""
    return None if revision is None else GitRevision(revision=revision.commit, dirty=revision.is_dirty)
