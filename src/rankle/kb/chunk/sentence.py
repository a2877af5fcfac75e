"""Chunks of one sentence."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from rankle.kb.chunk.cutter import Cutter, Span
from rankle.kb.chunk.sentences import sentence_ends
from rankle.kb.chunk.span import located
from rankle.kb.chunk.units import units
from rankle.kb.chunk_span import ChunkSpan
from rankle.kb.parse.document import Block, ParsedDocument

_TARGET: Final = 300
"""Tokens; what has a quarter more than this is cut like a block of the heading chunker."""


@dataclass(frozen=True, slots=True)
class SentenceChunker:
    """One sentence a chunk; a code block is one, and so is each row of a table and each list item's sentence.

    A heading goes with the first sentence below it, since alone it answers nothing; it stands alone
    only where nothing follows.
    """

    @property
    def spec(self) -> str:
        return "sentence"

    def chunk(self, document: ParsedDocument) -> tuple[ChunkSpan, ...]:
        cutter = Cutter(document.text, _TARGET)

        def cut(block: Block, most: int) -> Iterator[Span]:
            for start, end in _sentences(document.text, block):
                yield from cutter.divide(start, end, most=most, kind=block.kind)
                most = cutter.most

        return located(document, ((unit.start, unit.end) for unit in units(document, cutter, cut)))


def _sentences(text: str, block: Block) -> Iterator[Span]:
    start = block.start
    for end in _ends(text, block):
        if text[start:end].strip():
            yield start, end
            start = end
    yield start, block.end


def _ends(text: str, block: Block) -> Iterator[int]:
    if block.kind == "code":
        return
    if block.kind == "table":
        end = block.start
        while (end := text.find("\n", end + 1, block.end)) >= 0:
            yield end
        return
    yield from sentence_ends(text, start=block.start, end=block.end)
