"""Functions of which each call is a traced step: plain ones, coroutines and generators of both kinds."""

import functools
import inspect
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, ParamSpec, Protocol, TypeVar, cast

from rankle.harness.tracing.recorder import CURRENT

_P = ParamSpec("_P")
_R = TypeVar("_R")


class Step(Protocol):
    """What a call opens: it takes the output, and ends as a context does."""

    output: Any

    def outside(self) -> AbstractContextManager[None]: ...


MakeStep = Callable[[dict[str, Any]], AbstractContextManager[Step]]
"""Makes the step of a call of these arguments."""


def traced(function: Callable[_P, _R], step: MakeStep) -> Callable[_P, _R]:
    """The function, each call of which within a run is a step. Outside of one it is called as it is."""
    if inspect.isasyncgenfunction(function):
        return cast("Callable[_P, _R]", _traced_stream(function, step))
    if inspect.iscoroutinefunction(function):
        return cast("Callable[_P, _R]", _traced_coroutine(function, step))
    if inspect.isgeneratorfunction(function):
        return cast("Callable[_P, _R]", _traced_generator(function, step))

    @functools.wraps(function)
    def call(*args: _P.args, **kwargs: _P.kwargs) -> _R:
        if CURRENT.get() is None:
            return function(*args, **kwargs)
        with step(_arguments(function, args, kwargs)) as span:
            span.output = made = function(*args, **kwargs)
            return made

    return call


def _traced_coroutine(function: Callable[..., Any], step: MakeStep) -> Callable[..., Any]:
    @functools.wraps(function)
    async def call(*args: Any, **kwargs: Any) -> Any:
        if CURRENT.get() is None:
            return await function(*args, **kwargs)
        with step(_arguments(function, args, kwargs)) as span:
            span.output = made = await function(*args, **kwargs)
            return made

    return call


def _traced_generator(function: Callable[..., Any], step: MakeStep) -> Callable[..., Any]:
    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        if CURRENT.get() is None:
            return (yield from function(*args, **kwargs))
        with step(_arguments(function, args, kwargs)) as span:
            span.output = parts = []
            for part in function(*args, **kwargs):
                parts.append(part)
                with span.outside():
                    yield part
            return None

    return call


def _traced_stream(function: Callable[..., Any], step: MakeStep) -> Callable[..., Any]:
    @functools.wraps(function)
    async def call(*args: Any, **kwargs: Any) -> Any:
        if CURRENT.get() is None:
            async for part in function(*args, **kwargs):
                yield part
            return
        with step(_arguments(function, args, kwargs)) as span:
            span.output = parts = []
            async for part in function(*args, **kwargs):
                parts.append(part)
                with span.outside():
                    yield part

    return call


def _arguments(function: Callable[..., Any], args: Any, kwargs: Any) -> dict[str, Any]:
    """By their names; a bound method's own object is none of the input."""
    try:
        bound = inspect.signature(function).bind(*args, **kwargs)
    except TypeError:  # the call itself will say it better
        return {}
    return {name: value for name, value in bound.arguments.items() if name not in ("self", "cls")}
