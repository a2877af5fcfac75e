"""Runs one eval beside others: its trials, its scorers of the whole run, its figures."""

import asyncio
import threading
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextvars import Context
from dataclasses import dataclass, field

from rankle.core.evals import EvalSummary
from rankle.core.trials import CaseReport, ErrorReport, ScoreReport, TrialReport
from rankle.harness.evals.aggregation import EvalFigures
from rankle.harness.evals.called import Called, Clock
from rankle.harness.evals.case import Case
from rankle.harness.evals.case_reports import case_reports
from rankle.harness.evals.engine import Engine
from rankle.harness.evals.isolation import own_copy
from rankle.harness.evals.keeping import Cache, EvalKeeper, EvalPlan, KeptEval, Place
from rankle.harness.evals.play import Play, Step
from rankle.harness.evals.prepared import PreparedEval, PreviousRun
from rankle.harness.evals.ran import Ran
from rankle.harness.evals.recorded import Recording
from rankle.harness.evals.run_scoring import score_run
from rankle.harness.evals.summary import summarised
from rankle.harness.evals.supply import Line, Supply
from rankle.harness.evals.tally import Tally
from rankle.harness.evals.task_cache import TaskCache
from rankle.harness.evals.trial import PlayedTrial, Trial


@dataclass(frozen=True, slots=True, kw_only=True)
class Shared:
    """What all evals of a run have together."""

    supply: Supply[Play]
    engine: Engine
    keeper: EvalKeeper
    cache: Cache | None
    previous: Callable[[PreparedEval], PreviousRun | None]
    recording: Recording
    context: Context
    clock: Clock
    seed: int
    tally: Tally
    keeping: threading.Lock = field(default_factory=threading.Lock)
    """Held while a trial is kept and counted."""


class RunningEval:
    """One eval of a run. Its trials end in threads of the engine; all else is in the thread that runs it."""

    def __init__(self, prepared: PreparedEval, shared: Shared) -> None:
        self.prepared = prepared
        self.kept: KeptEval | None = None
        """None before it has begun."""
        self.is_complete = False
        """Whether every trial is done and the eval is finished."""
        self.may_begin = asyncio.Event()
        self.has_begun = asyncio.Event()
        self._shared = shared
        self._figures = EvalFigures(prepared.suite.scorers, prepared.options.pass_mark)
        self._cache = TaskCache(prepared, shared.cache)
        self._columns_errors: list[ErrorReport] = []
        self._run_scores: list[ScoreReport] = []
        self._summary: EvalSummary | None = None
        self._line: Line[Play] | None = None
        self._are_trials_over = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self._began = 0.0
        self._took_s = 0.0

    async def run(self) -> None:
        """Run what is not known yet, once it may begin."""
        await self.may_begin.wait()
        if self._shared.supply.is_stopped():
            return
        self._began = self._shared.clock()
        with self._shared.keeper.begin(_plan(self.prepared)) as kept:
            self.kept = kept
            self._line_up(kept)
            self.has_begun.set()
            try:
                await self._are_trials_over.wait()
            finally:
                self._took_s = self._shared.clock() - self._began
            if self._figures.n_trials == len(self.prepared.cases) * self.prepared.options.trials:
                await self._finish(kept)

    def see_whether_over(self) -> None:
        """Let it end where nothing is in flight, and nothing comes."""
        with self._shared.engine.lock:
            is_over = self._is_over
        if is_over:
            self._are_trials_over.set()

    @property
    def has_anything(self) -> bool:
        """Whether there is anything to tell of it."""
        return self.is_complete or self._figures.n_trials > 0

    def summary(self) -> EvalSummary:
        """The figures of what is done."""
        if self._summary is None:
            self._summary = self._summarised()
        return self._summary

    def cases(self, places: Collection[int] | None = None) -> Iterator[CaseReport]:
        """The cases that are done, read from what was kept. places: for these alone."""
        if self.kept is None:
            return iter(())
        return case_reports(self.prepared, self.kept, self._figures, places=places)

    def scores(self) -> Mapping[int, float | None]:
        """Place of each case that is done to its score."""
        return {place: case.score for place, case in self._figures.cases().items()}

    def _line_up(self, kept: KeptEval) -> None:
        """Let the trials that are not known begin; those of before count as done."""
        known = kept.known
        trials = range(self.prepared.options.trials)
        places = [(case, trial) for case in range(len(self.prepared.cases)) for trial in trials]
        with self._shared.keeping:
            for place in places:
                if place in known:
                    self._count(place, known[place])
            if known:
                self._shared.tally.tell()
        todo = [place for place in places if place not in known]
        with self._shared.engine.lock:
            self._line = self._shared.supply.add(
                (self._play(place, kept) for place in todo),
                n=len(todo),
                limit=self.prepared.options.concurrency,
                resources=self.prepared.suite.resources,
            )
        self._shared.engine.look_at_supply()
        self.see_whether_over()

    def _play(self, place: Place, kept: KeptEval) -> Play:
        trial: list[Trial] = []

        def make() -> Sequence[Step]:
            trial.append(self._trial(place))
            return trial[0].steps()

        def over(results: list[Called]) -> None:
            self._end(place, trial[0], results, kept)

        return Play(make, self.prepared.options.timeout_s, over)

    def _trial(self, place: Place) -> Trial:
        case = self._case(place)
        shared = self._shared
        return Trial(self.prepared, case, shared.recording, self._cache.find(case), shared.context)

    def _case(self, place: Place) -> Case:
        """The case of one trial, which may change what it is given without changing that of others."""
        case, variant = self.prepared.cases[place[0]], self.prepared.variant
        return Case(
            id=case.id,
            position=case.position,
            input=own_copy(case.input),
            expected=own_copy(case.expected),
            metadata=own_copy(case.metadata),
            tags=case.tags,
            trial=place[1],
            variant=None if variant is None else own_copy(variant.input),
        )

    def _end(self, place: Place, trial: Trial, results: list[Called], kept: KeptEval) -> None:
        """Keep and count a trial, in a thread of the engine."""
        played = trial.played(results)
        with self._shared.keeping:
            if self._cache.is_used and trial.cached is None and played.report.status == "done":
                # By the case as the data has it: the task may have changed its own.
                self._cache.keep(
                    self._case(place),
                    played.output,
                    took_ms=played.report.took_ms or 0.0,
                    trace=played.report.trace,
                    n_steps_left_out=played.report.n_steps_left_out or 0,
                    usage=played.task_usage,
                )
            self._keep(place, played, kept)
        with self._shared.engine.lock:
            assert self._line is not None
            self._shared.supply.give_back(self._line)
            is_over = self._is_over
        if is_over:
            self._loop.call_soon_threadsafe(self._are_trials_over.set)

    def _keep(self, place: Place, played: PlayedTrial, kept: KeptEval) -> None:
        kept.keep(place, played.report)
        self._count(place, played.report)
        if played.columns_error is not None:
            self._columns_errors.append(played.columns_error)
        self._shared.tally.tell((self.prepared, place, played.report))

    def _count(self, place: Place, report: TrialReport) -> None:
        found = self._figures.add(place, report, case=self.prepared.cases[place[0]])
        self._shared.tally.count(self.prepared, report, failed=found.has_failed)

    @property
    def _is_over(self) -> bool:
        line = self._line
        return (
            line is not None
            and line.in_flight == 0
            and (self._shared.supply.is_stopped() or not line.n_waiting)
        )

    async def _finish(self, kept: KeptEval) -> None:
        self._run_scores = await score_run(
            self.prepared.suite.run_scorers,
            cases=self.cases,
            n_cases=len(self.prepared.cases),
            engine=self._shared.engine,
            timeout_s=self.prepared.options.timeout_s,
        )
        self._took_s = self._shared.clock() - self._began
        self.is_complete = True
        kept.finish(self.summary(), self.cases)

    def _summarised(self) -> EvalSummary:
        assert self.kept is not None
        return summarised(
            Ran(
                prepared=self.prepared,
                figures=self._figures,
                id=self.kept.id,
                is_complete=self.is_complete,
                run_scores=self._run_scores,
                took_s=self._took_s,
                seed=self._shared.seed,
                previous=self._shared.previous(self.prepared),
                notices=self._notices(),
            )
        )

    def _notices(self) -> Sequence[str]:
        found = [] if self._cache.notice is None else [self._cache.notice]
        if self._columns_errors:
            n, first = len(self._columns_errors), self._columns_errors[0]
            trials = "1 trial" if n == 1 else f"{n} trials"
            found.append(f"The columns of {trials} are missing: {first.type}: {first.message}")
        return found


def _plan(prepared: PreparedEval) -> EvalPlan:
    return EvalPlan(
        key=prepared.key,
        name=prepared.suite.name,
        cases=prepared.cases,
        options=prepared.options,
        data_fingerprint=prepared.data_fingerprint,
        task_fingerprint=prepared.task_fingerprint,
        scorers=tuple(one.name for one in prepared.suite.scorers),
        is_full=prepared.is_full,
        data=prepared.data,
    )
