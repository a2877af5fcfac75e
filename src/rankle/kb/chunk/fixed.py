"""Chunks of one size."""

from collections.abc import Iterator
from dataclasses import dataclass

from rankle.kb.chunk.cut import breakable_end
from rankle.kb.chunk.span import located
from rankle.kb.chunk_span import ChunkSpan
from rankle.kb.parse.document import ParsedDocument
from rankle.kb.tokens import token_map


@dataclass(frozen=True, slots=True)
class FixedChunker:
    """At most `tokens` tokens of the estimate each, cut between words, without overlap.

    A chunk falls short of the number by less than the word that did not fit. A word longer than the
    number is cut where its units end, and a single unit (60 letters at most) stays whole.
    """

    tokens: int

    @property
    def spec(self) -> str:
        return f"fixed:{self.tokens}"

    def chunk(self, document: ParsedDocument) -> tuple[ChunkSpan, ...]:
        return located(document, self._spans(document))

    def _spans(self, document: ParsedDocument) -> Iterator[tuple[int, int]]:
        if not document.blocks:
            return
        text = document.text
        start, end = document.blocks[0].start, document.blocks[-1].end
        units = token_map(text[start:end])
        first, offset = 0, start
        while first < len(units.ends):
            last = breakable_end(text, units, first=first, tokens=self.tokens, offset=offset)
            cut = offset + units.ends[last]
            yield start, cut
            start, first = cut, last + 1
