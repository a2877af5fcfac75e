"""A judgment of one person: how relevant one result is for one query of a set."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgment:
    """One grade by one judge, with what is needed to find the passage again when the index has changed."""

    id: str
    """Of this judgment alone, so that it can be taken back."""
    at: datetime
    judge: str
    query: str
    """The query's id."""
    target: str
    """What was judged: a chunk's id, or a document's where the set labels documents."""
    document: str
    start: int
    """Of the passage that was shown, in the document's stored text."""
    end: int
    quote: str
    grade: int
    """0 is not relevant."""
    note: str | None = None


def latest_judgments(judgments: Iterable[Judgment]) -> dict[tuple[str, str], dict[str, Judgment]]:
    """Of each judge's judgments of one target for one query the last; in the order of their first ones."""
    found: dict[tuple[str, str], dict[str, Judgment]] = {}
    for judgment in judgments:
        found.setdefault((judgment.query, judgment.target), {})[judgment.judge] = judgment
    return found
