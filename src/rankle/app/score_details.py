"""What a record says of each query of a recorded run: where its targets stand, and its first results."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from rankle.core.run import ResultReport, TargetReport
from rankle.metrics.join import JoinOptions
from rankle.metrics.qrels import Qrels
from rankle.metrics.run import Run
from rankle.metrics.ties import Ties

SHOWN: Final = 100
"""Results of a query in the record where a measure reads them all; judged targets have their ranks anyway."""


class QueryDetails(NamedTuple):
    """One query."""

    targets: list[TargetReport]
    """Every judged target; those with a negative grade are unjudged and none."""
    results: list[ResultReport]


def query_details(
    qrels: Qrels, run: Run, options: JoinOptions, *, k: int | None, n_results: int
) -> Mapping[str, QueryDetails]:
    """The judged targets of each query of the qrels with their ranks, and its first results.

    k: the largest cut, below which a relevant target is lost; None where there is none.
    n_results: results in the record; ranks of targets are told to any depth.
    """
    places = {query: place for place, query in enumerate(run.queries)}
    details = {}
    for query, judged in zip(qrels.queries, qrels.by_query, strict=True):
        found = run.results_of(places[query]) if query in places else {}
        ranked = _ranked(query, found, options)
        rank_of = {target: rank for rank, target in enumerate(ranked, start=1)}
        details[query] = QueryDetails(
            targets=[
                _target(target, grade, rank_of.get(target), k)
                for target, grade in judged.items()
                if grade >= 0
            ],
            results=[
                _result(rank, target, found[target], judged.get(target))
                for rank, target in enumerate(ranked[:n_results], start=1)
            ],
        )
    return details


def _ranked(query: str, found: Mapping[str, float], options: JoinOptions) -> list[str]:
    """Ids, best first, of the results that count."""
    counted = {target: score for target, score in found.items() if target != query or not options.ignore_self}
    if options.ties is Ties.TREC:
        best_first = [
            target for _, target in sorted(zip(counted.values(), counted, strict=True), reverse=True)
        ]
    else:
        best_first = sorted(counted, key=lambda target: -counted[target])
    return best_first[: options.max_results]


def _target(target: str, grade: int, rank: int | None, k: int | None) -> TargetReport:
    lost = None
    if grade > 0 and rank is None:
        lost = "no candidate list"
    elif grade > 0 and rank is not None and k is not None and rank > k:
        lost = "below k"
    return TargetReport(id=target, grade=grade, relevant=grade > 0, rank=rank, rank_at={}, lost_at=lost)


def _result(rank: int, target: str, score: float, grade: int | None) -> ResultReport:
    judged = grade if grade is not None and grade >= 0 else None
    return ResultReport(rank=rank, id=target, document=target, score=score, grade=judged, chunks=[])
