"""A workspace that an older version made keeps working, with all that it holds."""

import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest

from kb.conftest import Bench
from rankle.core.errors import WorkspaceError
from rankle.kb.knowledge_base import KnowledgeBase
from rankle.kb.store.database import FILE_NAME
from rankle.kb.store.schema import APPLICATION_ID, SCHEMA_VERSION

_V1 = Path(__file__).with_name("schema_v1.sql").read_text(encoding="utf-8")
_TABLES = ("meta", "roots", "documents", "failures", "chunks")


@pytest.fixture
def old(bench: Bench, tmp_path: Path) -> Path:
    """A folder with a file of version 1: the tables that it had then, and the rows of a workspace."""
    bench.write(a="# Apples\n\nRed and sweet.", b="# Pears\n\nGreen. " + "More of it. " * 400)
    bench.kb.index(bench.docs)
    bench.kb.close()
    path = tmp_path / "old" / FILE_NAME
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(f"PRAGMA journal_mode = WAL; {_V1}")
        connection.execute("ATTACH ? AS new", (str(bench.kb.folder / FILE_NAME),))
        for table in _TABLES:
            connection.execute(f"INSERT INTO main.{table} SELECT * FROM new.{table}")
        fields = "title, breadcrumb, path, body, variants"
        connection.execute(
            f"INSERT INTO main.fulltext (rowid, {fields}) SELECT rowid, {fields} FROM new.fulltext"
        )
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute("PRAGMA user_version = 1")
        connection.commit()
    return path.parent


def _schema(path: Path) -> list[tuple[str, ...]]:
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (SCHEMA_VERSION,)
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        return connection.execute(
            "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY 1, 2"
        ).fetchall()


def test_the_file_becomes_one_like_those_that_are_made_now(old: Path, bench: Bench) -> None:
    KnowledgeBase(old, name="old").close()
    assert _schema(old / FILE_NAME) == _schema(bench.kb.folder / FILE_NAME)


def test_it_answers_as_before_and_can_be_indexed_further(old: Path, bench: Bench) -> None:
    with KnowledgeBase(old, name="old") as kb:
        assert kb.fingerprint() == bench.kb.fingerprint()
        assert kb.search("pears").hits == bench.kb.search("pears").hits
        assert kb.vector_state() is None
        bench.write(a="# Apples\n\nBrown now.")
        assert kb.index().updated == ["a.md"]
        assert [hit.document for hit in kb.search("brown")] == ["a.md"]


def test_several_at_once_bring_it_up_to_date_once(old: Path) -> None:
    start = threading.Barrier(4)
    found: list[object] = []

    def search() -> None:
        start.wait()
        with KnowledgeBase(old, name="old") as kb:
            found.append([hit.document for hit in kb.search("sweet")])

    threads = [threading.Thread(target=search) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [["a.md"]] * 4


def test_one_that_cannot_be_written_to_is_said_and_stays_as_it_was(old: Path) -> None:
    with closing(sqlite3.connect(old / FILE_NAME)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
        connection.execute("CREATE TABLE models (theirs)")  # so that a statement in the middle fails
    before = (old / FILE_NAME).read_bytes()
    with pytest.raises(WorkspaceError, match="table models already exists"):
        KnowledgeBase(old, name="old")
    assert (old / FILE_NAME).read_bytes() == before
