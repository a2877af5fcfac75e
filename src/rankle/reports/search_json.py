"""Search results as JSON, `rankle.search/1`: the members that programs may rely on."""

from typing import Any, Final

import msgspec

from rankle.core.search import Hit, SearchResult

SCHEMA: Final = "rankle.search/1"


class SearchHitRecord(msgspec.Struct, frozen=True, kw_only=True):
    """One result."""

    rank: int
    """From 1."""
    id: str
    """The chunk id, or the document id where results are grouped by document."""
    document: str
    chunk: str | None
    """The chunk that the passage is of: the best one of the document where results are grouped."""
    chunks: list[str]
    """All matching chunks of this result, best first."""
    score: float
    title: str | None
    breadcrumb: list[str]
    """Headings above the passage, outermost first."""
    page: int | None
    """From 1; null where the format has no pages."""
    lines: list[int] | None
    """First and last line of the passage in the stored text, from 1."""
    span: list[int] | None
    """First character and the one behind the last, in the stored text."""
    text: str | None
    """The whole passage."""
    marks: list[list[int]]
    """Spans of `text` that match."""
    terms: list[str]
    """The query's terms that stand in the passage, its title, headings or path."""
    rank_at: dict[str, int]
    """Rank in each stage that had this result."""
    score_at: dict[str, float]
    """Score in each stage that had this result."""


class SearchTermRecord(msgspec.Struct, frozen=True, kw_only=True):
    """One term of the query."""

    text: str
    kind: str
    """term, phrase, prefix or exclude."""
    tokens: list[str]
    """What is looked up for it."""
    n_chunks: int
    weightless: bool


class SearchStageRecord(msgspec.Struct, frozen=True, kw_only=True):
    """One stage."""

    name: str
    took_ms: float
    n_candidates: int


class SearchRecord(msgspec.Struct, frozen=True, kw_only=True):
    """One search."""

    schema: str = SCHEMA
    workspace: str
    query: str
    method: str
    collection: str | None
    group: str
    """chunk or document: what a result is."""
    k: int
    depth: int
    """How many candidates were asked for."""
    took_ms: float
    notices: list[str]
    results: list[SearchHitRecord]
    stages: list[SearchStageRecord]
    terms: list[SearchTermRecord] | None
    """With --explain, and where nothing was found; else null."""


def search_record(
    result: SearchResult, *, workspace: str, collection: str | None, group: str, k: int, depth: int
) -> SearchRecord:
    terms = [
        SearchTermRecord(
            text=term.text,
            kind=term.kind,
            tokens=list(term.tokens),
            n_chunks=term.n_chunks,
            weightless=term.weightless,
        )
        for term in result.terms
    ]
    return SearchRecord(
        workspace=workspace,
        query=result.query,
        method=result.method,
        collection=collection,
        group=group,
        k=k,
        depth=depth,
        took_ms=result.took_ms,
        notices=list(result.notices),
        results=[_hit(hit, result) for hit in result.hits],
        stages=[
            SearchStageRecord(name=stage.name, took_ms=stage.took_ms, n_candidates=len(stage.ranks))
            for stage in result.stages
        ],
        terms=terms or None,
    )


def render_search_json(record: SearchRecord) -> str:
    """Indented, ending in a line break."""
    return msgspec.json.format(msgspec.json.encode(record), indent=2).decode() + "\n"


def _hit(hit: Hit, result: SearchResult) -> SearchHitRecord:
    stood = {stage.name: stage.ranks[hit.id] for stage in result.stages if hit.id in stage.ranks}
    return SearchHitRecord(
        rank=hit.rank,
        id=hit.id,
        document=hit.document,
        chunks=list(hit.chunks),
        score=hit.score,
        rank_at={name: at.rank for name, at in stood.items()},
        score_at={name: at.score for name, at in stood.items()},
        **_passage(hit),
    )


def _passage(hit: Hit) -> dict[str, Any]:
    passage = hit.passage
    if passage is None:
        return dict.fromkeys(("chunk", "title", "page", "lines", "span", "text")) | {
            name: [] for name in ("breadcrumb", "marks", "terms")
        }
    return {
        "chunk": passage.chunk,
        "title": passage.title,
        "breadcrumb": list(passage.breadcrumb),
        "page": passage.page,
        "lines": [passage.line_start, passage.line_end],
        "span": [passage.start, passage.end],
        "text": passage.text,
        "marks": [list(mark) for mark in passage.marks],
        "terms": list(passage.terms),
    }
