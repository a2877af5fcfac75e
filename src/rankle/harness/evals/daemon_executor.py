"""The executor behind `asyncio.to_thread` in tasks, with threads that no interpreter waits for."""

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from queue import SimpleQueue
from typing import Any, Final, TypeAlias

_MOST_THREADS: Final = 64
"""More than any run has in flight by default; what comes beyond waits for a thread, as in any pool."""
_Work: TypeAlias = "Callable[[], None] | None"


class DaemonExecutor(ThreadPoolExecutor):
    """Takes work like any executor; a thread that hangs in it ends with the process.

    A subclass, since an event loop takes no other executor as its own.
    """

    def __init__(self) -> None:
        super().__init__(max_workers=1)
        self._given: SimpleQueue[_Work] = SimpleQueue()
        self._lock = threading.Lock()
        self._n_threads = 0
        self._n_idle = 0

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """The future of a call, which runs in a copy of the caller's context."""
        future: Future[Any] = Future()
        context = copy_context()

        def work() -> None:
            if not future.set_running_or_notify_cancel():
                return
            try:
                future.set_result(context.run(fn, *args, **kwargs))
            except BaseException as error:  # noqa: BLE001  (the future raises it where it is waited for)
                future.set_exception(error)

        with self._lock:
            if self._n_idle:
                self._n_idle -= 1
            elif self._n_threads < _MOST_THREADS:
                self._n_threads += 1
                threading.Thread(target=self._serve, name="rankle-to-thread", daemon=True).start()
        self._given.put(work)
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Let idle threads end. Nothing is waited for: whoever hangs would be waited for without end."""
        del wait, cancel_futures
        with self._lock:
            for _ in range(self._n_threads):
                self._given.put(None)

    def _serve(self) -> None:
        while (work := self._given.get()) is not None:
            work()
            with self._lock:
                self._n_idle += 1
