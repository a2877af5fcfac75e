"""`rankle eval` with several methods and settings of the search, over a small workspace with vectors."""

import json
from importlib.resources import files
from pathlib import Path

import jsonschema
import pytest

from fakes.command import MANUAL, fail, succeed, write_files
from rankle.core.run import RunReport
from rankle.reports.json import parse_json
from rankle.reports.methods import render_methods

QUERIES = [
    {"id": "r", "query": "red button", "relevant": ["reset.md"]},
    {"id": "b", "query": "charge overnight", "relevant": ["battery.md"]},
    {"id": "w", "query": "zeppelin", "relevant": ["warranty.md"]},
]
ALL = "fts5,vector,hybrid"


@pytest.fixture
def set_file(tmp_path: Path) -> Path:
    succeed("index", write_files(tmp_path / "docs", MANUAL), "--model", "fake")
    path = tmp_path / "set.jsonl"
    path.write_text("".join(json.dumps(query) + "\n" for query in QUERIES), encoding="utf-8")
    return path


def runs(set_file: Path, *options: str) -> tuple[RunReport, ...]:
    return parse_json(succeed("eval", set_file, "--json", *options))


def test_the_table_and_the_saved_records_tell_the_same(set_file: Path, tmp_path: Path) -> None:
    saved = tmp_path / "runs.json"
    options = ("--method", ALL, "-k", "1,3", "--intervals", "--funnel")
    printed = succeed("eval", set_file, *options, "-o", saved)
    reports = parse_json(saved.read_bytes())
    assert [report.system.method for report in reports] == ALL.split(",")
    assert printed == render_methods(reports, intervals=True, funnel=True, saved=True)
    schema = json.loads(files("rankle.reports").joinpath("schemas", "runs-1.json").read_text("utf-8"))
    jsonschema.Draft202012Validator(schema).validate(json.loads(saved.read_bytes()))
    assert printed.startswith(
        "Evaluation: set.jsonl (3 queries)\nMethods: fts5, vector, hybrid  level: document  k: 1, 3\n"
    )
    assert max(len(line) for line in printed.splitlines()) <= 80


def test_methods_may_be_named_in_one_option_or_in_several(set_file: Path) -> None:
    one, several = (
        runs(set_file, *options)
        for options in (("--method", "fts5,vector"), ("--method", "fts5", "--method", " vector"))
    )
    assert [report.measures for report in one] == [report.measures for report in several]


def test_one_method_gives_one_record_and_none_the_best(set_file: Path) -> None:
    assert [run.system.method for run in runs(set_file, "--method", "vector")] == ["vector"]
    assert [run.system.method for run in runs(set_file)] == ["hybrid"]
    assert "\nMethod: hybrid (the best of the workspace)  level: document" in succeed("eval", set_file)


def test_searches_are_timed_in_batches_or_one_by_one(set_file: Path) -> None:
    assert "Latency in batches of 3: " in succeed("eval", set_file)
    assert "\nLatency: p50 " in succeed("eval", set_file, "--one-by-one")
    assert "Latencies are shares of batches of up to 3 queries" in succeed("eval", set_file, "--method", ALL)
    assert "batches" not in succeed("eval", set_file, "--method", ALL, "--one-by-one")


def test_a_method_that_the_workspace_cannot_do_measures_nothing(set_file: Path, tmp_path: Path) -> None:
    output = tmp_path / "runs.json"
    succeed("index", tmp_path / "docs", "--no-vectors", "-w", "plain")
    told = fail("eval", set_file, "-w", "plain", "--method", "fts5,hybrid", "-o", output)
    assert "has no vectors" in told
    assert 'unknown method "bogus"' in fail("eval", set_file, "--method", "fts5,bogus", "-o", output)
    assert not output.exists()


def test_settings_of_the_search_reach_the_record(set_file: Path) -> None:
    options = ("--fusion", "rrf", "--vector-weight", "0.7", "--candidates", "2", "--collapse")
    words, both = runs(set_file, "--method", "fts5,hybrid", *options, "--per-document", "1")
    assert both.system.settings["fusion"] == {
        "kind": "rrf", "vector_weight": 0.7, "candidates": 2, "rrf_k": 60.0,
    }  # fmt: skip
    assert (words.system.settings["collapse"], words.system.settings["per_document"]) == (True, 1)
    assert both.system.stages == ["fts5", "vector", "fusion", "cut"]


def test_a_fusion_without_hybrid_is_refused(set_file: Path) -> None:
    told = fail("eval", set_file, "--method", "fts5,vector", "--vector-weight", "0.7")
    assert "are settings of method hybrid" in told
