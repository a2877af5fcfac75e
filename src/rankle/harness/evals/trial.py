"""Runs one trial: the task, then its scorers, then what is shown of it."""

from collections.abc import Awaitable, Mapping, Sequence
from contextlib import AbstractContextManager
from contextvars import Context
from dataclasses import dataclass, field
from typing import Any, Final

from msgspec import UNSET

from rankle.core.trials import ErrorReport, ScoreReport, SpanReport, TrialReport, Usage
from rankle.harness.evals.called import Called, as_awaitable
from rankle.harness.evals.case import Case
from rankle.harness.evals.outputs import REPR, as_json
from rankle.harness.evals.play import Results, Step
from rankle.harness.evals.prepared import PreparedEval
from rankle.harness.evals.recorded import Recording, Trace, recorded_step
from rankle.harness.evals.score import ScoreContext
from rankle.harness.evals.scorer import Scorer
from rankle.harness.evals.scoring import failed_score, scores_of
from rankle.harness.evals.suite import Suite
from rankle.harness.evals.task import TaskKind
from rankle.harness.evals.task_cache import CachedTask
from rankle.harness.evals.usage import added_usage

_ASYNC: Final = (TaskKind.ASYNC, TaskKind.ASYNC_GENERATOR)
_TASK: Final = 0
_JSON: Final = 1
_SCORERS: Final = 2
"""Places of the steps."""


@dataclass(frozen=True, slots=True)
class PlayedTrial:
    """A trial, with what is not in its report."""

    report: TrialReport
    output: Any
    """As the task gave it; None where it failed."""
    task_usage: Usage | None
    """What the task spent, without its scorers."""
    columns_error: ErrorReport | None


@dataclass(frozen=True, slots=True)
class TrialView:
    """What an eval's `columns` are made from."""

    input: Any
    output: Any
    expected: Any
    metadata: Mapping[str, Any]
    trial: int
    latency_ms: float
    scores: Mapping[str, float]
    """Name of a score to its value, of those that have one."""


@dataclass(slots=True, eq=False)
class Trial:
    """One trial of an eval; whatever fails in it becomes part of its report."""

    prepared: PreparedEval
    case: Case
    """Of this trial alone, since tasks may change what they are given."""
    recording: Recording
    cached: CachedTask | None
    """What the task gave before, in place of calling it."""
    context: Context
    """What each step runs in a copy of."""
    of_task: list[Trace] = field(default_factory=list)
    of_scorers: list[Trace] = field(default_factory=list)
    seen: ScoreContext | None = None
    """What the scorers are given; made once, when the first asks."""

    @property
    def suite(self) -> Suite:
        return self.prepared.suite

    def steps(self) -> list[Step]:
        """The task; its output as JSON, before a scorer can change it; the scorers; the columns."""
        steps = [self._task(), Step(lambda results: as_json(results[_TASK].value))]
        steps += [self._scoring(scorer) for scorer in self.suite.scorers]
        if self.suite.columns is not None:
            steps.append(Step(self._columns))
        return steps

    def played(self, called: Sequence[Called]) -> PlayedTrial:
        """The report of what the steps came to."""
        task = called[_TASK]
        scores = self._scores(called)
        columns = called[-1] if self.suite.columns is not None and not task.error else Called({})
        report = TrialReport(
            trial=self.case.trial,
            status="timed out" if task.timed_out else "failed" if task.error else "done",
            output=None if task.error else _json_of(called[_JSON]),
            error=task.error,
            took_ms=None if task.took_ms is None and not self.cached else self._latency_ms(called),
            cached=self.cached is not None,
            scores=scores,
            trace=self._spans(),
            n_steps_left_out=self._n_left_out() or UNSET,
            usage=self._usage(),
            columns=columns.value or {},
        )
        return PlayedTrial(report, task.value, self._task_usage(), columns.error)

    def _task(self) -> Step:
        if self.cached is not None:
            output = self.cached.output
            return Step(lambda _: output)
        is_async = self.suite.kind in _ASYNC
        return recorded_step(
            lambda _: self.suite.call(self.case),
            begin=self._begin,
            traces=self.of_task,
            context=self.context,
            is_async=is_async,
        )

    def _begin(self) -> AbstractContextManager[Trace]:
        return self.recording(self.prepared, self.case)

    def _scoring(self, scorer: Scorer) -> Step:
        def score(results: Results) -> Any:
            said = scorer.call(self._context(results))
            awaitable = as_awaitable(said)
            return scores_of(scorer.name, said) if awaitable is None else _scored(scorer.name, awaitable)

        return recorded_step(score, begin=self._begin, traces=self.of_scorers, context=self.context)

    def _context(self, results: Results) -> ScoreContext:
        if self.seen is None:
            self.seen = ScoreContext(
                input=self.case.input,
                output=results[_TASK].value,
                expected=self.case.expected,
                metadata=self.case.metadata,
                trace=tuple(self._spans()),
                latency_ms=self._latency_ms(results),
                trial=self.case.trial,
                case=self.case.id,
                usage=self._task_usage(),
                tags=self.case.tags,
            )
        return self.seen

    def _columns(self, results: Results) -> Any:
        assert self.suite.columns is not None
        view = TrialView(
            input=self.case.input,
            output=results[_TASK].value,
            expected=self.case.expected,
            metadata=self.case.metadata,
            trial=self.case.trial,
            latency_ms=self._latency_ms(results),
            scores={one.name: one.value for one in self._scores(results) if one.value is not None},
        )
        return {str(as_json(name)): as_json(value) for name, value in dict(self.suite.columns(view)).items()}

    def _scores(self, called: Sequence[Called]) -> list[ScoreReport]:
        """In the order of the scorers; none where the task failed."""
        scores: list[ScoreReport] = []
        for scorer, one in zip(self.suite.scorers, called[_SCORERS:], strict=False):
            scores += [failed_score(scorer.name, one.error)] if one.error else one.value
        return scores

    def _latency_ms(self, results: Results) -> float:
        """What the task took, with what calls that the cache answered took when they were made."""
        if self.cached:
            return self.cached.took_ms
        replayed_ms = self.of_task[-1].replayed_ms() if self.of_task else 0.0
        return (results[_TASK].took_ms or 0.0) + replayed_ms

    def _spans(self) -> list[SpanReport]:
        if self.seen is not None:
            return list(self.seen.trace)
        if self.cached is not None:
            return list(self.cached.trace)
        return self.of_task[-1].spans() if self.of_task else []

    def _n_left_out(self) -> int:
        if self.cached is not None:
            return self.cached.n_steps_left_out
        return self.of_task[-1].n_left_out if self.of_task else 0

    def _task_usage(self) -> Usage | None:
        if self.cached is not None:
            return self.cached.usage
        return self.of_task[-1].usage() if self.of_task else None

    def _usage(self) -> Usage | None:
        """Of the task and of the scorers: both were spent."""
        found = self._task_usage()
        for trace in self.of_scorers:
            found = added_usage(found, trace.usage())
        return found


def _json_of(called: Called) -> Any:
    return called.value if called.error is None else {REPR: f"<{called.error.message}>"}


async def _scored(name: str, said: Awaitable[Any]) -> list[ScoreReport]:
    return scores_of(name, await said)
