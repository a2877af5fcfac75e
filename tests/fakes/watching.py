"""`rankle watch` in a process of its own, on a pipe or a terminal, while a test changes files."""

import os
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

from fakes.command import ON_TERMINAL, PROGRAM

_PATIENCE_S = 60
_WAITING = r"Watching; Ctrl-C ends it\."


class Watching:
    """A watch that goes on until the context ends."""

    def __init__(
        self, *args: str | Path, terminal: bool = False, environ: Mapping[str, str] | None = None
    ) -> None:
        self._ours, theirs = os.openpty() if terminal else os.pipe()
        self.seen = ""
        self.process = subprocess.Popen(
            [sys.executable, "-c", (ON_TERMINAL if terminal else "") + PROGRAM, "watch", *map(str, args)],
            stdin=theirs if terminal else subprocess.DEVNULL,
            stdout=theirs,
            stderr=theirs,
            env={**os.environ, "TERM": "xterm", **(environ or {})},
            start_new_session=True,
        )
        os.close(theirs)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        del kind, error, where
        self.process.kill()
        self.process.wait()
        os.close(self._ours)

    def wait_for(self, pattern: str, *, n: int = 1) -> str:
        """What was seen until a pattern of lines stood there n times."""
        found = re.compile(pattern, re.MULTILINE)
        self.wait_until(lambda: len(found.findall(self.seen)) >= n, what=f"{n} times {pattern}")
        return self.seen

    def wait_until(self, holds: Callable[[], bool], *, what: str) -> None:
        """Look on until something holds."""
        deadline = time.monotonic() + _PATIENCE_S
        while not holds():
            assert time.monotonic() < deadline, f"still no {what} in: {self.seen}"
            assert self._read() or self.process.poll() is None, f"ended without {what}: {self.seen}"

    def stop(self, *, typed: bool = False) -> int:
        """Ctrl-C, by its signal or typed at the terminal: the exit code, once all was read."""
        if typed:
            os.write(self._ours, b"\x03")
        else:
            self.process.send_signal(signal.SIGINT)
        self.process.wait(_PATIENCE_S)
        while self._read():
            pass
        return self.process.returncode

    def _read(self) -> bool:
        """Take in what was printed since; False where there is nothing."""
        if not select.select([self._ours], [], [], 0.02)[0]:
            return False
        try:
            shown = os.read(self._ours, 65536)
        except OSError:  # how Linux says that the other end of a terminal is closed
            return False
        self.seen += shown.decode(errors="replace").replace("\r\n", "\n")
        return bool(shown)


def watched(*args: str | Path, meanwhile: Callable[[], object]) -> tuple[int, str]:
    """A watch on a terminal, ended by Ctrl-C once what a change touches was run again.

    meanwhile: makes the change, once all was run.
    Returns the exit code, and what was seen, as paper has it: each screen below the one before, of each line
    what stood there last.
    """
    with Watching(*args, terminal=True, environ={"NO_COLOR": "1"}) as watching:
        watching.wait_for(_WAITING)
        meanwhile()
        watching.wait_for(_WAITING, n=2)
        code = watching.stop(typed=True)
    return code, re.sub(r"[^\n]*\r\x1b\[2K|[^\n]*\x1b\[2J\x1b\[H", "", watching.seen)
