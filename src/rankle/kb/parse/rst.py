"""reStructuredText, by a scanner of its lines: titles and blocks, no directives carried out."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from rankle.kb.parse.blocks import assemble
from rankle.kb.parse.decode import decode_text
from rankle.kb.parse.document import Block, BlockKind, ParsedDocument

_ADORNMENT: Final = re.compile(r"([!-/:-@\[-`{-~])\1{2,}[^\S\n]*")
_CODE_DIRECTIVE: Final = re.compile(
    r"\.\. (?:code|code-block|sourcecode|literalinclude|parsed-literal|math|doctest|testcode|prompt)::"
)
_GRID: Final = re.compile(r"\+(?:[-=]+\+)+[^\S\n]*")
_SIMPLE_TABLE: Final = re.compile(r"=+(?:[^\S\n]+=+)+[^\S\n]*")
_ITEM: Final = re.compile(r"(?:[-*+•]|\(?(?:\d{1,4}|#|[a-zA-Z])[.)])[^\S\n]+\S")
_ROLE: Final = re.compile(r":[\w:.+-]+:`([^`<]*?)(?:[^\S\n]*<[^`]*>)?`")
_LONGEST_TITLE: Final = 1000
_MARKUP: Final = re.compile(r"``|\*\*|[`*]_{0,2}|\|")


def parse_rst(data: bytes, *, name: str) -> ParsedDocument:
    """Levels of titles follow the order in which their adornments first occur, as in docutils."""
    decoded = decode_text(data, name=name)
    blocks = list(_Scanner(decoded.text).blocks())
    return assemble(decoded.text, blocks, name=name, kind="rst", notices=decoded.notices)


@dataclass(slots=True)
class _Scanner:
    text: str
    lines: list[str] = field(init=False)
    starts: list[int] = field(init=False)
    adornments: list[str] = field(default_factory=list)
    """Signs in order of first use; a title with an overline counts as an adornment of its own."""
    table_ends: list[int] | None = None
    """Lines that can end a simple table, ascending; found when the first table is met."""

    def __post_init__(self) -> None:
        self.lines = self.text.split("\n")
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line) + 1)

    def blocks(self) -> Iterator[Block]:
        at = 0
        literal_next = False
        while at < len(self.lines):
            if not self.lines[at].strip():
                at += 1
                continue
            title = self._title(at)
            if title:
                yield title[1]
                at, literal_next = title[0], False
                continue
            end, kind, literal_next = self._body(at, literal=literal_next)
            yield Block(self.starts[at], min(self.starts[end], len(self.text)), kind)
            at = end

    def _title(self, at: int) -> tuple[int, Block] | None:
        """A title that begins at this line, and the line behind it."""
        overlined = _is_adornment(self.lines[at])
        words_at = at + 1 if overlined else at
        under = words_at + 1
        if under >= len(self.lines):
            return None
        words, line = self.lines[words_at], self.lines[under]
        if not words.strip() or not _is_adornment(line) or _is_adornment(words):
            return None
        if overlined and line.strip() != self.lines[at].strip():
            return None
        if not overlined and (words[0].isspace() or len(line.strip()) < min(len(words.strip()), 4)):
            return None
        level = self._level(line[0] * (2 if overlined else 1))
        return under + 1, Block(
            self.starts[at], self.starts[under] + len(line), "heading", level, _words(words)
        )

    def _level(self, adornment: str) -> int:
        if adornment not in self.adornments:
            self.adornments.append(adornment)
        return self.adornments.index(adornment) + 1

    def _body(self, at: int, *, literal: bool) -> tuple[int, BlockKind, bool]:
        """The line behind the block that begins here, its kind, and whether a literal block follows."""
        line = self.lines[at]
        if line[0].isspace():
            return self._behind_indented(at), "code" if literal else "quote", False
        if _is_adornment(line):
            return at + 1, "paragraph", False
        if _CODE_DIRECTIVE.match(line):
            return self._behind_indented(at + 1), "code", False
        if line.startswith(".. ") or line == "..":
            return self._behind_paragraph(at), "paragraph", False
        if _GRID.fullmatch(line):
            return self._behind_paragraph(at), "table", False
        if _SIMPLE_TABLE.fullmatch(line):
            return self._behind_simple_table(at), "table", False
        if _ITEM.match(line):
            end = self._behind_item(at)
            return end, "list", self.lines[end - 1].rstrip().endswith("::")
        end = self._behind_paragraph(at)
        return end, "paragraph", self.lines[end - 1].rstrip().endswith("::")

    def _behind_paragraph(self, at: int) -> int:
        at += 1
        while at < len(self.lines) and self.lines[at].strip():
            at += 1
        return at

    def _behind_indented(self, at: int) -> int:
        """Behind all lines that are blank or indented, without the blank ones at the end."""
        end = at
        while at < len(self.lines) and (not self.lines[at].strip() or self.lines[at][0].isspace()):
            at += 1
            if self.lines[at - 1].strip():
                end = at
        return end

    def _behind_simple_table(self, at: int) -> int:
        """Behind the next border that a blank line or the end follows."""
        if self.table_ends is None:
            self.table_ends = [index for index in range(len(self.lines)) if self._ends_table(index)]
        following = bisect_right(self.table_ends, at)
        if following < len(self.table_ends):
            return self.table_ends[following] + 1
        return self._behind_paragraph(at)

    def _ends_table(self, at: int) -> bool:
        closed = at + 1 == len(self.lines) or not self.lines[at + 1].strip()
        return closed and _SIMPLE_TABLE.fullmatch(self.lines[at]) is not None

    def _behind_item(self, at: int) -> int:
        """An item takes the indented lines below it, blank lines between them included."""
        at += 1
        while at < len(self.lines) and self.lines[at].strip() and not _ITEM.match(self.lines[at]):
            at += 1
        if at < len(self.lines) and not self.lines[at].strip():
            return self._behind_indented(at)
        return at


def _is_adornment(line: str) -> bool:
    return _ADORNMENT.fullmatch(line) is not None


def _words(title: str) -> str:
    return _MARKUP.sub("", _ROLE.sub(r"\1", title[:_LONGEST_TITLE])).strip()
