"""Lines for a terminal: cells of a fixed width, wrapping, and text that cannot disturb the screen."""

import unicodedata
from collections.abc import Iterable
from typing import Final

from rich.cells import cell_len, chop_cells, set_cell_size

WIDTH: Final = 80
_ELLIPSIS: Final = "…"
_CONTROLS: Final = frozenset({"Cc", "Cs", "Zl", "Zp"})
_DIRECTIONS: Final = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def one_line(text: str, *, width: int | None = None) -> str:
    """Text on one line without control characters, cut to `width` cells with an ellipsis.

    White space becomes one space; other characters that could move the cursor, end the line or turn its
    direction round become `?`. Wide characters count two cells.
    """
    clean = " ".join(text.split())
    if not clean.isprintable():  # else nothing in it disturbs
        clean = "".join("?" if disturbs(char) else char for char in clean)
    if width is None or 2 * len(clean) <= width or cell_len(clean) <= width:
        return clean
    return set_cell_size(clean, width - 1).rstrip() + _ELLIPSIS


def pad(text: str, width: int) -> str:
    """Text filled up with spaces to `width` cells; longer text is left as it is."""
    return text + " " * max(0, width - cell_len(text))


def wrapped(
    text: str, *, first: str = "", rest: str = "", width: int = WIDTH, breaking: bool = False
) -> list[str]:
    """Words filled into lines of at most `width` cells.

    A longer word gets a line of its own, uncut, so that a path can be copied; with `breaking` it is broken
    over several.
    """
    room = max(2, width - max(cell_len(first), cell_len(rest)))
    lines: list[str] = []
    line, bare = first, True
    for word in text.split():
        for place, part in enumerate(chop_cells(word, room) if breaking else [word]):
            if not bare and (place > 0 or cell_len(line) + 1 + cell_len(part) > width):
                lines.append(line)
                line, bare = rest, True
            line, bare = (line + part if bare else f"{line} {part}"), False
    return [*lines, line]


def columns(name: str, cells: Iterable[str], *, name_width: int, cell_width: int) -> str:
    """One line of a table: a name and cells of one width, nothing behind the last one."""
    return (pad(name, name_width) + "".join(pad(cell, cell_width) for cell in cells)).rstrip()


def disturbs(char: str) -> bool:
    """Whether a character could move the cursor, end the line or turn its direction round."""
    return unicodedata.category(char) in _CONTROLS or char in _DIRECTIONS
