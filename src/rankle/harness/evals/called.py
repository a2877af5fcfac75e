"""What a call of a user's code came to."""

import inspect
import traceback
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from types import FrameType
from typing import Any, Final, TypeAlias

from rankle.core.trials import ErrorReport
from rankle.harness.evals.failures import error_report, own_frames

Clock: TypeAlias = Callable[[], float]
"""Seconds from any origin, never going back."""
TIMEOUT: Final = "TimeoutError"
_PLAIN: Final = frozenset({type(None), bool, int, float, str, list, dict, tuple})
"""Types of most outputs, so that the others need not be asked for."""


@dataclass(frozen=True, slots=True)
class Called:
    """What one call came to: a value, or an error."""

    value: Any = None
    error: ErrorReport | None = None
    took_ms: float | None = None
    """None where it did not end by itself."""
    timed_out: bool = False


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A call that gave something to be awaited."""

    awaitable: Awaitable[Any]
    took_ms: float


def call_now(call: Callable[[Any], Any], given: Any, *, clock: Clock) -> Called | Unfinished:
    """Call something and keep what it raises, be it what would end a program: a task that exits has failed.

    What must be awaited is left to whoever has an event loop.
    """
    began = clock()
    try:
        value = call(given)
    except BaseException as error:  # noqa: BLE001  (whatever a user's code raises is its failure, not ours)
        return Called(error=error_report(error), took_ms=(clock() - began) * 1000)
    took_ms = (clock() - began) * 1000
    awaitable = as_awaitable(value)
    return Called(value, None, took_ms) if awaitable is None else Unfinished(awaitable, took_ms)


def as_awaitable(value: Any) -> Awaitable[Any] | None:
    """What is to be awaited, be it a stream of parts; None of anything else."""
    if type(value) in _PLAIN:
        return None
    if inspect.isasyncgen(value):
        return _all_of(value)
    return value if inspect.isawaitable(value) else None


def worked_off(value: Any) -> Any:
    """What a generator gives, which is gone through here; anything else as it is."""
    return joined(list(value)) if inspect.isgenerator(value) else value


def joined(parts: list[Any]) -> Any:
    """The output of a task that streams: one text where it streamed text, else the list of its parts."""
    if parts and all(isinstance(part, str) for part in parts):
        return "".join(parts)
    return parts


def timed_out(timeout_s: float, *, said: str = "", frames: str | None = None) -> Called:
    """A call that was given up. said: what must be known beside; frames: where it was when time was up."""
    message = f"took longer than {timeout_s:g} s and was given up"
    error = ErrorReport(type=TIMEOUT, message=f"{message}; {said}" if said else message, traceback=frames)
    return Called(error=error, timed_out=True)


def frames_at(frame: FrameType | None) -> str | None:
    """Where running code stands, without what is ours; None where that is unknown."""
    return None if frame is None else own_frames(traceback.extract_stack(frame))


async def _all_of(stream: Any) -> Any:
    try:
        return joined([part async for part in stream])
    finally:
        await stream.aclose()
