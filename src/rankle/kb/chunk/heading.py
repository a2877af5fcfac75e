"""The default chunker: blocks packed to about the target, along the headings."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from rankle.kb.chunk.cutter import Cutter, Span
from rankle.kb.chunk.span import located
from rankle.kb.chunk.units import Unit, units
from rankle.kb.chunk_span import ChunkSpan
from rankle.kb.parse.document import Block, ParsedDocument

DEFAULT_TARGET: Final = 300
_MAIN_LEVEL: Final = 2
"""Headings of this level or above start a new chunk once the current one has half of the target."""


@dataclass(frozen=True, slots=True)
class HeadingChunker:
    """Packs whole blocks in order until the target is reached.

    - A chunk may hold several small sections; a heading of level 1 or 2 starts a new one once the
      current has half the target. A heading goes with what follows it.
    - A block of more than 3/2 of the target is cut into even pieces: text at sentences, code and tables
      at lines, a very long sentence or line between words.
    - A rest below a quarter of the target joins the chunk before it, as long as both stay within 3/2.
    """

    target: int = DEFAULT_TARGET

    @property
    def spec(self) -> str:
        return "heading" if self.target == DEFAULT_TARGET else f"heading:{self.target}"

    def chunk(self, document: ParsedDocument) -> tuple[ChunkSpan, ...]:
        cutter = Cutter(document.text, self.target)

        def cut(block: Block, most: int) -> Iterator[Span]:
            return cutter.pieces(block, most=most)

        return located(document, _Packer(cutter).pack(list(units(document, cutter, cut))))


class _Packer:
    def __init__(self, cutter: Cutter) -> None:
        self._cutter = cutter
        self._quarter = cutter.target // 4
        self._packed: list[Unit] = []

    def pack(self, pieces: Sequence[Unit]) -> list[Span]:
        if not pieces:
            return []
        current = pieces[0]
        for index, piece in enumerate(pieces[1:], start=1):
            ends_section = index + 1 == len(pieces) or _is_main(pieces[index + 1])
            if self._takes(current, piece, ends_section=ends_section):
                current = replace(current, end=piece.end)
            else:
                self._close(current)
                current = piece
        self._close(current, last=True)
        return [(chunk.start, chunk.end) for chunk in self._packed]

    def _takes(self, current: Unit, piece: Unit, *, ends_section: bool) -> bool:
        size = self._tokens(current)
        both = self._cutter.tokens(current.start, piece.end)
        if _is_main(piece) and (size >= self._cutter.target // 2 or self._joins_previous(current)):
            return False
        if both <= self._cutter.target:
            return True
        is_rest = size < self._quarter or (ends_section and self._tokens(piece) < self._quarter)
        return is_rest and both <= self._cutter.most

    def _close(self, chunk: Unit, *, last: bool = False) -> None:
        if self._joins_previous(chunk, last=last):
            self._packed[-1] = replace(self._packed[-1], end=chunk.end)
        else:
            self._packed.append(chunk)

    def _joins_previous(self, chunk: Unit, *, last: bool = False) -> bool:
        """Whether it is a short rest of what came before; what has a heading is so only at the end."""
        if not self._packed or self._tokens(chunk) >= self._quarter or (chunk.level and not last):
            return False
        return self._cutter.tokens(self._packed[-1].start, chunk.end) <= self._cutter.most

    def _tokens(self, unit: Unit) -> int:
        return self._cutter.tokens(unit.start, unit.end)


def _is_main(unit: Unit) -> bool:
    return 0 < unit.level <= _MAIN_LEVEL
