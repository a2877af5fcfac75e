"""The one estimate of how many tokens a text has, without a model.

Chunk sizes and context budgets are counted in it. It follows what a multilingual sub-word tokenizer
gives, and never depends on which one is installed:

    a word of letters        1 per started 6 letters (combining marks count as letters)
    a word holding digits    1 per started 3 characters (`v18`, `a_b`, hex digits, years)
    a Hangul word            2 per 3 syllables
    Han and Kana             2 per 3 characters
    Thai, Lao, Khmer, Burmese  1 per 3 characters
    punctuation, symbols     1 each; a run of the same sign (`-----`) counts once per 16
    white space              nothing

The text is cut into *units* from left to right; a unit's count depends on nothing outside it, so
counts of pieces that are cut where units end add up exactly to the count of the whole.
"""

import re
from array import array
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from functools import cache
from typing import Final

# Characters that belong to the one before them: marks, joiners, variation selectors, skin tones, soft hyphen.
_MARKS: Final = (
    "\u00ad\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a"
    "\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0711\u0730-\u074a"
    "\u07a6-\u07b0\u07eb-\u07f3\u1ab0-\u1aff\u1dc0-\u1dff\u200b-\u200f\u2060-\u2064\u20d0-\u20ff"
    "\u3099\u309a\ufe00-\ufe0f\ufe20-\ufe2f\ufeff\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f\U000e0100-\U000e01ef"
)
# Scripts of South Asia and Tibet: their vowel signs are no word characters for `re`, so blocks count whole.
_INDIC: Final = "\u0900-\u0963\u0966-\u0df3\u0f00\u0f18-\u0f39\u0f3e-\u0fbc"
_HAN_KANA: Final = (
    "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3031-\u3035\u303b\u3041-\u3098\u309b-\u309f\u30a1-\u30fa\u30fc-\u312f"
    "\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f"
    "\U0001aff0-\U0001b16f\U00020000-\U0003ffff"
)
_HANGUL: Final = "\uac00-\ud7a3"
_UNSPACED: Final = "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece\u1000-\u1049\u1050-\u109d\u1780-\u17d3"
_UNSPACED_MARKS: Final = (
    "\u0e31\u0e33-\u0e3a\u0e45\u0e47-\u0e4e\u0eb1\u0eb3-\u0ebc\u0ec8-\u0ece\u102b-\u103e\u1056-\u1059"
    "\u105e-\u1060\u1062-\u1064\u1067-\u106d\u1071-\u1074\u1082-\u108d\u108f\u109a-\u109d\u17b4-\u17d3"
)
_APART: Final = _HAN_KANA + _HANGUL + _UNSPACED

WORD, NUMBERED, HANGUL, HAN, UNSPACED, SIGN = range(6)
"""The kinds of units."""

_LONGEST: Final = 60
"""Units stay bounded, so that a line without a single space can be cut. Divisible by 6 and by 3."""


@cache
def _pattern() -> re.Pattern[str]:
    """Every character but white space falls into one alternative. The first three are shortcuts for ASCII."""
    letters = rf"[a-zA-Z{_INDIC}{_MARKS}]|[^\W\d_a-zA-Z{_APART}]"
    word_characters = rf"[0-9_a-zA-Z{_INDIC}{_MARKS}]|[^\W{_APART}]"
    marks = rf"[{_MARKS}]*+"
    return re.compile(
        rf"([a-zA-Z]{{1,{_LONGEST}}}+)(?![0-9_]|[^\x00-\x7f])"
        rf"|([!-/:-@\[-^`{{-~])(?!\2|[^\x00-\x7f])"
        rf"|([0-9_a-zA-Z]{{1,{_LONGEST}}}+)(?![^\x00-\x7f])"
        rf"|([{_HAN_KANA}]{{1,3}}+{marks})"
        rf"|([{_HANGUL}]{{1,{_LONGEST}}}+{marks})"
        rf"|((?:{letters}){{1,{_LONGEST}}}+)(?![\d_])"
        rf"|((?:{word_characters}){{1,{_LONGEST}}}+)"
        rf"|([{_UNSPACED}]{{1,3}}+[{_UNSPACED_MARKS}{_MARKS}]*+)"
        rf"|((\S)\10{{0,15}}+{marks}(?:(?<=\u200d)\S{marks})*+)"
    )


_KIND_OF_GROUP: Final = (SIGN, WORD, SIGN, NUMBERED, HAN, HANGUL, WORD, NUMBERED, UNSPACED, SIGN, SIGN)

_LENGTHS: Final = range(_LONGEST + 1)
# Tokens by kind and length; marks can make a unit longer than the table, which adds nothing.
_TOKENS: Final = (
    tuple((length + 5) // 6 for length in _LENGTHS),
    tuple((length + 2) // 3 for length in _LENGTHS),
    tuple((2 * length + 2) // 3 for length in _LENGTHS),
    tuple(min(length, 2) for length in _LENGTHS),
    tuple(min(length, 1) for length in _LENGTHS),
    tuple(min(length, 1) for length in _LENGTHS),
)


@dataclass(frozen=True, slots=True)
class TokenMap:
    """The units of one text, with running counts."""

    ends: "array[int]"
    """Offset behind each unit, ascending."""
    totals: "array[int]"
    """Tokens from the start of the text to the end of each unit."""
    kinds: bytes
    """The kind of each unit."""

    @property
    def total(self) -> int:
        return self.totals[-1] if self.totals else 0

    def before(self, offset: int) -> int:
        """Tokens of the units that end at or before `offset`."""
        index = bisect_right(self.ends, offset)
        return self.totals[index - 1] if index else 0

    def between(self, start: int, end: int) -> int:
        """Tokens of the units that end in `start` < end <= `end`."""
        return self.before(end) - self.before(start)

    def index_at(self, tokens: int) -> int:
        """The first unit at whose end at least `tokens` tokens have passed; len(ends) if there is none."""
        return bisect_left(self.totals, tokens)


def token_map(text: str) -> TokenMap:
    """The units of `text`. Linear in its length; about 10 MB of English per second."""
    ends = array("q")
    totals = array("q")
    kinds = bytearray()
    total = 0
    add_end, add_total, add_kind = ends.append, totals.append, kinds.append
    for match in _pattern().finditer(text):
        kind = _KIND_OF_GROUP[match.lastindex or 0]
        start, end = match.span()
        length = end - start
        total += _TOKENS[kind][min(length, _LONGEST)]
        add_end(end)
        add_total(total)
        add_kind(kind)
    return TokenMap(ends=ends, totals=totals, kinds=bytes(kinds))


def token_ends(text: str) -> "array[int]":
    """Offsets behind each unit: where a text may be cut so that counts still add up."""
    return token_map(text).ends


def estimate_tokens(text: str) -> int:
    """About how many tokens a multilingual sub-word tokenizer makes of `text`; 0 for white space."""
    total = 0
    for match in _pattern().finditer(text):
        start, end = match.span()
        length = end - start
        total += _TOKENS[_KIND_OF_GROUP[match.lastindex or 0]][min(length, _LONGEST)]
    return total
