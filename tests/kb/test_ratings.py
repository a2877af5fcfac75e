"""The store of ratings: what is added is read back, by several processes at once, and never lost unsaid."""

import multiprocessing
import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from rankle.core.errors import WorkspaceError
from rankle.core.rating import Rating
from rankle.kb.ratings import FILE_NAME, Ratings

NOON = datetime(2026, 11, 30, 12, 0, 0, 500_000, tzinfo=UTC)


def _rating(rating: int = 4, **others: object) -> Rating:
    members: dict[str, object] = {
        "query": "reset it", "document": "a.md", "chunk": "chunk-0a1b2c3d4e5f", "start": 0, "end": 4,
        "quote": "text", "rater": "anna", "at": NOON,
    }  # fmt: skip
    return Rating(rating=rating, **(members | others))  # type: ignore[arg-type]


def test_what_was_added_is_read_back_in_order_with_its_number(tmp_path: Path) -> None:
    ratings = Ratings(tmp_path)
    given = [
        _rating(),
        _rating(1, query='"quotes" 東京 \n \\', collection="legal", note="so, so", rater="Ää"),
        _rating(5, quote="q" * 50_000, end=50_000),
    ]
    kept = [ratings.add(rating) for rating in given]
    assert kept == [replace(rating, id=number) for number, rating in enumerate(given, start=1)]
    assert Ratings(tmp_path).read() == kept
    assert ratings.count() == 3


def test_a_time_of_another_zone_is_the_same_moment(tmp_path: Path) -> None:
    there = NOON.astimezone(timezone(timedelta(hours=9)))
    assert Ratings(tmp_path).add(_rating(at=there)).at == Ratings(tmp_path).read()[0].at == NOON


def test_nothing_rated_is_an_empty_list_and_makes_no_file(tmp_path: Path) -> None:
    ratings = Ratings(tmp_path)
    assert (ratings.read(), ratings.count(), ratings.remove([1])) == ([], 0, 0)
    assert list(tmp_path.iterdir()) == []


def test_a_number_is_never_given_twice(tmp_path: Path) -> None:
    ratings = Ratings(tmp_path)
    assert [ratings.add(_rating()).id for _ in range(2)] == [1, 2]
    assert ratings.remove([2, 7]) == 1
    assert ratings.add(_rating()).id == 3
    assert [rating.id for rating in ratings.read()] == [1, 3]


def _rate_many(folder: Path, rater: str) -> None:
    for place in range(20):
        Ratings(folder).add(_rating(rater=rater, start=place, end=place + 1))


def test_two_raters_at_once_lose_nothing(tmp_path: Path) -> None:
    """From the very first rating, which makes the file."""
    context = multiprocessing.get_context("spawn")
    raters = [context.Process(target=_rate_many, args=(tmp_path, name)) for name in ("anna", "ben")]
    for rater in raters:
        rater.start()
    for rater in raters:
        rater.join(60)
    assert [rater.exitcode for rater in raters] == [0, 0]
    found = Ratings(tmp_path).read()
    for name in ("anna", "ben"):
        assert [rating.start for rating in found if rating.rater == name] == list(range(20))


def test_who_waits_too_long_is_told(tmp_path: Path) -> None:
    Ratings(tmp_path).add(_rating())
    with closing(sqlite3.connect(tmp_path / FILE_NAME, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(WorkspaceError, match=r"ratings\.db is locked: another process is writing to it"):
            Ratings(tmp_path, patience_s=0).add(_rating())
    assert Ratings(tmp_path).count() == 1


@pytest.mark.parametrize("content", [b"no database " * 100, b"SQLite format 3\0" + b"\xff" * 200], ids=len)
def test_a_damaged_file_is_an_error_and_stays(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / FILE_NAME
    path.write_bytes(content)
    for use in (Ratings(tmp_path).read, Ratings(tmp_path).count, lambda: Ratings(tmp_path).add(_rating())):
        with pytest.raises(WorkspaceError, match="are damaged"):
            use()
    assert path.read_bytes() == content


def test_a_file_of_a_newer_version_or_of_something_else_is_refused(tmp_path: Path) -> None:
    ratings = Ratings(tmp_path)
    ratings.add(_rating())
    with closing(sqlite3.connect(ratings.path)) as connection:
        connection.execute("PRAGMA user_version = 2")
    with pytest.raises(WorkspaceError, match="made by a newer rankle"):
        ratings.add(_rating())
    ratings.path.unlink()
    with closing(sqlite3.connect(ratings.path)) as connection:
        connection.execute("CREATE TABLE photos (id)")
    with pytest.raises(WorkspaceError, match="holds no ratings of rankle"):
        ratings.read()
