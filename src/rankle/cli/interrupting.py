"""Ctrl-C while a search of somebody else is asked: it ends the command, also where that hangs."""

import os
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

import click

from rankle.cli.main import INTERRUPTED

_AT_END: Final = b""


@contextmanager
def interruptible(*, patience_s: float = 2.0) -> Iterator[None]:
    """Ctrl-C raises KeyboardInterrupt at once, wherever the main thread is.

    patience_s: for code that was interrupted to come back, and for what was begun to be put away.

    The event loop's own handler waits for the code that it runs, which is a search that may hang. Code that
    is not Python, such as a driver that waits for its server, hears nothing of an interrupt: then a line says
    so, and the next one ends the process. What was complete is kept: a record takes each query as it is done.
    """
    if (
        threading.current_thread() is not threading.main_thread()
        or signal.getsignal(signal.SIGINT) is not signal.default_int_handler
    ):
        yield
        return
    ours, theirs = socket.socketpair()
    theirs.setblocking(False)
    watching = threading.Thread(target=_watch, args=(ours, patience_s), name="interrupts", daemon=True)
    before = signal.signal(signal.SIGINT, _raise)
    wakeup = signal.set_wakeup_fd(theirs.fileno(), warn_on_full_buffer=False)
    watching.start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(wakeup)
        signal.signal(signal.SIGINT, before)
        theirs.close()
        watching.join()
        ours.close()


def _raise(number: int, frame: FrameType | None) -> None:
    del number, frame
    raise KeyboardInterrupt


def _watch(signals: socket.socket, patience_s: float) -> None:
    """Is told of each signal at once, whatever the main thread does; ends when that has left."""
    if not _is_interrupted(signals):
        return
    signals.settimeout(patience_s)
    try:
        if not _is_interrupted(signals):
            return
    except TimeoutError:
        click.echo("The search does not come back; Ctrl-C again ends the command at once.", err=True)
        signals.settimeout(None)
        if not _is_interrupted(signals):
            return
        signals.settimeout(patience_s)
    try:
        while _is_interrupted(signals):
            pass
    except TimeoutError:
        click.echo("Ended while the search was asked. What was complete is kept.", err=True)
        os._exit(INTERRUPTED)


def _is_interrupted(signals: socket.socket) -> bool:
    """Waits for the next Ctrl-C; False where the main thread has left. Raises TimeoutError."""
    while True:
        heard = signals.recv(1)
        if heard == _AT_END or heard[0] == signal.SIGINT:
            return heard != _AT_END
