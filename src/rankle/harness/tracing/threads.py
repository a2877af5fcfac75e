"""Threads that a task starts are part of its trial: they run in a copy of the context that started them.

Python copies contexts into tasks and `asyncio.to_thread`, and not into `Thread` and `ThreadPoolExecutor`; so
both are taught to while a trial is recorded. What is started outside of a trial runs as it would.
"""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import copy_context
from dataclasses import dataclass, field
from typing import Any, Final


@dataclass(slots=True)
class _Taught:
    """How many trials are recorded now, and what the two classes did before the first of them."""

    n_recording: int = 0
    start: Callable[..., Any] = threading.Thread.start
    submit: Callable[..., Any] = ThreadPoolExecutor.submit
    lock: threading.Lock = field(default_factory=threading.Lock)


_TAUGHT: Final = _Taught()


@contextmanager
def carrying_contexts() -> Iterator[None]:
    """Within, in any thread: what is started runs in a copy of its starter's context."""
    with _TAUGHT.lock:
        _TAUGHT.n_recording += 1
        if _TAUGHT.n_recording == 1:
            _TAUGHT.start, _TAUGHT.submit = threading.Thread.start, ThreadPoolExecutor.submit
            threading.Thread.start = _start  # type: ignore[method-assign,assignment]
            ThreadPoolExecutor.submit = _submit  # type: ignore[method-assign,assignment]
    try:
        yield
    finally:
        with _TAUGHT.lock:
            _TAUGHT.n_recording -= 1
            if _TAUGHT.n_recording == 0:
                threading.Thread.start = _TAUGHT.start  # type: ignore[method-assign]
                ThreadPoolExecutor.submit = _TAUGHT.submit  # type: ignore[method-assign]


def _start(thread: threading.Thread) -> None:
    context, run = copy_context(), thread.run

    def run_in_context() -> None:
        thread.__dict__.pop("run", None)  # else the thread would hold itself for ever
        context.run(run)

    thread.run = run_in_context  # type: ignore[method-assign]
    _TAUGHT.start(thread)


def _submit(pool: ThreadPoolExecutor, function: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
    found: Future[Any] = _TAUGHT.submit(pool, copy_context().run, function, *args, **kwargs)
    return found
