"""The process of one run of `rankle watch`, as who watches has it."""

import os
import signal
import subprocess
import sys
import tempfile
from collections import deque
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from rankle.app.watched_messages import (
    DROP,
    END,
    ORDER,
    PRINTED,
    PROGRESS,
    TOLD,
    Order,
    Progressed,
    Told,
    read_message,
    write_message,
)

_PROGRAM: Final = "from rankle.app.watched_run import main; main()"
_PRINTED: Final = 20
"""Lines that are kept of what the evals print."""
_GRACE_S: Final = 4.0
"""The process ends itself sooner; this is for one that cannot."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a run ended."""

    told: Told | None
    """None where the process ended before it could tell."""
    exit_code: int
    """Of the process; what is negative is the signal that ended it."""
    printed: tuple[str, ...] = ()
    """The last lines that the evals printed, 20 at most."""
    n_printed: int = 0
    """How many lines they printed."""


class WatchedRun(Protocol):
    """A run that is going on."""

    def progress(self) -> Progressed | None:
        """How far it has come; None before its first trial."""
        ...

    def outcome(self) -> Outcome | None:
        """How it ended; None while it goes on."""
        ...

    def end(self, *, is_outdated: bool = False) -> None:
        """End it with all that it started, and forget what it left. Once is enough, more does no harm.

        is_outdated: whether its record is dropped too, as far as it has time for that.
        """
        ...


class RunProcess:
    """Implements `WatchedRun`."""

    def __init__(self, order: Order) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="rankle-watch-")
        self._place = Path(self._folder.name)
        write_message(order, self._place / ORDER)
        with (self._place / PRINTED).open("wb") as printed:
            self._process = subprocess.Popen(  # noqa: S603 - our own program
                [sys.executable, "-P", "-c", _PROGRAM, self._folder.name],
                stdin=subprocess.PIPE,
                stdout=printed,
                stderr=printed,
                start_new_session=True,  # Ctrl-C is for who watches
            )

    def progress(self) -> Progressed | None:
        return read_message(self._place / PROGRESS, Progressed)

    def outcome(self) -> Outcome | None:
        code = self._process.poll()  # before what it told: it may end in between
        told = read_message(self._place / TOLD, Told)
        if told is None and code is None:
            return None
        if code is None:  # a thread of the evals may hold it
            code = self._ended(END)
        last, n_lines = deque[str](maxlen=_PRINTED), 0
        with (self._place / PRINTED).open(encoding="utf-8", errors="replace") as printed:
            for n_lines, line in enumerate(printed, start=1):  # noqa: B007 - their number
                last.append(line)
        return Outcome(told, code, tuple(last), n_lines)

    def end(self, *, is_outdated: bool = False) -> None:
        if self._process.poll() is None:
            self._ended(DROP if is_outdated else END)
        self._folder.cleanup()

    def _ended(self, word: bytes) -> int:
        assert self._process.stdin is not None
        with suppress(BrokenPipeError):  # it has ended just now
            self._process.stdin.write(word)
            self._process.stdin.close()
        try:
            return self._process.wait(_GRACE_S)
        except subprocess.TimeoutExpired:
            if hasattr(os, "killpg"):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.kill()
            return self._process.wait()
