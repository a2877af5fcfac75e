# ruff: noqa: E501  (messages stand as they are printed)
"""`rankle index` and the rest, given what cannot be used: says so, exits with 2, loses nothing."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from fakes.command import BROKEN_PDF, GUIDE, fail, rankle, succeed, write_files


@pytest.fixture
def guide(tmp_path: Path) -> Path:
    return write_files(tmp_path / "guide", GUIDE)


@pytest.fixture
def database(guide: Path, home: Path) -> Path:
    """The file of a workspace with four documents."""
    succeed("index", guide)
    return home / "default" / "workspace.db"


@pytest.mark.parametrize(
    ("files", "args", "message"),
    [
        ({}, ["nowhere"], "nowhere does not exist. Name a folder or a file that holds documents"),
        ({"docs/a.md": "x"}, ["dcos"], 'docs"? Name a folder or a file that holds documents'),
        ({}, ["no/where"], "where does not exist. Name a folder or a file that holds documents"),
        ({"empty/.keep": ""}, ["empty"], "empty holds no documents; ignored or hidden: 1. Known are Markdown"),
        ({"in/a.png": "", "in/b.png": ""}, ["in"], "in holds no documents; files of no known kind: 2 .png. Known are"),
        ({"a.xyz": "x"}, ["a.xyz"], "a.xyz holds no documents; files of no known kind: 1 .xyz"),
        ({"in/a.md": "x"}, ["in", "in/a.md"], "Name only the outer one: rankle index"),
        ({"in/a.md": "x"}, ["in", "--chunker", "headin"], 'unknown chunker "headin"; did you mean "heading"?'),
        ({"in/a.md": "x"}, ["in", "--chunker", "fixed"], 'chunker "fixed": needs a number of tokens'),
        ({"in/a.md": "x", "b.md": "x"}, ["in", "b.md", "--as", "n"], "--as names one root"),
        ({"in/a.md": "x"}, ["in", "--as", "/n/"], '--as needs a name such as handbook or team/handbook, got "/n/"'),
        ({"in/a.pdf": BROKEN_PDF}, ["in"], "none of 1 files could be read; the workspace is as it was:"),
        ({"in/a.md": b"\x00\x01\x02" * 999}, ["in"], "none of 1 files could be read"),
        ({"in/a.md": "", "in/b.txt": " "}, ["in"], "none of 2 files holds text, so there is nothing to index; the workspace is as it was:\n  a.md\n  b.txt\n"),
        ({"in/a.pdf": BROKEN_PDF, "in/b.txt": ""}, ["in"], "none of 2 files could be read (1 hold no text); the workspace is as it was:"),
        ({"a.md": ""}, ["a.md"], "the file holds no text, so there is nothing to index; the workspace is as it was:"),
        ({"in/a.md": "x " * 600_000}, ["in", "--max-mb", "1"], "1 MB, more than the 1 MB allowed. Raise --max-mb"),
        ({}, [], "nothing was indexed yet. Name a folder: rankle index PATH"),
        ({"in/a.md": "x"}, ["in", "-w", "../x"], "a workspace is named by letters, digits"),
        ({"in/a.md": "x"}, ["in", "-w", "Workspace"], '"Workspace" (from -w) is no name for a workspace'),
    ],
)  # fmt: skip
def test_a_first_index_that_fails_leaves_no_workspace(
    tmp_path: Path,
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
    files: dict[str, str],
    args: list[str],
    message: str,
) -> None:
    monkeypatch.chdir(write_files(tmp_path, files))
    assert message in fail("index", *args)
    assert not home.exists() or not list(home.iterdir())


def test_an_index_that_fails_leaves_the_workspace_as_it_was(database: Path, guide: Path) -> None:
    before = succeed("docs", "list", "--json")
    for path in guide.rglob("*.*"):
        path.write_bytes(b"\x00\x01" * 999)
    assert "none of 4 files could be read; the workspace is as it was" in fail("index")
    assert succeed("docs", "list", "--json") == before


def test_an_indexed_folder_that_is_gone_is_an_error_and_not_a_deletion(database: Path, guide: Path) -> None:
    guide.rename(guide.with_name("moved"))
    assert f"{guide}, which was indexed, is gone." in fail("index")
    assert "4 documents" in succeed("docs", "list")


COMMANDS = [["search", "battery"], ["index"], ["docs", "list"], ["workspace", "info"], ["analytics"]]


@pytest.mark.parametrize("args", COMMANDS, ids=" ".join)
def test_a_newer_workspace_says_to_upgrade(database: Path, args: list[str]) -> None:
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("PRAGMA user_version = 99")
    assert fail(*args) == (
        f"Error: {database} was made by a newer rankle (schema 99; this one reads up to 2). "
        "Upgrade rankle, or name another workspace with -w\n"
    )


@pytest.mark.parametrize("args", COMMANDS, ids=" ".join)
def test_a_foreign_database_is_left_alone(home: Path, args: list[str]) -> None:
    path = home / "default" / "workspace.db"
    path.parent.mkdir(parents=True)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE theirs (x)")
    before = path.read_bytes()
    assert fail(*args) == (
        f"Error: {path} is not a rankle workspace. Move it away, or name another workspace with -w\n"
    )
    assert "stays as it is" in fail("workspace", "delete", "default", "--yes")
    assert path.read_bytes() == before


@pytest.mark.parametrize("args", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("keep", [10, 3_000])
def test_a_truncated_database_is_called_damaged(database: Path, args: list[str], keep: int) -> None:
    database.write_bytes(database.read_bytes()[:keep])
    assert f"Error: {database} is damaged" in fail(*args)
    assert "cannot be opened" in succeed("workspace", "list")
    succeed("workspace", "delete", "default", "--yes")
    assert not database.parent.exists()


def test_a_database_that_lost_its_end_is_called_damaged_where_it_is_read(database: Path) -> None:
    data = database.read_bytes()
    database.write_bytes(data[: len(data) // 2])
    for args in (["search", "battery"], ["index"], ["docs", "list"], ["workspace", "info"]):
        assert f"Error: {database} is damaged" in fail(*args)


def test_beside_a_writer_searches_run_and_a_second_writer_is_told_to_wait(
    database: Path, guide: Path
) -> None:
    write_files(guide, {"new.md": "# New\n"})
    with closing(sqlite3.connect(database, isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        assert "errors.md" in succeed("search", "voltage")
        assert fail("index", "--wait", "0") == (
            f"Error: {database} is locked: another process is writing to it. Wait for it, then try again\n"
        )
    assert "1 added" in succeed("index")


def test_a_workspace_that_another_process_has_open_is_not_taken_away(home: Path, tmp_path: Path) -> None:
    succeed("workspace", "create", "default")
    with closing(sqlite3.connect(home / "default" / "workspace.db")) as connection:
        connection.execute("SELECT count(*) FROM roots").fetchone()
        assert rankle("index", tmp_path / "nowhere").code == 2
    assert (home / "default" / "workspace.db").is_file()


def test_a_folder_around_or_inside_an_indexed_one_is_refused(database: Path, guide: Path) -> None:
    assert f"{guide / 'de'} lies inside {guide}, which is indexed as a whole." in fail("index", guide / "de")
    assert "Drop that first: rankle docs remove --root" in fail("index", guide.parent)
    assert "4 unchanged" in succeed("index")
