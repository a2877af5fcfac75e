"""What every test may use."""

import os
from pathlib import Path

import pytest

_REPOSITORY = Path(__file__).parent.parent


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


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of its own for every test, so that none touches the user's workspaces."""
    folder = tmp_path / "home"
    monkeypatch.setenv("RANKLE_HOME", str(folder))
    monkeypatch.delenv("RANKLE_WORKSPACE", raising=False)
    monkeypatch.setenv("COLUMNS", "80")
    return folder
