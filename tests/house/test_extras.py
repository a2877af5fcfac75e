"""A test of an optional extra skips where the extra is absent, and never where all extras must be there."""

import sys
import tomllib
from pathlib import Path

import pytest

from fakes.extras import EXTRAS, require_extra

_REPOSITORY = Path(__file__).parents[2]


def pretend_absent(monkeypatch: pytest.MonkeyPatch, *packages: str) -> None:
    for package in packages:
        monkeypatch.setitem(sys.modules, package, None)


@pytest.mark.parametrize("mark", EXTRAS)
@pytest.mark.parametrize("demanded", [None, ""])
def test_an_absent_extra_skips_its_tests(
    mark: str, demanded: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    pretend_absent(monkeypatch, *EXTRAS[mark])

    with pytest.raises(pytest.skip.Exception, match=mark.removeprefix("needs_")):
        require_extra(mark, demanded=demanded)


@pytest.mark.parametrize("mark", EXTRAS)
def test_an_absent_extra_fails_its_tests_where_all_are_demanded(
    mark: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pretend_absent(monkeypatch, *EXTRAS[mark])

    with pytest.raises(pytest.fail.Exception, match=f"{EXTRAS[mark][0]}.* is not installed"):
        require_extra(mark, demanded="all")


@pytest.mark.needs_local
@pytest.mark.parametrize("package", EXTRAS["needs_local"])
def test_an_extra_of_which_a_part_is_absent_runs_its_tests(
    package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pretend_absent(monkeypatch, package)

    require_extra("needs_local", demanded=None)
    with pytest.raises(pytest.fail.Exception, match=f"^{package} is not installed"):
        require_extra("needs_local", demanded="all")


@pytest.mark.needs_local
@pytest.mark.needs_llm
def test_an_extra_that_is_there_runs_its_tests() -> None:
    for mark in EXTRAS:
        require_extra(mark, demanded="all")


def test_a_demand_that_nobody_understands_fails() -> None:
    with pytest.raises(pytest.fail.Exception, match='must be "all" or unset, got "llm"'):
        require_extra("needs_llm", demanded="llm")


def test_the_marks_and_their_packages_are_those_of_the_project_file() -> None:
    project = tomllib.loads((_REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))
    declared = project["project"]["optional-dependencies"]
    marks = project["tool"]["pytest"]["ini_options"]["markers"]

    for mark, packages in EXTRAS.items():
        assert any(line.startswith(f"{mark}:") for line in marks)
        everywhere = [line for line in declared[mark.removeprefix("needs_")] if ";" not in line]
        assert [line.partition(">")[0] for line in everywhere] == list(packages)


def test_ci_demands_all_extras() -> None:
    assert 'export RANKLE_EXTRAS="all"' in (_REPOSITORY / ".ci" / "run").read_text(encoding="utf-8")
