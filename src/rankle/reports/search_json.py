"""Search results as JSON, `rankle.search/1`: the members that programs may rely on."""

from typing import Annotated, Any, Literal, TypeAlias, cast

import msgspec

from rankle.core.run import Count, Milliseconds, Rank
from rankle.core.search import Hit, SearchResult
from rankle.reports.json_text import json_text

Kind: TypeAlias = Literal["term", "phrase", "prefix", "exclude"]
Group: TypeAlias = Literal["chunk", "document"]
Span = Annotated[list[int], msgspec.Meta(min_length=2, max_length=2)]


class SearchHitRecord(msgspec.Struct, frozen=True, kw_only=True):
    """One result."""

    rank: Rank
    """From 1."""
    id: str
    """The chunk id, or the document id where results are grouped by document."""
    document: str
    """Id of the document that it is, or is a part of."""
    chunk: str | None
    """The chunk that the passage is of: the best one of the document where results are grouped."""
    chunks: list[str]
    """All matching chunks of this result, best first."""
    score: float
    """Of the last stage; higher is better."""
    title: str | None
    """Of the document; null where it has none."""
    breadcrumb: list[str]
    """Headings above the passage, outermost first."""
    page: Rank | None
    """From 1; null where the format has no pages."""
    lines: Span | None
    """First and last line of the passage in the stored text, from 1."""
    span: Span | None
    """First character and the one behind the last, in the stored text."""
    text: str | None
    """The whole passage."""
    marks: list[Span]
    """Spans of `text` that match."""
    terms: list[str]
    """The query's terms that stand in the passage, its title, headings or path."""
    folded: list[str]
    """Ids of results that were left out since they nearly repeat this one; with --collapse."""
    rank_at: dict[str, Rank]
    """Rank in each stage that had this result."""
    score_at: dict[str, float]
    """Score in each stage that had this result."""


class SearchTermRecord(msgspec.Struct, frozen=True, kw_only=True):
    """One term of the query."""

    text: str
    """As it stands in the query."""
    kind: Kind
    """How it is looked up."""
    tokens: list[str]
    """What is looked up for it."""
    n_chunks: Count
    """How many chunks hold it."""
    weightless: bool
    """Whether it stands in so many chunks that it moves no score."""


class SearchStageRecord(msgspec.Struct, frozen=True, kw_only=True):
    """One stage."""

    name: str
    """Such as `fts5`, `vector` or `fusion`."""
    took_ms: Milliseconds
    """Milliseconds."""
    n_candidates: Count
    """Chunks that it handed on."""


class SearchRecord(msgspec.Struct, frozen=True, kw_only=True, tag_field="schema", tag="rankle.search/1"):
    """One search: `rankle.search/1`."""

    workspace: str
    """What was searched."""
    query: str
    """Its text."""
    method: str
    """`hybrid`, `vector` or `fts5`."""
    collection: str | None
    """The collection that was searched; null for all."""
    group: Group
    """What a result is."""
    k: Rank
    """How many results were asked for."""
    depth: Rank
    """How many candidates were asked for."""
    took_ms: Milliseconds
    """Milliseconds of the whole search."""
    notices: list[str]
    """What a reader of the results must know."""
    results: list[SearchHitRecord]
    """Best first; empty where nothing was found."""
    stages: list[SearchStageRecord]
    """In the order in which they ran."""
    terms: list[SearchTermRecord] | None
    """With --explain, and where nothing was found; else null."""


def search_record(
    result: SearchResult, *, workspace: str, collection: str | None, group: Group, k: int, depth: int
) -> SearchRecord:
    terms = [
        SearchTermRecord(
            text=term.text,
            kind=cast("Kind", term.kind),
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
    return json_text(record)


def _hit(hit: Hit, result: SearchResult) -> SearchHitRecord:
    stood = {stage.name: stage.ranks[hit.id] for stage in result.stages if hit.id in stage.ranks}
    return SearchHitRecord(
        rank=hit.rank,
        id=hit.id,
        document=hit.document,
        chunks=list(hit.chunks),
        folded=list(hit.folded),
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
