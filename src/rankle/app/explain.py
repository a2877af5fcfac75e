"""Explain why a document or chunk is, or is not, on the first page of a search."""

from dataclasses import dataclass

from rankle.app.wiring.knowledge_base import open_knowledge_base
from rankle.app.wiring.settings import Settings
from rankle.core.explanation import Explanation
from rankle.kb.search_settings import DEFAULT_SETTINGS, SearchSettings


@dataclass(frozen=True, slots=True)
class Miss:
    """A search, and what someone misses in it."""

    query: str
    target: str
    """A document's id, path or short content id, or a chunk's id."""
    k: int = 10
    method: str | None = None
    collection: str | None = None
    settings: SearchSettings = DEFAULT_SETTINGS


def explain(miss: Miss, *, settings: Settings) -> Explanation:
    """Ask the workspace of `settings`. Raises WorkspaceError, UnknownNameError, InputError or ModelError."""
    with open_knowledge_base(settings) as kb:
        return kb.explain(
            miss.query,
            target=miss.target,
            k=miss.k,
            method=miss.method,
            collection=miss.collection,
            settings=miss.settings,
        )
