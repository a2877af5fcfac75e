"""Ratings to a set: which rating counts, which grade it becomes, and what is left out."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from rankle.core.errors import InputError
from rankle.core.rating import Rating
from rankle.labels.consensus import lower_median
from rankle.labels.from_ratings import set_from_ratings

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


def rated(
    rating: int, *, chunk: int = 1, rater: str = "anna", query: str = "reset it", second: int = 0
) -> Rating:
    """A rating of one of several passages of one document."""
    return Rating(
        query=query, document="a.md", chunk=f"chunk-{chunk:012x}", start=chunk * 10, end=chunk * 10 + 4,
        quote=f"txt{chunk}", rating=rating, rater=rater, at=NOON + timedelta(seconds=second),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("grades", "middle"), [([3], 3), ([1, 5], 1), ([5, 4, 1], 4), ([2, 3, 4, 5], 3), ([4, 4], 4)], ids=str
)
def test_of_two_in_the_middle_the_lower_counts(grades: list[int], middle: int) -> None:
    assert lower_median(grades) == middle


@pytest.mark.parametrize(
    ("minimum", "grades"),
    [
        (1, {1: 1, 2: 2, 3: 3, 4: 4, 5: 5}),
        (2, {1: 0, 2: 1, 3: 2, 4: 3, 5: 4}),
        (3, {1: 0, 2: 0, 3: 1, 4: 2, 5: 3}),
        (4, {1: 0, 2: 0, 4: 1, 5: 2}),
        (5, {1: 0, 2: 0, 5: 1}),
    ],
)
def test_a_rating_becomes_a_grade_or_is_left_out(minimum: int, grades: dict[int, int]) -> None:
    made = set_from_ratings([rated(n, chunk=n) for n in range(1, 6)], minimum=minimum)
    (query,) = made.queries
    found = {int(label.chunk[-1]): label.grade for label in query.labels if label.chunk}
    assert found == grades
    assert made.n_between == 5 - len(grades)


def test_a_label_is_the_passage_with_its_chunk_beside() -> None:
    (query,) = set_from_ratings([rated(5)]).queries
    (label,) = query.labels
    assert label.to_json() == {
        "name": "a.md", "level": "span", "grade": 2, "relevant": None, "quote": "txt1", "start": 10,
        "end": 14, "chunk": "chunk-000000000001",
    }  # fmt: skip
    assert query.tags == ("rated",)


def test_the_latest_of_each_rater_and_the_median_of_all_count() -> None:
    ratings = [
        rated(1, rater="anna"),
        rated(5, rater="anna", second=1),
        rated(5, rater="ben"),
        rated(1, rater="cleo"),
    ]
    (query,) = set_from_ratings(ratings).queries
    assert [label.grade for label in query.labels] == [2]  # of 5, 5 and 1
    (query,) = set_from_ratings(ratings[1:2] + ratings[3:]).queries
    assert [label.grade for label in query.labels] == [0]  # of 5 and 1, the lower


def test_queries_of_one_spelling_are_one_line_spelled_as_last_and_of_two_collections_two() -> None:
    ratings = [
        rated(5, query="Reset it"),
        rated(4, query="reset  IT", chunk=2, second=9),
        replace(rated(4), collection="guides"),
    ]
    made = set_from_ratings(ratings)
    assert [(query.text, query.collection, len(query.labels)) for query in made.queries] == [
        ("reset IT", None, 2), ("reset it", "guides", 1),
    ]  # fmt: skip
    assert len({query.id for query in made.queries}) == 2


def test_the_set_does_not_depend_on_the_order_of_passages_and_the_best_come_first() -> None:
    ratings = [rated(1, chunk=1), rated(4, chunk=2), rated(5, chunk=3), rated(5, chunk=4)]
    (query,) = set_from_ratings(ratings).queries
    assert set_from_ratings(reversed(ratings)).queries == (query,)
    assert [(label.grade, label.span.start) for label in query.labels if label.span] == [
        (2, 30), (2, 40), (1, 20), (0, 10),
    ]  # fmt: skip


def test_a_query_with_nothing_but_ratings_between_is_left_out_and_counted() -> None:
    made = set_from_ratings([rated(3), rated(5, query="other")])
    assert [query.text for query in made.queries] == ["other"]
    assert (made.n_between, made.n_queries_between) == (1, 1)


def test_no_ratings_make_an_empty_set_and_a_wrong_minimum_is_refused() -> None:
    assert set_from_ratings([]).queries == ()
    with pytest.raises(InputError, match="from 1 to 5, got 6"):
        set_from_ratings([], minimum=6)
