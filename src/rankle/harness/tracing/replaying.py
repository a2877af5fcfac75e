"""Kept answers read by the client itself, as if a server had sent them.

What `parse` gives is made of classes that the caller passes, as only the client knows how. A plain client of
the same package is handed the kept JSON by a transport that sends nothing, so the answer is what it was, of
the classes as they are now. The caller's own might sign in first, or be of a class that cannot be copied.
"""

import importlib
from collections.abc import Mapping, Sequence
from functools import reduce
from types import ModuleType
from typing import Any, Final

CLIENTS: Final = {"openai": "OpenAI", "anthropic": "Anthropic"}
"""The packages whose clients are known, and what these are called there; async ones with `Async` before."""
_NOWHERE: Final = "http://replayed.invalid"


def replayed(client: Any, path: Sequence[str], parameters: Mapping[str, Any], *, body: bytes) -> Any:
    """What a method of a client makes of an answer; of an async client, what is to be awaited for it.

    path: to the method, such as `("responses", "parse")`. body: the JSON of the answer.
    Raises what the method does where the classes do not fit the answer any more.
    """
    package = _package_of(client)
    http = _http_of(package)
    headers = {"content-type": "application/json"}
    transport = http.MockTransport(lambda _request: http.Response(200, content=body, headers=headers))
    if is_async(client):
        return _replayed_async(package, path, parameters, http.AsyncClient(transport=transport))
    with http.Client(transport=transport) as sender:
        return _method(package, path, sender, prefix="")(**parameters)


def is_async(client: Any) -> bool:
    """Whether what a client's methods give is to be awaited."""
    return any(kind.__name__.startswith("Async") for kind in type(client).__mro__)


async def _replayed_async(
    package: ModuleType, path: Sequence[str], parameters: Mapping[str, Any], sender: Any
) -> Any:
    async with sender:
        return await _method(package, path, sender, prefix="Async")(**parameters)


def _method(package: ModuleType, path: Sequence[str], sender: Any, *, prefix: str) -> Any:
    kind = getattr(package, prefix + CLIENTS[package.__name__])
    client = kind(api_key="none", base_url=_NOWHERE, http_client=sender, max_retries=0)
    return reduce(getattr, path, client)


def _package_of(client: Any) -> ModuleType:
    roots = [kind.__module__.partition(".")[0] for kind in type(client).__mro__]
    return importlib.import_module(next(root for root in roots if root in CLIENTS))


def _http_of(package: ModuleType) -> ModuleType:
    """The package that a client sends by: httpx, or one that took its place, which refuses the objects of the
    other."""
    senders = [kind.__module__.partition(".")[0] for kind in package.DefaultHttpxClient.__mro__]
    return importlib.import_module(next(root for root in senders if root.startswith("httpx")))
