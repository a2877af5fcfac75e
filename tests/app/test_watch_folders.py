"""Watching the folders of a project: what changes there is told, and nothing of folders that hold no code."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from fakes.command import write_files
from rankle.app.watch_folders import Changes, changes_below

_TICKS = 600
"""Each takes a tenth of a second: after so many a change was lost."""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    files = {"a.py": "", "lib/b.py": "", ".gitignore": "build/\n", "build/c.py": "", ".git/HEAD": "x"}
    return write_files(tmp_path.resolve() / "project", files)


def until(changes: Iterator[Changes], *wanted: Path) -> set[str]:
    """All that is told until these are among it."""
    told: set[str] = set()
    for _, changed in zip(range(_TICKS), changes, strict=False):
        told |= changed
        if {str(path) for path in wanted} <= told:
            return told
    raise AssertionError(f"{wanted} not among {told}")


def test_changes_are_told_and_those_of_ignored_folders_are_not(project: Path) -> None:
    changes = changes_below([project])
    assert next(changes) == frozenset()
    write_files(project, {"build/c.py": "x", ".git/HEAD": "y"})
    write_files(project, {"lib/b.py": "x", "a.py": "x"})
    told = until(changes, project / "lib" / "b.py", project / "a.py")
    assert told == {str(project / "lib" / "b.py"), str(project / "a.py")}


def test_folder_that_comes_is_watched_with_what_is_in_it(project: Path) -> None:
    changes = changes_below([project])
    next(changes)
    write_files(project, {"new/deep/d.py": ""})
    until(changes, project / "new" / "deep" / "d.py")
    (project / "new" / "deep" / "d.py").write_text("x")
    until(changes, project / "new" / "deep" / "d.py")


def test_folder_that_is_put_in_the_place_of_another_is_watched(project: Path) -> None:
    changes = changes_below([project])
    next(changes)
    shutil.rmtree(project / "lib")
    until(changes, project / "lib" / "b.py")
    write_files(project, {"lib/b.py": "again"})
    until(changes, project / "lib" / "b.py")
    (project / "lib" / "b.py").write_text("once more")
    until(changes, project / "lib" / "b.py")


def test_folder_that_is_ignored_no_more_is_watched(project: Path) -> None:
    changes = changes_below([project])
    next(changes)
    write_files(project, {".gitignore": ""})
    until(changes, project / ".gitignore", project / "build" / "c.py")
    (project / "build" / "c.py").write_text("x")
    until(changes, project / "build" / "c.py")


def test_files_and_folders_elsewhere_are_watched_once_they_are_named(project: Path, tmp_path: Path) -> None:
    other = write_files(tmp_path.resolve() / "other", {"rows.json": "", "deep/below.json": ""})
    named: set[str] = set()
    changes = changes_below([project], beside=lambda: named)
    next(changes)
    named |= {str(other), str(project / "build" / "rows.json"), str(tmp_path / "nowhere" / "x.json")}
    until(changes, other / "rows.json")
    (other / "deep" / "below.json").write_text("x")
    (project / "build" / "rows.json").write_text("x")
    until(changes, other / "deep" / "below.json", project / "build" / "rows.json")
