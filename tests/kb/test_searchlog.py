"""The log of searches: appended, read since a moment, and what happens where it cannot be."""

import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from kb.conftest import Bench
from rankle.core.errors import WorkspaceError
from rankle.kb.searchlog import FILE_NAME, LoggedSearch, SearchLog

NOON = datetime(2026, 11, 30, 12, 0, 0, 500_000, tzinfo=UTC)


def _entry(at: datetime = NOON, query: str = "apple") -> LoggedSearch:
    return LoggedSearch(at, query, "fts5", None, 3, 1.5, 0.5, 2.25)


def test_what_was_appended_is_read_back(tmp_path: Path) -> None:
    log = SearchLog(tmp_path)
    entries = [
        _entry(),
        LoggedSearch(NOON + timedelta(seconds=1), "", "fts5", "legal", 0, None, None, 0.1),
        _entry(query='"quotes" 東京 \n \\'),
    ]
    for entry in entries:
        log.append(entry)
    assert log.read() == entries


def test_nothing_logged_is_an_empty_list_and_makes_no_file(tmp_path: Path) -> None:
    assert SearchLog(tmp_path).read() == []
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("since", "n_found"),
    [
        (NOON - timedelta(seconds=1), 2),
        (NOON.replace(microsecond=0), 2),
        (NOON, 2),
        (NOON.astimezone(timezone(timedelta(hours=9))), 2),
        (NOON + timedelta(milliseconds=1), 1),
        (NOON + timedelta(seconds=1), 1),
        (NOON + timedelta(days=1), 0),
    ],
)
def test_reading_since_a_moment_includes_it(tmp_path: Path, since: datetime, n_found: int) -> None:
    log = SearchLog(tmp_path)
    log.append(_entry())
    log.append(_entry((NOON + timedelta(seconds=1)).astimezone(timezone(timedelta(hours=-5)))))
    assert len(log.read(since=since)) == n_found


@pytest.mark.parametrize("content", [b"no database " * 100, b"SQLite format 3\0" + b"\xff" * 200])
def test_a_damaged_log_says_how_to_go_on(tmp_path: Path, content: bytes) -> None:
    (tmp_path / FILE_NAME).write_bytes(content)
    log = SearchLog(tmp_path)
    with pytest.raises(WorkspaceError, match=r"cannot be read .*--no-log"):
        log.read()
    with pytest.raises(WorkspaceError, match=r"cannot be written .*--no-log"):
        log.append(_entry())


def test_a_log_of_another_shape_is_damaged_too(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / FILE_NAME)) as connection:
        connection.execute("CREATE TABLE searches (a, at)")
        connection.execute("INSERT INTO searches VALUES (1, '2026')")
        connection.commit()
    with pytest.raises(WorkspaceError, match="cannot be read"):
        SearchLog(tmp_path).read()


def test_a_locked_log_is_said_in_words(tmp_path: Path) -> None:
    log = SearchLog(tmp_path, patience_s=0.1)
    log.append(_entry())
    with closing(sqlite3.connect(tmp_path / FILE_NAME, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert len(log.read()) == 1
        with pytest.raises(WorkspaceError, match=r"cannot be written \(database is locked\)"):
            log.append(_entry())


def test_a_search_is_logged_only_where_it_is_asked_for(bench: Bench) -> None:
    bench.write(a="apple pie", b="apple")
    bench.kb.index(bench.docs)
    bench.kb.search("apple")
    assert bench.kb.log.read() == []
    result = bench.kb.search("apple zebra", k=1, log=True)
    (entry,) = bench.kb.log.read()
    assert (entry.query, entry.method, entry.collection, entry.n_results) == ("apple zebra", "fts5", None, 1)
    assert entry.top_score == result[0].score
    assert entry.coverage == 0.5
    assert entry.at.tzinfo == UTC


def test_a_search_without_result_is_logged_as_such(bench: Bench) -> None:
    bench.write(a="apple")
    bench.kb.index(bench.docs)
    bench.kb.search("zebra", collection="default", log=True)
    (entry,) = bench.kb.log.read()
    assert (entry.n_results, entry.top_score, entry.coverage, entry.collection) == (0, None, None, "default")


def test_logging_does_not_wait_for_an_index(bench: Bench) -> None:
    bench.write(a="apple")
    bench.kb.index(bench.docs)
    with bench.kb._database.writing():
        bench.kb.search("apple", log=True)
    assert len(bench.kb.log.read()) == 1
