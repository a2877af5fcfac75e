"""The workspace file: what it is, what breaks it, and what two processes do to each other."""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from kb.conftest import Bench
from rankle.core.errors import WorkspaceError
from rankle.kb.index_request import IndexRequest
from rankle.kb.indexing import index_paths
from rankle.kb.knowledge_base import KnowledgeBase
from rankle.kb.store.database import FILE_NAME, Database
from rankle.kb.store.schema import APPLICATION_ID, SCHEMA_VERSION


@pytest.fixture
def full(bench: Bench) -> Bench:
    bench.write(**{f"d{n:03}": f"Document {n} has words. " * 40 for n in range(60)})
    bench.kb.index(bench.docs)
    return bench


@pytest.fixture
def path(full: Bench) -> Path:
    full.kb.close()
    return full.kb.folder / FILE_NAME


def _alter(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()


def _refusal(path: Path) -> str:
    with pytest.raises(WorkspaceError) as caught, KnowledgeBase(path.parent, name="bench") as kb:
        kb.search("words")
    return str(caught.value)


def test_the_file_tells_what_it_is(path: Path) -> None:
    assert path.read_bytes()[68:72] == APPLICATION_ID.to_bytes(4, "big") == b"rnkl"
    with closing(sqlite3.connect(path)) as connection:
        found = [
            connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("user_version", "journal_mode")
        ]
    assert found == [SCHEMA_VERSION, "wal"]


def test_the_file_is_sound_after_edits_and_deletions(full: Bench) -> None:
    for n in range(0, 60, 2):
        (full.docs / f"d{n:03}.md").unlink()
    full.write(d001="Other words.")
    full.kb.index()
    full.kb.close()
    with closing(sqlite3.connect(full.kb.folder / FILE_NAME)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        connection.execute("INSERT INTO fulltext (fulltext, rank) VALUES ('integrity-check', 1)")
        counts = [
            connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
            for table in ("fulltext", "chunks")
        ]
    assert counts[0] == counts[1]


def test_no_workspace_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(WorkspaceError, match=r"no workspace at .*index PATH"):
        KnowledgeBase(tmp_path / "none", name="none")
    assert not (tmp_path / "none").exists()


def test_a_newer_workspace_is_left_alone(path: Path) -> None:
    _alter(path, f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    before = path.read_bytes()
    assert "made by a newer rankle" in _refusal(path)
    with pytest.raises(WorkspaceError, match="newer"):
        KnowledgeBase(path.parent, name="bench", create=True)
    assert path.read_bytes() == before


def test_a_foreign_database_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / FILE_NAME
    _alter(path, "CREATE TABLE theirs (a)", "INSERT INTO theirs VALUES (1)")
    before = path.read_bytes()
    assert "is not a rankle workspace" in _refusal(path)
    with pytest.raises(WorkspaceError, match="is not a rankle workspace"):
        KnowledgeBase(tmp_path, name="bench", create=True)
    assert path.read_bytes() == before


@pytest.mark.parametrize("content", [b"", b"no database at all, but some text " * 40])
def test_a_file_that_is_no_database_is_said(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / FILE_NAME
    path.write_bytes(content)
    assert "not a rankle workspace" in _refusal(path) or "damaged" in _refusal(path)
    assert path.read_bytes() == content


@pytest.mark.parametrize("share", [0.02, 0.1, 0.3, 0.5, 0.8, 0.99])
def test_a_truncated_database_is_damaged_in_words(path: Path, share: float) -> None:
    content = path.read_bytes()
    path.write_bytes(content[: int(len(content) * share)])
    assert "damaged" in _refusal(path)
    assert "index again" in _refusal(path)


def test_a_database_with_garbage_inside_never_breaks_in_other_words(path: Path) -> None:
    content = bytearray(path.read_bytes())
    for start in range(8_192, len(content), 16_384):
        content[start : start + 4_096] = os.urandom(4_096)
    path.write_bytes(content)
    assert "damaged" in _refusal(path)


def test_a_workspace_of_another_analysis_asks_for_an_index(full: Bench) -> None:
    full.kb.close()
    _alter(
        full.kb.folder / FILE_NAME, "UPDATE documents SET pipeline = 'prepare/0 analysis/0 chunker/heading'"
    )
    with pytest.raises(WorkspaceError, match=r"indexed by another version.*rankle index"):
        full.kb.search("words")
    assert len(full.kb.index().updated) == 60
    assert full.found("words")


@pytest.mark.parametrize("place", ["file", "below a file"])
def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path, place: str) -> None:
    file = tmp_path / "file"
    file.write_text("x")
    with pytest.raises(WorkspaceError, match=r"cannot be made: .*RANKLE_HOME"):
        KnowledgeBase(file if place == "file" else file / "below", name="w", create=True)


def test_a_failed_write_leaves_nothing_and_the_next_one_works(tmp_path: Path) -> None:
    database = Database(tmp_path / FILE_NAME, create=True)

    def write(key: str, then: Callable[[sqlite3.Connection], object]) -> None:
        with database.writing() as connection:
            connection.execute("INSERT INTO meta VALUES (?, 'b')", (key,))
            then(connection)

    with pytest.raises(WorkspaceError, match="no such table"):
        write("a", lambda connection: connection.execute("SELECT * FROM nowhere"))
    with pytest.raises(ZeroDivisionError):
        write("a", lambda _connection: 1 / 0)
    write("c", lambda _connection: None)
    with database.reading() as connection:
        assert connection.execute("SELECT key FROM meta").fetchall() == [("c",)]
    database.close()


def test_a_reader_sees_one_state_whatever_is_written_meanwhile(tmp_path: Path) -> None:
    database = Database(tmp_path / FILE_NAME, create=True)
    with database.reading() as reader:
        assert reader.execute("SELECT count(*) FROM meta").fetchone() == (0,)
        with database.writing() as writer:
            writer.execute("INSERT INTO meta VALUES ('a', 'b')")
        assert reader.execute("SELECT count(*) FROM meta").fetchone() == (0,)
    with database.reading() as reader:
        assert reader.execute("SELECT count(*) FROM meta").fetchone() == (1,)
    database.close()


# Two processes. The other one stops inside its transaction, after the file that it was told to stop at.

_INDEX = """
import sys, time
from pathlib import Path
from rankle.kb.indexing import index_paths
from rankle.kb.knowledge_base import KnowledgeBase
from rankle.kb.index_request import IndexRequest

workspace, docs, stop_at, signal = sys.argv[1:]

def progress(at):
    if at.name == stop_at:
        Path(signal).touch()
        while Path(signal).exists():
            time.sleep(0.01)

with KnowledgeBase(Path(workspace), name="bench", create=True) as kb:
    kb.index(docs, progress=progress)
"""


@contextmanager
def _other(bench: Bench, docs: Path, *, stop_at: str) -> Iterator[tuple["subprocess.Popen[str]", Path]]:
    """Another process that indexes `docs` and waits before `stop_at` until the signal file is deleted."""
    signal_file = bench.docs.parent / "waiting"
    process = subprocess.Popen(
        [sys.executable, "-c", _INDEX, str(bench.kb.folder), str(docs), stop_at, str(signal_file)],
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        _wait_for(lambda: signal_file.exists() or process.poll() is not None)
        assert process.poll() is None, process.stderr.read() if process.stderr else ""
        yield process, signal_file
    finally:
        process.kill()
        process.communicate()


def _wait_for(condition: Callable[[], bool]) -> None:
    for _ in range(3_000):
        if condition():
            return
        time.sleep(0.01)
    pytest.fail("waited for 30 s in vain")


def test_kill_9_in_the_middle_of_an_index_leaves_the_last_complete_state(full: Bench) -> None:
    before = (full.kb.fingerprint(), full.kb.documents())
    full.write(**{f"d{n:03}": f"Changed {n}. " * 40 for n in range(60)})
    with _other(full, full.docs, stop_at="d050.md") as (process, _signal_file):
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    assert (full.kb.fingerprint(), full.kb.documents()) == before
    assert full.found("changed") == []
    assert len(full.kb.index().updated) == 60
    assert len(full.found("changed")) == 60


def test_kill_9_in_the_first_index_leaves_an_empty_workspace(bench: Bench) -> None:
    bench.write(a="alpha", b="beta")
    with _other(bench, bench.docs, stop_at="b.md") as (process, _signal_file):
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    assert bench.kb.documents() == []
    assert bench.kb.index(bench.docs).added == ["a.md", "b.md"]


def test_a_search_during_an_index_of_another_process_sees_the_old_state(full: Bench) -> None:
    full.write(d000="Changed entirely.")
    with _other(full, full.docs, stop_at="d030.md") as (process, signal_file):
        assert full.found("changed") == []
        assert full.found('"document 0"') == ["d000.md"]
        signal_file.unlink()
        assert process.wait(timeout=30) == 0
    assert full.found("changed") == ["d000.md"]


def test_a_second_index_waits_for_the_first_and_loses_nothing(full: Bench, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "x.md").write_text("xylophone")
    (other / "y.md").write_text("yak")
    with _other(full, other, stop_at="y.md") as (process, signal_file):
        full.write(d000="Changed entirely.")
        timer = subprocess.Popen([sys.executable, "-c", _RELEASE, str(signal_file)])
        report = full.kb.index(full.docs)
        timer.wait()
        assert process.wait(timeout=30) == 0
    assert report.updated == ["d000.md"]
    assert full.found("xylophone") == ["x.md"]
    assert full.found("changed") == ["d000.md"]
    assert len(full.kb.roots()) == 2


_RELEASE = "import sys, time, pathlib; time.sleep(0.5); pathlib.Path(sys.argv[1]).unlink()"


def test_two_first_indexes_of_colliding_folders_do_not_overwrite_each_other(
    bench: Bench, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "a.md").write_text("xylophone")
    (other / "z.md").write_text("zebra")
    bench.write(a="apple")
    with _other(bench, other, stop_at="z.md") as (process, signal_file):
        timer = subprocess.Popen([sys.executable, "-c", _RELEASE, str(signal_file)])
        with pytest.raises(Exception, match=r"same id: a\.md"):
            bench.kb.index(bench.docs)
        timer.wait()
        assert process.wait(timeout=30) == 0
    assert bench.found("xylophone") == ["a.md"]


def test_a_writer_that_waited_in_vain_says_that_the_file_is_locked(full: Bench) -> None:
    path = full.kb.folder / FILE_NAME
    impatient = Database(path, write_patience_s=0.1)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        other.execute("INSERT INTO meta VALUES ('a', 'b')")
        with pytest.raises(WorkspaceError, match="is locked: another process is writing"):
            index_paths(impatient, IndexRequest(paths=()), now="")
        assert full.found("words")
        assert full.kb.index(dry_run=True).unchanged
        other.execute("ROLLBACK")
    assert index_paths(impatient, IndexRequest(paths=()), now="").unchanged
    impatient.close()


def test_a_writer_that_has_to_wait_is_told_so_once_and_goes_on(full: Bench) -> None:
    told: list[str] = []
    with closing(sqlite3.connect(full.kb.folder / FILE_NAME, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")

        def release() -> None:
            told.append("waiting")
            other.execute("ROLLBACK")

        full.write(d000="Changed entirely.")
        assert full.kb.index(waiting=release).updated == ["d000.md"]
        assert told == ["waiting"]
        assert full.kb.index(waiting=release).updated == []
        assert told == ["waiting"]
        other.execute("BEGIN IMMEDIATE")
        full.kb.remove([full.kb.document("d000.md")], waiting=release)
        other.execute("BEGIN IMMEDIATE")
        assert full.kb.remove_root(full.docs, waiting=release) == 59
    assert told == ["waiting"] * 3


# The file behind an open workspace goes away, or another one takes its place.


def test_a_deleted_workspace_answers_nothing_more(full: Bench) -> None:
    assert full.found("words")
    shutil.rmtree(full.kb.folder)
    for use in (lambda: full.found("words"), full.kb.documents, full.kb.fingerprint, full.kb.info):
        with pytest.raises(WorkspaceError, match=r"no workspace at .*index PATH"):
            use()
    assert not full.kb.folder.exists()


def test_a_deleted_workspace_is_made_again_by_the_next_index(full: Bench) -> None:
    shutil.rmtree(full.kb.folder)
    assert len(full.kb.index(full.docs).added) == 60
    full.kb.close()
    with KnowledgeBase(full.kb.folder, name="again") as again:
        assert len(again.documents()) == 60


def test_a_workspace_that_was_replaced_is_the_new_one(full: Bench, tmp_path: Path) -> None:
    assert full.found("xylophone") == []
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "x.md").write_text("xylophone")
    with KnowledgeBase(tmp_path / "new", name="new", create=True) as new:
        new.index(tmp_path / "other")
    shutil.rmtree(full.kb.folder)
    (tmp_path / "new").rename(full.kb.folder)
    assert full.found("xylophone") == ["x.md"]
    assert full.found("words") == []


def test_a_workspace_that_is_deleted_while_it_is_written_to_is_an_error(full: Bench) -> None:
    full.write(d000="Changed entirely.")
    with pytest.raises(WorkspaceError, match="was deleted or replaced while it was written to"):
        full.kb.index(progress=lambda _: shutil.rmtree(full.kb.folder, ignore_errors=True))
    assert not full.kb.folder.exists()


def test_a_damaged_workspace_names_itself_in_the_advice(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:3_000])
    assert "`rankle workspace delete workspace` and index again" in _refusal(path)
