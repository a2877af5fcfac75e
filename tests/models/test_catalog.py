"""Models by name."""

from pathlib import Path

import pytest

from fakes.onnx_files import write_model
from rankle.core.errors import InputError, ModelError, UnknownNameError
from rankle.models.catalog import KNOWN_MODELS, open_embedder


@pytest.mark.parametrize("name", ["", "e5", "e5-smal", "onnx", "onnx:", "bert", "E5-small"])
def test_an_unknown_name_lists_those_that_exist(tmp_path: Path, name: str) -> None:
    with pytest.raises(UnknownNameError) as caught:
        open_embedder(name, cache=tmp_path)
    assert str(caught.value).startswith(f'unknown embedding model "{name}"')
    assert ", ".join(KNOWN_MODELS) in str(caught.value)


def test_a_misspelt_name_suggests_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match='did you mean "e5-small"'):
        open_embedder("e5_small", cache=tmp_path)


@pytest.mark.parametrize(("name", "dimensions"), [("fake", 64), ("fake:8", 8)])
def test_the_fake_is_opened_by_name(tmp_path: Path, name: str, dimensions: int) -> None:
    assert open_embedder(name, cache=tmp_path).info.dimensions == dimensions


@pytest.mark.parametrize("name", ["fake:", "fake:0", "fake:-1", "fake:many", "fake:²", "fake:65537"])
def test_dimensions_that_are_no_number_are_an_error(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match="whole number from 1 to 65,536, as in fake:64"):
        open_embedder(name, cache=tmp_path)


@pytest.mark.needs_local
def test_a_model_of_ones_own_is_opened_by_its_path(tmp_path: Path) -> None:
    folder = write_model(tmp_path / "with: colon")
    name = f"onnx:{folder}"
    assert open_embedder(name, cache=tmp_path).info.name == name


@pytest.mark.needs_local
def test_e5_small_is_opened_by_name_without_a_network(model_cache: Path) -> None:
    assert open_embedder("e5-small", cache=model_cache, hub=None).info.name == "e5-small"


@pytest.mark.needs_local
def test_a_path_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="does not exist"):
        open_embedder(f"onnx:{tmp_path / 'nowhere'}", cache=tmp_path)


@pytest.mark.needs_llm
def test_a_malformed_name_of_a_server_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="openai:MODEL@URL"):
        open_embedder("openai:", cache=tmp_path)
