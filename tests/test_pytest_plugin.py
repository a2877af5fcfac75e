"""Evals as tests of pytest: asked for by `--rankle`, passed as `rankle run` would, scores in the report."""

import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from fakes.command import write_files

EVALS = """
import rankle
from rankle.scorers import exact

ROWS = [{"input": word, "expected": word.upper()} for word in "abcd"]


@rankle.eval("Upper", data=ROWS, scorers=[exact()], threshold=70)
def upper(input):
    return input.upper()


@rankle.eval("Lower", data=ROWS, scorers=[exact()], threshold=70)
def lower(input):
    return input if input != "d" else "D"


@rankle.eval("Crashing", data=ROWS, scorers=[exact()])
def crashing(input):
    return {}[input]


@rankle.eval("Later", data=ROWS, scorers=[exact()], skip=True)
def later(input):
    return input
"""

OTHERS = ("cacheprovider", "langsmith_plugin", "hypothesispytest", "pytest_httpserver", "anyio")
"""Plugins that are installed beside ours, and take a second or two to import."""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return write_files(
        tmp_path, {"rankle.toml": "", "evals/words_eval.py": EVALS, "test_own.py": "def test_own(): pass\n"}
    )


def run_pytest(project: Path, *args: str) -> subprocess.CompletedProcess[str]:
    """In a process of its own, since the plugin is part of this one."""
    without = [part for plugin in OTHERS for part in ("-p", f"no:{plugin}")]
    command = [sys.executable, "-m", "pytest", *without, "--color=no", *args]
    return subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)


def test_unasked_no_eval_is_collected(project: Path) -> None:
    found = run_pytest(project)
    assert found.returncode == 0
    assert "1 passed" in found.stdout


def test_each_eval_is_a_test_that_passes_as_a_run_of_it_would(project: Path) -> None:
    found = run_pytest(project, "--rankle", "-v")
    assert found.returncode == 1
    assert "2 failed, 2 passed, 1 skipped" in found.stdout
    for name, outcome in (
        ("Upper", "PASSED"),
        ("Lower", "FAILED"),
        ("Crashing", "FAILED"),
        ("Later", "SKIPPED"),
    ):
        assert any(f"::{name} {outcome}" in line for line in found.stdout.splitlines())
    assert '"Lower" scores 25.0 %, under its threshold of 70 %' in found.stdout
    assert "KeyError: 'a'" in found.stdout


def test_scores_stand_in_the_report_and_in_junit(project: Path) -> None:
    found = run_pytest(project, "--rankle", "evals/words_eval.py", "--junit-xml=out.xml")
    assert "Upper: exact 1.000" in found.stdout
    assert "Lower: exact 0.250" in found.stdout
    assert "Crashing: exact —, 4 of 4 cases failed" in found.stdout
    cases = ET.parse(project / "out.xml").getroot().iter("testcase")
    properties = {
        case.get("name"): {one.get("name"): one.get("value") for one in case.iter("property")}
        for case in cases
    }
    assert properties["Lower"]["exact"] == "0.25"


def test_options_reach_the_evals(project: Path) -> None:
    upper = ("--rankle", "evals", "-k", "Upper")
    found = run_pytest(project, *upper, "--rankle-trials", "3", "--rankle-no-record")
    assert found.returncode == 0
    assert not (project / ".rankle").exists()
    refused = run_pytest(project, *upper, "--rankle-threshold", "0.7")
    assert refused.returncode == 1
    assert "--rankle-threshold" in refused.stdout


def test_runs_are_recorded_where_the_command_line_would(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("RANKLE_RECORDS")
    run_pytest(project, "--rankle", "evals", "-k", "Upper")
    assert (project / ".rankle" / "records.db").is_file()


def test_file_that_throws_is_an_error_of_collection(project: Path) -> None:
    write_files(project, {"evals/broken_eval.py": "import no_such_module_at_all"})
    found = run_pytest(project, "--rankle")
    assert found.returncode == 2
    assert "no_such_module_at_all" in found.stdout


def test_project_file_that_is_wrong_is_told(project: Path) -> None:
    write_files(project, {"rankle.toml": "[run]\ntrails = 3\n"})
    found = run_pytest(project, "--rankle")
    assert found.returncode == 4
    assert "trials" in found.stderr
