"""What every test may use."""

import gc
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from fakes.extras import EXTRAS, VARIABLE, require_extra

_REPOSITORY = Path(__file__).parent.parent

settings.register_profile("unhurried", deadline=None)  # a busy machine breaks no law
settings.load_profile("unhurried")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest first: nothing long is left for one worker while the other has nothing left."""
    items.sort(key=lambda item: item.path.parent.name != "quality")


def pytest_collection_finish() -> None:
    """Modules and tests stay to the end: to walk them in every collection of garbage is a tenth of a run.

    statsmodels collects for each of its answers.
    """
    gc.collect()
    gc.freeze()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Before any fixture is made: skip, or fail, what needs an extra that is not installed."""
    for mark in EXTRAS:
        if item.get_closest_marker(mark):
            require_extra(mark, demanded=os.environ.get(VARIABLE))


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of public data sets. Skips only where neither the variable nor the folder is there."""
    named = os.environ.get("RANKLE_SHARED_DATA")
    folder = (Path(named) if named else _REPOSITORY.parent / "shared" / "data").absolute()
    if folder.is_dir():
        return folder
    if named:
        pytest.fail(f"RANKLE_SHARED_DATA names {folder}, which is not a folder")
    pytest.skip(f"no public data at {folder}; set RANKLE_SHARED_DATA")


@pytest.fixture(scope="session")
def model_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where models are made ready, once a session for all its processes."""
    base = tmp_path_factory.getbasetemp()
    return (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "model-cache"


@pytest.fixture(scope="session", autouse=True)
def without_model_and_records() -> Iterator[None]:
    """No vectors unless a test asks: the real model takes seconds. No record in the current folder."""
    with pytest.MonkeyPatch.context() as environment:  # for fixtures of a whole module too
        environment.setenv("RANKLE_MODEL", "none")
        environment.setenv("RANKLE_RECORDS", "none")
        yield


@pytest.fixture(autouse=True)
def home(tmp_path: Path, model_cache: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of its own for every test, so that none touches the user's workspaces or models."""
    folder = tmp_path / "home"
    monkeypatch.setenv("RANKLE_HOME", str(folder))
    monkeypatch.setenv("RANKLE_CACHE", str(model_cache))
    monkeypatch.delenv("RANKLE_WORKSPACE", raising=False)
    monkeypatch.setenv("COLUMNS", "80")
    return folder
