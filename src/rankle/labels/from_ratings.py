"""Ratings of passages, from 1 to 5, to a set of queries with graded passages."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from rankle.core.canonical import fingerprint
from rankle.core.errors import InputError
from rankle.core.evalset import EvalQuery, Label, Level, Span
from rankle.core.rating import BEST, WORST, QueryKey, Rating, latest_ratings
from rankle.labels.consensus import lower_median

DEFAULT_MINIMUM: Final = 4
_IRRELEVANT: Final = 2
"""Up to here, and below the minimum, a passage is judged not relevant."""
TAG: Final = "rated"


@dataclass(frozen=True, slots=True)
class RatedPassage:
    """What people together think of one passage for one query."""

    rating: int
    """The median of the raters' latest ratings, the lower of two."""
    latest: Rating
    """The rating that was given last, which tells best where the passage stands."""

    def grade(self, minimum: int) -> int | None:
        """None where the passage is neither clearly relevant nor clearly not."""
        if self.rating >= minimum:
            return self.rating - minimum + 1
        return 0 if self.rating <= _IRRELEVANT else None


@dataclass(frozen=True, slots=True)
class RatedSet:
    """What ratings say together."""

    queries: tuple[EvalQuery, ...]
    """In the order in which they were first rated; the best passages first, with their chunks' ids beside."""
    n_ratings: int
    """All of them, also those in whose place a later one stands."""
    n_raters: int
    n_between: int
    """Passages left out since their rating is neither a relevant nor an irrelevant one."""
    n_queries_between: int
    """Queries left out since that is so of all their passages."""


def set_from_ratings(ratings: Iterable[Rating], *, minimum: int = DEFAULT_MINIMUM) -> RatedSet:
    """A line a query, a label a passage: grade `rating - minimum + 1` from the minimum on, 0 for 1 and 2
    below it, and no label between.

    Raises InputError for a minimum that is no rating.
    """
    if not WORST <= minimum <= BEST:
        raise InputError(f"the least rating must be from {WORST} to {BEST}, got {minimum}")
    every = list(ratings)
    by_query: dict[QueryKey, dict[str, list[Rating]]] = {}
    for rating in latest_ratings(every):
        by_query.setdefault(rating.key, {}).setdefault(rating.chunk, []).append(rating)
    queries = []
    n_between = 0
    for key, by_chunk in by_query.items():
        passages = [_passage(each) for each in by_chunk.values()]
        labels = [_label(passage, minimum) for passage in passages]
        graded = [label for label in labels if label is not None]
        n_between += len(labels) - len(graded)
        if graded:
            queries.append(_query(key, passages, graded))
    n_raters = len({rating.rater for rating in every})
    return RatedSet(tuple(queries), len(every), n_raters, n_between, len(by_query) - len(queries))


def _passage(ratings: list[Rating]) -> RatedPassage:
    latest = max(ratings, key=lambda rating: (rating.at, rating.id or 0))
    return RatedPassage(lower_median([rating.rating for rating in ratings]), latest)


def _label(passage: RatedPassage, minimum: int) -> Label | None:
    grade = passage.grade(minimum)
    rating = passage.latest
    if grade is None:
        return None
    span = Span(rating.quote, rating.start, rating.end)
    return Label(rating.document, Level.SPAN, grade, span=span, chunk=rating.chunk)


def _query(key: QueryKey, passages: list[RatedPassage], labels: list[Label]) -> EvalQuery:
    last = max((passage.latest for passage in passages), key=lambda rating: (rating.at, rating.id or 0))
    return EvalQuery(
        id=f"{TAG}-{fingerprint(list(key))[:8]}",
        text=" ".join(last.query.split()),
        labels=tuple(sorted(labels, key=_order)),
        collection=key.collection,
        tags=(TAG,),
    )


def _order(label: Label) -> tuple[int, str, int]:
    assert label.span is not None
    return -label.grade, label.name, label.span.start or 0
