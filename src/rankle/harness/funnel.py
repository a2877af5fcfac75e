"""Sums up, stage by stage, where the relevant targets of a run stand and where they were lost."""

from collections.abc import Sequence
from typing import Final

from rankle.core.run import FateReport, FunnelReport, QueryReport, StageReport, TargetReport
from rankle.harness.lost_at import (
    BELOW_DEPTH,
    BELOW_K,
    ELSEWHERE,
    NO_CANDIDATE_LIST,
    NOT_INDEXED,
    n_candidate_lists,
    stage_words,
)

FOUND: Final = "found"


def funnel_of(queries: Sequence[QueryReport], *, stages: Sequence[str], k: int) -> FunnelReport:
    """The figures of a run's funnel, over the relevant targets of its answered queries.

    stages: their names in the order in which they ran.
    Every relevant target has exactly one fate, so `n_targets` of the fates add up to that of the whole;
    without any relevant target all figures are 0 and there are no fates.
    """
    answered = [query for query in queries if query.status != "failed"]
    needed = [(query.id, target) for query in answered for target in query.targets if target.relevant]
    targets = [target for _, target in needed]
    lists = stages[: n_candidate_lists(stages)]
    return FunnelReport(
        k=k,
        n_targets=len(targets),
        n_queries=len({query for query, _ in needed}),
        n_failed=len(queries) - len(answered),
        n_candidates=sum(_best(target, lists) is not None for target in targets),
        n_candidates_within_k=sum((_best(target, lists) or k + 1) <= k for target in targets),
        stages=[_stage(name, targets, k=k) for name in stages],
        fates=_fates(needed, stages),
    )


def _stage(name: str, targets: Sequence[TargetReport], *, k: int) -> StageReport:
    ranks = [target.rank_at[name] for target in targets if name in target.rank_at]
    return StageReport(stage=name, n_listed=len(ranks), n_within_k=sum(rank <= k for rank in ranks))


def _best(target: TargetReport, stages: Sequence[str]) -> int | None:
    return min((target.rank_at[name] for name in stages if name in target.rank_at), default=None)


def _fates(needed: Sequence[tuple[str, TargetReport]], stages: Sequence[str]) -> list[FateReport]:
    queries: dict[str, list[str]] = {}
    for query, target in needed:
        queries.setdefault(target.lost_at or FOUND, []).append(query)
    later = [stage_words(name) for name in reversed(stages[n_candidate_lists(stages) :])]
    usual = [FOUND, BELOW_K, *later, NO_CANDIDATE_LIST, BELOW_DEPTH, ELSEWHERE, NOT_INDEXED]
    order = [*dict.fromkeys(usual), *(fate for fate in queries if fate not in usual)]
    return [
        FateReport(fate=fate, n_targets=len(queries[fate]), queries=list(dict.fromkeys(queries[fate])))
        for fate in order
        if fate in queries
    ]
