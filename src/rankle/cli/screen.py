"""What the standard output is: how wide, and whether it shows styles."""

import shutil
from dataclasses import dataclass
from typing import Final

from rich.console import Console

from rankle.reports.excerpt import BOLD, QUOTED, Marking
from rankle.reports.layout import WIDTH

_WIDEST: Final = 100
"""Longer lines are hard to read."""
_NARROWEST: Final = 40


@dataclass(frozen=True, slots=True)
class Screen:
    """Where a command prints."""

    width: int
    marking: Marking


def table_width() -> int:
    """Cells of a table's row: all that a terminal has, 80 elsewhere."""
    console = Console()
    return max(_NARROWEST, _columns(console)) if console.is_terminal else WIDTH


def screen() -> Screen:
    """A terminal's own width and bold marks; 80 cells and quoted marks elsewhere, and with NO_COLOR."""
    console = Console()
    if not console.is_terminal:
        return Screen(WIDTH, QUOTED)
    styled = not console.is_dumb_terminal and not console.no_color
    return Screen(max(_NARROWEST, min(_columns(console), _WIDEST)), BOLD if styled else QUOTED)


def _columns(console: Console) -> int:
    """Columns of the terminal, of a dumb one too, for which rich assumes 80."""
    return shutil.get_terminal_size((WIDTH, 24)).columns if console.is_dumb_terminal else console.width


def styled(text: str) -> str:
    """A report as this output shows it: in colour on a terminal that has it, plain elsewhere."""
    from rankle.reports.emphasis import emphasised

    return emphasised(text) if screen().marking is BOLD else text
