"""What a chunker puts together: pieces of blocks, each with the headings directly above it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from rankle.kb.chunk.cutter import Cutter, Span
from rankle.kb.parse.document import Block, ParsedDocument

Cut: TypeAlias = Callable[[Block, int], Iterator[Span]]
"""Cuts one block; the number is how many tokens its first piece may have beside its headings."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A span that is not cut any more."""

    start: int
    end: int
    level: int = 0
    """The highest level (the lowest number) of the headings it opens with; 0 where it opens with none."""


def units(document: ParsedDocument, cutter: Cutter, cut: Cut) -> Iterator[Unit]:
    """The pieces of all blocks in order. A heading goes with what follows it; at a document's end, or in a
    run of headings longer than the target, headings stand alone.

    A heading of more than a third of the target is cut like a paragraph.
    """
    opening: Unit | None = None
    for block in document.blocks:
        if block.kind == "heading" and cutter.tokens(block.start, block.end) <= cutter.target // 3:
            if opening and cutter.tokens(opening.start, block.end) > cutter.target:
                yield opening
                opening = None
            opening = _with(opening, block)
            continue
        taken = cutter.tokens(opening.start, opening.end) if opening else 0
        for start, end in cut(block, max(cutter.target // 4, cutter.most - taken)):
            yield Unit(opening.start, end, opening.level) if opening else Unit(start, end)
            opening = None
    if opening:
        yield opening


def _with(opening: Unit | None, heading: Block) -> Unit:
    if opening is None:
        return Unit(heading.start, heading.end, heading.level)
    return Unit(opening.start, heading.end, min(opening.level, heading.level))
