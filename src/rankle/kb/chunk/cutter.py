"""Cutting what is too long into even pieces: at sentences, else at lines, else between words."""

import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import ceil
from typing import TypeAlias

from rankle.kb.chunk.cut import is_breakable
from rankle.kb.chunk.sentences import sentence_ends
from rankle.kb.parse.document import Block
from rankle.kb.tokens import TokenMap, token_map

Span: TypeAlias = tuple[int, int]

_SEARCHED_FOR_A_BREAK = 40
"""Units to each side of the middle of a long sentence in which a break between words is looked for."""


@dataclass(frozen=True, slots=True)
class Cutter:
    """Cuts one text by the estimate of its tokens."""

    text: str
    target: int
    """Tokens that a piece should have."""
    units: TokenMap = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "units", token_map(self.text))

    @property
    def most(self) -> int:
        """Tokens up to which a piece stays whole: half over the target: short documents stay whole."""
        return self.target + self.target // 2

    def tokens(self, start: int, end: int) -> int:
        return self.units.between(start, end)

    def pieces(self, block: Block, *, most: int) -> Iterator[Span]:
        """The block whole if it has at most `most` tokens, else cut where its kind allows it."""
        return self.divide(block.start, block.end, most=most, kind=block.kind)

    def divide(self, start: int, end: int, *, most: int, kind: str = "paragraph") -> Iterator[Span]:
        if self.tokens(start, end) <= most:
            yield start, end
            return
        yield from self._divide(start, end, self._borders(start, end, kind), min(self.target, most), most)

    def _borders(self, start: int, end: int, kind: str) -> list[Sequence[int]]:
        """Offsets at which a block may be cut, the better kind of border first."""
        lines = array("q", (match.end() for match in re.finditer(r"\n", self.text[start:end])))
        lines = array("q", (start + at for at in lines))
        if kind in ("code", "table"):
            return [lines]
        sentences = array("q", sentence_ends(self.text, start=start, end=end))
        if kind == "list":
            return [array("q", sorted({*lines, *sentences}))]
        return [sentences, lines]

    def _divide(
        self, start: int, end: int, levels: list[Sequence[int]], target: int, most: int
    ) -> Iterator[Span]:
        """Takes pieces from the front, each as near as its borders allow to an even share of the rest."""
        if not levels:
            yield from self._between_words(start, end, target=target, most=most)
            return
        borders, whole = levels[0], most
        while (rest := self.tokens(start, end)) > whole:
            whole = min(most, target + target // 4)  # what was worth cutting is cut evenly to its end
            low, high = bisect_right(borders, start), bisect_left(borders, end)
            if low == high:
                yield from self._divide(start, end, levels[1:], target, most)
                return
            share = rest / ceil(rest / target)
            cut = self._nearest(borders, low, high, start=start, share=share)
            if self.tokens(start, cut) > most:
                cut = borders[low]
                yield from self._divide(start, cut, levels[1:], target, most)
            else:
                yield start, cut
            start = cut
        yield start, end

    def _nearest(self, borders: Sequence[int], low: int, high: int, *, start: int, share: float) -> int:
        """The border whose piece from `start` comes nearest to `share` tokens; the longer of two."""
        goal = self.units.before(start) + share
        at = bisect_left(borders, self.units.ends[self.units.index_at(ceil(goal))], low, high)
        around = borders[max(low, at - 1) : min(high, at + 1)]
        return min(around, key=lambda border: (abs(self.units.before(border) - goal), -border))

    def _between_words(self, start: int, end: int, *, target: int, most: int) -> Iterator[Span]:
        whole = most
        while (rest := self.tokens(start, end)) > whole:
            whole = min(most, target + target // 4)
            goal = self.units.before(start) + rest / ceil(rest / target)
            unit = self.units.index_at(ceil(goal))
            cut = self.units.ends[self._break_near(unit, after=start, before=end)]
            if not start < cut < end:
                break
            yield start, cut
            start = cut
        yield start, end

    def _break_near(self, unit: int, *, after: int, before: int) -> int:
        """The unit nearest to `unit` behind which a word ends, within reach; else `unit` itself."""
        for distance in range(_SEARCHED_FOR_A_BREAK):
            for near in (unit - distance, unit + distance):
                inside = 0 <= near < len(self.units.ends) and after < self.units.ends[near] < before
                if inside and is_breakable(self.text, self.units, near):
                    return near
        return unit
