"""A round of single keys on a terminal, played from outside: each key once it is asked for."""

import re
import signal
from collections.abc import Sequence
from typing import NamedTuple

from fakes.command import on_terminal

_PROMPT = re.compile(rb"q quit: |Note: |empty to end\): ")


class Played(NamedTuple):
    """How a round ended, and what was seen."""

    code: int
    seen: str


def play(
    *args: str,
    typed: str | Sequence[str],
    notes: tuple[str, ...] = (),
    ended_by: signal.Signals | None = None,
) -> Played:
    """Presses the keys of `typed`, one for each time that somebody is asked; behind `n` the next note.

    typed: or keys and lines, which end with a line feed, one by one.
    ended_by: sent once one more key is asked for, instead of waiting for the end.
    """
    left = list(notes)
    takes_notes = isinstance(typed, str)
    parts = [
        part for key in typed for part in ([key, f"{left.pop(0)}\n"] if takes_notes and key == "n" else [key])
    ]
    return Played(*on_terminal(*args, typed=parts, prompt=_PROMPT, ended_by=ended_by))
