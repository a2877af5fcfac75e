"""List, choose and remove the ratings of a workspace."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from rankle.app.wiring.knowledge_base import missing_workspace, open_knowledge_base
from rankle.app.wiring.settings import Settings
from rankle.core.errors import InputError
from rankle.core.product import NAME
from rankle.core.rating import Rating, latest_ratings
from rankle.kb.ratings import Ratings
from rankle.kb.workspaces import is_workspace
from rankle.labels.judges import JudgesAgreement, judges_agreement


class Standing(StrEnum):
    """What became of the passage that was rated."""

    INDEXED = "indexed"
    """Its chunk is in the index."""
    RECUT = "recut"
    """Its document is, cut into other chunks or edited."""
    GONE = "gone"
    """Its document is not."""


@dataclass(frozen=True, slots=True)
class Choice:
    """Which ratings are meant: those that fit all that is said; with nothing said, all."""

    query: str | None = None
    """Part of the query, case ignored."""
    rater: str | None = None
    document: str | None = None
    """The document's id."""

    def fits(self, rating: Rating) -> bool:
        return (
            (self.query is None or self.query.casefold() in rating.query.casefold())
            and self.rater in (None, rating.rater)
            and self.document in (None, rating.document)
        )


@dataclass(frozen=True, slots=True)
class ListedRating:
    """One rating, and what became of its passage."""

    rating: Rating
    standing: Standing


def list_ratings(settings: Settings, choice: Choice, *, gone: bool = False) -> list[ListedRating]:
    """In the order in which they were given.

    gone: only those whose document is not indexed any more.
    """
    with open_knowledge_base(settings) as kb:
        ratings = [rating for rating in kb.ratings.read() if choice.fits(rating)]
        catalog = kb.catalog()
    documents = {document.id for document in catalog.documents}
    listed = []
    for rating in ratings:
        standing = Standing.INDEXED if rating.document in documents else Standing.GONE
        if standing is Standing.INDEXED and rating.chunk not in catalog.chunks:
            standing = Standing.RECUT
        if not gone or standing is Standing.GONE:
            listed.append(ListedRating(rating, standing))
    return listed


def read_ratings(settings: Settings, choice: Choice) -> list[Rating]:
    """The ratings alone, which can be read where the index cannot."""
    return [rating for rating in _stored(settings).read() if choice.fits(rating)]


def plan_removal(
    settings: Settings, ids: Sequence[int], choice: Choice, *, every: bool, gone: bool
) -> list[Rating]:
    """What would go, before anyone is asked.

    Raises InputError unless one thing says which: numbers, a choice, or `every`.
    """
    chosen = gone or choice != Choice()
    if (bool(ids), chosen, every).count(True) != 1:
        raise InputError(
            "say which ratings go: their numbers, or --query, --rater, --document or --gone, or --all. "
            f"Such as: {NAME} ratings remove 12"
        )
    if gone:
        return [listed.rating for listed in list_ratings(settings, choice, gone=True)]
    found = read_ratings(settings, choice)
    if not ids:
        return found
    by_id = {rating.id: rating for rating in found}
    missing = [each for each in ids if each not in by_id]
    if missing:
        numbers = ", ".join(map(str, missing))
        raise InputError(f"no rating has the number {numbers}. See: rankle ratings list")
    return [by_id[each] for each in dict.fromkeys(ids)]


def ratings_agreement(settings: Settings, choice: Choice) -> JudgesAgreement | None:
    """How far raters agree on what several of them rated; None where no two rated the same."""
    grades: dict[Hashable, dict[str, int]] = {}
    for rating in latest_ratings(read_ratings(settings, choice)):
        grades.setdefault((rating.key, rating.chunk), {})[rating.rater] = rating.rating
    return judges_agreement(grades)


def remove(settings: Settings, ratings: Sequence[Rating]) -> int:
    """Drops them. Returns how many were still there."""
    return _stored(settings).remove(rating.id for rating in ratings if rating.id is not None)


def _stored(settings: Settings) -> Ratings:
    folder = settings.home / settings.workspace
    if not is_workspace(folder):
        raise missing_workspace(settings)
    return Ratings(folder)
