"""What a store says of files that it cannot use; none of them is changed."""

import logging
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from fakes.recorded import FINISHED, PLAN, made_up, record
from fakes.unprivileged import unprivileged
from rankle.core.errors import RecordError
from rankle.records.schema import SCHEMA_VERSION
from rankle.records.store import Store, open_store


def test_a_missing_file_names_what_makes_one(place: Path) -> None:
    with pytest.raises(RecordError, match=r"there are no records at .* yet. `rankle eval SET` makes them"):
        open_store(place)
    assert not place.parent.exists()


def test_a_newer_file_stays_as_it_is(store: Store, place: Path) -> None:
    store.close()
    with closing(sqlite3.connect(place)) as connection:
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
        connection.commit()
    before = place.read_bytes()
    for create in (False, True):
        with pytest.raises(RecordError, match=rf"newer rankle \(schema {SCHEMA_VERSION + 1}; .* Upgrade"):
            open_store(place, create=create)
    assert place.read_bytes() == before


def test_the_database_of_another_program_stays_as_it_is(place: Path) -> None:
    place.parent.mkdir()
    with closing(sqlite3.connect(place)) as connection:
        connection.execute("CREATE TABLE theirs (x)")
    before = place.read_bytes()
    for create in (False, True):
        with pytest.raises(RecordError, match="no store of records; it stays as it is"):
            open_store(place, create=create)
    assert place.read_bytes() == before


def test_a_file_that_is_no_database_stays_as_it_is(place: Path) -> None:
    place.parent.mkdir()
    place.write_bytes(b"a letter, and no database at all" * 100)
    with pytest.raises(RecordError, match=r"damaged .*move the file away"):
        open_store(place, create=True)
    assert place.read_bytes().startswith(b"a letter")


def test_a_truncated_file_is_told_damaged(store: Store, place: Path) -> None:
    record(store, made_up(n_queries=100, n_results=50))
    store.close()
    place.write_bytes(place.read_bytes()[: place.stat().st_size // 2])
    with pytest.raises(RecordError, match=r"are damaged .*Put a copy back"), open_store(place) as again:
        again.load("latest")


def test_a_locked_store_is_told_so_and_loses_nothing(store: Store, place: Path) -> None:
    record(store, made_up())
    with (
        closing(sqlite3.connect(place, isolation_level=None)) as other,
        open_store(place, patience_s=0) as own,
    ):
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(RecordError, match=r"locked: another process is writing.*more than the 0 s.*Wait"):
            own.tag("latest", "main")
        assert own.load("latest").id == "0123456789ab"  # readers need not wait
        other.rollback()
        own.tag("latest", "main")


def test_who_waits_for_a_locked_store_is_told_of_it_once_and_goes_on(
    store: Store, place: Path, caplog: pytest.LogCaptureFixture
) -> None:
    record(store, made_up())
    with closing(sqlite3.connect(place, isolation_level=None, check_same_thread=False)) as other:
        other.execute("BEGIN IMMEDIATE")

        class LetGo(logging.Handler):
            """The other process is done as soon as somebody is told to wait."""

            def emit(self, _record: logging.LogRecord) -> None:
                if other.in_transaction:
                    other.rollback()

        handler = LetGo()
        logging.getLogger("rankle").addHandler(handler)
        try:
            store.tag("latest", "main")
            store.tag("latest", "best")
        finally:
            logging.getLogger("rankle").removeHandler(handler)
    assert [entry.getMessage() for entry in caplog.records] == [
        f"waiting up to 10 s for another process that is writing to the records {place}"
    ]
    assert store.info("latest").tags == ("best", "main")


def test_a_full_disk_is_told_and_what_was_complete_stays(store: Store) -> None:
    record(store, made_up())
    big = made_up("ffffffffffff", n_queries=200, n_results=100)
    writer = store.begin(big.facts, plan=PLAN)
    with store._database.writing() as connection:
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
    store._database._connection.execute(f"PRAGMA max_page_count = {pages + 4}")
    with pytest.raises(RecordError, match=r"the disk is full; .* last complete state"):
        writer.keep(big.outcomes)
    writer.close()
    assert (store.load("latest").id, store.info("ffff").n_done) == ("0123456789ab", 0)


def test_a_run_goes_on_once_there_is_room_again(store: Store) -> None:
    big = made_up("ffffffffffff", n_queries=200, n_results=100)
    writer = store.begin(big.facts, plan=PLAN)
    store._database._connection.execute("PRAGMA max_page_count = 20")
    with pytest.raises(RecordError, match="the disk is full"):
        writer.keep(big.outcomes)
    store._database._connection.execute("PRAGMA max_page_count = 1000000")
    writer.keep(big.outcomes)
    writer.finish(big.report, at=FINISHED)
    writer.close()
    assert store.load("latest") == big.report


def test_a_folder_that_may_not_be_written_to_is_told(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o555)
    with (
        unprivileged(closed),
        pytest.raises(RecordError, match=r"cannot be made: Permission denied.*--no-record"),
    ):
        open_store(closed / ".rankle" / "records.db", create=True)
    with unprivileged(closed), pytest.raises(RecordError, match="cannot be read or written"):
        open_store(closed / "records.db", create=True)


def test_a_folder_in_the_place_of_the_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="cannot be read or written"):
        open_store(tmp_path, create=True)
