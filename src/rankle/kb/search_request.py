"""What a workspace is asked."""

from dataclasses import dataclass
from typing import Final, Literal, TypedDict

from rankle.core.errors import InputError
from rankle.core.evalset import Level
from rankle.kb.fusion import FusionKind
from rankle.kb.search_settings import DEFAULT_SETTINGS, SearchSettings

DEFAULT_DEPTH: Final = 100


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """What to search for, and how."""

    query: str
    level: Level = Level.CHUNK
    depth: int = DEFAULT_DEPTH
    """How many distinct targets at `level` to find."""
    method: str | None = None
    """None takes the best that the workspace is ready for."""
    collection: str | None = None
    n_passages: int = 0
    """How many of the first hits come with their text."""
    explain: bool = False
    """Whether to count each term's chunks, which takes a look-up per term."""
    settings: SearchSettings = DEFAULT_SETTINGS


class SearchOptions(TypedDict, total=False):
    """What `KnowledgeBase.search` and `asearch` take beside the query; told of there."""

    k: int
    method: str | None
    collection: str | None
    group: Literal["chunk", "document"]
    depth: int | None
    explain: bool
    log: bool
    fusion: FusionKind
    vector_weight: float | None
    candidates: int
    collapse: bool
    per_document: int | None


def search_request(
    query: str,
    *,
    k: int,
    method: str | None,
    collection: str | None,
    group: Literal["chunk", "document"],
    depth: int | None,
    explain: bool,
    settings: SearchSettings,
) -> SearchRequest:
    """A request for k results with their passages. Raises InputError for what is not allowed."""
    if k < 1:
        raise InputError(f"k must be an integer >= 1, got {k}")
    if depth is not None and depth < 1:
        raise InputError(f"depth must be an integer >= 1, got {depth}")
    if depth is not None and k > depth:
        raise InputError(f"k must not exceed depth, got k {k} and depth {depth}. Raise depth, or lower k")
    if group not in ("chunk", "document"):
        raise InputError(f'group must be "chunk" or "document", got "{group}"')
    return SearchRequest(
        query=query,
        level=Level(group),
        depth=max(k, depth or DEFAULT_DEPTH),
        method=method,
        collection=collection,
        n_passages=k,
        explain=explain,
        settings=settings,
    )
