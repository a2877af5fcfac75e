"""Where one document or chunk stands in every stage of a search, and what keeps it off the first page."""

import sqlite3
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from rankle.core.errors import InputError
from rankle.core.evalset import Level
from rankle.core.explanation import Explanation, Neighbour, StageStanding, TermStanding
from rankle.kb.candidates import CandidateList, ms_since
from rankle.kb.fulltext import explain_terms, matching_chunks
from rankle.kb.methods import CUT, HYBRID
from rankle.kb.picking import Target, picked, targets
from rankle.kb.ranking import MOST, Ranking, rank
from rankle.kb.search_request import SearchRequest
from rankle.kb.session import Asked, Session
from rankle.kb.store.database import Database
from rankle.kb.vectors.index import VectorIndex
from rankle.kb.verdict import Case, judge

_LOOKED_AT: Final = 1_000


@dataclass(frozen=True, slots=True)
class Wanted:
    """The document or chunk that someone misses."""

    id: str
    level: Level
    document: str
    title: str
    collection: str
    chunks: dict[int, str]
    """Its chunk, or all chunks of its document: ids by row id."""
    of_document: dict[int, str]
    """All chunks of its document."""


def explain(
    database: Database,
    vectors: VectorIndex,
    request: SearchRequest,
    *,
    target: str,
    k: int,
    workspace: str,
) -> Explanation:
    """Why `target` is, or is not, among the first k results.

    request: its level and depth do not count; all that matches is ranked, at the target's level.
    target: a document's id or a chunk's id, as they stand in the index.
    Raises as `searching.search`, and InputError for a k below 1 or a target that is not in the index.
    """
    if k < 1:
        raise InputError(f"k must be an integer >= 1, got {k}")
    started = time.perf_counter()
    with database.reading() as connection:
        wanted = read_wanted(connection, target)
        session = Session(connection, vectors, workspace=workspace)
        whole = replace(request.settings, collapse=False, per_document=None)
        asked = session.prepare(replace(request, level=wanted.level, depth=MOST, settings=whole))
        case = _case(session, asked, wanted, request=request, k=k)
    judgement = judge(case)
    return Explanation(
        query=asked.text,
        method=case.method,
        collection=request.collection,
        k=k,
        target=wanted.id,
        level=str(wanted.level),
        document=wanted.document,
        title=wanted.title,
        rank=case.stages[-1].rank,
        lost_at=judgement.lost_at,
        verdict=judgement.sentence,
        stages=tuple(case.stages),
        terms=tuple(case.terms),
        tries=judgement.tries,
        took_ms=ms_since(started),
        notices=asked.choice.notices,
    )


def _case(session: Session, asked: Asked, wanted: Wanted, *, request: SearchRequest, k: int) -> Case:
    """asked: `request`, with all that matches ranked and nothing taken out."""
    sources = session.sources(asked, session.embed(asked))
    ranking = rank(
        asked.request,
        asked.choice.method,
        sources,
        n_documents=session.n_documents(request.collection),
        read_texts=session.texts,
    )
    left = _left(ranking, session, wanted, request=request, k=k)
    stages = _stages(ranking, left, wanted, k=k)
    return Case(
        request=request,
        method=asked.choice.method,
        has_terms=bool(asked.query.wanted),
        target=wanted.id,
        level=wanted.level,
        collection=wanted.collection,
        k=k,
        lists=ranking.lists,
        left=left or (),
        stages=stages,
        terms=_terms(session.connection, asked, wanted, best=_best_chunk(stages, wanted)),
        vectors_ready=session.choose(None).method == HYBRID,
    )


def read_wanted(connection: sqlite3.Connection, target: str) -> Wanted:
    """The chunk of this id, else the document. Raises InputError where there is neither."""
    row = connection.execute(
        "SELECT d.id, d.name, d.title, d.collection, c.id "
        "FROM chunks c JOIN documents d ON d.id = c.document WHERE c.name = :target UNION ALL "
        "SELECT d.id, d.name, d.title, d.collection, NULL FROM documents d WHERE d.name = :target LIMIT 1",
        {"target": target},
    ).fetchone()
    if row is None:
        raise InputError(f'the index holds neither a document nor a chunk "{target}"')
    document, name, title, collection, chunk = row
    every = dict(connection.execute("SELECT id, name FROM chunks WHERE document = ?", (document,)))
    if chunk is None:
        return Wanted(name, Level.DOCUMENT, name, title, collection, every, every)
    return Wanted(target, Level.CHUNK, name, title, collection, {chunk: target}, every)


def _left(
    ranking: Ranking, session: Session, wanted: Wanted, *, request: SearchRequest, k: int
) -> list[Target] | None:
    """What the settings leave of the first results; None where they take none out.

    Only of the first, since comparing the texts of all would take minutes in a large workspace.
    """
    if not request.settings.cuts:
        return None
    first = ranking.results[: max(_LOOKED_AT, 10 * k)]
    return picked(first, level=wanted.level, settings=request.settings, read_texts=session.texts)


def _stages(
    ranking: Ranking, left: Sequence[Target] | None, wanted: Wanted, *, k: int
) -> tuple[StageStanding, ...]:
    told = [_standing(each, targets(each.rows, wanted.level), wanted, k=k) for each in ranking.lists]
    if left is not None:
        last = replace(ranking.lists[-1], stage=CUT, took_ms=0.0)
        told.append(_standing(last, left, wanted, k=k))
    return tuple(told)


def _standing(found: CandidateList, results: Sequence[Target], wanted: Wanted, *, k: int) -> StageStanding:
    place = next((at for at, each in enumerate(results) if each.id == wanted.id), None)
    row_place = next((at for at, row in enumerate(found.rows) if row.chunk in wanted.chunks), None)
    has_it = place is not None and row_place is not None
    return StageStanding(
        stage=found.stage,
        n_ranked=len(results),
        rank=place + 1 if place is not None else None,
        score=results[place].rows[0].score if place is not None else None,
        chunk=found.rows[row_place].name if has_it and row_place is not None else None,
        chunk_rank=row_place + 1 if has_it and row_place is not None else None,
        above=_neighbour(results, place - 1) if place else None,
        last_shown=_neighbour(results, k - 1) if k <= len(results) else None,
        took_ms=found.took_ms,
    )


def _neighbour(results: Sequence[Target], place: int) -> Neighbour:
    best = results[place].rows[0]
    return Neighbour(results[place].id, best.document, place + 1, best.score)


def _best_chunk(stages: Sequence[StageStanding], wanted: Wanted) -> str | None:
    """The chunk that decides: of the last stage that has the target; else its only chunk, if it is one."""
    found = next((stage.chunk for stage in reversed(stages) if stage.chunk is not None), None)
    return found if found is not None or len(wanted.chunks) != 1 else next(iter(wanted.chunks.values()))


def _terms(
    connection: sqlite3.Connection, asked: Asked, wanted: Wanted, *, best: str | None
) -> tuple[TermStanding, ...]:
    told = []
    for term, info in zip(asked.query.terms, explain_terms(connection, asked.query), strict=True):
        holding = {
            wanted.of_document[each]
            for each in matching_chunks(connection, term.lookups)
            if each in wanted.of_document
        }
        told.append(
            TermStanding(
                text=info.text,
                kind=info.kind,
                n_chunks=info.n_chunks,
                weightless=info.weightless,
                in_chunk=best in holding,
                in_document=bool(holding),
            )
        )
    return tuple(told)
