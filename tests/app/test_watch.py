"""Watching roots: what changed is indexed, what fails is told, and a root that comes back is seen again."""

import shutil
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from fakes.command import GUIDE, succeed, write_files
from rankle.app.watch import WatchRound, follow, root_changes, roots_to_watch
from rankle.app.wiring.settings import load_settings
from rankle.kb.index_request import IndexRequest
from rankle.kb.vectors.choice import VectorWish


@pytest.fixture
def guide(tmp_path: Path) -> Path:
    folder = write_files(tmp_path / "guide", GUIDE)
    succeed("index", folder)
    return folder


def _request(*paths: Path) -> IndexRequest:
    return IndexRequest(paths=paths)


def test_each_root_that_changed_is_indexed_by_itself(guide: Path, tmp_path: Path) -> None:
    law = write_files(tmp_path / "law", {"law.md": "x"})
    rounds = follow([[guide], [law, guide]], _request(guide, law), settings=load_settings())
    done = [(each.root, each.report and each.report.added) for each in rounds]
    assert done == [(guide, []), (law, ["law.md"]), (guide, [])]


def test_an_error_ends_its_round_and_not_the_watch(guide: Path) -> None:
    def changes() -> Iterator[list[Path]]:
        guide.rename(guide.with_name("away"))
        yield [guide]
        guide.with_name("away").rename(guide)
        write_files(guide, {"new.md": "x"})
        yield [guide]

    bad, good = follow(changes(), _request(guide), settings=load_settings())
    assert bad.report is None
    assert "is gone" in str(bad.error)
    assert _added(good) == ["new.md"]


def _added(done: WatchRound) -> list[str]:
    assert done.error is None
    assert done.report is not None
    return done.report.added


def test_a_workspace_that_is_deleted_meanwhile_is_not_made_again(guide: Path, home: Path) -> None:
    shutil.rmtree(home / "default")
    (done,) = follow([[guide]], _request(guide), settings=load_settings())
    assert "no workspace at" in str(done.error)
    assert not (home / "default").exists()


def test_without_a_path_all_known_roots_are_watched(guide: Path, tmp_path: Path) -> None:
    law = write_files(tmp_path / "law", {"law.md": "x"})
    succeed("index", law)
    assert roots_to_watch(_request(), settings=load_settings()) == [guide, law]
    assert roots_to_watch(_request(law, law), settings=load_settings()) == [law]


@pytest.fixture
def stop() -> Iterator[threading.Event]:
    """Ends every watch in the end, and one that sees nothing after a minute, so that it fails."""
    event = threading.Event()
    alarm = threading.Timer(60, event.set)
    alarm.start()
    yield event
    event.set()
    alarm.cancel()


def test_a_root_that_is_taken_away_and_comes_back_is_watched_anew(guide: Path, stop: threading.Event) -> None:
    changes = root_changes([guide], stop=stop)
    assert next(changes) == [guide]  # once the watch is in place
    guide.rename(guide.with_name("away"))
    assert next(changes) == [guide]
    write_files(guide, {"other.md": "x"})
    assert next(changes) == [guide]  # there again
    write_files(guide, {"more.md": "x"})
    assert next(changes) == [guide]
    stop.set()
    assert list(changes) == []


def test_a_single_file_is_watched_although_editors_replace_it(guide: Path, stop: threading.Event) -> None:
    file = guide / "setup.md"
    changes = root_changes([file], stop=stop)
    assert next(changes) == [file]
    write_files(guide, {"errors.md": "a neighbour", ".setup.md.swp": "x", "new.md": "changed"})
    (guide / "new.md").replace(file)
    assert next(changes) == [file]


def test_hidden_files_are_no_change_but_ignore_files_are(guide: Path, stop: threading.Event) -> None:
    other = write_files(guide.with_name("other"), {"x.md": "x", ".git/HEAD": "x"})
    changes = root_changes([guide, other], stop=stop)
    assert next(changes) == [guide, other]
    write_files(other, {".git/HEAD": "y", ".x.md.swp": "x"})
    write_files(guide, {".rankleignore": "x"})
    assert next(changes) == [guide]


def test_what_changed_is_embedded_too(guide: Path) -> None:
    succeed("embed", "--model", "fake")
    write_files(guide, {"new.md": "x"})
    rounds = follow([[guide], [guide]], _request(guide), settings=replace(load_settings(), model=None))
    assert [each.report and each.report.embedding and each.report.embedding.n_texts for each in rounds] == [
        1,
        0,
    ]
    (done,) = follow([[guide]], _request(guide), settings=load_settings(), wish=VectorWish(model="fake:8"))
    assert done.report is not None
    assert done.report.embedding is not None
    assert done.report.embedding.replaced == "fake"


def test_text_is_told_beside_a_model_that_fails(guide: Path) -> None:
    write_files(guide, {"new.md": "x"})
    (done,) = follow([[guide]], _request(guide), settings=load_settings(), wish=VectorWish(model="nonsense"))
    assert done.report is not None
    assert done.report.added == ["new.md"]
    assert 'unknown embedding model "nonsense"' in str(done.error)
