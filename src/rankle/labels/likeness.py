"""Finds the places of a text that are most like a quote, however the two differ.

Windows of the quote's length are rated by how many of their character n-grams the quote has, all windows in
one pass; a place with few edits keeps most of its n-grams. The best windows are then aligned at their ends.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

_SHORTEST: Final = 12
"""Characters; shorter quotes are like too much."""
_LONG: Final = 200
"""From here on n-grams are longer: a long quote has every short one."""
_EDGE: Final = 48
"""Characters at either end by which a window is aligned; within 64 rapidfuzz is at its fastest."""
_NEAR: Final = 400
"""Characters by which the ends that a window may have are compared."""
_CANDIDATES: Final = 3
_SHARE: Final = 0.3
"""Of the quote's n-grams that a window must have: fewer are left only below any sensible likeness."""
_STOPS: Final = ".!?…;:,。！？؟"
_AROUND: Final = 12
"""Characters to either side of a likely end of a window that are tried too."""


@dataclass(frozen=True, slots=True)
class Likeness:
    """One place that resembles the quote."""

    start: int
    end: int
    score: float
    """Normalised indel similarity, 0 to 100; 100 is equal."""


def most_alike(text: str, quote: str, *, threshold: float) -> list[Likeness]:
    """The places with a score of at least `threshold`, best first, none overlapping a better one.

    At most three, and none for quotes under 12 characters. A quote of 50,000 characters in a text of a
    million takes a second or two.
    """
    if len(quote) < _SHORTEST or len(text) < 2:
        return []
    shared = _shared_grams(text, quote)
    width = min(len(quote), len(text))
    found = [_aligned(text, quote, at=at, width=width) for at in _peaks(shared, width)]
    kept: list[Likeness] = []
    for one in sorted(found, key=lambda likeness: (-likeness.score, likeness.start)):
        if one.score >= threshold and all(one.end <= other.start or other.end <= one.start for other in kept):
            kept.append(one)
    return kept


def _shared_grams(text: str, quote: str) -> NDArray[np.int64]:
    """For each place of the text, how many n-grams of the quote start before it; shape (len(text) + 1,)."""
    length = min(4 if len(quote) < _LONG else 8, len(text))
    wanted, grams = np.unique(grams_of(quote, length)), _grams(text, length)
    known = wanted[np.minimum(np.searchsorted(wanted, grams), len(wanted) - 1)] == grams
    counted = np.zeros(len(text) + 1, dtype=np.int64)
    counted[1 : len(known) + 1] = np.cumsum(known)
    counted[len(known) + 1 :] = counted[len(known)]
    return counted


@lru_cache(maxsize=2)
def _grams(text: str, length: int) -> NDArray[np.uint64]:
    """Those of a text in which many quotes are looked for, one after the other."""
    return grams_of(text, length)


def grams_of(text: str, length: int) -> NDArray[np.uint64]:
    """A number for each run of `length` characters; equal runs have equal ones."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32).astype(np.uint64)
    n = len(codes) - length + 1
    numbers = np.zeros(max(n, 0), dtype=np.uint64)
    for place in range(length if n > 0 else 0):
        numbers = numbers * np.uint64(1_000_003) + codes[place : place + n]
    return numbers


def _peaks(shared: NDArray[np.int64], width: int) -> list[int]:
    """Starts of the windows with the most shared n-grams, best first, at most half overlapping."""
    rated = (shared[width:] - shared[: len(shared) - width]).astype(np.float64)
    peaks: list[int] = []
    best = rated.max(initial=0.0)
    while len(peaks) < _CANDIDATES:
        at = int(np.argmax(rated))
        if rated[at] < max(_SHARE * width, best / 2, 1.0):
            break
        peaks.append(at)
        rated[max(0, at - width // 2) : at + width // 2 + 1] = -1.0
    return peaks


def _aligned(text: str, quote: str, *, at: int, width: int) -> Likeness:
    """The window, its ends moved to where the quote's own ends are found nearby."""
    from rapidfuzz import fuzz

    reach = max(32, width // 4)
    low, high = max(0, at - reach), min(len(text), at + width + reach)

    edge = min(_EDGE, len(quote))
    head_to = min(high, at + reach + edge)
    head = fuzz.partial_ratio_alignment(quote[:edge], text[low:head_to])
    start = low + max(0, head.dest_start - head.src_start) if head else at
    tail_from = max(low, at + width - reach - edge)
    tail = fuzz.partial_ratio_alignment(quote[-edge:], text[tail_from:high])
    end = min(high, tail_from + tail.dest_end + edge - tail.src_end) if tail else at + width
    near = min(_NEAR, len(quote))
    # All ends are compared over one beginning, and all starts over one end: else a longer window has the
    # advantage on its other side.
    ends = [each for each in _around([end, at + width, start + len(quote)], text) if each > start] or [high]
    begin = max(start, min(ends) - near)
    end = min(
        reversed(ends),
        key=lambda each: _edits(quote[-near:], text[begin:each], neat=_ends(text, each, quote)),
    )
    if end < len(text) and text[end] in _STOPS and quote[-1] in _STOPS and text[end - 1] not in _STOPS:
        end += 1  # the sentence ends in another sign now
    starts = [each for each in _around([start, at], text) if each < end] or [low]
    stop = min(end, max(starts) + near)
    start = min(
        starts, key=lambda each: _edits(quote[:near], text[each:stop], neat=_begins(text, each, quote))
    )
    part = text[start:end]
    start, end = start + len(part) - len(part.lstrip()), start + len(part.rstrip())
    return Likeness(start, end, fuzz.ratio(quote, text[start:end]))


def _edits(quoted: str, part: str, *, neat: bool) -> float:
    """How much one part of a text differs from the other. A character that was changed counts one and a half:
    as one gone and one new, a word that was replaced would rather be left out of the passage; as one change,
    whatever stands before a passage would rather be taken for its first words. Case does not count.

    neat: whether the part ends where a passage would; of ends that are about as good, another is the worse.
    """
    from rapidfuzz import distance

    one, other = quoted.lower(), part.lower()
    changed = (distance.Levenshtein.distance(one, other) + distance.Indel.distance(one, other)) / 2
    return changed + (0.0 if neat else 1.0)


def _around(places: list[int], text: str) -> list[int]:
    """The places of the text and those next to them, ascending."""
    near = {at for place in places for at in range(place - _AROUND, place + _AROUND + 1)}
    return sorted(at for at in near if 0 <= at <= len(text))


def _begins(text: str, at: int, quote: str) -> bool:
    """Whether a passage like the quote would begin there: not within a word, nor at a sign where the quote
    has none."""
    return not _in_word(text, at) and (text[at].isalnum() or not quote[0].isalnum())


def _ends(text: str, at: int, quote: str) -> bool:
    return not _in_word(text, at) and (text[at - 1].isalnum() or not quote[-1].isalnum())


def _in_word(text: str, place: int) -> bool:
    return 0 < place < len(text) and text[place - 1].isalnum() and text[place].isalnum()
