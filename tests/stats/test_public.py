"""The public names of `rankle.stats`, and what importing them costs."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import rankle
from rankle import stats
from rankle.core.tables import Tabular

PAGE = Path(__file__).parents[2] / "docs" / "statistics.md"


@pytest.mark.parametrize("name", stats.PUBLIC)
def test_every_public_name_is_there_and_on_the_page(name: str) -> None:
    assert getattr(stats, name).__name__ == name
    assert name in dir(stats)
    assert f"`{name}" in PAGE.read_text(encoding="utf-8")


def test_no_public_name_is_also_a_module_that_would_hide_it() -> None:
    modules = {path.stem for path in Path(stats.__path__[0]).glob("*.py")}
    assert not modules & set(stats.PUBLIC)


def test_any_other_name_is_not() -> None:
    with pytest.raises(AttributeError, match=r"'rankle\.stats' has no attribute 'nothing'"):
        _ = stats.nothing


def test_it_is_reached_from_rankle_without_an_import_of_its_own() -> None:
    program = "import rankle; print(rankle.stats.holm([0.01, 0.04]))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "(0.02, 0.04)\n"
    assert rankle.stats is stats


@pytest.mark.parametrize(
    "result",
    [
        stats.paired_test([0.1, 0.5, 0.2], [0.3, 0.4, 0.9]),
        stats.power(variance=0.04, effect=0.05, n=50),
        stats.mean_interval([0.1, 0.5]),
        stats.tukey_hsd([[0.1, 0.5, 0.2], [0.3, 0.4, 0.9]]),
        stats.split_variance([[0.1, 0.5], [0.2]]),
        stats.cohen_kappa([1, 2], [1, 1]),
        stats.paired_slices([0.1], [0.2], {"all": [True]})[0],
    ],
    ids=lambda result: type(result).__name__,
)
def test_every_result_converts_and_shows(result: Tabular) -> None:
    assert json.loads(json.dumps(result.to_dict()))
    assert result.to_polars().height == len(result.to_pandas()) == len(result.to_rows())
    assert result._repr_html_().startswith("<table>")


def test_importing_it_imports_no_heavy_package() -> None:
    program = "import sys, rankle.stats; print(*sorted(m for m in sys.modules if '.' not in m))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert not {"numpy", "polars", "scipy"} & set(done.stdout.split())
