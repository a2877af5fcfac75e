import subprocess
import sys
from importlib import metadata

import pytest

import rankle


@pytest.mark.parametrize("name", rankle.PUBLIC)
def test_every_public_name_is_there(name: str) -> None:
    assert getattr(rankle, name) is not None
    assert name in dir(rankle)


def test_any_other_name_is_not() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        _ = rankle.nothing


def test_the_version_is_that_of_the_package() -> None:
    assert metadata.version("rankle") == rankle.__version__


def test_importing_it_imports_none_of_the_heavy_packages() -> None:
    program = "import sys, rankle; print(*sorted(m for m in sys.modules if '.' not in m))"
    loaded = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    ).stdout
    assert not {"numpy", "polars", "click", "rich", "sqlite3", "asyncio"} & set(loaded.split())
