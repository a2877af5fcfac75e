"""The command line as a test calls it: in this process, or in one of its own that can be interrupted."""

import fcntl
import io
import os
import re
import select
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest

from rankle.cli.main import _exit_code

# A process that was started in the background of a script ignores Ctrl-C; the user's does not.
PROGRAM = (
    "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
    "from rankle.cli.main import run; run()"
)
# So that Ctrl-C reaches it.
ON_TERMINAL = "import fcntl, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); "
_PATIENCE_S = 60
_SCORES = re.compile(r"(?<=  )-?\d+\.\d{2,4}$|(?<=\()-?\d+\.\d{4}(?=\))", re.MULTILINE)
_IDS = re.compile(r"chunk-[0-9a-f]{12}")
_TIMES = re.compile(r"\d[\d,]*(?:\.\d+)? (ms|s|documents/s)\b")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a command left."""

    code: int
    out: str
    err: str


def rankle(*args: str | Path) -> Outcome:
    """Run one command in this process, its output as a pipe would get it."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = _exit_code([str(arg) for arg in args])
    return Outcome(code, out.getvalue(), err.getvalue())


def succeed(*args: str | Path) -> str:
    """What a command prints that must end well and warn of nothing."""
    outcome = rankle(*args)
    assert (outcome.code, outcome.err) == (0, ""), outcome
    return outcome.out


def fail(*args: str | Path) -> str:
    """What a command says that must end with 2 and print no result."""
    outcome = rankle(*args)
    assert (outcome.code, outcome.out) == (2, ""), outcome
    return outcome.err


def start(*args: str | Path) -> subprocess.Popen[str]:
    """A command in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM, *map(str, args)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )


def steady(text: str) -> str:
    """Output with times, rates, scores and chunk ids replaced, so that it is the same each time."""
    text = _TIMES.sub(r"_ \1", text)
    return _IDS.sub("chunk-…", _SCORES.sub("_.__", text))


def write_files(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def enter_project(folder: Path, monkeypatch: pytest.MonkeyPatch, files: Mapping[str, str | bytes]) -> Path:
    """Make a folder with these files the current one, where runs are recorded below it."""
    folder.mkdir()
    monkeypatch.chdir(write_files(folder, files))
    monkeypatch.delenv("RANKLE_RECORDS")
    return folder


MANUAL: Mapping[str, str] = {
    "reset.md": "# Reset\n\nHold the red button for five seconds.\n",
    "battery.md": "# Battery\n\nCharge the battery overnight before the first use.\n",
    "warranty.md": "# Warranty\n\nTwo years from the day of purchase.\n",
}
"""Three documents that share no word but those of grammar."""
GUIDE: Mapping[str, str] = {
    "setup.md": "# Setting up the pump\n\n## Power\n\nConnect the red cable to the *battery* first.\n",
    "errors.md": "# Errors\n\n## E-42\n\nThe battery voltage is below 11 V. Charge it.\n",
    "de/wartung.md": "# Wartung\n\nDer Filter wird jeden Monat geprüft und im Herbst ersetzt.\n",
    "ja/filter.txt": "フィルターの交換は毎年秋に行います。電池の電圧も確認してください。\n",
}
"""Four short documents in three languages."""
BROKEN_PDF = b"%PDF-1.7 and then nothing"


def on_terminal(
    *args: str | Path,
    typed: str | Sequence[str] = (),
    environ: Mapping[str, str] | None = None,
    prompt: re.Pattern[bytes] | None = None,
    ended_by: signal.Signals | None = None,
) -> tuple[int, str]:
    """A command in a process of its own, on a terminal of its own: its exit code, and what is seen there.

    typed: lines, which end with a line feed, and keys. Each is typed once the one before was taken and the
        command waits for its kind: what is typed ahead can be lost where a terminal changes its mode.
    prompt: what stands there once more before each is typed; None types without being asked.
    ended_by: sent once one more prompt stands there, instead of waiting for the end.
    """
    ours, theirs = os.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", ON_TERMINAL + PROGRAM, *map(str, args)],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm", **(environ or {})},
        start_new_session=True,
    )
    seen = bytearray()
    parts = (typed,) if isinstance(typed, str) else typed
    try:
        for n, part in enumerate(parts, start=1):
            _wait(process, seen, ours, until=partial(_is_asked, seen, prompt, n))
            _wait(process, seen, ours, until=partial(_takes, theirs, part))
            os.write(ours, part.encode())
        if ended_by is not None:
            _wait(process, seen, ours, until=partial(_is_asked, seen, prompt, len(parts) + 1))
            process.send_signal(ended_by)
        _wait(process, seen, ours, until=lambda: process.poll() is not None)
    finally:
        process.kill()
        process.wait()
        os.close(theirs)
    with suppress(OSError):  # how Linux says that the other end is closed
        while shown := os.read(ours, 4096):
            seen += shown
    os.close(ours)
    return process.wait(), seen.decode().replace("\r\n", "\n")


def _is_asked(seen: bytearray, prompt: re.Pattern[bytes] | None, n: int) -> bool:
    """Whether `prompt` stands there n times."""
    return prompt is None or len(prompt.findall(seen)) >= n


def _takes(terminal: int, part: str) -> bool:
    """Whether all was taken that was typed, and a line is waited for, or a key, as `part` is one."""
    by_lines = bool(termios.tcgetattr(terminal)[3] & termios.ICANON)
    return by_lines == part.endswith("\n") and (by_lines or not _n_waiting(terminal))


def _n_waiting(terminal: int) -> int:
    return int.from_bytes(fcntl.ioctl(terminal, termios.FIONREAD, bytes(4)), sys.byteorder)


def _wait(
    process: subprocess.Popen[bytes], seen: bytearray, terminal: int, *, until: Callable[[], bool]
) -> None:
    deadline = time.monotonic() + _PATIENCE_S
    while not until() and process.poll() is None:
        assert time.monotonic() < deadline, f"nothing happens any more behind: {seen.decode()}"
        if select.select([terminal], [], [], 0.01)[0]:
            seen += os.read(terminal, 4096)
