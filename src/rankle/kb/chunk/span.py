"""A chunk as a span of its document, and where it stands there."""

import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from typing import Protocol

from rankle.kb.chunk_span import ChunkSpan
from rankle.kb.parse.blocks import trimmed
from rankle.kb.parse.document import Block, ParsedDocument


class Chunker(Protocol):
    """Cuts a document into chunks, the same every time."""

    @property
    def spec(self) -> str:
        """The one spelling that `parse_chunker` reads back to this very chunker, such as `fixed:200`."""
        ...

    def chunk(self, document: ParsedDocument) -> tuple[ChunkSpan, ...]:
        """Chunks in order, not overlapping, which hold all but white space and front matter."""
        ...


def located(document: ParsedDocument, spans: Iterable[tuple[int, int]]) -> tuple[ChunkSpan, ...]:
    """The spans, trimmed and without the empty ones, with breadcrumb, page and lines.

    spans: ascending, not overlapping.
    """
    return tuple(_located(document, spans))


def _located(document: ParsedDocument, spans: Iterable[tuple[int, int]]) -> Iterator[ChunkSpan]:
    newlines = array("q", (match.start() for match in re.finditer("\n", document.text)))
    trail = _Trail(document.blocks)
    for rough_start, rough_end in spans:
        start, end = trimmed(document.text, start=rough_start, end=rough_end)
        if start == end:
            continue
        yield ChunkSpan(
            start=start,
            end=end,
            breadcrumb=trail.above(start, end=end),
            page=bisect_right(document.pages, start) if document.pages else None,
            line_start=bisect_left(newlines, start) + 1,
            line_end=bisect_left(newlines, end - 1) + 1,
        )


class _Trail:
    """The headings above a place, for places that are asked for in ascending order."""

    def __init__(self, blocks: tuple[Block, ...]) -> None:
        self._blocks = blocks
        self._next = 0
        self._open: list[Block] = []

    def above(self, start: int, *, end: int) -> tuple[str, ...]:
        """The headings that hold at `start`; where one opens the span, those directly below as well."""
        while self._next < len(self._blocks) and self._blocks[self._next].start <= start:
            self._pass()
        opens = self._next > 0 and self._blocks[self._next - 1].start == start
        if opens and self._blocks[self._next - 1].kind == "heading":
            while self._next < len(self._blocks) and self._is_heading_before(end):
                self._pass()
        return tuple(block.text for block in self._open if block.text)

    def _is_heading_before(self, end: int) -> bool:
        block = self._blocks[self._next]
        return block.kind == "heading" and block.start < end

    def _pass(self) -> None:
        block = self._blocks[self._next]
        self._next += 1
        if block.kind == "heading":
            while self._open and self._open[-1].level >= block.level:
                self._open.pop()
            self._open.append(block)
