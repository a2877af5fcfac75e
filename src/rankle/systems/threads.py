"""Calls functions in threads that nobody has to wait for: one that hangs keeps no process from ending."""

import asyncio
import threading
from collections.abc import Callable
from contextlib import AsyncExitStack
from typing import Any

from rankle.core.errors import SystemFailureError
from rankle.systems.waiting import Waited


class Threads:
    """At most so many calls at a time; one that was given up counts no more."""

    def __init__(self, limit: int, *, timeout_s: float | None) -> None:
        self._limit = limit
        self._timeout_s = timeout_s
        self._room: asyncio.Semaphore | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    async def call(self, function: Callable[[], Any], *, waited: Waited) -> Any:
        """What the function returns or raises. Raises SystemFailureError where it takes too long.

        waited: is told how long all threads were busy.
        """
        async with AsyncExitStack() as stack:
            with waited.waiting():
                await stack.enter_async_context(self._slot())
            loop = asyncio.get_running_loop()
            done: asyncio.Future[Any] = loop.create_future()
            thread = threading.Thread(target=_work, args=(function, loop, done), daemon=True)
            thread.start()
            try:
                return await asyncio.wait_for(done, self._timeout_s)
            except TimeoutError as error:
                if thread.is_alive() or done.cancelled():
                    raise SystemFailureError(f"no answer within {self._timeout_s:g} s") from error
                raise

    def _slot(self) -> asyncio.Semaphore:
        """Of the event loop that runs; each evaluation has its own."""
        loop = asyncio.get_running_loop()
        if self._room is None or self._loop is not loop:
            self._room, self._loop = asyncio.Semaphore(self._limit), loop
        return self._room


def _work(function: Callable[[], Any], loop: asyncio.AbstractEventLoop, done: "asyncio.Future[Any]") -> None:
    try:
        found, error = function(), None
    except BaseException as raised:  # noqa: BLE001 - handed to whoever waits for it
        found, error = None, raised
    if not loop.is_closed():
        loop.call_soon_threadsafe(_settle, done, found, error)


def _settle(done: "asyncio.Future[Any]", found: Any, error: BaseException | None) -> None:
    if done.done():  # nobody waits any more
        return
    if error is None:
        done.set_result(found)
    elif isinstance(error, Exception) and not isinstance(error, StopIteration):
        done.set_exception(error)
    else:
        done.set_exception(SystemFailureError(f"{type(error).__name__}: {error}"))
