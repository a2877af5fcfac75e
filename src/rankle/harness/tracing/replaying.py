"""Kept answers read by the client itself, as if a server had sent them.

What `parse` gives is made of classes that the caller passes, as only the client knows how. It is handed the
kept JSON by a transport that sends nothing, so the answer is what it was, of the classes as they are now.
"""

import importlib
from collections.abc import Mapping, Sequence
from functools import reduce
from types import ModuleType
from typing import Any, Final

CLIENTS: Final = ("openai", "anthropic")
"""The packages whose clients are known."""


def replayed(client: Any, path: Sequence[str], parameters: Mapping[str, Any], *, body: bytes) -> Any:
    """What a method of a client makes of an answer; of an async client, what is to be awaited for it.

    path: to the method, such as `("responses", "parse")`. body: the JSON of the answer.
    Raises what the method does where the classes do not fit the answer any more.
    """
    http = _http_of(client)
    headers = {"content-type": "application/json"}
    transport = http.MockTransport(lambda _request: http.Response(200, content=body, headers=headers))
    if is_async(client):
        return _replayed_async(client, path, parameters, http.AsyncClient(transport=transport))
    with http.Client(transport=transport) as sender:
        return _method(client, path, sender)(**parameters)


def is_async(client: Any) -> bool:
    """Whether what a client's methods give is to be awaited."""
    return type(client).__name__.startswith("Async")


async def _replayed_async(
    client: Any, path: Sequence[str], parameters: Mapping[str, Any], sender: Any
) -> Any:
    async with sender:
        return await _method(client, path, sender)(**parameters)


def _method(client: Any, path: Sequence[str], sender: Any) -> Any:
    return reduce(getattr, path, client.with_options(http_client=sender, max_retries=0))


def _http_of(client: Any) -> ModuleType:
    """The package that a client sends by: httpx, or one that took its place, which refuses the objects of the
    other."""
    roots = [kind.__module__.partition(".")[0] for kind in type(client).__mro__]
    package = importlib.import_module(next(root for root in roots if root in CLIENTS))
    senders = [kind.__module__.partition(".")[0] for kind in package.DefaultHttpxClient.__mro__]
    return importlib.import_module(next(root for root in senders if root.startswith("httpx")))
