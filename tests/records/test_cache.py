"""The cache gives back what was put, forgets what is old or too much, and never stands in the way."""

import hashlib
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from fakes.no_problem import no_problem
from rankle.core.cached import CachedOutput
from rankle.core.errors import RecordError
from rankle.harness.evals.keeping import Cache
from rankle.records.cache import RecordCache
from rankle.records.cache_contents import CacheLimits, read_contents
from rankle.records.database import Database

NOON = 1_796_040_000.0
"""2026-11-30T12:00:00Z"""
DAY = 24 * 60 * 60.0


class Clock:
    """Stands still until it is moved."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def problems() -> list[RecordError]:
    return []


@pytest.fixture
def cache(place: Path, clock: Clock, problems: list[RecordError]) -> Iterator[RecordCache]:
    with RecordCache(place, on_problem=problems.append, clock=clock) as opened:
        yield opened
    assert problems == []


def key(of: object) -> str:
    return hashlib.sha256(str(of).encode()).hexdigest()


def put(cache: RecordCache, of: object, value: bytes = b'"a"', *, kind: str = "task") -> None:
    cache.put(key(of), value, took_ms=12.5, kind=kind)


def kept(place: Path) -> set[str]:
    with closing(sqlite3.connect(place)) as connection:
        return {row[0] for row in connection.execute("SELECT key FROM cache")}


def test_it_is_what_evals_ask_for(cache: RecordCache) -> None:
    asked: Cache = cache  # mypy holds the two together
    assert asked.get(key("nothing")) is None


@pytest.mark.parametrize("value", [b"null", b'"short"', b'"' + b"long " * 1000 + b'"'], ids=len)
def test_what_was_put_is_given_back_at_once_and_by_another(
    cache: RecordCache, place: Path, value: bytes
) -> None:
    put(cache, "question", value)
    expected = CachedOutput(value, 12.5, "2026-11-30T12:00:00Z")
    assert cache.get(key("question")) == expected
    cache.close()
    with RecordCache(place, on_problem=no_problem, clock=lambda: NOON + 60) as again:
        assert again.get(key("question")) == expected


def test_putting_again_replaces(cache: RecordCache) -> None:
    put(cache, "question", b"1")
    assert cache.get(key("question")) is not None
    put(cache, "question", b"2")
    found = cache.get(key("question"))
    assert found is not None
    assert found.value == b"2"


def test_what_is_too_old_is_not_given_back_and_goes(cache: RecordCache, clock: Clock, place: Path) -> None:
    put(cache, "old")
    clock.now += 30 * DAY
    assert cache.get(key("old")) is not None
    put(cache, "new")
    clock.now += 1
    assert cache.get(key("old")) is None
    cache.close()
    assert kept(place) == {key("new")}


def test_what_was_used_longest_ago_goes_first(place: Path, clock: Clock) -> None:
    limits = CacheLimits(max_bytes=2000)
    for name in "abc":
        clock.now += DAY
        with RecordCache(place, on_problem=no_problem, limits=limits, clock=clock) as cache:
            put(cache, name, b"1" * 400)
    clock.now += DAY
    with RecordCache(place, on_problem=no_problem, limits=limits, clock=clock) as cache:
        assert cache.get(key("a")) is not None
    clock.now += DAY
    with RecordCache(place, on_problem=no_problem, limits=limits, clock=clock) as cache:
        for name in "de":
            put(cache, name, b"1" * 500)
    assert kept(place) == {key("a"), key("d"), key("e"), key("c")}


def test_it_stays_within_its_size_while_it_is_open(place: Path, clock: Clock) -> None:
    with RecordCache(
        place, on_problem=no_problem, limits=CacheLimits(max_bytes=10_000), clock=clock
    ) as cache:
        for number in range(200):
            clock.now += 1
            put(cache, number, b"1" * 500)
            assert cache.get(key(number)) is not None
        with closing(Database(place)) as database, database.reading() as connection:
            assert read_contents(connection).n_bytes <= 10_500


def test_what_is_larger_than_the_whole_cache_pushes_nothing_out(place: Path) -> None:
    with RecordCache(place, on_problem=no_problem, limits=CacheLimits(max_bytes=1000)) as cache:
        put(cache, "small")
        cache.put(key("large"), b"".join(b"%d" % number for number in range(5000)), took_ms=1, kind="task")
    assert kept(place) == {key("small")}


def test_threads_may_use_it_at_once(cache: RecordCache, place: Path) -> None:
    found: list[bytes] = []

    def work(own: int) -> None:
        for number in range(100):
            put(cache, (own, number), b"%d" % number)
            one = cache.get(key((own, number)))
            found.append(one.value if one else b"missing")

    threads = [threading.Thread(target=work, args=(own,)) for own in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(found) == sorted([b"%d" % number for number in range(100)] * 4)
    cache.close()
    assert len(kept(place)) == 400


def test_two_caches_of_one_store_see_each_other(cache: RecordCache, place: Path, clock: Clock) -> None:
    with RecordCache(place, on_problem=no_problem, clock=clock) as other:
        put(other, "theirs")
        assert other.get(key("theirs")) is not None
        assert cache.get(key("theirs")) is not None


def test_what_holds_a_secret_is_not_kept(place: Path) -> None:
    with RecordCache(place, on_problem=no_problem, withheld=["sk-planted-key"]) as cache:
        put(cache, "leaky", b'{"header":"Bearer sk-planted-key"}')
        put(cache, "fine")
        assert cache.get(key("leaky")) is None
    assert kept(place) == {key("fine")}
    assert b"sk-planted-key" not in place.read_bytes()


def test_a_store_that_fails_is_told_once_and_costs_no_run(place: Path, problems: list[RecordError]) -> None:
    with RecordCache(place, on_problem=problems.append, patience_s=0) as cache:
        put(cache, "before")
        assert cache.get(key("before")) is not None
        with closing(sqlite3.connect(place)) as connection:
            connection.execute("DROP TABLE cache")
            connection.commit()
        for _ in range(3):
            assert cache.get(key("before")) is None
            put(cache, "after")
    (problem,) = problems
    assert "no such table: cache" in str(problem)


def test_a_write_that_fails_is_told(place: Path, problems: list[RecordError]) -> None:
    with (
        RecordCache(place, on_problem=problems.append, patience_s=0) as cache,
        closing(sqlite3.connect(place, isolation_level=None)) as other,
    ):
        other.execute("BEGIN IMMEDIATE")
        put(cache, "question")
        assert cache.get(key("question")) is None
        other.rollback()
    (problem,) = problems
    assert "locked" in str(problem)
