"""The part of a passage that is shown: a few lines around the densest matches, within a width."""

import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from rich.cells import cell_len

from rankle.core.search import Passage
from rankle.reports.layout import disturbs

_OPENING: Final = frozenset({"Ps", "Pi"})
_CLOSING: Final = frozenset({"Pe", "Pf", "Po", "Lm"})
_INDENT: Final = 8
"""Deeper indentation of source lines is cut to this."""


@dataclass(frozen=True, slots=True)
class Marking:
    """How a match is shown."""

    opened: str
    closed: str
    cells: int
    """How wide each of the two is."""


QUOTED: Final = Marking("«", "»", 1)
"""For pipes, files and terminals without styles."""
BOLD: Final = Marking("\x1b[1m", "\x1b[0m", 0)


class _Line(NamedTuple):
    """One line on the screen: a span of the passage's text."""

    start: int
    end: int


def excerpt(passage: Passage, *, width: int, n_lines: int, marking: Marking) -> list[str]:
    """At most `n_lines` lines of at most `width` cells with the matches marked.

    Lines of the passage are kept, long ones are wrapped, ones without a letter or digit left out. An ellipsis
    tells that the passage goes on before or behind.
    """
    text = "".join(_shown(char) for char in passage.text)
    layout = _Layout(text, passage.marks, width - 2 * cell_len("… "), marking)
    lines = list(layout.lines())
    first = _densest(lines, text, passage.marks, n_lines=n_lines)
    chosen = lines[first : first + n_lines]
    shown = [layout.render(line) for line in chosen]
    if shown and first > 0:
        shown[0] = f"… {shown[0].lstrip()}"
    if shown and first + n_lines < len(lines):
        shown[-1] += " …"
    return shown


def _shown(char: str) -> str:
    """One character for one, so that offsets stay."""
    if char == "\n":
        return char
    if char.isspace():
        return " "
    return "?" if disturbs(char) else char


def _densest(lines: Sequence[_Line], text: str, marks: Sequence[tuple[int, int]], *, n_lines: int) -> int:
    """The first of the `n_lines` lines that tell most: those with most different matches, rare ones first.

    A match weighs less the more often it stands in the passage. Of windows that tell the same, the middle one
    is taken, so that matches stand in their context.
    """
    words = [text[start:end].casefold() for start, end in marks]
    often = Counter(words)
    in_line = [
        {
            word
            for (start, end), word in zip(marks, words, strict=True)
            if start < line.end and end > line.start
        }
        for line in lines
    ]
    best, best_weight = [0], -1.0
    for first in range(max(1, len(lines) - n_lines + 1)):
        window = sorted(set().union(*in_line[first : first + n_lines])) if lines else []
        weight = sum(1 / often[word] for word in window)
        if weight > best_weight + 1e-9:
            best, best_weight = [first], weight
        elif abs(weight - best_weight) <= 1e-9 and first == best[-1] + 1:
            best.append(first)
    return best[0] if best_weight <= 0 else best[(len(best) - 1) // 2]


class _Layout:
    """Cuts a text into lines of a width, and draws them with their marks."""

    def __init__(self, text: str, marks: Sequence[tuple[int, int]], width: int, marking: Marking) -> None:
        self.text = text
        self.width = width
        self.marking = marking
        self._opens = {start for start, _ in marks}
        self._closes = {end for _, end in marks}
        self._inside = {place for start, end in marks for place in range(start, end)}

    def lines(self) -> Iterator[_Line]:
        start = 0
        for source in self.text.split("\n"):
            if any(char.isalnum() for char in source):
                indent = len(source) - len(source.lstrip())
                yield from self._wrapped(start + max(0, indent - _INDENT), start + len(source.rstrip()))
            start += len(source) + 1

    def render(self, line: _Line) -> str:
        drawn: list[str] = []
        for place in range(line.start, line.end):
            if place in self._inside and (place in self._opens or place == line.start):
                drawn.append(self.marking.opened)
            drawn.append(self.text[place])
            if place in self._inside and (place + 1 in self._closes or place + 1 == line.end):
                drawn.append(self.marking.closed)
        return "".join(drawn)

    def _wrapped(self, start: int, end: int) -> Iterator[_Line]:
        while start < end:
            stop = self._line_end(start, end)
            shown = stop
            while shown > start and self.text[shown - 1] == " ":
                shown -= 1
            yield _Line(start, shown)
            start = stop
            while start < end and self.text[start] == " ":
                start += 1

    def _line_end(self, start: int, end: int) -> int:
        """Where the line that begins at `start` ends: where it may, else in the middle of a word."""
        used, breakable = 0, None
        for place in range(start, end):
            cells = cell_len(self.text[place])
            if place > start and cells and self._may_break(place):
                breakable = place
            used += cells + self._mark_cells(place, start)
            closing = self.marking.cells if place in self._inside and place + 1 not in self._closes else 0
            if used + closing > self.width and place > start and self.text[place] != " ":
                return breakable or place
        return end

    def _mark_cells(self, place: int, line_start: int) -> int:
        if place not in self._inside:
            return 0
        opened = place in self._opens or place == line_start
        return self.marking.cells * (opened + (place + 1 in self._closes))

    def _may_break(self, place: int) -> bool:
        """Whether a line may end before `place`: behind a space, and beside Han and Kana.

        Hangul is written with spaces. Closing marks do not begin a line, opening ones do not end one.
        """
        before, after = self.text[place - 1], self.text[place]
        if before == " ":
            return True
        if not (_stands_alone(before) or _stands_alone(after)):
            return False
        return unicodedata.category(before) not in _OPENING and unicodedata.category(after) not in _CLOSING


def _stands_alone(char: str) -> bool:
    return cell_len(char) > 1 and not "\uac00" <= char <= "\ud7a3"
