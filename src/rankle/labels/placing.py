"""Where the passage of a label stands in a text: the quote decides, the range tells its places apart."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from rankle.core.evalset import Span
from rankle.labels.quotes import ALIKE_ENOUGH, Found, How, Place, StoredText, find_quote

_LINES: Final = 5
"""Places that a message lists."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A passage that was found."""

    place: Place
    how: How | None
    """How its quote was found; None where the label has none, so that nobody can say whether the text there
    is still the one that was meant."""
    likeness: float
    """0 to 100; under 100 where some words differ."""
    moved: bool
    """Whether it stands elsewhere than the label's range says."""
    certain: bool
    """False where it moved and several places hold the quote: then it is the one nearest to the range."""


class Why(StrEnum):
    """Why no place could be told."""

    ABSENT = "absent"
    """The text holds neither the quote nor anything like it, or ends before the range does."""
    AMBIGUOUS = "ambiguous"
    """Several places hold the quote, and nothing in the label says which is meant."""


@dataclass(frozen=True, slots=True)
class Unplaced:
    """A passage that was not found, or not for sure."""

    why: Why
    places: tuple[Place, ...] = ()
    """Those that hold the quote, where it is ambiguous."""


def place_span(
    span: Span, stored: StoredText, *, threshold: float | None = ALIKE_ENOUGH
) -> Placed | Unplaced:
    """Finds the passage of a label.

    - A range without a quote is taken at its word, without white space at its ends, while the text has it.
    - A quote at its range is there. Elsewhere it has moved; of several places the one is meant that
      `occurrence` counts, else the one nearest to the range, which is a guess and said to be one.
    - A quote without a range is where it stands; of several places the one that `occurrence` counts, else it
      is ambiguous. Places that are only alike are never chosen among: then it is absent.

    threshold: see `find_quote`.
    """
    there = None if span.range is None else _trimmed(stored.text, *span.range)
    if span.quote is None:
        if there is None:
            return Unplaced(Why.ABSENT)
        return Placed(there, None, 100.0, moved=False, certain=True)
    if there and stored.text[there.start : there.end] == span.quote.strip():
        return Placed(there, How.EXACT, 100.0, moved=False, certain=True)
    found = find_quote(stored, span.quote, threshold=threshold)
    if found is None:
        return Unplaced(Why.ABSENT)
    return _chosen(found, span, there)


def _chosen(found: Found, span: Span, there: Place | None) -> Placed | Unplaced:
    places = found.places
    here = [place for place in places if _stays(place, span, there, how=found.how)]
    if here:
        return Placed(here[0], found.how, found.likeness, moved=False, certain=True)
    moved = span.start is not None
    if len(places) == 1 and span.occurrence in (None, 1):
        return Placed(places[0], found.how, found.likeness, moved=moved, certain=True)
    if found.how is How.ALIKE:
        return Unplaced(Why.ABSENT)
    if span.occurrence is not None:
        if span.occurrence > len(places):
            return Unplaced(Why.ABSENT)
        return Placed(places[span.occurrence - 1], found.how, 100.0, moved=moved, certain=True)
    if span.start is None:
        return Unplaced(Why.AMBIGUOUS, places)
    start = span.start
    nearest = min(places, key=lambda place: abs(place.start - start))
    return Placed(nearest, found.how, 100.0, moved=True, certain=False)


def _stays(place: Place, span: Span, there: Place | None, *, how: How) -> bool:
    """Whether a place is the label's range; of a passage that was edited one end must be where it was, also
    where the text ends before the range does now.

    there: the range without white space at its ends; None where the text has none.
    """
    if how is not How.ALIKE:
        return place == there
    starts = {span.start} | ({there.start} if there else set())
    ends = {span.end} | ({there.end} if there else set())
    return place.start in starts or place.end in ends


def _trimmed(text: str, start: int, end: int) -> Place | None:
    """The range without white space at its ends; None where nothing is left, or the text ends before it."""
    part = text[start:end]
    if end > len(text) or not part.strip():
        return None
    return Place(start + len(part) - len(part.lstrip()), start + len(part.rstrip()))


def ambiguity(document: str, span: Span, places: Sequence[Place], stored: StoredText) -> str:
    """What to say of a quote that several places hold, and what decides."""
    quote = span.quote or ""
    shown = quote if len(quote) <= 60 else f"{quote[:59]}…"
    lines = ", ".join(str(stored.line_of(place.start)) for place in places[:_LINES])
    more = ", …" if len(places) > _LINES else ""
    return (
        f'the quote "{" ".join(shown.split())}" stands {len(places)} times in {document}, '
        f'at lines {lines}{more}; say which: "occurrence": 1 to {len(places)}, or "start" and "end"'
    )
