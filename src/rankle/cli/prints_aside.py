"""Keeps what evals print out of what a command prints: a report, or JSON that a program reads."""

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, redirect_stdout
from io import UnsupportedOperation
from typing import Any


class _Apart:
    """The standard output for one thread. To all others it is the error stream, now and later: a task that
    was given up may still print while the report is written."""

    def __init__(self, own: Any) -> None:
        self._own = own
        self._thread = threading.get_ident()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._own if threading.get_ident() == self._thread else sys.stderr, name)


@contextmanager
def apart_from_threads() -> Iterator[None]:
    """Within it only this thread writes to the standard output."""
    if sys.stdout is None:  # the process was started without one
        yield
        return
    with redirect_stdout(_Apart(sys.stdout)):
        yield


@contextmanager
def prints_aside() -> Iterator[None]:
    """Within it the standard output of this process, and of those that it starts, is its error stream."""
    with ExitStack() as stack:
        for number, error in _numbers():
            kept = os.dup(number)
            stack.callback(os.close, kept)
            os.dup2(error, number)
            stack.callback(os.dup2, kept, number)
        stack.enter_context(redirect_stdout(sys.stderr))
        yield


def _numbers() -> Iterator[tuple[int, int]]:
    """The descriptors of both streams; none where one is no file, as in a test or a notebook."""
    try:
        sys.stdout.flush()
        yield sys.stdout.fileno(), sys.stderr.fileno()
    except (AttributeError, UnsupportedOperation):
        return
