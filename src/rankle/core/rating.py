"""A rating: what somebody thought of one passage as a result for one query."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final, NamedTuple

from rankle.core.errors import InputError

WORST: Final = 1
BEST: Final = 5


class QueryKey(NamedTuple):
    """What makes two searches one query: the words and the collection; case and white space do not."""

    words: str
    collection: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Rating:
    """One rating, with all that is needed to find the passage again when the index has changed."""

    query: str
    collection: str | None = None
    """The collection that was searched; None for all."""
    document: str
    """The document's id."""
    chunk: str
    """Id of the chunk that was shown. It is made from the document and the text, so that it tells passages
    apart wherever they stand."""
    start: int
    """Offset of the passage's first character in the document's stored text, when it was rated."""
    end: int
    """Offset behind the last character."""
    quote: str
    """The passage's text."""
    rating: int
    """1, of no use, to 5, just what was looked for."""
    rater: str
    note: str | None = None
    at: datetime
    """When; with its zone."""
    id: int | None = None
    """Its number in the workspace; None before it is stored."""

    def __post_init__(self) -> None:
        """Raises InputError where a member is not what it must be."""
        if not WORST <= self.rating <= BEST:
            raise InputError(f"a rating is a whole number from {WORST} to {BEST}, got {self.rating}")
        for name, value in (("query", self.query), ("rater", self.rater)):
            if not value.strip():
                raise InputError(f"the {name} of a rating must be text that is not blank, got {value!r}")
        if not 0 <= self.start < self.end:
            raise InputError(f"a passage needs 0 <= start < end, got {self.start} and {self.end}")

    @property
    def key(self) -> QueryKey:
        return query_key(self.query, self.collection)


def query_key(query: str, collection: str | None) -> QueryKey:
    return QueryKey(" ".join(query.casefold().split()), collection)


def latest_ratings(ratings: Iterable[Rating]) -> list[Rating]:
    """Of each rater's ratings of one passage for one query the latest; in the order of their first ones.

    Of two at the same moment the one that was stored later.
    """
    latest: dict[tuple[QueryKey, str, str], Rating] = {}
    for rating in ratings:
        place = (rating.key, rating.chunk, rating.rater)
        before = latest.get(place)
        if before is None or (rating.at, rating.id or 0) >= (before.at, before.id or 0):
            latest[place] = rating
    return list(latest.values())
