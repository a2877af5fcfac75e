"""Which state of a repository a run was made in, as git tells it."""

import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_PATIENCE_S: Final = 5.0
_DIRTY: Final = "-dirty"
_COMMAND: Final = (
    "git",
    "-c",
    "core.fsmonitor=false",  # a repository can name a program there, and nobody asked to run it
    "describe",
    "--always",
    "--exclude=*",
    "--abbrev=40",
    f"--dirty={_DIRTY}",
)


@dataclass(frozen=True, slots=True)
class Revision:
    """What is checked out."""

    commit: str
    is_dirty: bool
    """Whether tracked files differ from the commit."""


def read_revision(folder: Path) -> Revision | None:
    """The revision that a folder is at; None outside a repository, without git, or where git does not say."""
    try:
        done = subprocess.run(  # noqa: S603 - no part of it comes from outside
            _COMMAND, cwd=folder, capture_output=True, text=True, timeout=_PATIENCE_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired, UnicodeDecodeError):
        return None
    text = done.stdout.strip()
    commit = text.removesuffix(_DIRTY)
    if done.returncode or not commit:
        return None
    return Revision(commit, text != commit)
