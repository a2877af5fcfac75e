from dataclasses import replace
from typing import Any

import msgspec
import pytest

from fakes.eval_cache import MemoryCache
from fakes.running_evals import HoldingKeeper, cases, cases_of, prepared, run
from rankle.core.trials import MOST_STEPS
from rankle.harness.evals.case import Case
from rankle.harness.evals.progress import Progress
from rankle.harness.evals.score import ScoreContext
from rankle.harness.evals.scorer import Scorer
from rankle.harness.evals.variant import Variant
from rankle.harness.scorers.budgets import token_budget
from rankle.harness.tracing.recorder import recording
from rankle.harness.tracing.spans import Trace


class Counting:
    """A task that gives another output each time that it is called."""

    def __init__(self) -> None:
        self.n_calls = 0

    def __call__(self, input: Any) -> list[Any]:
        self.n_calls += 1
        return [input, self.n_calls]


@pytest.fixture
def task() -> Counting:
    return Counting()


@pytest.fixture
def cache() -> MemoryCache:
    return MemoryCache()


def ran_twice(cache: MemoryCache, task: Counting, *, then: dict[str, Any], **first: Any) -> int:
    """How many calls a second run makes that differs from the first."""
    usual: dict[str, Any] = {"inputs": ["a", "b"], "cacheable": True}
    run(prepared(task, **(usual | first)), cache=cache)
    before = task.n_calls
    run(prepared(task, **(usual | first | then)), cache=cache)
    return task.n_calls - before


def test_what_is_cached_is_not_called_again_and_marked(cache: MemoryCache, task: Counting) -> None:
    ticks = iter(range(1, 1_000))
    one = prepared(task, ["a", "b"], expected=[["a", 1], ["b", 2]], cacheable=True)
    first = run(one, cache=cache, concurrency=1, clock=lambda: float(next(ticks)))
    again = run(one, cache=cache, concurrency=1)
    assert task.n_calls == 2
    assert set(cache.kinds.values()) == {"task"}
    for old, new in zip(cases_of(first), cases_of(again), strict=True):
        assert (old.trials[0].cached, new.trials[0].cached) == (False, True)
        assert new.trials[0].output == old.trials[0].output
        assert new.trials[0].took_ms == old.trials[0].took_ms == 1000.0
    assert (again.evals[0].n_cached, again.evals[0].score) == (2, 1.0)
    assert again.evals[0].latency_ms.p50 is None
    assert any("2 of 2 outputs are from the cache" in one for one in again.evals[0].notices)


def test_cached_outputs_are_scored_anew(cache: MemoryCache, task: Counting) -> None:
    seen: list[Any] = []

    def look(context: ScoreContext) -> bool:
        seen.append((context.output, context.latency_ms))
        return len(seen) > 1

    one = prepared(task, ["a"], cacheable=True, scorers=[Scorer("look", look)])
    assert [run(one, cache=cache).evals[0].score for _ in range(2)] == [0.0, 1.0]
    assert seen[0] == seen[1]


def test_scorers_see_the_steps_and_the_usage_of_the_day_it_was_made(cache: MemoryCache) -> None:
    def task(input: str) -> str:
        with Trace("ask", input=input, k=3) as step:
            step.output = ["a.md"]
            step.spent(input_tokens=30, output_tokens=4, cost_usd=0.5)
        return input

    seen: list[ScoreContext] = []

    def look(context: ScoreContext) -> float:
        seen.append(context)
        return 1.0

    one = prepared(task, ["a"], cacheable=True, scorers=[Scorer("look", look), token_budget(100)])
    told: list[Progress] = []
    found = [
        run(
            one,
            cache=cache,
            recording=lambda _, case: recording(case=case.id, trial=0),
            on_progress=told.append,
        )
        for _ in range(2)
    ]
    made, cached = (context.trace[0] for context in seen)
    assert (made.cached, cached.cached) == (False, True)
    assert (cached.name, cached.input, cached.output) == ("ask", "a", ["a.md"])
    assert cached.took_ms == made.took_ms
    assert [context.usage and context.usage.cost_usd for context in seen] == [0.5, 0.5]
    scores = [cases_of(ran)[0].scores for ran in found]
    assert scores[0] == scores[1] == {"look": 1.0, "token_budget(100)": 1.0}
    usages = [ran.evals[0].usage for ran in found]
    assert [usage and (usage.n_calls, usage.n_cached) for usage in usages] == [(1, 0), (1, 1)]
    assert told[-1].cost_usd is None, "nothing was spent now"


def test_trials_never_share_an_output(cache: MemoryCache, task: Counting) -> None:
    one = prepared(task, ["a"], cacheable=True, options={"trials": 3})
    for _ in range(2):
        (case,) = cases_of(run(one, cache=cache, concurrency=1))
        assert [trial.output for trial in case.trials] == [["a", 1], ["a", 2], ["a", 3]]
    assert task.n_calls == 3


@pytest.mark.parametrize(
    ("then", "n_calls"),
    [
        ({}, 0),
        ({"name": "renamed"}, 0),
        ({"scorers": [Scorer("other", lambda _: 1.0)]}, 0),
        ({"inputs": ["b", "a"], "made": tuple(reversed(cases(["a", "b"])))}, 0),
        ({"options": {"trials": 2}}, 2),
        ({"task_fingerprint": "another"}, 2),
        ({"options": {"cache": False}}, 2),
        ({"cacheable": False}, 2),
        ({"inputs": ["a", "c"]}, 1),
    ],
    ids=["same", "name", "scorers", "order", "trials", "task", "no cache", "not cacheable", "input"],
)
def test_an_output_is_found_where_all_that_it_depends_on_is_the_same(
    cache: MemoryCache, task: Counting, then: dict[str, Any], n_calls: int
) -> None:
    assert ran_twice(cache, task, then=then) == n_calls


def test_variants_have_outputs_of_their_own(cache: MemoryCache) -> None:
    called: list[Any] = []

    def task(input: Any, variant: Any) -> Any:
        called.append(variant)
        return [input, variant]

    for variant in (
        Variant("a", {"k": 1}),
        Variant("b", {"k": 1}),
        Variant("a", {"k": 2}),
        Variant("a", {"k": 1}),
    ):
        run(prepared(task, ["q"], cacheable=True, variant=variant), cache=cache)
    assert called == [{"k": 1}, {"k": 1}, {"k": 2}]


@pytest.mark.parametrize("changed", [{"metadata": {"k": 5}}, {"tags": ("slow",)}], ids=["metadata", "tags"])
def test_a_task_that_is_given_the_whole_case_depends_on_all_of_it(
    cache: MemoryCache, changed: dict[str, Any]
) -> None:
    called: list[str] = []

    def whole(input: Any, case: Case) -> Any:
        called.append("whole")
        return input

    def only_input(input: Any) -> Any:
        called.append("input")
        return input

    made = cases(["a"])
    for task in (whole, only_input):
        for one in (made, (replace(made[0], **changed),)):
            fingerprint = task.__name__
            run(prepared(task, made=one, cacheable=True, task_fingerprint=fingerprint), cache=cache)
    assert called == ["whole", "whole", "input"]


def test_failures_are_never_cached(cache: MemoryCache) -> None:
    called: list[Any] = []

    def task(input: Any) -> Any:
        called.append(input)
        if len(called) == 1:
            raise ConnectionError("try again")
        return input

    one = prepared(task, ["a"], cacheable=True)
    assert [run(one, cache=cache).evals[0].n_failed for _ in range(3)] == [1, 0, 0]
    assert len(called) == 2


@pytest.mark.parametrize("output", [("a", "b"), {1: "a"}, float("nan"), {"a"}, "\ud83d"], ids=ascii)
def test_an_output_that_json_would_change_is_not_cached_and_that_is_told(
    cache: MemoryCache, output: Any
) -> None:
    called: list[Any] = []

    def task(input: Any) -> Any:
        called.append(input)
        return output

    one = prepared(task, ["a", "b"], cacheable=True)
    for _ in range(2):
        summary = run(one, cache=cache).evals[0]
        assert any(
            "2 outputs were not cached, since JSON would have changed" in one for one in summary.notices
        )
        assert any(f"(the first is a {type(output).__name__})" in one for one in summary.notices)
    assert len(called) == 4
    assert cache.kept == {}


def test_a_task_that_changes_its_input_is_found_under_what_it_was_given(cache: MemoryCache) -> None:
    called: list[Any] = []

    def task(input: list[int]) -> list[int]:
        called.append(list(input))
        input.append(1)
        return input

    one = prepared(task, [[0]], cacheable=True)
    outputs = [cases_of(run(one, cache=cache))[0].trials[0].output for _ in range(2)]
    assert outputs == [[0, 1], [0, 1]]
    assert called == [[0]]


def test_cached_trials_are_kept_and_told_of_like_others(cache: MemoryCache, task: Counting) -> None:
    one = prepared(task, ["a", "b"], cacheable=True)
    run(one, cache=cache)
    keeper = HoldingKeeper()
    told: list[Progress] = []
    run(one, cache=cache, keeper=keeper, on_progress=told.append)
    assert len(keeper.evals["echo"].held) == 2
    assert told[-1].n_cached == 2


def test_what_is_kept_is_the_output_as_json(cache: MemoryCache) -> None:
    output = {"text": "🔎", "hits": [1, 0.5, None, True]}
    run(prepared(lambda _: output, ["a"], cacheable=True), cache=cache)
    ((key, kept),) = cache.kept.items()
    assert msgspec.json.decode(kept.value) == {"output": output, "trace": [], "usage": None}
    assert len(key) == 64
    assert int(key, 16)


def test_steps_that_no_trace_holds_are_told_where_the_cache_answers_too(cache: MemoryCache) -> None:
    def task(input: Any) -> Any:
        for _ in range(MOST_STEPS + 2):
            with Trace("again"):
                pass
        return input

    for is_cached in (False, True):
        ran = run(
            prepared(task, ["a"], cacheable=True),
            cache=cache,
            recording=lambda _, case: recording(case=case.id, trial=0),
        )
        (trial,) = cases_of(ran)[0].trials
        assert (len(trial.trace), trial.n_steps_left_out, trial.cached) == (MOST_STEPS, 2, is_cached)
        assert any("further ones of 1 trial are left out: 2." in notice for notice in ran.evals[0].notices)
