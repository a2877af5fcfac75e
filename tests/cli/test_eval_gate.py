"""`rankle eval --gate` over a small workspace: what is measured for it, what is printed, how it exits."""

import json
from importlib.resources import files
from pathlib import Path
from xml.etree import ElementTree as ET

import jsonschema
import pytest

from fakes.command import fail, rankle, succeed, write_files
from rankle.reports.json import parse_json

WORDS = ["okapi", "zebra", "hammer", "screw", "battery", "warranty"]


@pytest.fixture(autouse=True)
def queries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Seven queries: six find their one document first, the last finds nothing."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RANKLE_RECORDS", str(tmp_path / "records.db"))
    write_files(tmp_path / "docs", {f"{n}.md": f"All about the {word}.\n" for n, word in enumerate(WORDS)})
    succeed("index", tmp_path / "docs")
    asked = [*enumerate(WORDS), (0, "zeppelin")]
    lines = [json.dumps({"id": word, "query": word, "relevant": [f"{n}.md"]}) for n, word in asked]
    (tmp_path / "set.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return tmp_path / "set.jsonl"


def project(text: str) -> None:
    Path("rankle.toml").write_text(text, encoding="utf-8")


@pytest.mark.parametrize(("floor", "code"), [("0.85", 0), ("0.86", 1)])
def test_the_verdict_stands_below_the_report_and_is_the_exit_code(
    queries: Path, floor: str, code: int
) -> None:
    """Six of seven queries are answered at rank 1: 0.857."""
    project(f'[gates.floors]\n"nDCG@10" = {floor}')
    outcome = rankle("eval", queries, "--gate")
    assert (outcome.code, outcome.err) == (code, "")
    report, _, verdict = outcome.out.partition("\nGate rankle.toml: ")
    assert "NDCG            0.857" in report
    assert "0.857 over 7 queries" in verdict


def test_without_gate_the_project_is_not_asked(queries: Path) -> None:
    project('[gates.floors]\n"nDCG@10" = 0.99')
    outcome = rankle("eval", queries)
    assert (outcome.code, "Gate rankle.toml" in outcome.out) == (0, False)


def test_what_the_gate_needs_is_measured_beside_what_was_asked_for(queries: Path, tmp_path: Path) -> None:
    project('[gates.floors]\n"nDCG@20" = 0.8\n"AP" = 0.8\n"R@1" = 0.8')
    succeed("eval", queries, "--gate", "--measures", "R@1,R@5", "-o", tmp_path / "run.json")
    (run,) = parse_json((tmp_path / "run.json").read_bytes())
    assert list(run.measures) == ["R@1", "R@5", "nDCG@20", "AP"]
    assert run.k == [1, 5, 20]
    succeed("eval", queries, "--gate", "-k", "1,3", "-o", tmp_path / "run.json")
    (run,) = parse_json((tmp_path / "run.json").read_bytes())
    assert run.k == [1, 3, 20]
    assert {"Hit@1", "Hit@3", "nDCG@20", "AP"} < set(run.measures)


def test_a_gate_that_needs_no_more_changes_nothing_of_the_record(queries: Path, tmp_path: Path) -> None:
    project('[gates.floors]\n"nDCG@10" = 0.8')
    measures = []
    for gate in ([], ["--gate"]):
        succeed("eval", queries, *gate, "-o", tmp_path / "run.json")
        (run,) = parse_json((tmp_path / "run.json").read_bytes())
        measures.append((run.measures, run.k))
    assert measures[0] == measures[1]


def test_the_json_has_the_gate_beside_the_run(queries: Path) -> None:
    project('[gates.floors]\n"nDCG@10" = 0.9')
    outcome = rankle("eval", queries, "--gate", "--json")
    value = json.loads(outcome.out)
    schemas = files("rankle.reports").joinpath("schemas")
    for name, part in (("run-1", value), ("gate-1", value["gate"])):
        schema = json.loads(schemas.joinpath(f"{name}.json").read_text(encoding="utf-8"))
        jsonschema.validate(part, schema)
    assert (outcome.code, value["gate"]["exit_code"]) == (1, 1)
    (run,) = parse_json(outcome.out)
    assert value["gate"]["run"]["id"] == run.id


def test_a_phase_or_a_baseline_asks_for_a_gate_by_itself(queries: Path) -> None:
    assert "Hit@10 at least 0.8" in succeed("eval", queries, "--phase", "beta")
    assert rankle("eval", queries, "--phase", "ga").code == 1
    succeed("baseline", "set", "latest")
    assert "nDCG@10 drops by at most 0.02" in succeed("eval", queries, "--baseline", "main")


def test_a_run_that_was_recorded_is_judged_by_its_name_and_a_baseline_made_of_it_is_not_pruned(
    queries: Path,
) -> None:
    project('[gates]\nbaseline = "main"\n[gates.no_regression]\n"nDCG@10" = 0.02')
    assert rankle("eval", queries, "--gate").code == 2  # there is no baseline yet
    succeed("baseline", "set", "latest")
    succeed("eval", queries, "--gate")
    assert "0.857 as before: no score of 7 queries moved" in succeed("gate", "latest")
    succeed("gate", "latest", "--baseline", "latest~1")
    run = json.loads(succeed("baseline", "show", "--json"))["run"]
    succeed("history", "prune", "--keep", "0", "--yes")
    assert json.loads(succeed("show", run, "--json"))["id"] == run


def test_a_real_drop_breaks_the_gate(queries: Path, tmp_path: Path) -> None:
    project('[gates]\nbaseline = "main"\n[gates.no_regression]\n"nDCG@10" = 0.02')
    rankle("eval", queries, "--gate")
    succeed("baseline", "set", "latest")
    for n in range(len(WORDS)):
        (tmp_path / "docs" / f"{n}.md").write_text(f"Text {n} has no word of a query.\n", encoding="utf-8")
    succeed("index", tmp_path / "docs")
    outcome = rankle("eval", queries, "--gate")
    assert outcome.code == 1
    assert "0.857 before, 0.000 now: −0.857" in outcome.out
    assert "A drop that is more than chance" in " ".join(outcome.out.split())


def test_gates_that_cannot_be_used_are_told_before_anything_is_measured(queries: Path) -> None:
    assert "there are no gates" in fail("eval", queries, "--gate")
    project('[gates.floors]\n"nDGC@10" = 0.9')
    assert 'did you mean "nDCG@10"' in fail("eval", queries, "--gate")
    assert "Was 80 % meant?" in fail("eval", queries, "--phase", "0.8")
    project("")
    assert 'unknown baseline "nope"' in fail("eval", queries, "--baseline", "nope")


def test_the_summary_of_a_job_has_the_verdict_and_the_figures(
    queries: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project('[gates.floors]\n"nDCG@10" = 0.9')
    assert "GITHUB_STEP_SUMMARY is not set" in fail("eval", queries, "--gate", "--github")
    summary = tmp_path / "summary.md"
    summary.write_text("before\n", encoding="utf-8")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    assert rankle("eval", queries, "--gate", "--github").code == 1
    before, verdict, figures = (part.strip() for part in summary.read_text(encoding="utf-8").split("\n## "))
    assert before == "before"
    assert verdict.startswith("Gate: broken")
    assert "| **BROKEN** | nDCG@10 at least 0.9 |" in verdict
    assert figures.startswith("Evaluation: set.jsonl")
    summary.unlink()
    succeed("eval", queries, "--github")
    assert summary.read_text(encoding="utf-8").startswith("## Evaluation: set.jsonl")


def test_a_junit_file_has_the_rules_beside_the_measures(queries: Path, tmp_path: Path) -> None:
    project('[gates]\nbaseline = "main"\n[gates.floors]\n"nDCG@10" = 0.9\n[gates.no_regression]\n"AP" = 0.1')
    assert rankle("eval", queries, "--gate", "--method", "fts5", "-o", "run.xml").code == 2
    root = ET.parse("run.xml").getroot()
    suites = [(suite.get("name"), suite.get("id"), suite.get("failures")) for suite in root]
    assert suites == [("set.jsonl: fts5", "0", "0"), ("set.jsonl: fts5: gate rankle.toml", "1", "1")]
    (failure,) = root.iter("failure")
    (error,) = root.iter("error")
    assert (failure.get("type"), error.get("type")) == ("floor", "no regression")


def test_a_file_has_the_verdict_where_its_format_has_a_place(queries: Path) -> None:
    project('[gates.floors]\n"nDCG@10" = 0.9')
    for _ in range(2):  # a file of before is known as one of ours
        assert rankle("eval", queries, "--gate", "-o", "run.md").code == 1
    assert Path("run.md").read_text(encoding="utf-8").startswith("## Gate: broken")
    assert rankle("eval", queries, "--gate", "-o", "run.html").code == 1
    assert "<h2>Gate: broken</h2>" in Path("run.html").read_text(encoding="utf-8")
    assert rankle("eval", queries, "--gate", "-o", "run.json").code == 1
    assert json.loads(Path("run.json").read_text(encoding="utf-8"))["gate"]["verdict"] == "broken"
    assert parse_json(Path("run.json").read_bytes())[0].set.name == "set.jsonl"
    outcome = rankle("eval", queries, "--gate", "-o", "run.csv")
    assert outcome.err == (
        "Note: run.csv: the verdict of the gate is not in it, since a CSV of a run has no place for one\n"
    )


@pytest.mark.parametrize("ref", ["latest~1", "before.json"])
def test_a_run_that_stands_for_a_baseline_is_given_the_measures_that_it_lacks(
    queries: Path, ref: str
) -> None:
    project('[gates.no_regression]\n"AP" = 0.1')
    succeed("eval", queries, "--measures", "R@5", "--output", "before.json")
    succeed("eval", queries, "--measures", "P@1")
    rules = json.loads(succeed("gate", "latest", "--baseline", ref, "--json"))["rules"]
    (held,) = (rule["regression"] for rule in rules if rule["regression"])
    assert (held["n"], held["baseline_mean"], held["difference"]) == (7, pytest.approx(6 / 7), 0)


@pytest.mark.parametrize("records", [[], ["--records", "mine.db"]])
def test_the_latest_run_as_a_baseline_is_the_one_before_what_is_judged(
    queries: Path, tmp_path: Path, records: list[str]
) -> None:
    """By the time of the verdict the judged run is itself the latest."""
    before = json.loads(succeed("eval", queries, *records, "--json"))["id"]
    for n in range(len(WORDS)):
        (tmp_path / "docs" / f"{n}.md").write_text(f"Text {n} has no word of a query.\n", encoding="utf-8")
    succeed("index", tmp_path / "docs")
    outcome = rankle("eval", queries, *records, "--baseline", "latest", "--json")
    gate = json.loads(outcome.out)["gate"]
    assert (outcome.code, gate["verdict"], gate["baseline"]["run"]) == (1, "broken", before)
