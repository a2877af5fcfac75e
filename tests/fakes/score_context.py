"""What scorers are given, with only what a test is about."""

from typing import Any

from rankle.harness.evals.score import Score, ScoreContext
from rankle.harness.evals.scorer import Scorer

PLAIN: dict[str, Any] = {
    "input": None, "output": None, "expected": None, "metadata": {}, "trace": (), "latency_ms": 1.0,
    "trial": 0, "case": "case-0123456789ab",
}  # fmt: skip


def context(**members: Any) -> ScoreContext:
    return ScoreContext(**{**PLAIN, **members})


def said(scorer: Scorer, **members: Any) -> Score:
    """The score of a scorer that gives one at once."""
    score = scorer(context(**members))
    assert isinstance(score, Score)
    return score
