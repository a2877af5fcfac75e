"""What `rankle doctor` says of models, extras and the servers behind models."""

import importlib.util
import tomllib
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer

from rankle.app.doctor_models import ModelPlaces, check_endpoint, check_extras, check_models
from rankle.app.extras import EXTRAS, Extra
from rankle.core.health import Check
from rankle.models.e5_small import model_folder
from rankle.models.stored_model import Origin, store_model

HUB = "https://hub.invalid"
REPOSITORY = Path(__file__).parents[2]


def places(cache: Path, *, hub: str | None = HUB, key: str | None = None) -> ModelPlaces:
    return ModelPlaces(cache, hub, key, weights_package="nosuchweights")


def one(name: str, where: ModelPlaces) -> Check:
    (check,) = check_models([name, name], where)
    return check


def test_the_extras_and_their_packages_are_those_of_the_project_file() -> None:
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))
    declared = dict(project["project"]["optional-dependencies"])
    del declared["all"]
    everywhere = {
        name: sorted(line.partition(">")[0] for line in lines if ";" not in line)
        for name, lines in declared.items()
    }
    assert {extra.name: sorted(extra.packages) for extra in EXTRAS} == everywhere


def test_an_absent_extra_is_no_warning_and_names_its_command() -> None:
    (check,) = check_extras([Extra("none", ("nosuchpackage",), "nothing")])
    assert check.state == "ok"
    assert check.says == "none is not installed; it is for nothing"
    assert check.next == "pip install 'rankle[none]'"


def test_an_extra_that_is_installed_in_part_is_a_warning() -> None:
    (check,) = check_extras([Extra("half", ("click", "nosuchpackage"), "nothing")])
    assert check.state == "warning"
    assert check.says == "half is installed in part: nosuchpackage missing"
    assert check.next == "pip install 'rankle[half]'"


def test_an_extra_that_is_there_has_no_next_step() -> None:
    (check,) = check_extras([Extra("whole", ("click",), "commands")])
    assert (check.state, check.next) == ("ok", None)


def test_without_a_model_search_is_by_words(tmp_path: Path) -> None:
    assert one("none", places(tmp_path)).says == "none: search is by words alone"


def test_a_name_that_is_no_model_is_a_fault_with_the_nearest(tmp_path: Path) -> None:
    check = one("e5-smal", places(tmp_path))
    assert check.state == "fault"
    assert 'did you mean "e5-small"' in check.says


@pytest.mark.needs_local
def test_a_model_that_is_nowhere_is_downloaded_or_forbidden(tmp_path: Path) -> None:
    online = one("e5-small", places(tmp_path))
    assert (online.state, online.next) == ("warning", "rankle embed")
    assert HUB in online.says
    offline = one("e5-small", places(tmp_path, hub=None))
    assert (offline.state, offline.next) == ("warning", "unset HF_HUB_OFFLINE")


@pytest.mark.needs_local
@pytest.mark.parametrize("damage", ["cut short", "other bytes", "no manifest"])
def test_a_damaged_model_is_told_with_what_makes_it_anew(tmp_path: Path, damage: str) -> None:
    folder = model_folder(tmp_path)

    def write(where: Path) -> Origin:
        (where / "model.onnx").write_bytes(b"weights")
        return Origin("a test", "0" * 64)

    store_model(folder, write=write)
    assert one("e5-small", places(tmp_path)).state == "ok"
    if damage == "no manifest":
        (folder / "manifest.json").unlink()
    else:
        (folder / "model.onnx").write_bytes(b"w" if damage == "cut short" else b"weighty")
    check = one("e5-small", places(tmp_path))
    assert (check.state, check.next) == ("warning", f"rm -r {folder}")
    assert "is damaged" in check.says


@pytest.mark.needs_local
def test_a_model_of_ones_own_that_is_not_there_is_a_fault(tmp_path: Path) -> None:
    check = one(f"onnx:{tmp_path / 'mine'}", places(tmp_path))
    assert check.state == "fault"
    assert str(tmp_path / "mine") in check.says
    empty = one(f"onnx:{tmp_path}", places(tmp_path))
    assert (empty.state, "holds no ONNX model" in empty.says) == ("fault", True)
    (tmp_path / "model.onnx").touch()
    assert "has no tokenizer.json" in one(f"onnx:{tmp_path}", places(tmp_path)).says
    (tmp_path / "tokenizer.json").touch()
    assert one(f"onnx:{tmp_path}", places(tmp_path)).state == "ok"


def test_the_default_model_without_its_extra_names_the_command(tmp_path: Path) -> None:
    check = one("e5-small", places(tmp_path))
    if importlib.util.find_spec("onnxruntime") is None:
        assert (check.state, check.next) == ("warning", "pip install 'rankle[local]'")
    else:
        assert check.next != "pip install 'rankle[local]'"


@pytest.mark.needs_llm
def test_a_server_that_answers_is_well_and_is_sent_the_key(tmp_path: Path, httpserver: HTTPServer) -> None:
    httpserver.expect_request("/v1/models", headers={"Authorization": "Bearer k-123"}).respond_with_json({})
    url = httpserver.url_for("/v1")
    check = one(f"openai:bge@{url}", places(tmp_path, key="k-123"))
    assert (check.state, check.next) == ("ok", None)
    assert check.says == f"bge answers at {url}/models"
    assert "k-123" not in str(check)


@pytest.mark.needs_llm
def test_the_public_api_without_a_key_is_a_fault(tmp_path: Path) -> None:
    check = one("openai:text-embedding-3-small", places(tmp_path))
    assert (check.state, check.next) == ("fault", "set OPENAI_API_KEY")


@pytest.mark.parametrize(
    ("status", "state", "advice"),
    [
        (200, "ok", None),
        (404, "ok", None),
        (401, "warning", "set OPENAI_API_KEY"),
        (503, "warning", "see its log"),
    ],
)
def test_what_a_server_answers_decides(
    httpserver: HTTPServer, status: int, state: str, advice: str | None
) -> None:
    httpserver.expect_request("/x").respond_with_data("", status=status)
    check = check_endpoint("Model", httpserver.url_for("/x"), says="it")
    assert (check.state, check.next) == (state, advice)


def test_a_server_that_is_not_there_is_a_fault() -> None:
    with HTTPServer() as gone:  # of its own: that of the fixture serves all tests of a process
        url = gone.url_for("/v1")
    check = check_endpoint("Model", url, says="bge")
    assert check.state == "fault"
    assert f"bge cannot be reached at {url}: " in check.says
    assert check.next == "start the server, or mend the address"


@pytest.mark.parametrize("url", ["http://[", "localhost:8000", "http://a b/"])
def test_an_address_that_is_none_is_a_fault(url: str) -> None:
    assert check_endpoint("Model", url, says="bge").state == "fault"
