"""An eval of a real search, through the runner, has the figures of `rankle eval` to the last digit."""

import asyncio
from itertools import count
from pathlib import Path
from typing import Any

import pytest

import rankle
from rankle.core.evals import EvalSummary
from rankle.harness.evals.memory_keeping import MemoryKeeper
from rankle.harness.evals.options import RunOptions
from rankle.harness.evals.runner import run_prepared
from rankle.harness.evals.selection import prepare
from rankle.harness.evals.stop import Stop
from rankle.scorers import measure

EXAMPLES = Path(__file__).parents[3] / "examples"
MEASURES = ["R@5", "P@5", "RR@10", "nDCG@10", "nDCG(gain=exp2)@10", "AP@10", "F1@5", "Judged@5"]
QUOTE = "**Second carer:** 6 weeks at full pay, in one or two blocks, within the first year."
PASSAGES = [
    {"query": "how long is leave of the second carer", "relevant": [
        {"document": "hr/parental-leave.md", "quote": QUOTE, "relevance": 2},
        {"document": "hr/parental-leave.md", "quote": "at least **ten weeks** before you want to start"},
    ]},
    {"query": "keeping in touch while away", "relevant": [
        {"document": "hr/parental-leave.md", "quote": "There are ten *keeping-in-touch days*, paid in full"},
    ]},
]  # fmt: skip


@pytest.fixture
def kb() -> rankle.KnowledgeBase:
    kb = rankle.open("handbook")
    kb.index(EXAMPLES / "handbook", vectors=False)
    return kb


@pytest.mark.parametrize(
    ("data", "group"),
    [(str(EXAMPLES / "handbook.jsonl"), "document"), (PASSAGES, "chunk")],
    ids=["documents", "passages"],
)
def test_figures_of_an_eval_are_those_of_rankle_eval(data: Any, group: Any, kb: rankle.KnowledgeBase) -> None:
    run = rankle.evaluate(data, kb=kb, method="fts5", k=10, measures=MEASURES)
    rows = data if isinstance(data, str) else [_row(**record) for record in data]
    summary = figures(kb, rows, group)
    assert summary.n_failed == 0
    assert {scorer.name: (scorer.mean, scorer.n_scored) for scorer in summary.scorers} == {
        name: (run.measures[name].mean, run.measures[name].n_scored) for name in MEASURES
    }


def _row(query: str, relevant: list[dict[str, Any]]) -> dict[str, Any]:
    return {"input": {"query": query}, "expected": relevant}


def figures(kb: rankle.KnowledgeBase, data: Any, group: Any) -> EvalSummary:
    @rankle.eval("search", data=data, scorers=[measure(name) for name in MEASURES])
    async def search(input: dict[str, Any]) -> list[Any]:
        return list(await kb.asearch(input["query"], method="fts5", k=10, group=group))

    async def ran() -> EvalSummary:
        (prepared,) = await prepare([search], root=EXAMPLES)
        assert prepared.error is None
        numbers = count(1)
        done = await run_prepared(
            [prepared],
            options=RunOptions(),
            keeper=MemoryKeeper(new_id=lambda: f"run-{next(numbers)}", created="2026-11-30T12:00:00Z"),
            cache=None,
            previous=lambda one: None,
            on_progress=lambda progress: None,
            stop=Stop(),
        )
        return done.evals[0]

    return asyncio.run(ran())
