"""What a rating may be, which queries are one, and which of a rater's ratings counts."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from rankle.core.errors import InputError
from rankle.core.rating import Rating, latest_ratings, query_key

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
ONE = Rating(
    query="reset it", document="a.md", chunk="chunk-000000000001", start=0, end=4, quote="text", rating=4,
    rater="anna", at=NOON,
)  # fmt: skip


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"rating": 0}, "from 1 to 5, got 0"),
        ({"rating": 6}, "from 1 to 5, got 6"),
        ({"query": " \n"}, "the query of a rating must be text"),
        ({"rater": ""}, "the rater of a rating must be text"),
        ({"start": 4}, "0 <= start < end, got 4 and 4"),
        ({"start": -1}, "0 <= start < end, got -1 and 4"),
    ],
    ids=str,
)
def test_what_is_no_rating_is_refused(change: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        replace(ONE, **change)


def test_queries_that_differ_in_case_or_white_space_are_one_within_a_collection() -> None:
    assert query_key(" Reset  IT\n", None) == query_key("reset it", None)
    assert query_key("reset it", "guides") != query_key("reset it", None)


def test_of_a_raters_ratings_the_latest_counts_whatever_their_order() -> None:
    later = replace(ONE, rating=2, at=NOON + timedelta(seconds=1), id=2, query="RESET it")
    assert latest_ratings([later, replace(ONE, id=3)]) == [later]
    same_moment = replace(ONE, rating=1, id=9)
    assert latest_ratings([same_moment, replace(ONE, id=8)]) == [same_moment]


def test_other_raters_chunks_and_queries_stand_beside() -> None:
    others = [
        ONE,
        replace(ONE, rater="ben"),
        replace(ONE, chunk="chunk-000000000002"),
        replace(ONE, query="x"),
    ]
    assert latest_ratings(others) == others
    assert latest_ratings([]) == []
