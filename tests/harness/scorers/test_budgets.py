from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes.score_context import said
from rankle import scorers
from rankle.core.errors import InputError
from rankle.core.trials import Usage
from rankle.harness.evals.scorer import Scorer


@pytest.mark.parametrize(
    ("took", "soft", "hard"),
    [
        (0, 1.0, 1.0),
        (100, 1.0, 1.0),
        (100.5, 0.995, 0.0),
        (150, 0.5, 0.0),
        (200, 0.0, 0.0),
        (10**9, 0.0, 0.0),
    ],
)
def test_latency_is_1_inside_and_falls_to_0_at_twice_the_budget(
    took: float, soft: float, hard: float
) -> None:
    metadata = {"duration_ms": took, "max_ms": 100.0, "within_budget": took <= 100}
    budget = said(scorers.latency_budget(100), latency_ms=took)
    assert budget.value == pytest.approx(soft)
    assert budget.metadata == metadata
    limit = said(scorers.latency_limit(100), latency_ms=took)
    assert (limit.value, limit.metadata) == (hard, metadata)


@given(took=st.floats(0, 1e12), budget=st.floats(1e-6, 1e12), more=st.floats(0, 1e6))
def test_a_slower_task_never_scores_higher(took: float, budget: float, more: float) -> None:
    first = said(scorers.latency_budget(budget), latency_ms=took).value
    second = said(scorers.latency_budget(budget), latency_ms=took + more).value
    assert isinstance(first, float)
    assert isinstance(second, float)
    assert 0 <= second <= first <= 1


def test_a_budget_may_be_that_of_the_case() -> None:
    scorer = scorers.latency_budget(lambda context: context.metadata.get("budget"))
    assert said(scorer, latency_ms=30.0, metadata={"budget": 20}).value == 0.5
    score = said(scorer, latency_ms=30.0, metadata={})
    assert (score.value, score.reason) == (None, "no budget for this case")
    with pytest.raises(InputError, match="the budget of latency_budget must be a number > 0, got -1"):
        said(scorer, latency_ms=30.0, metadata={"budget": -1})


@pytest.mark.parametrize(
    ("usage", "value", "reason"),
    [
        (Usage(input_tokens=60, output_tokens=40), 1.0, None),
        (Usage(input_tokens=100, output_tokens=25), 0.75, None),
        (None, None, "no model was called"),
    ],
)
def test_tokens_are_those_read_and_written(
    usage: Usage | None, value: float | None, reason: str | None
) -> None:
    score = said(scorers.token_budget(100), usage=usage)
    assert (score.value, score.reason) == (value, reason)
    if usage is not None:
        tokens = usage.input_tokens + usage.output_tokens
        assert score.metadata == {"tokens": tokens, "max_tokens": 100.0, "within_budget": tokens <= 100}


@pytest.mark.parametrize(
    ("usage", "value", "reason"),
    [
        (Usage(cost_usd=0.02), 1.0, None),
        (Usage(cost_usd=0.0), 1.0, None),
        (Usage(cost_usd=0.03), pytest.approx(0.5), None),
        (Usage(input_tokens=7), None, "no call told its cost"),
        (None, None, "no model was called"),
    ],
)
def test_a_cost_that_nobody_told_is_no_cost_of_0(usage: Usage | None, value: Any, reason: str | None) -> None:
    score = said(scorers.cost_budget(0.02), usage=usage)
    assert (score.value, score.reason) == (value, reason)


@pytest.mark.parametrize(
    "make", [scorers.latency_budget, scorers.latency_limit, scorers.token_budget, scorers.cost_budget]
)
@pytest.mark.parametrize("limit", [0, -1, float("nan"), float("inf"), "100", True])
def test_what_is_no_budget_is_refused_when_it_is_written(make: Callable[[Any], Scorer], limit: Any) -> None:
    with pytest.raises(InputError, match="must be a number > 0"):
        make(limit)


@pytest.mark.parametrize(
    ("scorer", "name", "line"),
    [
        (
            scorers.latency_budget(2000),
            "latency_budget(2000)",
            "Latency within 2,000 ms; 0 from twice of it on",
        ),
        (scorers.latency_limit(1.5), "latency_limit(1.5)", "Whether latency is within 1.5 ms"),
        (scorers.token_budget(100), "token_budget(100)", "Tokens within 100 in all; 0 from twice of it on"),
        (scorers.cost_budget(0.02), "cost_budget(0.02)", "Cost within 0.02 USD; 0 from twice of it on"),
        (
            scorers.latency_budget(lambda context: 3),
            "latency_budget",
            "Latency within the budget of the case; 0 from twice of it on",
        ),
    ],
)
def test_each_says_its_budget(scorer: Scorer, name: str, line: str) -> None:
    assert (scorer.name, scorer.description) == (name, line)


def test_its_repr_changes_with_the_budget() -> None:
    reprs = {
        repr(scorer)
        for scorer in (
            scorers.latency_budget(lambda context: 3, name="x"),
            scorers.latency_budget(lambda context: 4, name="x"),
            scorers.latency_budget(4, name="x"),
        )
    }
    assert len(reprs) == 3
    assert not any("0x" in text for text in reprs)
