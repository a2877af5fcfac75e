"""A model in the cache is whole or not there."""

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from rankle.core.errors import ModelError
from rankle.models.stored_model import MANIFEST, Origin, drop_model, find_model, store_model

ORIGIN = Origin(source="a test", weights_sha256="0" * 64)


def _writes(content: bytes) -> Callable[[Path], Origin]:
    def write(folder: Path) -> Origin:
        (folder / "weights").write_bytes(content)
        return ORIGIN

    return write


def _of_another_version(folder: Path) -> None:
    text = (folder / MANIFEST).read_text()
    (folder / MANIFEST).write_text(text.replace("rankle.model/1", "rankle.model/9"))


def test_what_is_stored_is_found_and_verified(tmp_path: Path) -> None:
    stored = store_model(tmp_path / "models" / "m", write=_writes(b"abc"))
    assert find_model(tmp_path / "models" / "m") == stored
    assert stored.manifest.files["weights"].size == 3
    assert (stored.manifest.source, stored.manifest.weights_sha256) == ("a test", "0" * 64)
    stored.verify()


def test_where_nothing_is_nothing_is_found(tmp_path: Path) -> None:
    assert find_model(tmp_path / "m") is None


def test_a_changed_byte_is_found_by_the_checksum(tmp_path: Path) -> None:
    stored = store_model(tmp_path / "m", write=_writes(b"abc"))
    (stored.folder / "weights").write_bytes(b"abd")
    with pytest.raises(ModelError, match=r"weights is damaged: its checksum"):
        stored.verify()


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda m: (m / "weights").write_bytes(b"ab"), "has 2 bytes, 3 are expected"),
        (lambda m: (m / "weights").unlink(), "is missing, 3 are expected"),
        (lambda m: (m / MANIFEST).unlink(), "it has no manifest.json"),
        (lambda m: (m / MANIFEST).write_bytes(b"{"), "manifest.json is damaged"),
        (lambda m: (m / MANIFEST).write_bytes(b"{}"), "manifest.json is damaged"),
        (
            _of_another_version,
            "manifest.json is of another version: rankle.model/9, rankle.model/1 is expected",
        ),
    ],
    ids=["cut", "missing", "no manifest", "cut manifest", "empty manifest", "another version"],
)
def test_damage_is_found_without_reading_the_files(
    tmp_path: Path, damage: Callable[[Path], object], message: str
) -> None:
    folder = store_model(tmp_path / "m", write=_writes(b"abc")).folder
    damage(folder)
    with pytest.raises(ModelError, match=message):
        find_model(folder)


def test_a_model_without_a_needed_file_is_damaged(tmp_path: Path) -> None:
    store_model(tmp_path / "m", write=_writes(b"abc"))
    with pytest.raises(ModelError, match="it has no vocabulary"):
        find_model(tmp_path / "m", needed=("weights", "vocabulary"))


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device that is always full is Linux's")
def test_a_full_disk_is_told_and_leaves_nothing(tmp_path: Path) -> None:
    def write(folder: Path) -> Origin:
        (folder / "weights").write_bytes(b"abc")
        Path("/dev/full").write_bytes(b"abc")
        return ORIGIN

    with pytest.raises(ModelError, match=r"No space left on device; free some \d+ MB, or set RANKLE_CACHE"):
        store_model(tmp_path / "models" / "m", write=write)
    assert list((tmp_path / "models").iterdir()) == []


def test_whatever_ends_writing_leaves_nothing(tmp_path: Path) -> None:
    def write(folder: Path) -> Origin:
        (folder / "weights").write_bytes(b"abc")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        store_model(tmp_path / "models" / "m", write=write)
    assert list((tmp_path / "models").iterdir()) == []


def test_the_model_of_a_faster_process_is_taken(tmp_path: Path) -> None:
    def write(folder: Path) -> Origin:
        store_model(tmp_path / "m", write=_writes(b"theirs"))
        return _writes(b"ours")(folder)

    stored = store_model(tmp_path / "m", write=write)
    stored.verify()
    assert (stored.folder / "weights").read_bytes() == b"theirs"
    assert [path.name for path in tmp_path.iterdir()] == ["m"]


def test_what_a_killed_process_left_goes_once_it_is_old(tmp_path: Path) -> None:
    left, writing = tmp_path / ".unfinished-m-1", tmp_path / ".unfinished-m-2"
    for folder in (left, writing):
        folder.mkdir()
    two_hours_ago = time.time() - 7_200
    os.utime(left, (two_hours_ago, two_hours_ago))
    store_model(tmp_path / "m", write=_writes(b"abc"))
    assert sorted(path.name for path in tmp_path.iterdir()) == [".unfinished-m-2", "m"]


def test_a_dropped_model_is_gone_and_dropping_twice_is_fine(tmp_path: Path) -> None:
    folder = store_model(tmp_path / "m", write=_writes(b"abc")).folder
    drop_model(folder)
    drop_model(folder)
    assert list(tmp_path.iterdir()) == []


def test_a_cache_that_several_users_share_can_be_read_by_all(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        folder = store_model(tmp_path / "m", write=_writes(b"abc")).folder
    finally:
        os.umask(before)
    assert folder.stat().st_mode & 0o777 == 0o755
    assert {path.stat().st_mode & 0o777 for path in folder.iterdir()} == {0o644}
