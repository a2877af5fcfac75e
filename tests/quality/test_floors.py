"""The quality that full-text search must reach on public data."""

from pathlib import Path

import pytest

from bench.quality import FLOORS, measure


@pytest.mark.shared_data
@pytest.mark.parametrize("name", FLOORS)
def test_full_text_reaches_its_floor(name: str, shared_data: Path, tmp_path: Path) -> None:
    quality = measure(name, data=shared_data, folder=tmp_path)
    floor = FLOORS[name]
    assert quality.measures[floor.measure] >= floor.floor
