"""Searches of a workspace, one or many at once: what is asked, its vector, the stages, the hits."""

import time
from collections.abc import Sequence

from rankle.core.errors import ModelError
from rankle.core.garbage import uncollected
from rankle.core.search import Hit, Passage, SearchResult
from rankle.kb.candidates import CandidateList, ms_since
from rankle.kb.fulltext import explain_terms
from rankle.kb.passages import read_passages
from rankle.kb.picking import Target
from rankle.kb.ranking import rank, stages
from rankle.kb.search_request import SearchRequest
from rankle.kb.session import Asked, Session
from rankle.kb.sources import QueryVector
from rankle.kb.store.database import Database
from rankle.kb.vectors.index import VectorIndex


def search(
    database: Database, vectors: VectorIndex, request: SearchRequest, *, workspace: str
) -> SearchResult:
    """The best `depth` targets for a query, with their rank in every stage.

    A query without a searchable term gives no hits and a notice. Raises UnknownNameError for a method or
    collection that does not exist, InputError for a depth below 1, ModelError where the query cannot be
    embedded, WorkspaceError for a workspace that is empty, was indexed by another version, or lacks the
    vectors that the method needs.
    """
    with database.reading() as connection:
        session = Session(connection, vectors, workspace=workspace)
        asked = session.prepare(request)
        return _answer(session, asked, session.embed(asked))


def search_many(
    database: Database, vectors: VectorIndex, requests: Sequence[SearchRequest], *, workspace: str
) -> list[SearchResult | ModelError]:
    """For each request what `search` gives, in less time; all see one state of the workspace.

    A query that the model cannot embed has its error in its place. Other errors are raised as by `search`.
    Times are a query's share of the whole.
    """
    with uncollected(), database.reading() as connection, database.reading() as beside:
        session = Session(connection, vectors, workspace=workspace)
        asked = [session.prepare(request) for request in requests]
        embedded = session.embed_many(asked)
        left = [
            None if isinstance(vector, ModelError) else each
            for each, vector in zip(asked, embedded, strict=True)
        ]
        return [
            vector if isinstance(vector, ModelError) else _answer(session, each, vector, matched)
            for each, vector, matched in zip(asked, embedded, session.match_many(left, beside), strict=True)
        ]


def _answer(
    session: Session, asked: Asked, vector: QueryVector | None, matched: CandidateList | None = None
) -> SearchResult:
    """vector, matched: what was made of the query, and found for it, before."""
    started = time.perf_counter()
    ranking = rank(
        asked.request,
        asked.choice.method,
        session.sources(asked, vector, matched),
        n_documents=session.n_documents(asked.request.collection),
        read_texts=session.texts,
    )
    first = ranking.results[: asked.request.n_passages]
    passages = read_passages(session.fulltext, first, asked.query)
    terms = explain_terms(session.connection, asked.query) if asked.request.explain else ()
    notices = asked.choice.notices
    if not asked.query.wanted:
        notices = (*notices, "the query holds no letter or digit to search for")
    return SearchResult(
        query=asked.text,
        method=asked.choice.method,
        hits=tuple(_hit(place, each, passages.get(each.id)) for place, each in enumerate(ranking.results, 1)),
        stages=stages(ranking, asked.request),
        took_ms=asked.took_ms + _earlier_ms(vector, matched) + ms_since(started),
        notices=notices,
        terms=terms,
        n_terms=sum(term.kind != "exclude" for term in asked.query.terms),
    )


def _earlier_ms(vector: QueryVector | None, matched: CandidateList | None) -> float:
    """What was spent on the query before its answer: embedding it, and what was found ahead."""
    spent_ms = 0.0 if matched is None else matched.took_ms
    if vector is None:
        return spent_ms
    return spent_ms + vector.took_ms + (vector.ready.took_ms if vector.ready else 0.0)


def _hit(place: int, target: Target, passage: Passage | None) -> Hit:
    best = target.rows[0]
    chunks = (best.name,) if len(target.rows) == 1 else tuple([row.name for row in target.rows])
    return Hit(target.id, best.document, best.score, place, chunks, passage, target.folded)
