"""The sync front of the async core: one function, used by every sync method."""

import asyncio
import threading
from collections.abc import Coroutine
from typing import Any, TypeVar

_T = TypeVar("_T")


def run_sync(work: Coroutine[Any, Any, _T]) -> _T:
    """Runs a coroutine to its end, also where an event loop runs already, as in a notebook."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    outcome: list[_T] = []
    failure: list[BaseException] = []

    def target() -> None:
        try:
            outcome.append(asyncio.run(work))
        except BaseException as error:  # noqa: BLE001 - handed to the caller's thread, which raises it
            failure.append(error)

    thread = threading.Thread(target=target, name="run_sync")
    thread.start()
    thread.join()
    if failure:
        raise failure[0]
    return outcome[0]
