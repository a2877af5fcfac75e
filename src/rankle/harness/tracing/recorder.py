"""Collects the steps of one trial, in whichever thread or task they run."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import reduce
from typing import Any, Final

from rankle.core.trials import MOST_STEPS, ErrorReport, SpanReport, Usage
from rankle.harness.evals.keeping import Cache
from rankle.harness.evals.outputs import as_json
from rankle.harness.evals.usage import added_usage
from rankle.harness.tracing.threads import carrying_contexts

Clock = Callable[[], float]


@dataclass(slots=True)
class OpenSpan:
    """A step that has begun."""

    name: str
    parent: int | None
    start_s: float
    metadata: dict[str, Any]
    input: Any = None
    output: Any = None
    is_kept: bool = False
    end_s: float | None = None
    took_ms: float | None = None
    """What is told of it; None for what was measured."""
    usage: Usage | None = None
    cached: bool = False
    error: ErrorReport | None = None

    def replayed_ms(self) -> float:
        """What the answer of the cache took when it was made, beyond what finding it took now; else 0."""
        if not self.cached or self.took_ms is None or self.end_s is None:
            return 0.0
        return max(self.took_ms - (self.end_s - self.start_s) * 1000, 0.0)


@dataclass(slots=True)
class TrialTrace:
    """The steps of one trial, in the order in which they began."""

    case: str
    trial: int
    task: str
    """Fingerprint of the task."""
    cache: Cache | None
    clock: Clock
    start_s: float
    start_wall_s: float
    opened: list[OpenSpan] = field(default_factory=list)
    n_left_out: int = 0
    """Steps beyond MOST_STEPS. What they spent and replayed counts; nothing else of them is kept."""
    usage_left_out: Usage | None = None
    replayed_ms_left_out: float = 0.0
    calls: dict[str, int] = field(default_factory=dict)
    """How often a call of equal parameters was made so far, by the key of its first."""
    is_closed: bool = False
    """A step of a task that was given up, and still runs, belongs to no report any more."""
    lock: threading.Lock = field(default_factory=threading.Lock)

    def begin(self, span: OpenSpan) -> int | None:
        """The place of the step; None where it is not kept. Either way it is to be ended."""
        with self.lock:
            if self.is_closed:
                return None
            if len(self.opened) >= MOST_STEPS:
                self.n_left_out += 1
                return None
            self.opened.append(span)
            span.is_kept = True
            return len(self.opened) - 1

    def end(self, span: OpenSpan) -> None:
        """Input and output are looked at now: what its owner makes of them later is no part of the step."""
        if not span.is_kept:
            self._end_left_out(span)
            return
        given, made = as_json(span.input), as_json(span.output)
        with self.lock:
            if not self.is_closed and span.end_s is None:
                span.input, span.output, span.end_s = given, made, self.clock()

    def occurrence(self, key: str) -> int:
        """How often this was asked in the trial before."""
        with self.lock:
            before = self.calls.get(key, 0)
            self.calls[key] = before + 1
            return before

    def spans(self) -> list[SpanReport]:
        """All steps; those that go on still have what they took so far, and say so. None is added later."""
        with self.lock:
            self.is_closed = True
            now = self.clock()
            return [self._report(span, now) for span in self.opened]

    def usage(self) -> Usage | None:
        """What the steps spent together; None where no model was called."""
        with self.lock:
            return reduce(added_usage, (span.usage for span in self.opened), self.usage_left_out)

    def replayed_ms(self) -> float:
        """What the answers of the cache took when they were made, beyond what finding them took now. Of calls
        that ran side by side it is the sum, and so an upper bound."""
        with self.lock:
            return self.replayed_ms_left_out + sum(span.replayed_ms() for span in self.opened)

    def _end_left_out(self, span: OpenSpan) -> None:
        with self.lock:
            if not self.is_closed and span.end_s is None:
                span.end_s = self.clock()
                self.usage_left_out = added_usage(self.usage_left_out, span.usage)
                self.replayed_ms_left_out += span.replayed_ms()

    def _report(self, span: OpenSpan, now: float) -> SpanReport:
        is_open = span.end_s is None
        end_s = now if span.end_s is None else span.end_s
        took_ms = max(end_s - span.start_s, 0.0) * 1000 if span.took_ms is None else span.took_ms
        metadata = {name: as_json(value) for name, value in span.metadata.items()}
        return SpanReport(
            name=span.name,
            parent=span.parent,
            start_ms=max(span.start_s - self.start_s, 0.0) * 1000,
            took_ms=took_ms,
            input=as_json(span.input) if is_open else span.input,
            output=None if is_open else span.output,
            metadata=metadata | ({"unfinished": True} if is_open else {}),
            usage=span.usage,
            cached=span.cached,
            error=span.error,
        )


CURRENT: Final[ContextVar[TrialTrace | None]] = ContextVar("trial", default=None)
"""The trial that the running code is part of; None outside a run."""
PARENT: Final[ContextVar[int | None]] = ContextVar("parent", default=None)
"""The step that encloses the running code."""


@contextmanager
def recording(
    *,
    case: str,
    trial: int,
    cache: Cache | None = None,
    task: str = "",
    clock: Clock = time.perf_counter,
) -> Iterator[TrialTrace]:
    """What is traced within, in this context and those that are copied from it, goes to the trial.

    case: id of the case. trial: from 0. cache: for calls of wrapped clients; None makes them all. task:
        fingerprint of the task, which is part of what a cached call depends on.
    """
    trace = TrialTrace(
        case=case,
        trial=trial,
        task=task,
        cache=cache,
        clock=clock,
        start_s=clock(),
        start_wall_s=time.time(),
    )
    token = CURRENT.set(trace)
    parent = PARENT.set(None)
    try:
        with carrying_contexts():
            yield trace
    finally:
        PARENT.reset(parent)
        CURRENT.reset(token)
