"""Rows are written in their order and in few transactions; what cannot be written is told and given back."""

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from rankle.core.errors import RecordError
from rankle.records.group_writer import GroupWriter, Row
from rankle.records.store import Store

INSERT = "INSERT INTO eval_runs (family, created) VALUES (?, '')"


@pytest.fixture
def writer(store: Store) -> Iterator[GroupWriter]:
    opened = GroupWriter(store.path, patience_s=0)
    yield opened
    opened.close()


def row(name: object, *, size: int = 10) -> Row:
    return Row(INSERT, (str(name),), size)


def written(place: Path) -> list[str | bytes]:
    with closing(sqlite3.connect(place)) as connection:
        return [name for (name,) in connection.execute("SELECT family FROM eval_runs ORDER BY rowid")]


def test_rows_are_written_in_their_order(writer: GroupWriter, place: Path) -> None:
    for number in range(1000):
        writer.put(row(number))
    writer.flush()
    assert written(place) == [str(number) for number in range(1000)]


def test_a_row_is_written_without_being_waited_for(writer: GroupWriter, place: Path) -> None:
    writer.put(row("a"))
    patience = threading.Event()
    for _ in range(500):
        if written(place):
            break
        patience.wait(0.01)
    assert written(place) == ["a"]


def test_closing_writes_what_waits(store: Store, place: Path) -> None:
    writer = GroupWriter(store.path)
    for number in range(50):
        writer.put(row(number))
    writer.close()
    assert len(written(place)) == 50


def test_a_closed_writer_takes_nothing_and_keeps_nobody_waiting(store: Store, place: Path) -> None:
    writer = GroupWriter(store.path)
    writer.put(row("a"))
    writer.close()
    writer.flush()
    with pytest.raises(RecordError, match="closed"):
        writer.put(row("b"))
    with pytest.raises(RecordError, match="closed"):
        writer.call(lambda _: None)
    assert written(place) == ["a"]


def test_a_call_sees_what_was_put_before_it(writer: GroupWriter) -> None:
    for number in range(20):
        writer.put(row(number))
    count = writer.call(lambda connection: connection.execute("SELECT count(*) FROM eval_runs").fetchone()[0])
    assert count == 20


def test_a_call_that_fails_changes_nothing_and_stops_nobody(writer: GroupWriter, place: Path) -> None:
    def fail(connection: sqlite3.Connection) -> None:
        connection.execute(INSERT, ("half",))
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        writer.call(fail)
    writer.put(row("after"))
    writer.flush()
    assert written(place) == ["after"]


def test_threads_may_put_at_once(writer: GroupWriter, place: Path) -> None:
    def put(own: int) -> None:
        for number in range(200):
            writer.put(row(f"{own} {number}"))

    threads = [threading.Thread(target=put, args=(own,)) for own in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    writer.flush()
    found = written(place)
    for own in range(4):
        assert [name for name in found if str(name).startswith(f"{own} ")] == [
            f"{own} {n}" for n in range(200)
        ]


def test_who_puts_more_than_can_wait_is_held_up_and_not_for_ever(writer: GroupWriter, place: Path) -> None:
    for number in range(10):
        writer.put(row(number, size=20_000_000))
    writer.flush()
    assert len(written(place)) == 10


def test_what_cannot_be_written_is_told_and_given_back(writer: GroupWriter, place: Path) -> None:
    writer.put(row("before"))
    writer.flush()
    with closing(sqlite3.connect(place, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        writer.put(row("a"))
        with pytest.raises(RecordError, match="locked"):
            writer.flush()
        with pytest.raises(RecordError, match="locked"):
            writer.put(row("b"))
        other.rollback()
    assert [one.values for one in writer.unwritten] == [("a",)]
    assert written(place) == ["before"]


def test_what_takes_long_is_done_by_the_thread_that_writes(writer: GroupWriter, place: Path) -> None:
    threads = []

    def pack(value: bytes) -> bytes:
        threads.append(threading.current_thread())
        return value.upper()

    writer.put(Row(INSERT, (b"a",), 10, pack))
    writer.flush()
    assert written(place) == [b"A"]
    assert threads != [threading.current_thread()]


def test_a_value_that_no_column_takes_is_told(writer: GroupWriter) -> None:
    writer.put(Row(INSERT, (2**70,), 10))
    with pytest.raises(RecordError, match="OverflowError"):
        writer.flush()
