"""An index that is interrupted or killed leaves the last complete state, and the next one goes on."""

import signal
import sqlite3
import subprocess
import time
from contextlib import closing
from pathlib import Path

import pytest

from fakes.command import GUIDE, start, succeed, write_files

N_MORE = 1_500


@pytest.fixture
def guide(tmp_path: Path) -> Path:
    """A folder that is indexed, to which much was added since."""
    folder = write_files(tmp_path / "guide", GUIDE)
    succeed("index", folder)
    text = "The pump is checked, the filter is cleaned, and the result is written into the list. " * 12
    write_files(folder, {f"more/{n}.md": f"# Number {n}\n\n{text}" for n in range(N_MORE)})
    return folder


def _wait_for_the_writer(database: Path, process: subprocess.Popen[str]) -> None:
    """Returns while the process holds the right to write: in the middle of its work."""
    with closing(sqlite3.connect(database, timeout=0, isolation_level=None)) as connection:
        while process.poll() is None:
            try:
                connection.execute("BEGIN IMMEDIATE")
            except sqlite3.OperationalError:
                return
            connection.rollback()
            time.sleep(0.005)
    raise AssertionError(f"it ended too early: {process.communicate()}")


def test_ctrl_c_keeps_the_last_complete_state(guide: Path, home: Path) -> None:
    indexing = start("index", guide)
    _wait_for_the_writer(home / "default" / "workspace.db", indexing)
    indexing.send_signal(signal.SIGINT)
    out, err = indexing.communicate(timeout=60)
    assert (indexing.returncode, out) == (130, "")
    assert err.lstrip() == "Interrupted. What was complete is kept.\n"
    assert "4 documents" in succeed("docs", "list")


def test_a_kill_keeps_the_last_complete_state_and_the_next_index_goes_on(guide: Path, home: Path) -> None:
    indexing = start("index", guide)
    _wait_for_the_writer(home / "default" / "workspace.db", indexing)
    indexing.kill()
    indexing.communicate(timeout=60)
    assert indexing.returncode == -signal.SIGKILL
    assert "4 documents" in succeed("docs", "list")
    assert "errors.md" in succeed("search", "voltage")
    assert f"Documents: {N_MORE:,} added, 0 updated, 0 removed, 4 unchanged\n" in succeed("index", guide)


def test_ctrl_c_in_the_first_index_leaves_no_workspace(guide: Path, home: Path) -> None:
    indexing = start("index", guide, "-w", "first")
    database = home / "first" / "workspace.db"
    while not database.is_file() and indexing.poll() is None:
        time.sleep(0.005)
    time.sleep(0.2)
    indexing.send_signal(signal.SIGINT)
    indexing.communicate(timeout=60)
    assert indexing.returncode == 130
    assert not database.parent.exists()
