"""Finds a quote in a stored text: as it stands, else in another spelling, else as what is most like it."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Final

from rankle.labels.likeness import most_alike
from rankle.labels.plain_text import PlainText

ALIKE_ENOUGH: Final = 85.0
"""Least likeness, of 100, at which other words still are the quoted passage."""
AS_GOOD: Final = 5.0
"""Places within this of the best likeness could as well be meant."""


class How(StrEnum):
    """In what way a quote was found."""

    EXACT = "exact"
    SPELLING = "other spelling"
    """Equal but for white space, the composition of characters, quotes, dashes and what nobody sees."""
    ALIKE = "alike"
    """Some words differ."""


@dataclass(frozen=True, slots=True)
class Place:
    """A range of characters of a stored text."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Found:
    """All places of a quote, by the first way in which it was found."""

    how: How
    places: tuple[Place, ...]
    """Ascending, not overlapping, at least one. Of `alike` the best and those that are about as good."""
    likeness: float
    """Of the best place, 0 to 100; 100 unless `how` is `alike`."""


class StoredText:
    """A text in which quotes are looked for, with what that needs, made once and when it is needed."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def plain(self) -> PlainText:
        return PlainText(self.text)

    def line_of(self, offset: int) -> int:
        """The line of a character, from 1."""
        return self.text.count("\n", 0, offset) + 1


def find_quote(stored: StoredText, quote: str, *, threshold: float | None = ALIKE_ENOUGH) -> Found | None:
    """Where a quote stands; None where it does not.

    threshold: least likeness, of 100, of a place that is only alike; None looks for no such place.
    Places do not overlap and are counted from the beginning, as a reader would.
    """
    exact = tuple(_occurrences(stored.text, quote))
    if exact:
        return Found(How.EXACT, exact, 100.0)
    plain, wanted = stored.plain, PlainText(quote).text
    spelled = tuple(
        Place(*plain.range_of(place.start, place.end)) for place in _occurrences(plain.text, wanted)
    )
    if spelled:
        return Found(How.SPELLING, spelled, 100.0)
    alike = [] if threshold is None else most_alike(plain.text, wanted, threshold=threshold)
    if not alike:
        return None
    close = [one for one in alike if one.score >= alike[0].score - AS_GOOD]
    places = sorted(plain.range_of(one.start, one.end) for one in close)
    return Found(How.ALIKE, tuple(Place(*place) for place in places), alike[0].score)


def _occurrences(text: str, quote: str) -> Iterator[Place]:
    at = text.find(quote) if quote else -1
    while at >= 0:
        yield Place(at, at + len(quote))
        at = text.find(quote, at + len(quote))
