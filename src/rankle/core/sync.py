"""The sync front of the async core, used by every sync function and method."""

import asyncio
import threading
from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any, ParamSpec, TypeVar

_T = TypeVar("_T")
_P = ParamSpec("_P")


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


def waited(function: Callable[_P, Coroutine[Any, Any, _T]]) -> Callable[_P, _T]:
    """The sync front of an async function, with the same arguments."""

    @wraps(function)
    def wait(*args: _P.args, **kwargs: _P.kwargs) -> _T:
        results: list[_T] = []
        interrupts: list[KeyboardInterrupt] = []

        # Not the task's result: asyncio spells that out as text when it looks at its signal handler. And not
        # its error: asyncio would print where a task was interrupted, since it asks no task for it.
        async def work() -> None:
            try:
                results.append(await function(*args, **kwargs))
            except KeyboardInterrupt as interrupt:
                interrupts.append(interrupt)

        run_sync(work())
        if interrupts:
            raise interrupts[0]
        return results[0]

    return wait
