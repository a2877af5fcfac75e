"""A round of single keys on a terminal, played from outside: each key once it is asked for."""

import os
import re
import signal
import subprocess
import sys
import termios
import time
from contextlib import suppress
from typing import NamedTuple

from fakes.command import _PROGRAM

_PROMPT = re.compile(rb"q quit: |Note: |empty to end\): ")


class Played(NamedTuple):
    """How a round ended, and what was seen."""

    code: int
    seen: str


def play(
    *args: str, typed: str, notes: tuple[str, ...] = (), ended_by: signal.Signals | None = None
) -> Played:
    """Presses the keys of `typed`, one for each time that somebody is asked; behind `n` the next note.

    ended_by: sent once one more key is asked for, instead of waiting for the end.
    """
    ours, theirs = os.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", _PROGRAM, *args], stdin=theirs, stdout=theirs, stderr=theirs
    )
    left = list(notes)
    parts = [part for key in typed for part in ([key, f"{left.pop(0)}\n"] if key == "n" else [key])]
    seen = b""
    for n_asked, part in enumerate(parts, start=1):
        seen = _until_asked(ours, theirs, seen, n_asked, by_line=part.endswith("\n"))
        os.write(ours, part.encode())
    if ended_by is not None:
        seen = _until_asked(ours, theirs, seen, len(parts) + 1, by_line=False)
        os.kill(process.pid, ended_by)
    os.close(theirs)
    with suppress(OSError):  # how Linux says that the other end is closed
        while part_seen := os.read(ours, 4096):
            seen += part_seen
    os.close(ours)
    return Played(process.wait(timeout=60), seen.decode().replace("\r\n", "\n"))


def _until_asked(ours: int, theirs: int, seen: bytes, n_asked: int, *, by_line: bool) -> bytes:
    """Reads until so many prompts stand there and the terminal is in the mode that the answer needs."""
    while len(_PROMPT.findall(seen)) < n_asked:
        seen += os.read(ours, 4096)
    while bool(termios.tcgetattr(theirs)[3] & termios.ICANON) != by_line:
        time.sleep(0.01)
    return seen
