"""Rank-biased overlap: worked examples, an independent sum, and its laws."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankle.core.errors import InputError
from rankle.stats.rank_overlap import rank_biased_overlap

rankings = st.lists(st.sampled_from("abcdefghij"), unique=True, max_size=8)


def overlap(a: str | list[str], b: str | list[str], p: float = 0.9) -> float:
    return float(rank_biased_overlap([list(a)], [list(b)], p=p)[0])


def summed(a: list[str], b: list[str], p: float, depth: int = 3_000) -> float:
    """The infinite sum itself: agreement at every depth, with what is below a list's end supposed."""
    short, long = sorted((a, b), key=len)
    ratio = len(set(short) & set(long[: len(short)])) / len(short)
    total, agreement = 0.0, 0.0
    for d in range(1, depth):
        if d <= len(long):
            shared = len(set(short[:d]) & set(long[:d])) + ratio * max(d - len(short), 0)
            agreement = shared / d
        total += p ** (d - 1) * agreement
    return (1 - p) * total


def test_one_that_fell_three_places_by_hand() -> None:
    """Agreement 0, 1/2, 2/3, 1, 1: a ninth of 0.405 + 0.486 + 0.6561 + 0.59049, and 0.59049 beyond."""
    assert overlap("abcde", "bcdae") == pytest.approx(2.13759 / 9 + 0.59049)


def test_the_rankings_of_figure_5_of_the_paper() -> None:
    """Webber et al., figure 5: both share a and c from depth 3 on; the average overlap there is 0.312."""
    agreements = [0, 0, 2 / 3, 2 / 4, 2 / 5, 2 / 6, 2 / 7]
    assert sum(agreements) / 7 == pytest.approx(0.312, abs=5e-4)
    expected = 0.1 * sum(0.9**d * agreement for d, agreement in enumerate(agreements)) + 0.9**7 * 2 / 7
    assert overlap("abcdefg", "zcavwxy") == pytest.approx(expected)


def test_the_longer_list_of_two_by_hand() -> None:
    """a then (ab): 1 at depth 1; at 2 the short list's agreement of 1 is carried on, over what is seen."""
    assert overlap("a", "ab") == pytest.approx(0.1 * 1 + 0.1 * 0.9 * 1 + 0.81 * 1)
    assert overlap("a", "ba", p=0.5) == pytest.approx(0.5 * 0 + 0.25 * 1 / 2 + 0.25 * 1 / 2)


@settings(deadline=None)
@given(rankings.filter(bool), rankings.filter(bool), st.sampled_from([0.5, 0.9, 0.98]))
def test_it_is_the_infinite_sum(a: list[str], b: list[str], p: float) -> None:
    assert overlap(a, b, p) == pytest.approx(summed(a, b, p), abs=1e-9)


@settings(deadline=None)
@given(rankings, rankings)
def test_it_is_symmetric_within_0_and_1_and_1_of_equals(a: list[str], b: list[str]) -> None:
    assert overlap(a, b) == pytest.approx(overlap(b, a))
    assert 0.0 <= overlap(a, b) <= 1.0
    assert overlap(a, a) == pytest.approx(1.0)


@settings(deadline=None)
@given(st.lists(st.tuples(rankings, rankings), max_size=6))
def test_every_query_has_the_overlap_it_has_alone(pairs: list[tuple[list[str], list[str]]]) -> None:
    found = rank_biased_overlap([a for a, _ in pairs], [b for _, b in pairs])
    assert found.tolist() == pytest.approx([overlap(a, b) for a, b in pairs])


def test_more_queries_than_one_chunk_keep_their_order() -> None:
    a, b = [["x", "y"]] * 4_500, [["x", "y"], ["z"], ["y", "x"]] * 1_500
    found = rank_biased_overlap(a, b)
    assert found.reshape(1_500, 3) == pytest.approx(np.tile([1.0, 0.0, 0.9], (1_500, 1)))


def test_the_top_weighs_more_than_the_end() -> None:
    assert overlap("bacdef", "abcdef") < overlap("abcdfe", "abcdef")


@pytest.mark.parametrize(("a", "b", "expected"), [("", "", 1.0), ("", "ab", 0.0), ("ab", "cd", 0.0)])
def test_empty_and_disjoint_rankings(a: str, b: str, expected: float) -> None:
    assert overlap(a, b) == expected


def test_an_id_that_occurs_twice_counts_once_at_its_best_rank() -> None:
    assert overlap("aabca", "abac") == pytest.approx(overlap("abc", "abc"))


def test_no_queries_have_no_overlap() -> None:
    assert rank_biased_overlap([], []).shape == (0,)


@pytest.mark.parametrize("p", [0.0, 1.0, math.nan])
def test_a_p_out_of_range_is_refused(p: float) -> None:
    with pytest.raises(InputError, match="p must be between 0 and 1"):
        rank_biased_overlap([], [], p=p)


def test_other_queries_are_refused() -> None:
    with pytest.raises(InputError, match="the same queries, got 1 and 0"):
        rank_biased_overlap([["a"]], [])
