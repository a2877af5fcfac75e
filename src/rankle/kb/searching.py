"""One search through its stages: parse the query, ask each stage, group, cut."""

import re
import sqlite3
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from rankle.core.errors import InputError, UnknownNameError, WorkspaceError
from rankle.core.evalset import Level
from rankle.core.product import NAME
from rankle.core.search import Hit, Passage, SearchResult, Stage, StageRank
from rankle.kb.fulltext import (
    DEFAULT_WEIGHTS,
    ChunkScore,
    FieldWeights,
    FullTextMatches,
    chunk_holds,
    explain_terms,
    search_fulltext,
    telling_lookups,
)
from rankle.kb.prepare import ROWS_VERSION
from rankle.kb.stemming import workspace_languages
from rankle.kb.store.database import Database
from rankle.kb.store.documents import StoredChunk, chunks_by_id, collections, languages, pipelines
from rankle.kb.text.marks import MarkedText
from rankle.kb.text.query import Lookup, ParsedQuery, parse_query

METHODS: Final = ("fts5",)
"""Best first: the first that the workspace has is the default."""
DEFAULT_DEPTH: Final = 100
_MARKED: Final = 200_000
"""Characters of a passage in which matches are marked; only the `document` chunker makes longer ones."""
_HALF_CHARACTERS: Final = re.compile("[\ud800-\udfff]")
"""Bytes of an argument that are not UTF-8 come as these; they can be neither stored nor printed."""
_FEW: Final = 100
"""With as many chunks, a word in more than half of them is `the` rather than what the reader asked for."""
_MOST: Final = 1 << 48
"""More than any workspace holds; SQLite takes no larger number."""
_CHUNKS_PER_DOCUMENT: Final = 3  # asked for at first; more where documents turn out to have more


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """What to search for, and how."""

    query: str
    level: Level = Level.CHUNK
    depth: int = DEFAULT_DEPTH
    """How many distinct targets at `level` to find."""
    method: str | None = None
    """None takes the best that the workspace has."""
    collection: str | None = None
    n_passages: int = 0
    """How many of the first hits come with their text."""
    explain: bool = False
    """Whether to count each term's chunks, which takes a look-up per term."""
    weights: FieldWeights = DEFAULT_WEIGHTS


@dataclass(frozen=True, slots=True)
class _Target:
    """One result: a chunk, or a document with its chunks."""

    id: str
    rows: tuple[ChunkScore, ...]
    """Best first; the first gives rank and score."""


def search(database: Database, request: SearchRequest, *, workspace: str) -> SearchResult:
    """The best `depth` targets for a query, with their rank in every stage.

    A query without a searchable term gives no hits and a notice. Raises UnknownNameError for a method or
    collection that does not exist, InputError for a depth below 1, WorkspaceError for a workspace that is
    empty or was indexed by another version.
    """
    method = checked_method(request.method)
    if request.depth < 1:
        raise InputError(f"depth must be an integer >= 1, got {request.depth}")
    started = time.perf_counter()
    text = _HALF_CHARACTERS.sub("\ufffd", request.query)
    with database.reading() as connection:
        check_searchable(connection, workspace=workspace, collection=request.collection)
        query = parse_query(text, languages=workspace_languages(languages(connection)))
        stage_started = time.perf_counter()
        targets, exhausted = _targets(connection, query, request)
        stage_ms = _ms_since(stage_started)
        passages = _passages(connection, targets[: request.n_passages], query)
        terms = explain_terms(connection, query) if request.explain else ()
    hits = tuple(_hit(rank, target, passages.get(target.id)) for rank, target in enumerate(targets, 1))
    return SearchResult(
        query=text,
        method=method,
        hits=hits,
        stages=(Stage(method, stage_ms, _ranks(hits), exhausted=exhausted),),
        took_ms=_ms_since(started),
        notices=() if query.wanted else ("the query holds no letter or digit to search for",),
        terms=terms,
        n_terms=sum(term.kind != "exclude" for term in query.terms),
    )


def checked_method(method: str | None) -> str:
    """The method to use. An explicit one never falls back to another."""
    if method is None:
        return METHODS[0]
    if method not in METHODS:
        raise UnknownNameError(
            what="method", name=method, known=METHODS, hint=f"Known: {', '.join(METHODS)}."
        )
    return method


def check_searchable(connection: sqlite3.Connection, *, workspace: str, collection: str | None) -> None:
    """Raises where a search could not be answered for reasons that are not the query's.

    workspace: its name, for the command that helps.
    """
    found = pipelines(connection)
    if not found:
        raise WorkspaceError(
            f"the workspace holds no documents. Index some: {NAME} index PATH -w {workspace}"
        )
    if not all(pipeline.startswith(ROWS_VERSION) for pipeline in found):
        raise WorkspaceError(
            f"the workspace was indexed by another version. Bring it up to date: {NAME} index -w {workspace}"
        )
    if collection is not None:
        known = collections(connection)
        if collection not in known:
            raise UnknownNameError(
                what="collection", name=collection, known=known, hint=f"Known: {', '.join(known)}."
            )


def _targets(
    connection: sqlite3.Connection, query: ParsedQuery, request: SearchRequest
) -> tuple[list[_Target], bool]:
    """The best targets, and whether they are all that match.

    More chunks are fetched until there are enough documents, or no more chunks.
    """
    grouped = request.level is Level.DOCUMENT
    depth = min(request.depth, _MOST)
    limit = depth * (_CHUNKS_PER_DOCUMENT if grouped else 1)
    while True:
        found: FullTextMatches = search_fulltext(
            connection, query, limit=limit, collection=request.collection, weights=request.weights
        )
        targets = _by_document(found.rows) if grouped else [_Target(row.name, (row,)) for row in found.rows]
        if found.exhausted or len(targets) >= depth:
            return targets[:depth], found.exhausted and len(targets) <= depth
        limit *= 4


def _by_document(rows: Sequence[ChunkScore]) -> list[_Target]:
    """Documents in the order of their best chunk."""
    nested: dict[str, list[ChunkScore]] = {}
    for row in rows:
        nested.setdefault(row.document, []).append(row)
    return [_Target(document, tuple(chunks)) for document, chunks in nested.items()]


def _ranks(hits: Sequence[Hit]) -> dict[str, StageRank]:
    return {hit.id: StageRank(hit.rank, hit.score) for hit in hits}


def _hit(rank: int, target: _Target, passage: Passage | None) -> Hit:
    best = target.rows[0]
    chunks = tuple(row.name for row in target.rows)
    return Hit(target.id, best.document, best.score, rank, chunks, passage)


def _passages(
    connection: sqlite3.Connection, targets: Sequence[_Target], query: ParsedQuery
) -> dict[str, Passage]:
    stored = chunks_by_id(connection, [target.rows[0].chunk for target in targets])
    marked = tuple(telling_lookups(connection, query.wanted, small=_FEW)) if targets else ()
    return {
        target.id: _passage(connection, stored[target.rows[0].chunk], query, marked) for target in targets
    }


def _passage(
    connection: sqlite3.Connection, chunk: StoredChunk, query: ParsedQuery, marked: tuple[Lookup, ...]
) -> Passage:
    span = chunk.span
    body = MarkedText(chunk.text[:_MARKED], languages=chunk.stems)
    around = (chunk.title, *span.breadcrumb, chunk.document)
    fields = [body, *(MarkedText(text, languages=chunk.stems) for text in around)]
    wanted = [term for term in query.terms if term.kind != "exclude"]
    return Passage(
        chunk=chunk.name,
        title=chunk.title,
        breadcrumb=span.breadcrumb,
        text=chunk.text,
        start=span.start,
        end=span.end,
        line_start=span.line_start,
        line_end=span.line_end,
        page=span.page,
        marks=body.spans(marked),
        terms=tuple(
            term.text
            for term in wanted
            if any(field.holds(term.lookups) for field in fields)
            or (len(chunk.text) > _MARKED and chunk_holds(connection, chunk.id, term.lookups))
        ),
    )


def _ms_since(started: float) -> float:
    return (time.perf_counter() - started) * 1_000
