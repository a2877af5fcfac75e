"""The funnel's figures: how many relevant targets each stage hands on, and what became of them."""

import asyncio
from typing import Any

import pytest

from fakes.hand_worked import STAMP
from fakes.hand_worked_funnel import FUNNEL, SET, SYSTEM
from rankle.core.run import QueryReport, StageReport, TargetReport
from rankle.harness.evaluation import evaluate_system
from rankle.harness.funnel import funnel_of
from rankle.harness.settings import Settings


def test_every_record_has_the_hand_worked_funnel() -> None:
    report = asyncio.run(
        evaluate_system(
            SET,
            SYSTEM,
            Settings(k=(1, 2)),
            stamp=STAMP,
            clock=lambda: 0.0,
            on_progress=lambda done, total: None,
        )
    )
    assert report.funnel == FUNNEL


def query(name: str, *targets: tuple[dict[str, int], str | None], **changed: Any) -> QueryReport:
    return QueryReport(
        id=name,
        query=name,
        status=changed.get("status", "scored"),
        scores={},
        first_relevant_rank=None,
        targets=[
            TargetReport(id=str(n), grade=1, relevant=True, rank=None, rank_at=ranks, lost_at=lost)
            for n, (ranks, lost) in enumerate(targets)
        ],
        results=[],
        took_ms=None,
    )


def fates(*lost: str | None, stages: tuple[str, ...]) -> list[str]:
    made = [query(str(n), ({}, each)) for n, each in enumerate(lost)]
    return [fate.fate for fate in funnel_of(made, stages=stages, k=10).fates]


def test_losses_stand_from_the_last_step_back_to_the_first() -> None:
    every = [
        "not indexed",
        "in another collection",
        "below depth",
        "no candidate list",
        "fused out",
        "expansion out",
        "reranked out",
        "below k",
        None,
    ]
    stages = ("fts5", "vector", "fusion", "expansion", "rerank:minilm")
    assert fates(*every, stages=stages) == ["found", *reversed([
        "not indexed", "in another collection", "below depth", "no candidate list",
        "fused out", "expansion out", "reranked out", "below k",
    ])]  # fmt: skip


def test_a_fate_that_no_stage_explains_is_not_left_out() -> None:
    assert fates("prompt out", None, stages=("fts5",)) == ["found", "prompt out"]


def test_a_query_that_lost_two_targets_alike_is_named_once() -> None:
    (fate,) = funnel_of([query("q", ({}, "below k"), ({}, "below k"))], stages=("fts5",), k=1).fates
    assert (fate.n_targets, fate.queries) == (2, ["q"])


@pytest.mark.parametrize(
    "queries", [[], [query("q", status="undefined")], [query("q", ({}, None), status="failed")]]
)
def test_without_relevant_targets_every_figure_is_0(queries: list[QueryReport]) -> None:
    funnel = funnel_of(queries, stages=("fts5",), k=10)
    assert (funnel.n_targets, funnel.n_queries, funnel.n_candidates, funnel.fates) == (0, 0, 0, [])
    assert funnel.stages == [StageReport(stage="fts5", n_listed=0, n_within_k=0)]


def test_the_union_of_the_lists_holds_what_any_of_them_holds() -> None:
    ranks = [{"fts5": 1}, {"vector": 1}, {"fts5": 11, "vector": 12, "fusion": 1}, {"fusion": 1}, {}]
    made = [query("q", *((each, None) for each in ranks))]
    hybrid = funnel_of(made, stages=("fts5", "vector", "fusion"), k=10)
    assert (hybrid.n_candidates, hybrid.n_candidates_within_k) == (3, 2)
    alone = funnel_of(made, stages=("fts5",), k=10)
    assert (alone.n_candidates, alone.n_candidates_within_k) == (2, 1)
