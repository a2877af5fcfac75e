"""The package of docs/systems-of-packages.md, installed for real by pip, and what a broken one says."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from fakes.command import write_files
from tools.docs_check import REPOSITORY

_PAGE: Final = REPOSITORY / "docs" / "systems-of-packages.md"
_FILES: Final = re.compile(r"^(?:.*[. ])?`([\w.]+)`:\n\n```\w+\n(.*?)^```", re.MULTILINE | re.DOTALL)
_PROGRAM: Final = "from rankle.cli.main import run; run()"


def install(package: Path, target: Path) -> None:
    """By pip, with no index: what it takes to build is among what is installed for tests."""
    command = [
        sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps",
        "--no-index", "--no-build-isolation", "--target", str(target), str(package),
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def rankle(folder: Path, installed: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    paths = [str(installed), *filter(None, [os.environ.get("PYTHONPATH")])]
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    program = [sys.executable, "-c", _PROGRAM, *arguments]
    return subprocess.run(program, cwd=folder, env=environ, capture_output=True, text=True)


@pytest.fixture(scope="module")
def files() -> dict[str, str]:
    return dict(_FILES.findall(_PAGE.read_text(encoding="utf-8")))


@pytest.fixture(scope="module")
def installed(files: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that the package of the page was installed to."""
    package = write_files(tmp_path_factory.mktemp("package"), files)
    target = tmp_path_factory.mktemp("installed")
    install(package, target)
    return target


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    queries = [
        {"query": "battery", "relevant": ["errors.md"]},
        {"query": "pump", "relevant": ["guide/filter.md"]},
    ]
    lines = "".join(json.dumps(query) + "\n" for query in queries)
    return write_files(
        tmp_path,
        {
            "docs/errors.md": "Battery: charge the battery.",
            "docs/guide/pump.md": "The pump, a pump.",
            "docs/guide/filter.md": "Filter of the pump.",
            "docs/notes.txt": "battery battery battery",
            "set.jsonl": lines,
            "rankle.toml": '[systems.all]\nuri = "grep:docs"\npattern = "*"\n',
        },
    )


def test_the_page_has_the_whole_package(files: dict[str, str]) -> None:
    assert sorted(files) == ["pyproject.toml", "rankle_grep.py"]


def test_the_installed_package_is_measured(installed: Path, folder: Path) -> None:
    done = rankle(
        folder, installed, "eval", "set.jsonl", "--system", "grep:docs", "--system", "all", "-o", "runs.json"
    )
    assert (done.returncode, done.stderr) == (0, "")
    runs = json.loads((folder / "runs.json").read_text(encoding="utf-8"))["runs"]
    assert [run["measures"]["RR@10"]["mean"] for run in runs] == [0.75, 0.5]
    assert [run["system"]["method"] for run in runs] == ["grep", "all"]
    assert [run["system"]["name"] for run in runs] == ["grep:docs", "all"]


def test_what_it_refuses_ends_with_2_in_its_words(installed: Path, folder: Path) -> None:
    done = rankle(folder, installed, "eval", "set.jsonl", "--system", "grep:dogs")
    assert (done.returncode, done.stderr) == (2, "Error: grep:dogs is no folder\n")


def test_it_is_suggested_and_imported_only_when_it_is_named(installed: Path, folder: Path) -> None:
    done = rankle(folder, installed, "eval", "set.jsonl", "--system", "grpe:docs")
    assert 'unknown kind of system "grpe"; did you mean "grep"?' in done.stderr
    (installed / "broken-1.0.dist-info").mkdir()
    write_files(
        installed / "broken-1.0.dist-info",
        {
            "METADATA": "Metadata-Version: 2.1\nName: broken\nVersion: 1.0\n",
            "entry_points.txt": "[rankle.systems]\nbroken = no_such_module:open\nodd = json:decoder\n",
        },
    )
    assert rankle(folder, installed, "eval", "set.jsonl", "--system", "grep:docs").returncode == 0
    for name, words in {
        "broken:x": '"broken:" of broken (no_such_module:open) cannot be loaded: ModuleNotFoundError',
        "odd:x": '"odd:" of broken (json:decoder) is no function, which it must be: open(rest, options)',
    }.items():
        done = rankle(folder, installed, "eval", "set.jsonl", "--system", name)
        assert done.returncode == 2
        assert words in done.stderr
