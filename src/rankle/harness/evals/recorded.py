"""Calls whose traces are recorded, up to the end of what they give to be awaited."""

from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager, nullcontext
from contextvars import Context
from typing import Any, Protocol, TypeAlias

from rankle.core.trials import SpanReport, Usage
from rankle.harness.evals.called import as_awaitable, worked_off
from rankle.harness.evals.case import Case
from rankle.harness.evals.play import Results, Step
from rankle.harness.evals.prepared import PreparedEval


class Trace(Protocol):
    """The steps that were traced. Asked from any thread, also while the call still goes on."""

    def spans(self) -> list[SpanReport]:
        """Those so far; what comes later belongs to nothing any more."""
        ...

    @property
    def n_left_out(self) -> int:
        """Steps that are too many to be among `spans`."""
        ...

    def usage(self) -> Usage | None:
        """Of all steps; None where no model was called."""
        ...

    def replayed_ms(self) -> float:
        """What calls that a cache answered would have taken beyond what they did."""
        ...


Recording: TypeAlias = Callable[[PreparedEval, Case], AbstractContextManager[Trace]]
"""Records what is traced within, in the context that it is entered in and in copies of it. Given the eval and
the case, which knows its trial. Not imported from where tracing lives, which knows evals."""


class NoTrace:
    """Of calls of which nothing is traced."""

    n_left_out = 0

    def spans(self) -> list[SpanReport]:
        return []

    def usage(self) -> Usage | None:
        return None

    def replayed_ms(self) -> float:
        return 0.0


def untraced(prepared: PreparedEval, case: Case) -> AbstractContextManager[Trace]:
    """The recording of runs in which nothing is traced."""
    del prepared, case
    return nullcontext(NoTrace())


def recorded_step(
    call: Callable[[Results], Any],
    *,
    begin: Callable[[], AbstractContextManager[Trace]],
    traces: list[Trace],
    context: Context,
    is_async: bool = False,
) -> Step:
    """A step in a copy of a context, whose trace is added to `traces` when it begins.

    A generator is gone through within the recording, and what is to be awaited is awaited in it.
    """

    def recorded(results: Results) -> Any:
        manager = begin()
        traces.append(manager.__enter__())
        awaitable = None
        try:
            value = worked_off(call(results))
            awaitable = as_awaitable(value)
        finally:
            if awaitable is None:
                manager.__exit__(None, None, None)
        return value if awaitable is None else _awaited(awaitable, manager)

    return Step(recorded, context.copy(), is_async)


async def _awaited(awaitable: Awaitable[Any], manager: AbstractContextManager[Trace]) -> Any:
    try:
        return await awaitable
    finally:
        manager.__exit__(None, None, None)
