"""Two runs beyond their means: the queries that moved, the parts of the set, how alike the rankings are."""

from collections.abc import Mapping, Sequence
from typing import Final

from rankle.core.run import QueryReport, ResultReport
from rankle.metrics.figure import read_figure
from rankle.reports.comparison import Move, Overlap, SliceDifference
from rankle.reports.query_slices import query_slices
from rankle.stats.rank_overlap import rank_biased_overlap
from rankle.stats.slices import SliceTest, paired_slices

Queries = Mapping[str, QueryReport]
_SAME: Final = 1e-9
"""Scores within it differ by rounding only."""


def moves(a: Queries, b: Queries, measure: str) -> list[Move]:
    """Queries whose score changed, what lost most first; equal changes keep the order of the set."""
    found = [
        Move(
            id=name,
            query=b[name].query,
            score_a=a[name].scores[measure],
            score_b=b[name].scores[measure],
            first_relevant_rank_a=a[name].first_relevant_rank,
            first_relevant_rank_b=b[name].first_relevant_rank,
        )
        for name in _scored(a, b, measure)
    ]
    changed = [move for move in found if abs(move.score_b - move.score_a) > _SAME]
    return sorted(changed, key=lambda move: round(move.score_b - move.score_a, 9))


def slice_differences(
    a: Queries, b: Queries, measure: str, *, alpha: float, seed: int
) -> list[SliceDifference]:
    """The slices of the queries that both scored, the one that lost most first.

    They are tested by sign flips whatever the whole is tested by, since these can do with any few queries.
    """
    ids = _scored(a, b, measure)
    slices = query_slices([b[name] for name in ids])
    if not slices:
        return []
    by_name = {"\x00".join(one): one for one in slices}
    tests = paired_slices(
        [a[name].scores[measure] for name in ids],
        [b[name].scores[measure] for name in ids],
        {key: slices[one] for key, one in by_name.items()},
        seed=seed,
        level=round(1.0 - alpha, 12),
    )
    return [_slice(by_name[one.name].by, by_name[one.name].value, one) for one in tests]


def overlap(a: Queries, b: Queries, *, measures: Sequence[str]) -> Overlap | None:
    """How alike the results are, and how many that nobody judged only one of the runs has in its first k.

    Unjudged results count where they count against a run: of queries that both scored.
    measures: their deepest cut is k. None where neither record holds results of a query that both answered.
    """
    both = [name for name in a if "failed" not in (a[name].status, b[name].status)]
    if not any(a[name].results or b[name].results for name in both):
        return None
    cuts = [read_figure(measure).k for measure in measures]
    known = [cut for cut in cuts if cut is not None]
    k = max(known) if len(known) == len(cuts) else None
    scored = [name for name in both if a[name].status == b[name].status == "scored"]
    ranked = [[[result.id for result in run[name].results] for name in both] for run in (a, b)]
    return Overlap(
        n=len(both),
        rbo=float(rank_biased_overlap(*ranked).mean()),
        k=k,
        unjudged_only_a=sum(_unjudged_alone(a[name].results, b[name].results, k) for name in scored),
        unjudged_only_b=sum(_unjudged_alone(b[name].results, a[name].results, k) for name in scored),
    )


def _unjudged_alone(own: Sequence[ResultReport], other: Sequence[ResultReport], k: int | None) -> int:
    shared = {result.id for result in other[:k]}
    return sum(result.grade is None and result.id not in shared for result in own[:k])


def _scored(a: Queries, b: Queries, measure: str) -> list[str]:
    return [name for name in a if measure in a[name].scores and measure in b[name].scores]


def _slice(by: str, value: str, one: SliceTest) -> SliceDifference:
    test, p_adjusted = one.test, one.p_adjusted
    assert test is not None and p_adjusted is not None, "no slice is empty"  # noqa: PT018 - one fact
    return SliceDifference(
        by=by,  # type: ignore[arg-type]
        value=value,
        n=test.n,
        mean_a=test.mean_a,
        mean_b=test.mean_b,
        difference=test.difference,
        low=test.low,
        high=test.high,
        p_value=test.p_value,
        p_adjusted=p_adjusted,
        wins=test.wins,
        ties=test.ties,
        losses=test.losses,
    )
