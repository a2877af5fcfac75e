"""Recorded runs of evals at the commands that show, list and export runs."""

import csv
import io
import json
from datetime import UTC
from pathlib import Path

import pytest

from fakes.command import fail, succeed
from fakes.evals_runs import rich_run
from fakes.recorded_evals import plan, record_evals
from fakes.schemas import valid_json
from rankle.app.history import list_runs
from rankle.cli.history_report import history_lines
from rankle.reports.evals_json import evals_json, parse_evals_json

SEARCH, ANSWERS = (f"evals/search_eval.py::{name}" for name in ("Vector search", "Answers"))


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RANKLE_RECORDS", str(tmp_path / "records.db"))
    return tmp_path


def record(*keys: str) -> str:
    return record_evals(Path("records.db").absolute(), *(plan(4, key=key) for key in keys))


def test_show_prints_the_run_as_it_was_printed_the_day_it_ran() -> None:
    record(SEARCH, ANSWERS)
    text = succeed("show", "latest")
    assert text.startswith("Eval: Vector search (evals/search_eval.py:12)\n4 cases of evals/queries.json\n")
    assert "\nEval: Answers (" in text
    end, about = text.rstrip("\n").split("\n\n")[-2:]
    assert end == "Verdict: everything was measured. Exit code 0."
    assert about.startswith("Run ")


def test_show_takes_one_eval_of_a_run() -> None:
    record(SEARCH, ANSWERS)
    text = succeed("show", "latest#Answers")
    assert "Vector search" not in text
    assert text.startswith("Eval: Answers (")
    assert 'unknown eval "Answer"; did you mean "Answers"' in fail("show", "latest#Answer")


def test_show_gives_the_whole_record_and_saves_it() -> None:
    run = record(SEARCH)
    found = valid_json(succeed("show", run, "--json", "--output", "evals.json"))
    assert found["id"] == run
    assert len(found["evals"][0]["cases"]) == 4
    assert json.loads(Path("evals.json").read_text()) == found
    assert succeed("show", "evals.json") == succeed("show", run)


@pytest.mark.parametrize(
    ("name", "begins"),
    [
        ("evals.md", "## Evals: "),
        ("evals.html", "<!doctype html>"),
        ("evals.csv", "eval,case,"),
        ("evals.xml", "<?xml"),
        ("evals.json", "{"),
    ],
)
def test_export_makes_what_the_name_of_the_file_tells(name: str, begins: str) -> None:
    record(SEARCH, ANSWERS)
    assert succeed("export", "latest", "-o", name) == ""
    assert Path(name).read_text(encoding="utf-8").startswith(begins)


def test_export_prints_the_format_that_is_named_and_markdown_by_default() -> None:
    record(SEARCH, ANSWERS)
    rows = list(csv.DictReader(io.StringIO(succeed("export", "latest#Answers", "--format", "csv"))))
    assert [(row["eval"], row["exact"]) for row in rows] == [(ANSWERS, "1.0")] * 4
    assert succeed("export", "latest").startswith("## Evals: everything was measured")
    assert succeed("export", "latest", "--format", "csv-measures").startswith("eval,scorer,")


def test_export_of_a_file_is_that_of_its_run() -> None:
    Path("evals.json").write_bytes(b"".join(evals_json(rich_run())))
    text = succeed("export", "evals.json", "--format", "json")
    assert parse_evals_json(text) == rich_run().report()


def test_export_refuses_rankings_and_several_runs_of_evals() -> None:
    record(SEARCH)
    record(SEARCH)
    assert "a run of evals has no rankings" in fail("export", "latest", "--format", "trec")
    error = fail("export", "latest~1", "latest")
    assert "a report is of one run of evals" in error
    assert "rankle compare latest~1 latest" in error


def test_export_adds_the_report_to_the_summary_of_a_job(monkeypatch: pytest.MonkeyPatch) -> None:
    record(SEARCH)
    summary = Path("summary.md")
    summary.touch()
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary.absolute()))
    assert succeed("export", "latest", "--github") == ""
    assert summary.read_text(encoding="utf-8").startswith("## Evals: ")


def test_history_lists_evals_by_their_names_and_tells_which_run_they_are_of() -> None:
    run = record(SEARCH, ANSWERS)
    lines = history_lines(list_runs(records=Path("records.db")), limit=20, zone=UTC, width=100)
    assert lines[0].split()[:4] == ["Run", "Begun", "Set", "Method"]
    assert all(name in line for name, line in zip(("Answers", "Vector search"), lines[1:3], strict=True))
    assert all(f"run {run[:8]}" in line for line in lines[1:3])


def test_the_json_of_history_tells_the_eval_and_its_run() -> None:
    run = record(SEARCH, ANSWERS)
    found = valid_json(succeed("history", "--json", "--set", "answers"))
    (only,) = found["runs"]
    assert only["eval"] == {"key": ANSWERS, "name": "Answers", "run": run, "trials": 1, "is_full": True}
