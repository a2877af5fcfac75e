"""Records to hold against each other: scores that are written down, with what slices and ranks need."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from fakes.runs import run_report
from rankle.core.run import ResultReport, RunReport, TargetReport


def compared_run(
    method: str,
    scores: Mapping[str, Sequence[float | None]],
    *,
    queries: Sequence[Mapping[str, Any]] = (),
    targets: Sequence[Mapping[str, int]] = (),
    **changed: Any,
) -> RunReport:
    """A run whose id is its method.

    queries: members of the first queries that are to be otherwise, such as `{"language": "de"}`.
    targets: target to grade, of the first queries.
    """
    report = run_report(method, scores, **{"id": method, **changed})
    members: list[dict[str, Any]] = [dict(query) for query in queries]
    members += [{} for _ in range(len(targets) - len(members))]
    for own, judged in zip(members, targets, strict=False):
        own["targets"] = [target(name, grade) for name, grade in judged.items()]
    changed_queries = [
        msgspec.structs.replace(query, **own) for query, own in zip(report.queries, members, strict=False)
    ]
    return msgspec.structs.replace(report, queries=changed_queries + report.queries[len(members) :])


def target(name: str, grade: int) -> TargetReport:
    return TargetReport(id=name, grade=grade, relevant=grade > 0, rank=None, rank_at={}, lost_at=None)


def results(*graded: tuple[str, int | None]) -> list[ResultReport]:
    """Results in their order, each with its grade; None is unjudged."""
    return [
        ResultReport(rank=rank, id=name, document=name, score=1 / rank, grade=grade, chunks=[])
        for rank, (name, grade) in enumerate(graded, start=1)
    ]
