"""Choosing a floor, worked out by hand, and the laws that hold for every choice."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankle.app.floor_choice import BestScore, best_floor, figures_of, halves, short_between


def scored(nothing: list[float | None], others: list[float | None]) -> list[BestScore]:
    """Queries that nothing answers, and others, by the scores of their best results."""
    return [
        BestScore(f"{side} {place}", side, score)
        for side, scores in ((False, nothing), (True, others))
        for place, score in enumerate(scores)
    ]


@pytest.mark.parametrize(
    ("nothing", "others", "floor"),
    [
        ([1.0, 2.0], [3.0, 4.0], 2.0),  # between 2 and 3: the shortest number near 2.5 that lies there
        ([1.0, 2.0], [10.0, 40.0], 6.0),
        ([0.1, 0.2], [0.2000001, 0.3], 0.2),
        # Between 1 and 2, and between 3 and 4, balanced accuracy is 3/4; the lower one abstains less.
        ([1.0, 3.0], [2.0, 4.0], 1.5),
        # One answerable query below costs less than letting two of three through.
        ([1.0, 2.0, 3.0], [0.5, 4.0, 5.0], 3.5),
        ([3.0, 4.0], [1.0, 2.0], None),  # the wrong way round: none is better
        ([1.0, 1.0], [1.0, 1.0], None),
        ([None, None], [1.0, 2.0], None),  # nothing found tells enough
        ([None, 1.0], [2.0, 3.0], 1.5),
        ([-2.0, -1.5], [-1.0, 0.5], -1.2),
        ([None], [None], None),
        ([1.0], [], None),
        ([], [], None),
    ],
)
def test_the_floor_has_the_highest_balanced_accuracy_and_of_equal_ones_is_the_lowest(
    nothing: list[float | None], others: list[float | None], floor: float | None
) -> None:
    assert best_floor(scored(nothing, others)) == floor


SCORES = st.lists(st.one_of(st.none(), st.floats(-50, 50)), min_size=1, max_size=12)


@given(SCORES, SCORES)
def test_no_floor_at_any_score_does_better(nothing: list[float | None], others: list[float | None]) -> None:
    queries = scored(nothing, others)

    def balance(floor: float | None) -> float:
        found = figures_of(queries, floor).balanced_accuracy
        assert found is not None
        return found

    best = balance(best_floor(queries))
    known = [score for score in (*nothing, *others) if score is not None]
    every = [None, *(score for score in known if score < max(known))]
    assert all(balance(floor) <= best + 1e-12 for floor in every)


@given(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6))
def test_a_short_number_lies_from_the_lower_on_and_below_the_higher(one: float, other: float) -> None:
    low, high = sorted((one, other))
    if low < high:
        assert low <= short_between(low, high) < high


def test_figures_are_the_hand_worked_ones() -> None:
    found = figures_of(scored([1.0, 2.0, None, 9.0], [1.5, 5.0, 6.0, 7.0, 8.0]), 2.0)
    assert [(one.n, one.n_of) for one in (found.precision, found.recall, found.answered)] == [
        (3, 4),
        (3, 4),
        (4, 5),
    ]
    assert found.balanced_accuracy == pytest.approx((3 / 4 + 4 / 5) / 2)
    # Newcombe on 3/4 - 1/5, whose Wilson intervals are 0.3006-0.9544 and 0.0362-0.6245
    assert (found.low, found.high) == pytest.approx(((1 - 0.0682) / 2, (1 + 0.8119) / 2), abs=5e-4)


def test_a_side_without_queries_has_no_balance() -> None:
    found = figures_of(scored([1.0, 2.0], []), 1.5)
    assert (found.balanced_accuracy, found.low, found.answered.share) == (None, None, None)


QUERIES = scored([0.0] * 21, [1.0] * 40)


def test_half_of_each_side_chooses_and_no_query_does_both() -> None:
    split = halves(QUERIES, seed=0)
    sizes = [
        [sum(q.answerable is side for q in part) for part in (split.dev, split.rest)]
        for side in (False, True)
    ]
    assert sizes == [[10, 11], [20, 20]]
    assert sorted(map(str, (*split.dev, *split.rest))) == sorted(map(str, QUERIES))


def test_the_split_depends_on_the_seed_and_not_on_the_order_of_the_set() -> None:
    shuffled = random.Random(1).sample(QUERIES, len(QUERIES))
    assert set(halves(shuffled, seed=0).dev) == set(halves(QUERIES, seed=0).dev)
    assert set(halves(QUERIES, seed=1).dev) != set(halves(QUERIES, seed=0).dev)


def test_a_query_that_is_asked_twice_is_on_one_half_alone() -> None:
    split = halves([*QUERIES, *QUERIES], seed=3)
    assert {query.text for query in split.dev}.isdisjoint(query.text for query in split.rest)
