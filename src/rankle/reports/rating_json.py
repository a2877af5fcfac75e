"""Ratings as JSON, `rankle.rating/1`, `rankle.ratings/1` and `rankle.rated_set/1`. The published JSON Schemas
are made from these types."""

from typing import Annotated, Literal

import msgspec

from rankle.core.run import Count

Stars = Annotated[int, msgspec.Meta(ge=1, le=5)]


class RatingRecord(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody thought of one passage as a result for one query."""

    id: Count
    """Its number in the workspace."""
    at: str
    """When, in UTC, as ISO 8601."""
    query: str
    """Its text."""
    collection: str | None
    """The collection that was searched; null for all."""
    document: str
    """Id of the document that the passage is of."""
    chunk: str
    """Id of the chunk that was shown, when it was rated."""
    start: Count
    """First character of the passage in the document's stored text, when it was rated."""
    end: Count
    """The one behind the last."""
    quote: str
    """The whole passage."""
    rating: Stars
    """From 1, of no use, to 5, just what was looked for."""
    rater: str
    """Who rated."""
    note: str | None
    """What the rater wrote beside it; null where nothing."""


class RatingReport(RatingRecord, frozen=True, kw_only=True, tag_field="schema", tag="rankle.rating/1"):
    """One rating as it is kept: `rankle.rating/1`."""


class StandingRatingRecord(RatingRecord, frozen=True, kw_only=True):
    """A rating, and what became of its passage."""

    standing: Literal["indexed", "recut", "gone"]
    """Whether its chunk is in the index, only its document, cut anew or edited, or not even that."""


class RatingsReport(msgspec.Struct, frozen=True, kw_only=True, tag_field="schema", tag="rankle.ratings/1"):
    """Ratings of a workspace: `rankle.ratings/1`."""

    workspace: str
    """Whose ratings they are."""
    ratings: list[StandingRatingRecord]
    """In the order in which they were given."""


class RatedSetReport(msgspec.Struct, frozen=True, kw_only=True, tag_field="schema", tag="rankle.rated_set/1"):
    """What was made of ratings: `rankle.rated_set/1`."""

    path: str
    """Of the set that was written."""
    min_rating: Stars
    """From here on a passage is relevant."""
    n_queries: Count
    """In the set."""
    n_judgments: Count
    """In the set."""
    n_ratings: Count
    """All of them, also those in whose place a later one stands."""
    n_raters: Count
    """People who gave them."""
    n_between: Count
    """Passages left out since their rating says neither relevant nor not."""
    n_queries_between: Count
    """Queries left out since that is so of all their passages."""
    n_gone: Count
    """Passages left out since no indexed document holds them any more."""
    n_queries_gone: Count
    """Queries left out since that is so of all their passages."""
    n_without_relevant: Count
    """Queries of the set whose passages are all judged not relevant."""
