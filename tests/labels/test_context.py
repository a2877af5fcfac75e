"""Passages within a budget of tokens: worked out by hand, and by laws."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankle.core.errors import InputError
from rankle.core.text_range import Range
from rankle.labels.context import ContextScores, first_tokens, score_context


class TenCharacters:
    """A token is ten characters, from the beginning of the document; a part of one counts where it ends."""

    def count(self, part: Range) -> int:
        return part.end // 10 - part.start // 10

    def longest(self, part: Range, tokens: int) -> int:
        return max(part.start, min(part.end, (part.start // 10 + tokens) * 10))


def at(start: int, end: int, document: str = "a") -> Range:
    return Range(document, start, end)


def scores(results: list[Range], spans: list[Range], *, budget: int) -> ContextScores:
    return score_context(first_tokens(results, budget=budget, tokens=TenCharacters()), spans)


def test_results_are_taken_until_the_budget_is_spent_and_the_last_is_cut() -> None:
    results = [at(0, 200), at(500, 800), at(300, 400)]
    tokens = TenCharacters()
    assert first_tokens(results, budget=100, tokens=tokens) == tuple(results)
    assert first_tokens(results, budget=25, tokens=tokens) == (at(0, 200), at(500, 550))
    assert first_tokens(results, budget=20, tokens=tokens) == (at(0, 200),)
    assert first_tokens(results, budget=3, tokens=tokens) == (at(0, 30),)
    assert first_tokens([], budget=3, tokens=tokens) == ()


def test_a_long_and_a_short_chunk_are_compared_at_equal_cost() -> None:
    """The passage is 40 of 100 characters; the budget is 10 tokens, so 100 characters."""
    span = [at(100, 140)]
    assert scores([at(0, 1000)], span, budget=10) == ContextScores(0.0, 0.0, 0.0)
    assert scores([at(60, 160), at(160, 260)], span, budget=10) == ContextScores(1.0, 0.4, 1.0)
    assert scores([at(100, 120), at(300, 380)], span, budget=10) == ContextScores(0.5, 0.2, 1.0)
    assert scores([at(300, 390), at(100, 140)], span, budget=10) == ContextScores(0.25, 0.1, 0.0)


def test_what_stands_twice_in_the_context_costs_twice_and_helps_once() -> None:
    results = [at(0, 100), at(50, 150), at(50, 150, "b")]
    assert scores(results, [at(50, 100)], budget=100) == ContextScores(1.0, 50 / 300, 1.0)


def test_passages_that_overlap_are_counted_once_and_found_each() -> None:
    spans = [at(0, 100), at(50, 150)]
    assert scores([at(0, 80)], spans, budget=100) == ContextScores(80 / 150, 1.0, 0.5)


def test_no_result_no_figure_above_0() -> None:
    assert scores([], [at(0, 10)], budget=5) == ContextScores(0.0, 0.0, 0.0)


def test_a_budget_of_nothing_and_a_query_without_a_passage_are_refused() -> None:
    with pytest.raises(InputError, match="a budget must be 1 token or more, got 0"):
        first_tokens([], budget=0, tokens=TenCharacters())
    with pytest.raises(ValueError, match="without a passage"):
        score_context([], [])


ranges = st.builds(
    lambda document, start, length: Range(document, start, start + length),
    st.sampled_from(["a", "b"]), st.integers(0, 300), st.integers(1, 120),
)  # fmt: skip


@given(st.lists(ranges, max_size=6), st.lists(ranges, min_size=1, max_size=4), st.integers(1, 60))
def test_figures_stay_within_0_and_1_and_more_budget_never_lowers_recall(
    results: list[Range], spans: list[Range], budget: int
) -> None:
    less, more = (scores(results, spans, budget=each) for each in (budget, budget + 7))
    for figure in (less.recall, less.precision, less.found):
        assert 0 <= figure <= 1
    assert less.recall <= more.recall
    assert less.found <= more.found


@given(st.lists(ranges, max_size=6), st.integers(1, 60))
def test_a_context_never_costs_more_than_its_budget(results: list[Range], budget: int) -> None:
    tokens = TenCharacters()
    context = first_tokens(results, budget=budget, tokens=tokens)
    assert sum(tokens.count(part) for part in context) <= budget


@given(st.lists(ranges, min_size=1, max_size=4))
def test_the_passages_themselves_are_a_perfect_context(spans: list[Range]) -> None:
    assert score_context(list(dict.fromkeys(spans)), spans).recall == 1
    assert score_context(spans, spans).found == 1
