"""Text in one spelling, which knows for each of its characters where it stood in the text before.

The same passage is spelled in many ways: line breaks for spaces, composed and decomposed accents, ligatures,
typographic quotes and dashes, soft hyphens. All of them become one; upper and lower case stay apart.
"""

import re
import unicodedata
from array import array
from collections.abc import Iterator
from typing import Final

_UNSEEN: Final = "\u00ad\u200b\u200c\u200d\u2060\ufeff"
"""Soft hyphen, zero width characters, byte order mark."""
_SINGLE: Final = "\u2018\u2019\u201a\u201b\u2032\u2039\u203a\u00b4`\u02bc\uff07"
_DOUBLE: Final = "\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb\u300c\u300d\u300e\u300f\uff02"
_DASHES: Final = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d"
_FOLDED: Final = str.maketrans(
    {**dict.fromkeys(_UNSEEN, ""), **dict.fromkeys(_SINGLE, "'")}
    | {**dict.fromkeys(_DOUBLE, '"'), **dict.fromkeys(_DASHES, "-")}
)
_RUN: Final = re.compile(r"(?: \s|[^\S ])\s*|`|[!-~]?[^\x00-\x7f\s]+")
"""What may change: white space other than a single space, the one sign of ASCII that is folded, and all
beyond ASCII with the character before it, which an accent may join."""
_HANGUL_JOINING: Final = range(0x1160, 0x1200)
"""Vowels and finals, which compose with what stands before them."""
_SOUND_MARKS: Final = "\uff9e\uff9f"


class PlainText:
    """A text in one spelling."""

    __slots__ = ("_ends", "_starts", "text")

    text: str
    """Compatibility-composed (NFKC), quotes and dashes as in ASCII, single spaces for white space, none at
    the ends."""

    def __init__(self, original: str) -> None:
        """Linear in the length of the text."""
        self._starts = array("q")
        self._ends = array("q")
        parts: list[str] = []
        after_space = True
        for rough_start, end, rough_part in _pieces(original):
            doubled = after_space and rough_part[0] == " "  # and no part has two spaces
            start, part = (rough_start + 1, rough_part[1:]) if doubled else (rough_start, rough_part)
            if not part:
                continue
            if part == original[start:end]:
                self._starts.extend(range(start, end))
                self._ends.extend(range(start + 1, end + 1))
            else:
                self._starts.extend([start] * len(part))
                self._ends.extend([end] * len(part))
            parts.append(part)
            after_space = part[-1] == " "
        self.text = "".join(parts).removesuffix(" ")

    def range_of(self, start: int, end: int) -> tuple[int, int]:
        """Where `text[start:end]`, not empty, stood in the original: from the beginning of what became its
        first character to the end of what became its last."""
        return self._starts[start], self._ends[end - 1]


def _pieces(original: str) -> Iterator[tuple[int, int, str]]:
    """Parts of the text in order, none empty, each with its range there; a space is a part of its own."""
    done = 0
    for match in _RUN.finditer(original):
        start, end = match.span()
        if done < start:
            yield done, start, original[done:start]
        run = match[0]
        if run.isspace():
            yield start, end, " "
        elif unicodedata.is_normalized("NFKC", run) and run.translate(_FOLDED) == run:
            yield start, end, run
        else:
            yield from _changed(run, start)
        done = end
    if done < len(original):
        yield done, len(original), original[done:]


def _changed(run: str, offset: int) -> Iterator[tuple[int, int, str]]:
    """The run, each character with those that join it at a time."""
    start = 0
    for end in range(1, len(run) + 1):
        if end < len(run) and _joins(run[end]):
            continue
        text = unicodedata.normalize("NFKC", run[start:end].translate(_FOLDED)).translate(_FOLDED)
        for part in re.findall(r"\s|\S+", text):
            yield offset + start, offset + end, " " if part.isspace() else part
        start = end


def _joins(char: str) -> bool:
    return (
        unicodedata.category(char)[0] == "M"
        or ord(char) in _HANGUL_JOINING
        or char in _SOUND_MARKS
        or char in _UNSEEN
    )
