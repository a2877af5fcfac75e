"""Models as the environment says."""

from pathlib import Path

import pytest

from rankle.app.wiring.models import embedder_factory, model_cache
from rankle.core.errors import UnknownNameError


def test_models_are_kept_where_the_variable_says(tmp_path: Path) -> None:
    assert model_cache({"RANKLE_CACHE": str(tmp_path)}) == tmp_path


def test_without_the_variable_models_are_kept_in_the_cache_of_the_user() -> None:
    assert model_cache({}) == model_cache({"RANKLE_CACHE": ""})
    assert model_cache({}).name == "rankle"


def test_a_folder_of_the_home_and_a_relative_one_are_made_absolute(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert model_cache({"RANKLE_CACHE": "~/models"}) == tmp_path / "models"
    assert model_cache({"RANKLE_CACHE": "models"}) == tmp_path / "models"


def test_the_factory_opens_models_by_name(tmp_path: Path) -> None:
    open_embedder = embedder_factory(environ={"RANKLE_CACHE": str(tmp_path)})
    assert open_embedder("fake:8").info.dimensions == 8
    with pytest.raises(UnknownNameError):
        open_embedder("no-such-model")
