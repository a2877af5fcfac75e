"""What `rankle doctor` says of the machine."""

import shutil
import sqlite3
from pathlib import Path

import pytest

from rankle.app.doctor_machine import (
    Processors,
    check_disk,
    check_sqlite,
    check_threads,
    check_writable,
    processors,
)

TWO = Processors(2, 2)


def test_sqlite_has_full_text_search() -> None:
    (check,) = check_sqlite()
    assert check.state == "ok"
    assert check.says.startswith(sqlite3.sqlite_version)


@pytest.mark.parametrize(
    ("settings", "found", "says", "advice"),
    [
        ({}, TWO, "2 processors", None),
        ({"OMP_NUM_THREADS": "1"}, TWO, "2 processors; OMP_NUM_THREADS=1", None),
        ({"OMP_NUM_THREADS": "2,1"}, TWO, "2 processors; OMP_NUM_THREADS=2,1", None),
        ({"OPENBLAS_NUM_THREADS": "64"}, TWO, "OPENBLAS_NUM_THREADS=64 starts more threads than can run", 2),
        ({"OMP_NUM_THREADS": "many"}, TWO, "OMP_NUM_THREADS=many is no number of threads", 2),
        ({"OMP_NUM_THREADS": "0"}, TWO, "OMP_NUM_THREADS=0 is no number of threads", 2),
        ({}, Processors(64, 1.5), "numpy starts 64 threads, of which only 1.5 processors can run", 1),
        ({"OMP_NUM_THREADS": "1"}, Processors(64, 0.5), "0.5 processors; OMP_NUM_THREADS=1", None),
        ({}, Processors(1, 1), "1 processor", None),
    ],
)
def test_more_threads_than_processors_are_warned_of(
    settings: dict[str, str], found: Processors, says: str, advice: int | None
) -> None:
    (check,) = check_threads(settings, found)
    assert check.says.startswith(says)
    if advice is None:
        assert (check.state, check.next) == ("ok", None)
    else:
        assert check.state == "warning"
        assert check.next == f"export OMP_NUM_THREADS={advice} OPENBLAS_NUM_THREADS={advice}"


@pytest.mark.parametrize(("text", "share"), [("50000 100000\n", 0.5), ("max 100000\n", 1.0), ("", 1.0)])
def test_the_quota_of_a_container_counts(tmp_path: Path, text: str, share: float) -> None:
    quota = tmp_path / "cpu.max"
    quota.write_text(text, encoding="ascii")
    found = processors(quota)
    assert found.n_usable == (0.5 if share < 1 else found.n_seen)
    assert processors(tmp_path / "absent").n_usable == found.n_seen


def test_free_room_is_said_once_a_disk_for_folders_that_are_not_there_too(tmp_path: Path) -> None:
    (check,) = check_disk([("workspaces", tmp_path / "a" / "b"), ("models", tmp_path)])
    assert check.says.endswith(" GB free for workspaces, models")
    assert check.state == ("ok" if shutil.disk_usage(tmp_path).free > 1e9 else "warning")


@pytest.mark.parametrize(
    ("free", "state"), [(2_000_000_000, "ok"), (900_000_000, "warning"), (49_000_000, "fault")]
)
def test_little_room_is_a_warning_and_none_a_fault(tmp_path: Path, free: int, state: str) -> None:
    (check,) = check_disk([("models", tmp_path)], free_of=lambda _folder: free)
    assert check.state == state
    assert (check.next is None) == (state == "ok")
    assert check.says.startswith("2.0 GB free" if state == "ok" else f"{free // 1_000_000} MB free")


def test_a_folder_in_which_nothing_can_be_made_is_told_with_the_variable_that_names_another(
    tmp_path: Path,
) -> None:
    file = tmp_path / "file"
    file.touch()
    places = [("workspaces", file / "home", "RANKLE_HOME"), ("records", tmp_path / "new", "RANKLE_RECORDS")]
    (check,) = check_writable(places)
    assert check.state == "warning"
    assert check.says == f"nothing can be written to {file / 'home'}, where workspaces are kept"
    assert check.next is not None
    assert "RANKLE_HOME" in check.next
