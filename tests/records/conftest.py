"""A store of its own for every test."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from rankle.records.store import Store, open_store


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / ".rankle" / "records.db"


@pytest.fixture
def store(place: Path) -> Iterator[Store]:
    with open_store(place, create=True) as opened:
        yield opened
