"""What the record keeps of each query: scores, results with grades, and targets with their fate."""

from collections.abc import Iterable, Sequence
from typing import Literal

from msgspec import UNSET, UnsetType

from rankle.core.outcome import Answer
from rankle.core.run import DocumentReport, QueryReport, ResultReport, TargetReport
from rankle.harness.lost_at import lost_at
from rankle.harness.scoring import Scored
from rankle.labels.join import Target
from rankle.metrics.judged import REPEATED, UNJUDGED


def report_query(scored: Scored, *, k: int) -> QueryReport:
    """k: the largest cut; a relevant target below it counts as lost."""
    query, outcome = scored.joined.query, scored.outcome
    ranks = scored.ranks
    found = [ranks[target.id] for target in scored.relevant if target.id in ranks]
    return QueryReport(
        id=query.id,
        query=query.text,
        status=_status(scored),
        scores=dict(scored.scores),
        first_relevant_rank=min(found, default=None),
        targets=[
            _report_target(scored, target, rank=ranks.get(target.id), k=k)
            for target in scored.joined.targets
            if target.grade >= 0
        ],
        results=_report_results(scored),
        took_ms=outcome.took_ms,
        reused_from=outcome.reused_from or UNSET,
        error=outcome.error,
        collection=query.collection,
        language=query.language,
        tags=list(query.tags),
    )


def _status(scored: Scored) -> Literal["scored", "undefined", "failed"]:
    if scored.outcome.answer is None:
        return "failed"
    return "scored" if scored.relevant else "undefined"


def _report_target(scored: Scored, target: Target, *, rank: int | None, k: int) -> TargetReport:
    answer = scored.outcome.answer
    stages = answer.stages if answer else ()
    lost = None
    if answer is not None and target.is_relevant:
        elsewhere = target.id in scored.elsewhere
        lost = lost_at(target.id, indexed=target.indexed, stages=stages, rank=rank, k=k, elsewhere=elsewhere)
    return TargetReport(
        id=target.id,
        grade=target.grade,
        relevant=target.is_relevant,
        rank=rank,
        rank_at={stage.name: stage.ranks[target.id].rank for stage in stages if target.id in stage.ranks},
        lost_at=lost,
    )


def _report_results(scored: Scored) -> list[ResultReport]:
    answer = scored.outcome.answer
    if answer is None:
        return []
    grades, covers = _grades(scored, answer), _covers(scored, answer)
    return [
        ResultReport(
            rank=rank,
            id=hit.id,
            document=hit.document,
            score=float(hit.score),  # a system may give a whole number, which JSON would write in another way
            grade=grades[rank - 1],
            chunks=list(hit.chunks),
            covers=covers[rank - 1],
        )
        for rank, hit in enumerate(answer.hits, start=1)
    ]


def _grades(scored: Scored, answer: Answer) -> list[int | None]:
    """Of each result; None for what is unjudged."""
    if scored.matches is not None:
        gains = [0 if gain == REPEATED else gain for gain in scored.matches.gains]
        return [None if gain == UNJUDGED else gain for gain in gains]
    judgments = scored.joined.judgments
    return [grade if (grade := judgments.get(hit.id, -1)) >= 0 else None for hit in answer.hits]


def _covers(scored: Scored, answer: Answer) -> Sequence[list[str] | UnsetType]:
    """Of each result, the passages that it covers; unset at other levels."""
    if scored.matches is None:
        return [UNSET] * len(answer.hits)
    targets = scored.joined.targets
    return [[targets[place].id for place in places] for places in scored.matches.covered]


def report_documents(queries: Sequence[Scored], *, k: int) -> list[DocumentReport]:
    """Of each document with a relevant target, how many of its queries have such a target in the top k.

    Failed queries are left out. Lowest hit rate first; among equals the one with more queries, then by id.
    """
    n_queries: dict[str, int] = {}
    n_found: dict[str, int] = {}
    for scored in queries:
        if scored.outcome.answer is None:
            continue
        ranks = scored.ranks
        found: dict[str, bool] = {}
        for target in scored.relevant:
            hit = ranks.get(target.id, k + 1) <= k
            for document in target.documents:
                found[document] = found.get(document, False) or hit
        for document, hit in found.items():
            n_queries[document] = n_queries.get(document, 0) + 1
            n_found[document] = n_found.get(document, 0) + hit
    return by_hit_rate(
        DocumentReport(id=document, n_queries=n, n_found=n_found[document], hit_rate=n_found[document] / n)
        for document, n in n_queries.items()
    )


def by_hit_rate(reports: Iterable[DocumentReport]) -> list[DocumentReport]:
    """Lowest first; among equals the one with more queries, then by id."""
    return sorted(reports, key=lambda report: (report.hit_rate, -report.n_queries, report.id))
