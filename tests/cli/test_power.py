"""`rankle power` as it is called."""

import json
from pathlib import Path

import pytest

from fakes.command import fail, rankle, succeed, write_files
from fakes.scripted_system import ScriptedSystem
from rankle.app.evaluate import evaluate
from rankle.reports.json import write_json

UNMET = {"id": "q0", "query": "query 0", "relevant": [{"document": "a", "relevance": 0}]}
LABELLED = [{"id": f"q{n}", "query": f"query {n}", "relevant": ["a"]} for n in range(1, 9)]
SET = "".join(json.dumps(query) + "\n" for query in (UNMET, *LABELLED))


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two runs over nine queries, of which eight have a relevant label."""
    monkeypatch.chdir(tmp_path)
    write_files(tmp_path, {"set.jsonl": SET})
    for name, ranks in (("a", (1, 2, 3, 4)), ("b", (2, 1, 1, 4))):
        answers = {f"query {n}": [*"xyz"[: ranks[n % 4] - 1], "a"] for n in range(9)}
        write_json(Path(f"{name}.json"), [evaluate("set.jsonl", system=ScriptedSystem(answers))])


def test_it_says_how_many_queries_it_takes_and_how_many_there_are() -> None:
    printed = succeed("power", "set.jsonl", "--run", "a.json")
    assert "The set has 8 that can be scored: too few." in " ".join(printed.split())
    assert "other settings" in printed
    value = json.loads(succeed("power", "set.jsonl", "--run", "a.json", "--json"))
    assert (value["schema"], value["n_queries"], value["notes"]) == ("rankle.power/1", 8, [])


def test_options_reach_the_figures() -> None:
    args = ("--difference", "0.1", "--measure", "mrr@10", "--power", "0.9", "--alpha", "0.1", "--json")
    value = json.loads(succeed("power", "set.jsonl", "--run", "a.json", "--against", "b.json", *args))
    assert (value["difference"], value["measure"], value["power"], value["alpha"]) == (0.1, "RR@10", 0.9, 0.1)
    assert [row["change"] for row in value["rows"]] == ["as these two runs"]
    assert value["against"] == "b.json"


def test_a_measure_that_the_run_lacks_is_made_from_its_file() -> None:
    value = json.loads(succeed("power", "set.jsonl", "--run", "a.json", "--measure", "map", "--json"))
    assert (value["measure"], value["n_scored"]) == ("AP", 8)


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["--run", "a.json", "--against", "a.json"], "are the same run"),
        (["--run", "a.json", "--against", "b.json", "--correlation", "0.5"], "give one of them"),
        (["--run", "none.json"], "none.json cannot be read"),
        (["--run", "set.jsonl"], "is no record of a run"),
        (["--run", "a.json", "--measure", "nDGC@10"], 'did you mean "nDCG@10"?'),
        (["--run", "a.json", "--measure", "nDCG@200"], "nDCG@200 is deeper than the 100 results"),
        (["--run", "a.json", "--difference", "2"], "two points of a hundred are --difference 0.02"),
        (["--run", "a.json", "--difference", "1e-9"], "needs more than 1,000,000,000 queries"),
    ],
    ids=["itself", "both", "missing", "no run", "measure", "too deep", "percentage", "too small"],
)
def test_what_cannot_be_answered_ends_with_two(args: list[str], words: str) -> None:
    assert words in fail("power", "set.jsonl", *args)


@pytest.mark.parametrize(
    "args", [[], ["--run", "a.json", "--difference", "0"], ["--run", "a.json", "--correlation", "1"]], ids=str
)
def test_wrong_usage_ends_with_two(args: list[str]) -> None:
    assert rankle("power", "set.jsonl", *args).code == 2
