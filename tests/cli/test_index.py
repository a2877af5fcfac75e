"""`rankle index`: what it says of what it did, and that it follows the files."""

import json
import signal
import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest

from fakes.command import BROKEN_PDF, GUIDE, fail, on_terminal, rankle, start, steady, succeed, write_files


@pytest.fixture
def guide(tmp_path: Path) -> Path:
    return write_files(tmp_path / "guide", GUIDE)


def test_the_first_index_makes_the_workspace(guide: Path) -> None:
    assert steady(succeed("index", guide)) == (
        "Workspace: default (new)\n"
        "Documents: 4 added, 0 updated, 0 removed, 0 unchanged\n"
        "Chunks: 4 in the added and updated documents\n"
        "Time: _ s, _ documents/s\n"
    )


def test_an_index_again_follows_additions_changes_and_deletions(guide: Path) -> None:
    succeed("index", guide)
    write_files(guide, {"new.md": "# New\n\nSomething.\n", "errors.md": "# Errors\n\nNone.\n"})
    (guide / "setup.md").unlink()
    assert steady(succeed("index")) == (
        "Workspace: default\n"
        "Documents: 1 added, 1 updated, 1 removed, 2 unchanged\n"
        "Chunks: 2 in the added and updated documents\n"
        "Time: _ s, _ documents/s\n"
    )


def test_all_that_was_not_indexed_is_said(guide: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(guide)
    succeed("index", ".")
    write_files(guide, {
        "manual.pdf": BROKEN_PDF, "photo.png": b"x", "a.zip": b"x", "b.zip": b"x", ".hidden": "x",
        ".rankleignore": "drafts/\n", "drafts/x.md": "x",
    })  # fmt: skip
    (guide / "gone.md").symlink_to(guide / "nowhere.md")
    (guide / "errors.md").unlink()
    (guide / "errors.md").symlink_to(guide / "nowhere.md")
    assert steady(succeed("index", ".")) == (
        "Workspace: default\n"
        "Documents: 0 added, 0 updated, 0 removed, 3 unchanged\n"
        "Time: _ s, _ documents/s\n"
        "Failed (3 files):\n"
        "  errors.md: cannot be read: No such file or directory\n"
        "  gone.md: cannot be read: No such file or directory\n"
        "  manual.pdf: is no readable PDF (Failed to load document (PDFium: Data format\n"
        "    error)). Open it in a viewer to check, and save it again\n"
        "Kept as last read, since the file cannot be read now:\n"
        "  errors.md\n"
        "Not read: 3 files of unknown kinds (2 .zip, 1 .png)\n"
        "Ignored or hidden: 2\n"
    )
    assert "3 files" in succeed("docs", "list", "--failed")


def test_json_has_all_of_it(guide: Path) -> None:
    write_files(guide, {f"{n:02}.pdf": BROKEN_PDF for n in range(25)})
    outcome = rankle("index", guide, "--json", "-w", "own")
    value = json.loads(outcome.out)
    assert outcome.code == 0
    assert list(value) == [
        "schema", "workspace", "new_workspace", "dry_run", "added", "updated", "unchanged", "removed",
        "n_chunks", "failures", "empty", "kept_after_failure", "notices", "unknown", "n_ignored", "vectors",
        "vectors_planned", "vectors_problem", "took_s", "documents_per_s",
    ]  # fmt: skip
    assert value["schema"] == "rankle.index/1"
    assert value["workspace"] == "own"
    assert value["added"] == ["de/wartung.md", "errors.md", "ja/filter.txt", "setup.md"]
    assert [Path(failure["path"]).name for failure in value["failures"]] == [f"{n:02}.pdf" for n in range(25)]


def test_people_see_the_first_twenty_failures(guide: Path) -> None:
    write_files(guide, {f"{n:02}.pdf": BROKEN_PDF for n in range(25)})
    printed = succeed("index", guide)
    assert "19.pdf" in printed
    assert "20.pdf" not in printed
    assert "  … and 5 more; --json lists all\n" in printed


def test_a_dry_run_names_what_would_change_and_keeps_nothing(guide: Path, home: Path) -> None:
    assert "Would be added:\n  de/wartung.md\n  errors.md\n" in succeed("index", guide, "--dry-run")
    assert not (home / "default").exists()
    succeed("index", guide)
    (guide / "setup.md").unlink()
    write_files(guide, {"errors.md": "changed"})
    printed = succeed("index", "--dry-run")
    assert "Workspace: default  dry run, nothing is kept\n" in printed
    assert "Would be updated:\n  errors.md\nWould be removed:\n  setup.md\n" in printed
    assert "4 documents" in succeed("docs", "list")


def test_collection_and_prefix_are_kept_with_the_folder(guide: Path) -> None:
    succeed("index", guide, "--collection", "manuals", "--as", "v1", "--chunker", "document")
    listed = json.loads(succeed("docs", "list", "--json"))["documents"]
    assert {(info["id"].split("/")[0], info["collection"]) for info in listed} == {("v1", "manuals")}
    assert "4 unchanged" in succeed("index", "--chunker", "document")


def test_the_same_ids_in_two_folders_need_a_prefix(guide: Path, tmp_path: Path) -> None:
    other = write_files(tmp_path / "other", {"setup.md": "# Setup\n\nAnother.\n"})
    succeed("index", guide)
    assert fail("index", other) == (
        f"Error: {other}: another root has documents of the same id: setup.md. "
        f"Give this root a name, which becomes a prefix: rankle index {other} --as NAME\n"
    )
    succeed("index", other, "--as", "other")
    assert "other/setup.md" in succeed("docs", "list")


def test_watch_follows_changes_survives_errors_and_ends_well(guide: Path) -> None:
    watching = start("index", guide, "--watch")
    assert watching.stdout is not None
    alarm = threading.Timer(60, watching.kill)  # so that a watch that says nothing fails, and does not hang
    alarm.start()
    try:
        _until(watching.stdout, "Watching; Ctrl-C ends it.")
        write_files(guide, {"late.md": "# Late\n\nThe zebra came late.\n"})
        assert " added late.md (" in _until(watching.stdout, "late.md")
        write_files(guide, {"bad.pdf": BROKEN_PDF, ".hidden.md": "unseen"})
        assert " failed " in _until(watching.stdout, "bad.pdf")
        for path in guide.iterdir():
            if path.suffix in {".md", ".pdf"}:
                path.unlink()
        assert " removed " in _until(watching.stdout, "removed")
        watching.send_signal(signal.SIGINT)
        assert watching.stdout.read() == "Stopped.\n"
        assert watching.wait() == 0
    finally:
        alarm.cancel()
        watching.kill()
        watching.communicate()
    assert "2 documents" in succeed("docs", "list")


def _until(lines: object, wanted: str) -> str:
    for line in lines:  # type: ignore[attr-defined]
        if wanted in line:
            return str(line)
    raise AssertionError(f"the output ended without {wanted!r}")


@pytest.mark.parametrize("other", ["--dry-run", "--json"])
def test_watch_refuses_what_does_not_go_with_it(guide: Path, other: str) -> None:
    assert (
        fail("index", guide, "--watch", other) == f"Error: --watch does not go with {other}; leave one out\n"
    )


def test_a_terminal_sees_a_bar_that_goes_away(guide: Path) -> None:
    code, seen = on_terminal("index", guide)
    assert code == 0
    assert "looking for documents" in seen
    assert "Documents: 4 added" in seen.rsplit("\x1b[2K", 1)[1]


def test_files_without_text_are_counted_apart_and_are_no_failures(guide: Path) -> None:
    write_files(guide, {f"p{n}/__init__.py": "" for n in range(5)} | {"front.md": "---\ntags: [x]\n---\n"})
    printed = succeed("index", guide)
    assert "Failed" not in printed
    assert "Without text: 6 files (front.md, p0/__init__.py, p1/__init__.py, 3 more)\n" in printed
    value = json.loads(succeed("index", "--json"))
    assert value["empty"] == ["front.md", *(f"p{n}/__init__.py" for n in range(5))]
    assert (value["failures"], len(value["unchanged"])) == ([], 4)


def test_a_document_that_became_empty_is_removed(guide: Path) -> None:
    succeed("index", guide)
    write_files(guide, {"errors.md": " \n"})
    assert "Would be removed:\n  errors.md\n" in succeed("index", "--dry-run")
    assert "0 updated, 1 removed, 3 unchanged" in succeed("index")
    assert "No results" in succeed("search", "voltage")
    write_files(guide, GUIDE)
    assert "1 added" in succeed("index")


def test_a_terminal_is_told_that_another_process_writes(guide: Path, home: Path) -> None:
    succeed("index", guide)
    with closing(sqlite3.connect(home / "default" / "workspace.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        code, seen = on_terminal("index", "--wait", "0.5")
    assert code == 2
    assert "waiting: another process writes" in seen
    assert "is locked: another process is writing to it" in seen
