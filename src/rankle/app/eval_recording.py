"""Records evals while they run, and goes on with those that were interrupted."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from rankle.app.eval_history import previous_run
from rankle.app.eval_keeping import InMemory, RunKeeper, git_of
from rankle.app.eval_resuming import check_same, eval_of, find_interrupted_evals
from rankle.app.ids import new_id
from rankle.app.record_request import Recording
from rankle.app.recorded_eval import RecordedEval
from rankle.app.revision import Revision, read_revision
from rankle.core.canonical import fingerprint
from rankle.core.errors import RecordError
from rankle.core.evals import EvalsSummary, EvalSummary
from rankle.core.product import VERSION
from rankle.core.run import RunReport
from rankle.core.trials import CaseReport
from rankle.harness.evals.case import Case
from rankle.harness.evals.keeping import EvalPlan, KeptEval
from rankle.harness.evals.memory_keeping import MemoryKeeper
from rankle.harness.evals.prepared import PreviousRun
from rankle.records.choosing import stamp_of
from rankle.records.eval_cases import StoredCase
from rankle.records.evals_writer import EvalsWriter
from rankle.records.reference import check_tag
from rankle.records.run_info import EvalFacts, RunFacts, RunInfo
from rankle.records.store import Store, open_store
from rankle.reports.evals_as_run import SYSTEM, TASK, eval_as_run


@contextmanager
def eval_keeper(
    recording: Recording | None,
    *,
    root: Path,
    settings: Mapping[str, Any],
    seed: int = 0,
    withheld: Iterable[str] = (),
    history: Path | None = None,
    revision: Callable[[Path], Revision | None] = read_revision,
    now: Callable[[], datetime] = lambda: datetime.now(UTC),
) -> Iterator[RunKeeper]:
    """What keeps the evals of one command.

    recording: None keeps them in memory. root: the project's folder. settings: what was asked.
    withheld: texts that are never stored, such as keys from setup files.
    history: where earlier runs are read from, where nothing is recorded; None for nowhere.
    Raises InputError for a tag that cannot be one, RecordError where the store cannot be used and that was
    asked for.
    """
    git = revision(root)
    in_memory = InMemory(stamp_of(now()), git, history)
    if recording is None:
        yield in_memory
        return
    if recording.tag is not None:
        check_tag(recording.tag)
    try:
        store = open_store(recording.path, create=True)
    except RecordError as error:
        if recording.is_asked_for or recording.resume:
            raise
        recording.on_problem(error)
        yield in_memory
        return
    with store:
        keeper = _Recorder(store, recording, git, now, settings=settings, seed=seed, withheld=tuple(withheld))
        try:
            yield keeper
        finally:
            keeper.close()


class _Recorder:
    """Keeps the evals of one command in a store. Implements `RunKeeper`."""

    def __init__(
        self,
        store: Store,
        recording: Recording,
        revision: Revision | None,
        now: Callable[[], datetime],
        *,
        settings: Mapping[str, Any],
        seed: int,
        withheld: tuple[str, ...],
    ) -> None:
        self.id = new_id()
        self.created = stamp_of(now())
        self.git = git_of(revision)
        self.is_recorded = False
        self._store = store
        self._recording = recording
        self._now = now
        self._settings = msgspec.json.decode(msgspec.json.encode(settings))
        self._seed = seed
        self._withheld = withheld
        self._writer: EvalsWriter | None = None
        """None before the first eval, and where nothing is recorded any more."""
        self._problem: RecordError | None = None
        self._interrupted: tuple[RunInfo, ...] = ()
        """The evals to go on with."""

    @contextmanager
    def begin(self, plan: EvalPlan) -> Iterator[KeptEval]:
        facts = self._facts(plan)
        if self._recording.resume and self._writer is None:
            self._interrupted = find_interrupted_evals(self._store.runs(), facts)
            self.id, self.created = self._interrupted[0].family, self._interrupted[0].created
            facts = replace(facts, family=self.id, created=self.created)
        earlier = eval_of(self._interrupted, facts)
        if earlier is not None:
            check_same(earlier, facts)
        kept = self._begun(plan, facts, earlier)
        with kept as one:
            try:
                yield one
            finally:
                if isinstance(one, RecordedEval):
                    one.close()

    def previous(self, key: str) -> PreviousRun | None:
        try:
            return previous_run(self._store, key, other_than=self.id)
        except RecordError as error:
            self._tell(error)
            return None

    def finish(self, summary: EvalsSummary, evals: Iterable[EvalSummary]) -> None:
        if self._writer is None or self._problem is not None:
            return
        try:
            self._writer.finish(summary, list(evals))
            if self._recording.tag is not None:
                self._store.tag(self.id, self._recording.tag)
        except RecordError as error:
            self._tell(error)
        else:
            self.is_recorded = True

    def close(self) -> None:
        """Let go of the run."""
        if self._writer is not None:
            self._writer.close()

    def _begun(
        self, plan: EvalPlan, facts: RunFacts, earlier: RunInfo | None
    ) -> AbstractContextManager[KeptEval]:
        in_memory = MemoryKeeper(new_id=lambda: facts.id, created=facts.created)
        if self._problem is not None:
            return in_memory.begin(plan)
        try:
            if self._writer is None:
                self._writer = self._store.begin_evals(self.id, created=self.created, withheld=self._withheld)
            if earlier is None:
                writer = self._writer.begin(facts, [_stored(case) for case in plan.cases])
            else:
                writer = self._writer.go_on(earlier)
        except RecordError as error:
            if self._recording.resume:
                raise
            self._tell(error)
            return in_memory.begin(plan)
        own = earlier or facts
        return nullcontext(
            RecordedEval(
                own.id,
                created=own.created,
                writer=writer,
                project=self._project,
                on_problem=self._tell,
                now=lambda: stamp_of(self._now()),
                goes_on=earlier is not None,
            )
        )

    def _tell(self, error: RecordError) -> None:
        """Say once that the run leaves no whole record."""
        if self._problem is None:
            self._problem = error
            self._recording.on_problem(error)

    def _project(self, summary: EvalSummary, cases: Iterable[CaseReport]) -> RunReport:
        return eval_as_run(summary, cases, created=self.created, rankle_version=VERSION, seed=self._seed)

    def _facts(self, plan: EvalPlan) -> RunFacts:
        return RunFacts(
            id=new_id(),
            created=self.created,
            set_name=plan.data,
            set_fingerprint=plan.data_fingerprint,
            n_queries=len(plan.cases),
            level="case",
            depth=1,
            seed=self._seed,
            system_name=f"{SYSTEM}{plan.key}",
            method=TASK,
            system_fingerprint=plan.task_fingerprint,
            rankle_version=VERSION,
            settings=self._settings,
            family=self.id,
            name=self._recording.name,
            git_revision=self.git.revision if self.git else None,
            git_dirty=self.git.dirty if self.git else None,
            eval=EvalFacts(
                key=plan.key,
                name=plan.name,
                trials=plan.options.trials,
                is_full=plan.is_full,
                scorers=plan.scorers,
                cases_fingerprint=fingerprint([case.id for case in plan.cases]),
            ),
        )


def _stored(case: Case) -> StoredCase:
    return StoredCase(
        id=case.id,
        position=case.position,
        input=case.input,
        expected=case.expected,
        metadata=dict(case.metadata),
        tags=list(case.tags),
    )
