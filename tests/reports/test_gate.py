"""A judged run at the terminal: snapshots, narrow ones too, and the JSON against its schema."""

import json
from importlib.resources import files
from typing import Any

import jsonschema
import pytest
from rich.cells import cell_len

from fakes.gates import gate_of, run_of, target, with_queries
from rankle.core.gate import GateReport, GatesReport
from rankle.core.run import Latency
from rankle.gates.baselines import baseline_of, render_baseline
from rankle.gates.judge import judge
from rankle.reports.baselines import render_baseline_list, render_baseline_text
from rankle.reports.gate import render_gate, render_gates_json

TEXT = """
[gates]
baseline = "main"
latency_p95_ms = 200
[gates.floors]
"nDCG@10" = 0.6
"Hit@10" = { at_least = 0.5, on = "low" }
[gates.no_regression]
"nDCG@10" = 0.02
[[gates.slices]]
language = "de"
floors = { "nDCG@10" = 0.9 }
[gates.protected]
targets = ["a.md"]
"""
BEFORE = run_of({"nDCG@10": [0.8, 0.9, 0.7, 1.0, 0.6, 0.9, 0.8, 0.5]}, id="ba5e11ba5e11")
MAIN = baseline_of(BEFORE, name="main")


def report() -> GateReport:
    run = run_of(
        {"nDCG@10": [0.7, 0.8, 0.6, 0.9, 0.5, 0.9, 0.7, 0.4], "Hit@10": [1.0] * 8},
        latency_ms=Latency(p50=1.0, p95=1.0, of="batch", batch_size=8),
    )
    german = {f"q{place}": {"language": "de"} for place in range(2)}
    run = with_queries(run, {**german, "q7": {"targets": [target("a.md", 12)]}})
    return judge(run, gate_of(TEXT), baseline=MAIN)


def test_every_rule_stands_with_its_verdict_and_figures() -> None:
    assert (
        render_gate(report())
        == """\
Gate rankle.toml: set, method hybrid, run 0123456789ab
Baseline: main, run ba5e11ba5e11 of 2026-11-30T09:00:00Z

passed             failed queries at most 0
                   0 of 8 queries
passed             labels that name nothing in the index at most 0
                   0 of 8 labels
passed             nDCG@10 at least 0.6
                   0.688 over 8 queries, 95 % interval 0.525 to 0.814
passed             lower bound of Hit@10 at least 0.5
                   0.676, of the mean 1.000 over 8 queries
could not measure  nDCG@10 at least 0.9 where language is de
                   2 scored queries; min_queries asks for 6
BROKEN             nDCG@10 drops by at most 0.02
                   0.775 before, 0.688 now: −0.088 over 8 queries, 95 % interval
                   −0.100 to −0.050, p 0.0156; 0 better, 1 as before, 7 worse. A
                   drop that is more than chance
BROKEN             1 protected target found in the first 10
                   0 of 1 target found; lost: a.md (q7)
could not measure  latency p95 at most 200 ms
                   queries were answered in batches of up to 8, and a share of a
                   batch is not what one search takes. Evaluate with
                   --one-by-one

Could not measure. 8 rules: 4 passed, 2 broken, 2 could not be measured. Exit
  code 2.
"""
    )


@pytest.mark.parametrize("width", [40, 56, 57, 80, 120])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    lines = render_gate(report(), width=width).splitlines()
    assert max(cell_len(line) for line in lines) <= width


def published(name: str) -> Any:
    return json.loads(files("rankle.reports").joinpath("schemas", f"{name}.json").read_text(encoding="utf-8"))


def test_the_json_follows_the_published_schema_and_is_stable() -> None:
    found = GatesReport(exit_code=2, gates=[report()], without_gate=[], not_run=[])
    text = render_gates_json(found)
    value = json.loads(text)
    jsonschema.validate(value, published("gate-1"))
    assert (value["schema"], value["verdict"], value["exit_code"]) == (
        "rankle.gate/1",
        "could not measure",
        2,
    )
    assert text == render_gates_json(found)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**value, "verdict": "fine"}, published("gate-1"))


def test_a_baseline_follows_its_published_schema() -> None:
    jsonschema.validate(json.loads(render_baseline(MAIN)), published("baseline-1"))


def test_a_baseline_shows_what_it_is_of() -> None:
    assert (
        render_baseline_text(MAIN, path="baselines/main.json")
        == """\
Baseline main
  File       baselines/main.json
  Run        ba5e11ba5e11 of 2026-11-30T09:00:00Z, rankle 0
  Set        set (8 queries)
  System     fake, method hybrid
  Level      document, depth 100, ties system
  Queries    37c79e259311
  Judgments  2eba65c86989

Metric          @10
────────────────────
NDCG            0.775
  95% interval  0.612–0.883

Queries: 8 scored, 0 undefined, 0 failed
"""
    )


def test_baselines_are_listed() -> None:
    assert (
        render_baseline_list([MAIN], folder="baselines")
        == """\
Baseline        Run           Made                  Set, method
main            ba5e11ba5e11  2026-11-30T09:00:00Z  set, hybrid
"""
    )
    assert render_baseline_list([], folder="baselines") == (
        "No baselines in baselines. Set one: rankle baseline set RUN\n"
    )
