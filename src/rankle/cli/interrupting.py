"""Ctrl-C, and other signals that end a command, while a search of somebody else is asked: it is put away."""

import os
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

import click

_ENDING: Final = (signal.SIGTERM, signal.SIGHUP)
"""What ends a command from outside, by default at once: programs that it has started would be left behind."""


class _EndedInterrupt(KeyboardInterrupt):
    """One of these, which passes wherever Ctrl-C does."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number


@contextmanager
def interruptible(*, patience_s: float = 2.0) -> Iterator[None]:
    """Ctrl-C raises KeyboardInterrupt at once, wherever the main thread is. SIGTERM and SIGHUP do too: once
    all is put away, they end the process as they do elsewhere. Who ignores them goes on doing so.

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
    ending = [each for each in _ENDING if signal.getsignal(each) is signal.SIG_DFL]
    before = signal.signal(signal.SIGINT, _raise)
    for each in ending:
        signal.signal(each, _raise_ended)
    wakeup = signal.set_wakeup_fd(theirs.fileno(), warn_on_full_buffer=False)
    watching.start()
    ended = None
    try:
        yield
    except _EndedInterrupt as end:
        ended = end.number
    finally:
        signal.set_wakeup_fd(wakeup)
        signal.signal(signal.SIGINT, before)
        for each in ending:
            signal.signal(each, signal.SIG_DFL)
        theirs.close()
        watching.join()
        ours.close()
    if ended is not None:
        os.kill(os.getpid(), ended)


def _raise_ended(number: int, frame: FrameType | None) -> None:
    del frame
    raise _EndedInterrupt(number)


def _raise(number: int, frame: FrameType | None) -> None:
    del number, frame
    raise KeyboardInterrupt


def _watch(signals: socket.socket, patience_s: float) -> None:
    """Is told of each signal at once, whatever the main thread does; ends when that has left."""
    heard = _heard(signals)
    if not heard:
        return
    signals.settimeout(patience_s)
    try:
        if heard == signal.SIGINT and not _heard(signals):
            return
    except TimeoutError:
        click.echo("The search does not come back; Ctrl-C again ends the command at once.", err=True)
        signals.settimeout(None)
        if not _heard(signals):
            return
        signals.settimeout(patience_s)
    try:
        while _heard(signals):
            pass
    except TimeoutError:
        click.echo("Ended while the search was asked. What was complete is kept.", err=True)
        os._exit(128 + heard)


def _heard(signals: socket.socket) -> int:
    """Waits for the next signal that ends; 0 where the main thread has left. Raises TimeoutError."""
    while heard := signals.recv(1):
        if heard[0] in (signal.SIGINT, *_ENDING):
            return heard[0]
    return 0
