"""Runs one eval beside others: its trials, its scorers of the whole run, its figures."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from rankle.core.evals import CaseReport, ErrorReport, EvalSummary, ScoreReport, TrialReport
from rankle.harness.evals.aggregation import EvalFigures
from rankle.harness.evals.called import Clock
from rankle.harness.evals.caller import Caller
from rankle.harness.evals.case import Case
from rankle.harness.evals.case_reports import case_reports
from rankle.harness.evals.isolation import own_copy
from rankle.harness.evals.keeping import Cache, EvalKeeper, EvalPlan, KeptEval, Place
from rankle.harness.evals.permits import Permits
from rankle.harness.evals.prepared import PreparedEval, PreviousRun
from rankle.harness.evals.recorded import Recording
from rankle.harness.evals.run_scoring import score_run
from rankle.harness.evals.stop import Stop
from rankle.harness.evals.summary import Ran, summarised
from rankle.harness.evals.tally import Tally
from rankle.harness.evals.task_cache import TaskCache
from rankle.harness.evals.trial import PlayedTrial, play


@dataclass(frozen=True, slots=True, kw_only=True)
class Shared:
    """What all evals of a run have together."""

    permits: Permits
    caller: Caller
    keeper: EvalKeeper
    cache: Cache | None
    previous: Callable[[PreparedEval], PreviousRun | None]
    recording: Recording
    stop: Stop
    clock: Clock
    seed: int
    tally: Tally


class RunningEval:
    """One eval of a run."""

    def __init__(self, prepared: PreparedEval, shared: Shared) -> None:
        self.prepared = prepared
        self.kept: KeptEval | None = None
        """None before it has begun."""
        self.is_complete = False
        """Whether every trial is done and the eval is finished."""
        self._shared = shared
        self._figures = EvalFigures(prepared.suite.scorers, prepared.options.pass_mark)
        self._cache = TaskCache(prepared, shared.cache)
        self._columns_errors: list[ErrorReport] = []
        self._run_scores: list[ScoreReport] = []
        self._summary: EvalSummary | None = None
        self._began = 0.0
        self._took_s = 0.0
        self._claim = shared.permits.claim(
            limit=prepared.options.concurrency, resources=prepared.suite.resources
        )

    async def run(self) -> None:
        """Run what is not known yet. Begins with its first permit, so that evals begin in order."""
        if not await self._shared.permits.take(self._claim):
            return
        self._began = self._shared.clock()
        with self._shared.keeper.begin(_plan(self.prepared)) as kept:
            self.kept = kept
            try:
                await self._run_trials(kept)
            finally:
                self._took_s = self._shared.clock() - self._began
            if self._n_missing == 0:
                await self._finish(kept)

    def summary(self) -> EvalSummary:
        """The figures of what is done."""
        if self._summary is None:
            self._summary = self._summarised()
        return self._summary

    def cases(self) -> Iterator[CaseReport]:
        """The cases that are done, read from what was kept."""
        return iter(()) if self.kept is None else case_reports(self.prepared, self.kept, self._figures)

    @property
    def _n_missing(self) -> int:
        return len(self.prepared.cases) * self.prepared.options.trials - self._figures.n_trials

    async def _run_trials(self, kept: KeptEval) -> None:
        todo = self._unknown(kept)
        permits, first = self._shared.permits, True
        async with asyncio.TaskGroup() as group:
            for place in todo:
                if not first and not await permits.take(self._claim):
                    break
                first = False
                group.create_task(self._run_trial(place, kept))
            if first:
                permits.give_back(self._claim)

    def _unknown(self, kept: KeptEval) -> list[Place]:
        """The trials that are to be run; those of before count as done."""
        known = kept.known
        trials = range(self.prepared.options.trials)
        places = [(case, trial) for case in range(len(self.prepared.cases)) for trial in trials]
        for place in places:
            if place in known:
                self._count(place, known[place])
        if known:
            self._shared.tally.tell()
        return [place for place in places if place not in known]

    async def _run_trial(self, place: Place, kept: KeptEval) -> None:
        try:
            case = self._case(place)
            cached = self._cache.find(case)
            played = await play(
                self.prepared.suite,
                case,
                caller=self._shared.caller,
                recording=self._shared.recording,
                timeout_s=self.prepared.options.timeout_s,
                cached=cached,
            )
            if cached is None:
                self._fill_cache(place, played)
            self._keep(place, played, kept)
        finally:
            self._shared.permits.give_back(self._claim)

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

    def _fill_cache(self, place: Place, played: PlayedTrial) -> None:
        """By the case as the data has it: the task may have changed its own."""
        report = played.report
        if report.status == "done" and report.took_ms is not None:
            self._cache.keep(self._case(place), played.output, took_ms=report.took_ms)

    def _keep(self, place: Place, played: PlayedTrial, kept: KeptEval) -> None:
        kept.keep(place, played.report)
        self._count(place, played.report)
        if played.columns_error is not None:
            self._columns_errors.append(played.columns_error)
        self._shared.tally.tell((self.prepared, place, played.report))

    def _count(self, place: Place, report: TrialReport) -> None:
        found = self._figures.add(place, report, case=self.prepared.cases[place[0]])
        self._shared.tally.count(self.prepared, report, failed=found.has_failed)

    async def _finish(self, kept: KeptEval) -> None:
        self._run_scores = await score_run(
            self.prepared.suite.run_scorers,
            cases=self.cases,
            n_cases=len(self.prepared.cases),
            caller=self._shared.caller,
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
    )
