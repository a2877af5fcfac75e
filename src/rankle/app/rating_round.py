"""A round of rating: queries are searched for, and what is found is rated, each rating kept at once."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from rankle.app.rate import check_collection, printable
from rankle.app.wiring.knowledge_base import open_knowledge_base
from rankle.app.wiring.settings import Settings
from rankle.core.rating import Rating, latest_ratings, query_key
from rankle.core.search import Hit, SearchResult
from rankle.core.sync import run_sync
from rankle.kb.knowledge_base import KnowledgeBase
from rankle.kb.search_request import search_request
from rankle.kb.search_settings import SearchSettings

_GROUP: Literal["chunk"] = "chunk"


@dataclass(frozen=True, slots=True)
class RoundSettings:
    """Who rates, and how queries are searched."""

    rater: str
    k: int
    method: str | None
    collection: str | None
    ranking: SearchSettings


class RatingRound:
    """An open workspace, and somebody who rates."""

    def __init__(self, kb: KnowledgeBase, asked: RoundSettings, *, now: Callable[[], datetime]) -> None:
        """Raises UnknownNameError for an unknown collection or method, WorkspaceError where nothing can be
        searched: before anybody has typed a query."""
        check_collection(kb, asked.collection)
        kb.prepare_to_search(asked.method)
        self._kb = kb
        self._asked = asked
        self._now = now

    def search(self, query: str) -> SearchResult:
        """What there is to rate. It is not logged: nobody needed the answer."""
        request = search_request(
            query,
            k=self._asked.k,
            method=self._asked.method,
            collection=self._asked.collection,
            group=_GROUP,
            depth=None,
            explain=False,
            settings=self._asked.ranking,
        )
        return run_sync(self._kb.answer(request)).first(self._asked.k)

    def earlier(self, query: str) -> dict[str, Rating]:
        """The rater's own latest ratings for a query, by chunk id."""
        key = query_key(query, self._asked.collection)
        own = [
            rating
            for rating in self._kb.ratings.read()
            if rating.rater == self._asked.rater and rating.key == key
        ]
        return {rating.chunk: rating for rating in latest_ratings(own)}

    def keep(self, hit: Hit, *, query: str, rating: int, note: str | None) -> Rating:
        """Stores a rating of a result that came with its passage."""
        passage = hit.passage
        assert passage is not None
        return self._kb.ratings.add(
            Rating(
                query=printable(query),
                collection=self._asked.collection,
                document=hit.document,
                chunk=passage.chunk,
                start=passage.start,
                end=passage.end,
                quote=passage.text,
                rating=rating,
                rater=self._asked.rater,
                note=None if note is None else printable(note),
                at=self._now(),
            )
        )

    def take_back(self, rating: Rating) -> None:
        """Drops a rating of this round."""
        assert rating.id is not None
        self._kb.ratings.remove([rating.id])


@contextmanager
def rating_round(
    settings: Settings, asked: RoundSettings, *, now: Callable[[], datetime]
) -> Iterator[RatingRound]:
    """Opens the workspace for a round."""
    with open_knowledge_base(settings) as kb:
        yield RatingRound(kb, asked, now=now)
