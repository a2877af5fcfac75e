"""Where a relevant target was lost, worked out by hand for pipelines of several shapes."""

from dataclasses import replace

import pytest

from rankle.core.search import Stage, StageRank
from rankle.harness.lost_at import lost_at


def stages(**ranks: int | None) -> list[Stage]:
    """One stage a keyword, in order, with the rank of `t` in it; None where it is not there."""
    return [
        Stage(
            name.replace("_", ":"),
            0.0,
            {"other": StageRank(1, 1.0)} | ({} if rank is None else {"t": StageRank(rank, 0.5)}),
        )
        for name, rank in ranks.items()
    ]


CASES = [
    # One list: nothing but its depth can lose a target.
    (stages(fts5=3), 3, None),
    (stages(fts5=10), 10, None),
    (stages(fts5=11), 11, "below k"),
    (stages(fts5=None), None, "no candidate list"),
    (stages(fts5=101), None, "below k"),
    ([], None, "not returned"),
    ([], 11, "below k"),
    ([], 2, None),
    # Two lists and their fusion.
    (stages(fts5=2, vector=None, fusion=4), 4, None),
    (stages(fts5=2, vector=None, fusion=14), 14, "fused out"),
    (stages(fts5=2, vector=None, fusion=None), None, "fused out"),
    (stages(fts5=None, vector=9, fusion=11), 11, "fused out"),
    (stages(fts5=40, vector=60, fusion=50), 50, "below k"),
    (stages(fts5=100, vector=None, fusion=None), None, "fused out"),
    (stages(fts5=None, vector=None, fusion=None), None, "no candidate list"),
    # A target that one list misses is lost to the fusion, not to that list.
    (stages(fts5=2, vector=50, fusion=12), 12, "fused out"),
    # Reranking.
    (stages(fts5=2, vector=1, fusion=1, rerank=30), 30, "reranked out"),
    (stages(fts5=2, vector=1, fusion=1, rerank_minilm=None), None, "reranked out"),
    (stages(fts5=2, vector=None, fusion=15, rerank=None), None, "fused out"),
    (stages(fts5=2, vector=None, fusion=15, rerank=12), 12, "fused out"),
    (stages(fts5=2, vector=None, fusion=15, rerank=8), 8, None),
    (stages(fts5=60, vector=None, fusion=70, rerank=None), None, "reranked out"),
    (stages(fts5=1, vector=1, fusion=11, rerank=2, cut=20), 20, "cut out"),
    # No fusion: the first list feeds the rest.
    (stages(fts5=3, rerank=12), 12, "reranked out"),
    (stages(fts5=3, rerank=None), None, "reranked out"),
    (stages(fts5=20, expansion=None), None, "expansion out"),
    # A later stage may bring a target in that no list had.
    (stages(fts5=None, vector=None, fusion=None, expansion=5, rerank=None), None, "reranked out"),
    (stages(fts5=None, vector=None, fusion=None, expansion=25), 25, "below k"),
]


@pytest.mark.parametrize(("pipeline", "rank", "expected"), CASES)
def test_the_stage_that_lost_a_target(pipeline: list[Stage], rank: int | None, expected: str | None) -> None:
    assert lost_at("t", indexed=True, stages=pipeline, rank=rank, k=10) == expected


def cut(pipeline: list[Stage], *names: str) -> list[Stage]:
    """The same with the lists of some stages cut at their depth."""
    return [replace(stage, exhausted=stage.name not in names) for stage in pipeline]


@pytest.mark.parametrize(
    ("pipeline", "rank", "expected"),
    [
        (cut(stages(fts5=None), "fts5"), None, "below depth"),
        # Lists that are fused are cut by design: what none of them has was no candidate.
        (cut(stages(fts5=None, vector=None, fusion=None), "vector"), None, "no candidate list"),
        (cut(stages(fts5=None, vector=None, fusion=None), "fts5", "vector"), None, "no candidate list"),
        # A cut that comes later could not have lost what no list of candidates had.
        (cut(stages(fts5=None, vector=None, fusion=None), "fusion"), None, "no candidate list"),
        (cut(stages(fts5=None, rerank=None), "rerank"), None, "no candidate list"),
        # What was found is told as before.
        (cut(stages(fts5=11), "fts5"), 11, "below k"),
        (cut(stages(fts5=2, vector=None, fusion=None), "fts5", "vector"), None, "fused out"),
    ],
)
def test_a_list_that_was_cut_does_not_tell_that_nothing_matched(
    pipeline: list[Stage], rank: int | None, expected: str
) -> None:
    assert lost_at("t", indexed=True, stages=pipeline, rank=rank, k=10) == expected


def test_what_lies_elsewhere_is_not_looked_for_in_the_lists() -> None:
    def fate(rank: int | None, *, indexed: bool = True) -> str | None:
        pipeline = cut(stages(fts5=None), "fts5")
        return lost_at("t", indexed=indexed, stages=pipeline, rank=rank, k=10, elsewhere=True)

    assert fate(None) == "in another collection"
    assert fate(None, indexed=False) == "not indexed"
    assert fate(3) is None  # a system that returns it all the same has reached it


def test_what_is_not_indexed_was_lost_before_any_stage() -> None:
    assert lost_at("t", indexed=False, stages=stages(fts5=None), rank=None, k=10) == "not indexed"


def test_the_cut_decides_what_counts_as_lost() -> None:
    pipeline = stages(fts5=3, vector=None, fusion=6)
    assert lost_at("t", indexed=True, stages=pipeline, rank=6, k=10) is None
    assert lost_at("t", indexed=True, stages=pipeline, rank=6, k=5) == "fused out"
    assert lost_at("t", indexed=True, stages=pipeline, rank=6, k=2) == "below k"
