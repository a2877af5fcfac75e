"""Rate a passage as a result for a query."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from rankle.app.wiring.knowledge_base import open_knowledge_base
from rankle.app.wiring.settings import Settings
from rankle.core.errors import UnknownNameError
from rankle.core.rating import Rating
from rankle.kb.knowledge_base import KnowledgeBase

_HALF_CHARACTERS: Final = re.compile("[\ud800-\udfff]")
"""Bytes of an argument that are not UTF-8 come as these; they can be neither stored nor printed."""


@dataclass(frozen=True, slots=True)
class Opinion:
    """What somebody thinks of a passage."""

    query: str
    rating: int
    """1 to 5."""
    rater: str
    note: str | None = None
    collection: str | None = None
    """The collection that the query searches; None for all."""


def rate(chunk: str, opinion: Opinion, *, settings: Settings, now: Callable[[], datetime]) -> Rating:
    """Rate the chunk of this id; the rating, as it is stored.

    Raises UnknownNameError where no chunk has the id or no collection the name, InputError for what is no
    rating, WorkspaceError where it cannot be kept.
    """
    with open_knowledge_base(settings) as kb:
        check_collection(kb, opinion.collection)
        stored = kb.chunk(chunk)
        return kb.ratings.add(
            Rating(
                query=printable(opinion.query),
                collection=opinion.collection,
                document=stored.document,
                chunk=stored.name,
                start=stored.span.start,
                end=stored.span.end,
                quote=stored.text,
                rating=opinion.rating,
                rater=printable(opinion.rater),
                note=None if opinion.note is None else printable(opinion.note),
                at=now(),
            )
        )


def printable(text: str) -> str:
    """Text as it can be stored, without white space at its ends."""
    return _HALF_CHARACTERS.sub("\ufffd", text).strip()


def check_collection(kb: KnowledgeBase, name: str | None) -> None:
    """Raises UnknownNameError where no document is of the collection."""
    known = kb.info().collections
    if name is not None and name not in known:
        hint = f"Known: {', '.join(known)}."
        raise UnknownNameError(what="collection", name=name, known=known, hint=hint)
