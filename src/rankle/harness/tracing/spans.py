"""Traced steps: a context manager and decorator for those that run, a function for those that are done."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from types import TracebackType
from typing import Any, Final, ParamSpec, Self, TypeVar

from rankle.core.errors import InputError
from rankle.core.trials import Usage
from rankle.harness.tracing.recorder import CURRENT, PARENT, OpenSpan, TrialTrace

_P = ParamSpec("_P")
_R = TypeVar("_R")
_NOT_GIVEN: Final = object()
_DAY_S: Final = 86_400.0


class Trace:
    """One step of a task: `with trace("bm25", input=query, k=50) as span:`, or `@trace("bm25")`.

    Within a run of evals it is kept with the trial, below the step that encloses it, whichever thread or task
    it runs in. Outside of one it does nothing.
    """

    # Defaults of the class, since outside of a run nothing but its three arguments is ever set.
    output: Any = None
    """What the step gives; set it within."""
    _trial: TrialTrace | None = None
    _span: OpenSpan | None = None
    _outer: int | None = None

    def __init__(self, name: str, *, input: Any = _NOT_GIVEN, **metadata: Any) -> None:  # noqa: A002
        self._name = name
        self._input = input
        self._metadata = metadata

    def __enter__(self) -> Self:
        trial = CURRENT.get()
        if trial is not None:
            self._begin(trial)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._trial is not None:
            self._end(error)

    def spent(self, *, input_tokens: int = 0, output_tokens: int = 0, cost_usd: float | None = None) -> None:
        """Say what the step spent on a model; counts as one call of it."""
        if self._span is not None:
            self._span.usage = Usage(
                input_tokens=input_tokens, output_tokens=output_tokens, cost_usd=cost_usd, n_calls=1
            )

    def __call__(self, function: Callable[_P, _R]) -> Callable[_P, _R]:
        """The function, each call of which is a step: its arguments are the input, what it returns is the
        output. A generator's step ends when it is exhausted, and its parts are the output."""
        from rankle.harness.tracing.functions import traced

        return traced(function, self._again)

    @contextmanager
    def outside(self) -> Iterator[None]:
        """While a stream waits for whoever reads it, what runs is no part of the step."""
        inner = PARENT.get()
        if self._span is not None:
            PARENT.set(self._outer)
        try:
            yield
        finally:
            PARENT.set(inner)

    def _again(self, given: dict[str, Any]) -> "Trace":
        given_or_stated = given if self._input is _NOT_GIVEN else self._input
        return Trace(self._name, input=given_or_stated, **self._metadata)

    def _begin(self, trial: TrialTrace) -> None:
        given = None if self._input is _NOT_GIVEN else self._input
        self._outer = PARENT.get()
        span = OpenSpan(self._name, self._outer, trial.clock(), self._metadata, input=given)
        place = trial.begin(span)
        self._trial, self._span = trial, span
        if place is not None:
            PARENT.set(place)

    def _end(self, error: BaseException | None) -> None:
        trial, span = self._trial, self._span
        assert trial is not None
        assert span is not None
        PARENT.set(self._outer)  # no token: a stream may end in another context than it began in
        self._trial = self._span = None
        span.output = self.output
        if error is not None:
            from rankle.harness.evals.failures import error_report

            span.error = error_report(error)
        trial.end(span)


def report_trace(
    name: str,
    *,
    input: Any = None,  # noqa: A002 - the word of the contract
    output: Any = None,
    start: float | datetime,
    end: float | datetime,
    input_tokens: int = 0,
    output_tokens: int = 0,
    cost_usd: float | None = None,
    **metadata: Any,
) -> None:
    """Keep a step that is done already, below the one that encloses the call. Outside a run it does nothing.

    start, end: both by `time.time()`, by `time.perf_counter()`, or datetimes (without a zone: local time).
    Tokens or a cost make it a call of a model. Raises InputError where it ends before it starts.
    """
    trial = CURRENT.get()
    if trial is None:
        return
    start_s, end_s = _seconds(start, trial), _seconds(end, trial)
    if end_s < start_s:
        raise InputError(f'the step "{name}" ends {start_s - end_s:.3f} s before it starts')
    span = OpenSpan(name, PARENT.get(), start_s, metadata, input=input, output=output)
    span.took_ms = (end_s - start_s) * 1000
    if input_tokens or output_tokens or cost_usd is not None:
        span.usage = Usage(
            input_tokens=input_tokens, output_tokens=output_tokens, cost_usd=cost_usd, n_calls=1
        )
    trial.begin(span)
    trial.end(span)


def _seconds(moment: float | datetime, trial: TrialTrace) -> float:
    """By the clock of the trial. The clock of the wall is told from the one that counts since the machine
    started by how near the moment is to now."""
    if isinstance(moment, datetime):
        return trial.start_s + moment.timestamp() - trial.start_wall_s
    if abs(moment - time.time()) < _DAY_S:
        return trial.start_s + moment - trial.start_wall_s
    return float(moment)
