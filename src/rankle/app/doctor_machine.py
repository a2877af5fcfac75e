"""What `rankle doctor` looks at on the machine: Python, SQLite, threads, room on the disk."""

import os
import platform
import shutil
import sqlite3
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from rankle.core.health import Check

THREAD_VARIABLES: Final = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
"""How numpy and its like are told how many threads to start."""
_QUOTA: Final = Path("/sys/fs/cgroup/cpu.max")
_LITTLE_ROOM: Final = 1_000_000_000
_NO_ROOM: Final = 50_000_000
_FULL_TEXT: Final = "CREATE VIRTUAL TABLE t USING fts5(body, prefix = '1 2', tokenize = \"unicode61\")"


@dataclass(frozen=True, slots=True)
class Processors:
    """What of the machine this process may use."""

    n_seen: int
    """Processors that libraries count, and start as many threads."""
    n_usable: float
    """What it gets of them: less where a container has a quota."""


def check_python() -> Iterator[Check]:
    bits = 64 if sys.maxsize > 2**32 else 32
    yield Check(
        name="Python",
        state="ok",
        says=f"{platform.python_version()} ({platform.python_implementation()}, {bits} bit), {sys.prefix}",
    )


def check_sqlite() -> Iterator[Check]:
    """Whether SQLite has the full-text index that every workspace needs."""
    version = sqlite3.sqlite_version
    try:
        with closing(sqlite3.connect(":memory:")) as connection:
            connection.execute(_FULL_TEXT)
    except sqlite3.Error as error:
        yield Check(
            name="SQLite",
            state="fault",
            says=f"{version}, without full-text search (FTS5): {error}",
            next="use another Python, such as one of python.org, uv or conda",
        )
        return
    yield Check(name="SQLite", state="ok", says=f"{version}, with full-text search (FTS5)")


def processors(quota: Path = _QUOTA) -> Processors:
    """Counted as libraries do, and the share that a container gets."""
    if sys.platform == "linux":
        seen = len(os.sched_getaffinity(0))
    else:
        seen = os.cpu_count() or 1
    return Processors(seen, min(seen, _quota(quota) or seen))


def check_threads(settings: Mapping[str, str], found: Processors) -> Iterator[Check]:
    """Whether libraries start more threads than there are processors, which is slower than one a processor.

    settings: those of THREAD_VARIABLES that are set.
    """
    least = max(1, int(found.n_usable))
    advice = f"export {THREAD_VARIABLES[0]}={least} {THREAD_VARIABLES[1]}={least}"
    room = f"{found.n_usable:g} processor{'s' if found.n_usable != 1 else ''}"
    n_bad = 0
    for name, value in settings.items():
        says = _thread_fault(value, least)
        if says:
            n_bad += 1
            yield Check(name="Threads", state="warning", says=f"{name}={value} {says} ({room})", next=advice)
    if n_bad:
        return
    if not settings and found.n_seen > found.n_usable:
        says = f"numpy starts {found.n_seen} threads, of which only {room} can run: that is slow"
        yield Check(name="Threads", state="warning", says=says, next=advice)
        return
    chosen = ", ".join(f"{name}={value}" for name, value in settings.items())
    yield Check(name="Threads", state="ok", says=f"{room}; {chosen}" if chosen else room)


def free_bytes(folder: Path) -> int:
    """Bytes that may still be written to the disk of a folder."""
    return shutil.disk_usage(folder).free


def check_disk(
    places: Iterable[tuple[str, Path]], *, free_of: Callable[[Path], int] = free_bytes
) -> Iterator[Check]:
    """Free room where something will be written, once for each disk.

    places: what is kept there, and the folder, which need not exist yet.
    """
    seen: dict[int, tuple[list[str], Path]] = {}
    for what, path in places:
        folder = _nearest(path)
        seen.setdefault(folder.stat().st_dev, ([], folder))[0].append(what)
    for what_all, folder in seen.values():
        free = free_of(folder)
        state = _room(free)
        room = f"{free / 1e9:,.1f} GB" if free >= _LITTLE_ROOM else f"{free / 1e6:,.0f} MB"
        says = f"{room} free for {', '.join(what_all)}"
        advice = None if state == "ok" else f"make room on the disk of {folder}"
        yield Check(name="Disk", state=state, says=says, next=advice)


def check_writable(places: Iterable[tuple[str, Path, str]]) -> Iterator[Check]:
    """Folders in which something will be made and nothing may be; no check where all is well.

    places: what is kept there, the folder, which need not exist yet, and the variable that names another.
    """
    for what, path, variable in places:
        folder = _nearest(path)
        if not folder.is_dir() or not os.access(folder, os.W_OK | os.X_OK):
            says = f"nothing can be written to {path}, where {what} are kept"
            advice = f"make it writable, or set {variable} to a place that is"
            yield Check(name="Disk", state="warning", says=says, next=advice)


def check_variables(unread: Mapping[str, str | None]) -> Iterator[Check]:
    """Variables that nothing reads and that look like one which is read, such as RANKLE_WORKSPCE.

    unread: each with the one that it may be meant for. No check where there is none.
    """
    for name, meant in unread.items():
        if meant is not None:
            says = f"the variable {name} is not read; {meant} is"
            yield Check(name="Variable", state="warning", says=says, next=f"unset {name}; or set {meant}")


def _nearest(path: Path) -> Path:
    """The folder, or the first above it that exists and may be looked at."""
    return next(one for one in (path, *path.parents) if os.path.exists(one))  # noqa: PTH110 - Path.exists raises


def _room(free: int) -> Literal["ok", "warning", "fault"]:
    if free < _NO_ROOM:
        return "fault"
    return "warning" if free < _LITTLE_ROOM else "ok"


def _thread_fault(value: str, most: int) -> str:
    """What is wrong with a number of threads; empty where nothing is."""
    numbers = value.split(",")  # one for each level of nesting
    if not all(number.strip().isdecimal() and int(number) > 0 for number in numbers):
        return "is no number of threads, and libraries take what they like"
    return "starts more threads than can run, which is slow" if int(numbers[0]) > most else ""


def _quota(path: Path) -> float | None:
    """Processors that the control group of a container grants; None where it does not limit them."""
    try:
        quota, period = path.read_text(encoding="ascii").split()
        return int(quota) / int(period)
    except (OSError, ValueError):  # another system, or "max"
        return None
