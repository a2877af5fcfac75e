"""The process of one run of `rankle watch`, as who watches has it."""

import os
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from rankle.app.watched_messages import (
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
_GRACE_S: Final = 4.0
"""The process ends itself sooner; this is for one that cannot."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a run ended."""

    told: Told | None
    """None where the process ended before it could tell."""
    exit_code: int
    """Of the process; what is negative is the signal that ended it."""
    printed: Path
    """What the evals printed; there until the run is closed."""


class WatchedRun(Protocol):
    """A run that is going on."""

    def progress(self) -> Progressed | None:
        """How far it has come; None before its first trial."""
        ...

    def outcome(self) -> Outcome | None:
        """How it ended; None while it goes on."""
        ...

    def end(self) -> None:
        """End it with all that it started, and forget what it left. Once is enough, more does no harm."""
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
            code = self._ended()
        return Outcome(told, code, self._place / PRINTED)

    def end(self) -> None:
        if self._process.poll() is None:
            self._ended()
        self._folder.cleanup()

    def _ended(self) -> int:
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            return self._process.wait(_GRACE_S)
        except subprocess.TimeoutExpired:
            if hasattr(os, "killpg"):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.kill()
            return self._process.wait()
