"""Records runs while they are measured, and goes on with those that were interrupted."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from rankle.app.record_request import Recording
from rankle.app.recorded_run import RecordedRun
from rankle.app.resuming import differences, find_interrupted, run_of
from rankle.app.reuse import case_keys
from rankle.app.revision import Revision, read_revision
from rankle.core.canonical import Json
from rankle.core.errors import InputError, RecordError
from rankle.core.product import VERSION
from rankle.core.run import RunReport
from rankle.harness.keeping import Keeper, KeepNothing, KeptRun, Plan, Stamp
from rankle.harness.stored_plan import pack_plan
from rankle.records.choosing import stamp_of
from rankle.records.reference import check_tag
from rankle.records.run_info import RunFacts, RunInfo
from rankle.records.run_writer import RunWriter
from rankle.records.store import Store, open_store

_SEED: Final = 0


@contextmanager
def keeper_of(
    recording: Recording | None,
    *,
    methods: Sequence[str | None],
    revision: Callable[[Path], Revision | None] = read_revision,
    now: Callable[[], datetime] = lambda: datetime.now(UTC),
) -> Iterator[Keeper]:
    """What keeps the runs of one evaluation, one a method.

    methods: as they were asked for; None is the system's best or only one.
    Raises InputError for a tag that cannot be one or would be on several runs, RecordError where the store
    cannot be used and that was asked for.
    """
    if recording is None:
        yield KeepNothing()
        return
    if recording.tag is not None:
        check_tag(recording.tag)
        if len(methods) > 1:
            raise InputError(
                f"a tag is on one run, and {len(methods)} methods make {len(methods)}; give them a name with "
                f"--name {recording.tag}, or evaluate one method"
            )
    try:
        store = open_store(recording.path, create=True)
    except RecordError as error:
        if recording.is_asked_for or recording.resume:
            raise
        recording.on_problem(error)
        yield KeepNothing()
        return
    with store:
        yield _Recorder(store, recording, tuple(methods), revision(Path.cwd()), now)


class _Recorder:
    """Keeps the runs of one evaluation in a store. Implements `harness.keeping.Keeper`."""

    def __init__(
        self,
        store: Store,
        recording: Recording,
        methods: tuple[str | None, ...],
        revision: Revision | None,
        now: Callable[[], datetime],
    ) -> None:
        self._store = store
        self._recording = recording
        self._methods = methods
        self._revision = revision
        self._now = now
        self._family = ""
        self._interrupted: tuple[RunInfo, ...] | None = None
        """The runs to go on with; None until the first one looked for them."""

    @contextmanager
    def begin(self, plan: Plan, *, stamp: Callable[[], Stamp]) -> Iterator[KeptRun]:
        run = self._resumed(plan) if self._recording.resume else None
        if run is None:
            run = self._new(plan, stamp())
        try:
            yield run
        finally:
            run.close()

    def _new(self, plan: Plan, stamp: Stamp) -> "RecordedRun":
        facts = self._facts(plan, stamp)
        self._family = self._family or stamp.id
        run = RecordedRun(stamp, _ids(plan), self._recording.on_problem, self._finish)
        with run.told():
            run.writer = self._store.begin(facts, plan=pack_plan(plan), keys=case_keys(plan))
        if self._recording.reuse:
            run.reuse()
        return run

    def _resumed(self, plan: Plan) -> "RecordedRun | None":
        """The interrupted run of this plan; None where the command did not come so far as to begin it."""
        facts = self._facts(plan, Stamp("", ""))
        if self._interrupted is None:
            self._interrupted = find_interrupted(self._store.runs(), facts)
            self._family = self._interrupted[0].family
        info = run_of(self._interrupted, facts)
        if info is None:
            return None
        changed = differences(info, facts)
        if changed:
            raise InputError(f"run {info.id} cannot be gone on with: {'; '.join(changed)}")
        return RecordedRun(
            Stamp(info.id, info.created),
            _ids(plan),
            self._recording.on_problem,
            self._finish,
            known=self._store.read(info.id).outcomes,
            writer=self._store.go_on(info.id, plan=pack_plan(plan), keys=case_keys(plan)),
        )

    def _finish(self, writer: RunWriter, report: RunReport) -> None:
        writer.finish(report, at=stamp_of(self._now()))
        if self._recording.tag is not None:
            self._store.tag(report.id, self._recording.tag)

    def _facts(self, plan: Plan, stamp: Stamp) -> RunFacts:
        eval_set, described, asked = plan.prepared.selection.eval_set, plan.description, plan.settings
        settings: dict[str, Json] = {
            "methods": [name for name in self._methods if name is not None],
            "k": list(asked.cuts),
            "measures": [str(measure) for measure in asked.all_measures],
            "depth": asked.depth,
            "collection": asked.collection,
            "max_queries": asked.max_queries,
            "concurrency": asked.concurrency,
            "one_by_one": asked.one_by_one,
            "search": dict(described.settings),
        }
        return RunFacts(
            id=stamp.id,
            created=stamp.created,
            set_name=eval_set.name,
            set_fingerprint=eval_set.fingerprint,
            n_queries=len(plan.prepared.items),
            level=plan.prepared.joined.level.value,
            depth=asked.depth,
            seed=_SEED,
            system_name=described.name,
            method=described.method,
            system_fingerprint=described.fingerprint,
            rankle_version=VERSION,
            parts=dict(described.parts),
            settings=settings,
            family=self._family,
            family_size=len(self._methods),
            name=self._recording.name,
            git_revision=self._revision.commit if self._revision else None,
            git_dirty=self._revision.is_dirty if self._revision else None,
        )


def _ids(plan: Plan) -> tuple[str, ...]:
    return tuple(query.id for query in plan.prepared.selection.eval_set.queries)
