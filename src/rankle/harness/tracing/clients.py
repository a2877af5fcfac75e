"""A client of OpenAI or Anthropic whose calls are traced steps, and cached, within a run of evals."""

import inspect
from collections.abc import Callable
from typing import Any, Final, Self, TypeVar, cast

from rankle.core.cached import CachedOutput
from rankle.core.errors import InputError
from rankle.harness.tracing.caller import CACHED, Caller
from rankle.harness.tracing.managed import Managed
from rankle.harness.tracing.model_calls import ModelCall, Prices
from rankle.harness.tracing.recorder import CURRENT
from rankle.harness.tracing.replaying import is_async
from rankle.harness.tracing.streams import AsyncParts, Parts

_T = TypeVar("_T")
_RESOURCES: Final = ("chat", "completions", "responses", "embeddings", "messages", "beta")
"""Members of a client that lead to methods, or are of those that do."""
_MANAGED: Final = "stream"
_AGAIN: Final = ("with_options", "copy")
"""Methods that give another client."""


def wrap(client: _T, *, prices: Prices | None = None) -> _T:
    """The client, whose calls are steps of the trial that makes them and are answered by its cache.

    client: of the packages openai or anthropic, sync or async. `create`, with `stream=True` too, and `parse`
        are traced and cached; `stream` is traced; all else goes to the client as it is. Outside of a run of
        evals every call does.
    prices: model to dollars for a million tokens, read and written; without it no cost is told.
    Headers are neither kept nor part of what a cached call depends on.
    Raises InputError for what has none of the members of such a client.
    """
    if not any(hasattr(client, name) for name in ("chat", "messages", "responses", "embeddings")):
        raise InputError(
            f"wrap takes a client of openai or anthropic, got an object of {type(client).__name__}"
        )
    return cast("_T", _Wrapped(client, (), client, dict(prices or {})))


class _Wrapped:
    """A client, or one of its resources; it passes for what it wraps."""

    def __init__(self, target: Any, path: tuple[str, ...], client: Any, prices: Prices) -> None:
        vars(self)["_rankle"] = (target, path, client, prices)

    @property
    def __class__(self) -> Any:
        return type(vars(self)["_rankle"][0])

    @__class__.setter
    def __class__(self, value: Any) -> None:
        raise TypeError("a wrapped client stays of its class")

    def __getattr__(self, name: str) -> Any:
        target, path, client, prices = vars(self)["_rankle"]
        found = getattr(target, name)
        if name in _AGAIN and not path:
            return lambda *args, **kwargs: wrap(found(*args, **kwargs), prices=prices)
        if name in _RESOURCES and not callable(found):
            return _Wrapped(found, (*path, name), client, prices)
        if path and name in CACHED:
            calls = _async_method if is_async(client) else _method
            return calls(found, Caller((*path, name), client, prices))
        if path and name == _MANAGED:
            return _manager(found, Caller((*path, name), client, prices))
        return found

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(vars(self)["_rankle"][0], name, value)

    def __repr__(self) -> str:
        return f"wrap({vars(self)['_rankle'][0]!r})"

    def __enter__(self) -> Self:
        vars(self)["_rankle"][0].__enter__()
        return self

    def __exit__(self, *failure: object) -> None:
        vars(self)["_rankle"][0].__exit__(*failure)

    async def __aenter__(self) -> Self:
        await vars(self)["_rankle"][0].__aenter__()
        return self

    async def __aexit__(self, *failure: object) -> None:
        await vars(self)["_rankle"][0].__aexit__(*failure)


def _method(method: Callable[..., Any], caller: Caller) -> Callable[..., Any]:
    def call(*args: Any, **kwargs: Any) -> Any:
        step = caller.open(kwargs)
        if step is None:
            return method(*args, **kwargs)
        kept = step.kept()
        with step.telling_failure():
            answer = method(*args, **kwargs) if kept is None else caller.restored(kept, kwargs)
        return _told(step, answer, kept, stream=Parts if kwargs.get("stream") else None)

    return call


def _async_method(method: Callable[..., Any], caller: Caller) -> Callable[..., Any]:
    async def call(*args: Any, **kwargs: Any) -> Any:
        step = caller.open(kwargs)
        if step is None:
            return await method(*args, **kwargs)
        kept = step.kept()
        with step.telling_failure():
            answer = method(*args, **kwargs) if kept is None else caller.restored(kept, kwargs)
            if inspect.isawaitable(answer):
                answer = await answer
        return _told(step, answer, kept, stream=AsyncParts if kwargs.get("stream") else None)

    return call


def _told(
    step: ModelCall, answer: Any, kept: CachedOutput | None, *, stream: type[Parts] | type[AsyncParts] | None
) -> Any:
    """The answer, once its step knows of it; one that streams tells its step itself, as it is read.

    kept: what the cache had; None where the model answered.
    """
    if kept is not None:
        step.found(answer, kept)
    elif stream is None:
        step.answered(answer)
    return answer if stream is None else stream(answer, step if kept is None else None)


def _manager(method: Callable[..., Any], caller: Caller) -> Callable[..., Any]:
    def call(*args: Any, **kwargs: Any) -> Any:
        manager = method(*args, **kwargs)
        return manager if CURRENT.get() is None else Managed(manager, caller, kwargs)

    return call
