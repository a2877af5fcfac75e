"""Calls of a user's code that follow one another: what one thread makes of them in one go."""

import time
from collections.abc import Callable, Sequence
from contextvars import Context
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from rankle.harness.evals.called import Called, Clock, Unfinished, call_now

Results: TypeAlias = Sequence[Called]
"""What the steps before came to."""


@dataclass(frozen=True, slots=True)
class Step:
    """One of several calls that are made one after another."""

    call: Callable[[Results], Any]
    """Given what the steps before came to."""
    context: Context | None = None
    """The context to run in; None for that of the thread."""
    is_async: bool = False
    """Whether the call does nothing but give something to be awaited."""


@dataclass(slots=True, eq=False)
class Play:
    """Steps, each for a limited time. Those after the first are not made where it failed."""

    make: Callable[[], Sequence[Step]]
    """Called before the first, in the thread that makes it."""
    timeout_s: float
    over: Callable[[list[Called]], None]
    """Called once, in a thread of the engine, with what each step came to."""
    steps: Sequence[Step] | None = None
    results: list[Called] = field(default_factory=list)

    @property
    def is_over(self) -> bool:
        assert self.steps is not None
        return len(self.results) == len(self.steps) or bool(self.results and self.results[0].error)


@dataclass(slots=True, eq=False)
class Turn:
    """One thread that goes through steps of a play, until one gives something to be awaited."""

    play: Play
    clock: Clock
    at: tuple[int, float] | None = None
    """The step that is going on, and when it began; one value, so that it is never read half written."""
    unfinished: Unfinished | None = None
    is_given_up: bool = False

    def work(self) -> None:
        """Go through steps, in the thread of the caller."""
        play = self.play
        steps, results = play.steps or (), play.results  # who gives this up puts another list in its place
        while not self.is_given_up and len(results) < len(steps) and not (results and results[0].error):
            step = steps[len(results)]
            if step.is_async:
                return
            self.at = (len(results), time.monotonic())
            called = _made(step, results, self.clock)
            if isinstance(called, Unfinished):
                self.unfinished = called
                return
            results.append(called)

    def overdue(self, now: float) -> int | None:
        """The step that has taken longer than it may; None where none has."""
        at = self.at
        return at[0] if at is not None and now - at[1] > self.play.timeout_s else None


def _made(step: Step, results: Results, clock: Clock) -> Called | Unfinished:
    if step.context is None:
        return call_now(step.call, results, clock=clock)
    return step.context.run(call_now, step.call, results, clock=clock)
