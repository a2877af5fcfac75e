"""The matrix is what the tables say, whatever became of its file, and whoever else looks."""

import os
import resource
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from fakes.recording_embedder import Models
from fakes.unprivileged import unprivileged
from kb.conftest import Bench
from kb.vectors.stored import assert_fits, execute, matrix
from rankle.kb.knowledge_base import KnowledgeBase
from rankle.kb.vectors.matrix import MATRIX_FILE, open_matrix


@pytest.fixture
def full(bench: Bench) -> Bench:
    bench.write(**{f"d{n}": f"Document {n} of ten." for n in range(10)})
    bench.kb.index(bench.docs)
    return bench


def _again(bench: Bench, models: Models) -> KnowledgeBase:
    """The same workspace as another process would open it."""
    return KnowledgeBase(bench.kb.folder, name="again", open_embedder=models)


def _file(bench: Bench) -> Path:
    return bench.kb.folder / MATRIX_FILE


def test_it_holds_every_vector_by_the_row_id_of_its_chunk(full: Bench) -> None:
    found = matrix(full.kb)
    assert found.vectors.shape == (10, 64)
    assert_fits(found, full.kb)


def test_without_a_model_and_without_chunks_it_is_empty(bench: Bench) -> None:
    assert matrix(bench.kb).vectors.shape == (0, 0)
    bench.kb.embed("fake")
    assert matrix(bench.kb).vectors.shape == (0, 64)


def test_another_process_takes_it_from_the_file(full: Bench, models: Models) -> None:
    matrix(full.kb)
    before = _file(full).stat().st_ino
    with _again(full, models) as again:
        assert_fits(matrix(again), full.kb)
    assert _file(full).stat().st_ino == before


def test_it_is_read_once_for_each_state(full: Bench) -> None:
    first = matrix(full.kb)
    assert matrix(full.kb) is first
    full.write(d0="Changed.")
    full.kb.index()
    assert matrix(full.kb) is not first
    assert matrix(full.kb).generation > first.generation


@pytest.mark.parametrize("change", ["edit", "remove", "remove root", "embed", "cut"])
def test_every_change_makes_it_anew(full: Bench, models: Models, change: str) -> None:
    matrix(full.kb)
    if change == "edit":
        full.write(d3="Changed entirely.")
        full.kb.index()
    elif change == "remove":
        full.kb.remove([full.kb.document("d3.md")])
    elif change == "remove root":
        full.kb.remove_root(full.docs)
    elif change == "embed":
        full.kb.embed("fake:8")
    else:
        full.kb.index(full.docs, chunker="sentence")
    assert_fits(matrix(full.kb), full.kb)
    with _again(full, models) as again:
        assert_fits(matrix(again), full.kb)


def test_what_was_given_out_stays_as_it_was(full: Bench) -> None:
    found = matrix(full.kb)
    before = found.vectors.copy()
    full.kb.embed("fake:8")
    matrix(full.kb)
    assert (found.vectors == before).all()


@pytest.mark.parametrize(
    "left", ["nothing", "empty", "header", "half", "garbage", "longer", "folder", "other"]
)
def test_a_file_that_does_not_fit_is_made_anew(full: Bench, models: Models, left: str) -> None:
    matrix(full.kb)
    path = _file(full)
    content = path.read_bytes()
    path.unlink()
    if left == "folder":
        path.mkdir()
    elif left == "other":  # as of a state that was rolled back: the same number, another mark
        path.write_bytes(content[:16] + os.urandom(8) + content[24:64] + os.urandom(len(content) - 64))
    elif left != "nothing":
        kept = {"empty": b"", "header": content[:40], "half": content[: len(content) // 2],
                "garbage": os.urandom(len(content)), "longer": content + b"\0"}  # fmt: skip
        path.write_bytes(kept[left])
    for _ in range(2):
        with _again(full, models) as again:
            assert_fits(matrix(again), full.kb)
    assert path.is_dir() if left == "folder" else path.read_bytes() == content


def test_a_process_that_was_killed_while_it_wrote_does_no_harm(full: Bench, models: Models) -> None:
    left = full.kb.folder / "vectors-killed.tmp"
    left.write_bytes(b"half of it")
    assert_fits(matrix(full.kb), full.kb)
    assert left.exists()  # it may be another process at work
    os.utime(left, (0, 0))
    full.kb.embed("fake:8")
    assert_fits(matrix(full.kb), full.kb)
    assert sorted(path.name for path in full.kb.folder.glob("vectors*")) == [MATRIX_FILE]


def test_a_reader_of_an_older_state_leaves_the_newer_file(full: Bench, models: Models) -> None:
    with full.kb._database.reading() as connection:
        connection.execute("SELECT count(*) FROM chunks").fetchone()  # from here on, this state
        with _again(full, models) as again:
            (full.docs / "d0.md").unlink()
            again.index()
            assert matrix(again).vectors.shape == (9, 64)
            before = _file(full).read_bytes()
            assert full.kb._vectors.matrix(connection).vectors.shape == (10, 64)
            assert _file(full).read_bytes() == before
    assert_fits(matrix(full.kb), full.kb)


def test_a_workspace_that_was_put_back_is_not_mistaken(full: Bench, models: Models, tmp_path: Path) -> None:
    full.kb.close()
    shutil.copytree(full.kb.folder, tmp_path / "copy")
    for text in ("One thing.", "Another thing."):
        full.write(d0=text)
        full.kb.index()
        found = matrix(full.kb)
        assert_fits(found, full.kb)
        full.kb.close()
        # The file of the matrix stays; the next edit comes to the same number.
        for path in full.kb.folder.glob("workspace.db*"):
            path.unlink()
        shutil.copy(tmp_path / "copy" / "workspace.db", full.kb.folder)
    assert_fits(matrix(full.kb), full.kb)


def test_a_folder_that_cannot_be_written_to_gives_it_from_memory(full: Bench, tmp_path: Path) -> None:
    with full.kb._database.reading() as connection:
        closed = tmp_path / "closed"
        closed.mkdir()
        closed.chmod(0o555)
        with unprivileged(tmp_path):
            assert_fits(open_matrix(connection, closed), full.kb)
        assert list(closed.iterdir()) == []
        assert_fits(open_matrix(connection, tmp_path / "missing"), full.kb)


def test_a_full_disk_gives_it_from_memory_and_leaves_nothing(full: Bench, tmp_path: Path) -> None:
    with full.kb._database.reading() as connection:
        connection.execute("SELECT count(*) FROM chunks").fetchone()
        with _no_file_above(500):
            found = open_matrix(connection, tmp_path)
    assert_fits(found, full.kb)
    assert list(tmp_path.glob("vectors*")) == []


@contextmanager
def _no_file_above(n_bytes: int) -> Iterator[None]:
    """A disk with that much room."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (n_bytes, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_threads_share_one(full: Bench) -> None:
    start, found = threading.Barrier(8), []

    def look() -> None:
        start.wait()
        found.append(matrix(full.kb))

    threads = [threading.Thread(target=look) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    assert all(each is found[0] for each in found)
    assert_fits(found[0], full.kb)


_LOOK = """
import hashlib, sys
from pathlib import Path
from rankle.kb.knowledge_base import KnowledgeBase
sys.stdin.readline()
with KnowledgeBase(Path(sys.argv[1]), name="w") as kb, kb._database.reading() as connection:
    print(hashlib.sha256(kb._vectors.matrix(connection).vectors.tobytes()).hexdigest())
"""


def test_processes_that_make_it_at_once_do_not_disturb_each_other(full: Bench) -> None:
    expected = subprocess.run(
        [sys.executable, "-c", _LOOK, str(full.kb.folder)],
        input="\n",
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    _file(full).unlink()
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", _LOOK, str(full.kb.folder)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        for _ in range(3)
    ]  # fmt: skip
    outputs = [process.communicate("\n", timeout=60) for process in processes]
    assert outputs == [(expected, "")] * 3
    assert [path.name for path in full.kb.folder.glob("vectors*")] == [MATRIX_FILE]


def test_a_change_behind_our_back_is_seen(full: Bench) -> None:
    matrix(full.kb)
    execute(full.kb, "DELETE FROM chunk_vectors WHERE chunk = 3")
    assert matrix(full.kb).vectors.shape == (9, 64)
    assert_fits(matrix(full.kb), full.kb)
