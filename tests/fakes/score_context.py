"""What scorers are given, with only what a test is about."""

from typing import Any

from rankle.harness.evals.score import Score, ScoreContext
from rankle.harness.evals.scorer import Scorer


def context(**members: Any) -> ScoreContext:
    return ScoreContext(**{"input": None, "output": None, **members})


def said(scorer: Scorer, **members: Any) -> Score:
    """The score of a scorer that gives one at once."""
    score = scorer(context(**members))
    assert isinstance(score, Score)
    return score
