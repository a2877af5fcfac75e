"""`--empty-means nothing`, in every command that reads a set or what became of one."""

import json
from pathlib import Path
from typing import Any

import pytest

from fakes.command import GUIDE, fail, succeed, write_files
from fakes.terminal import play

LINES = (
    '{"id": "found", "query": "battery voltage", "relevant": ["errors.md"]}\n'
    '{"id": "empty", "query": "battery of the opera", "relevant": []}\n'
    '{"id": "marked", "query": "zzyzx", "answerable": false}\n'
    '{"id": "zero", "query": "red cable", "relevant": [{"document": "errors.md", "relevance": 0}]}\n'
)
NOTHING = ("--empty-means", "nothing")
RECORDS = ("--records", "runs.db")


@pytest.fixture(autouse=True)
def indexed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    succeed("index", write_files(tmp_path / "guide", GUIDE))
    Path("set.jsonl").write_text(LINES, encoding="utf-8")


def sides(run: dict[str, Any]) -> dict[str, bool | None]:
    return {query["id"]: query.get("answerable") for query in run["queries"]}


def counts(run: dict[str, Any]) -> tuple[int, int, int]:
    told = run["abstention"]
    return told["recall"]["n_of"], told["answered"]["n_of"], told["n_undefined"]


def test_an_evaluation_takes_empty_lists_for_nothing_only_where_told() -> None:
    plain, told = (json.loads(succeed("eval", "set.jsonl", "--json", *more)) for more in ((), NOTHING))
    assert (sides(plain)["empty"], counts(plain)) == (None, (1, 1, 2))
    assert (sides(told)["empty"], counts(told)) == (False, (2, 1, 1))
    assert sides(told)["zero"] is None
    assert plain["set"]["fingerprint"] != told["set"]["fingerprint"]


def test_a_recorded_run_is_scored_again_as_if_it_had_been_told_then() -> None:
    succeed("eval", "set.jsonl", *RECORDS)
    told = json.loads(succeed("eval", "set.jsonl", "--json", *NOTHING))
    again = json.loads(succeed("rescore", "latest", *NOTHING, *RECORDS, "--json"))
    for member in ("set", "measures", "abstention", "notices", "queries"):
        left_out = {"took_ms"} if member == "queries" else set()
        assert [_without(one, left_out) for one in _listed(again[member])] == [
            _without(one, left_out) for one in _listed(told[member])
        ]
    other = json.loads(succeed("rescore", "latest", *NOTHING, *RECORDS, "--json", "--measures", "AP"))
    assert (list(other["measures"]), other["abstention"]) == (["AP"], told["abstention"])
    shown = json.loads(succeed("show", "latest", *RECORDS, "--json"))
    assert counts(shown) == (1, 1, 2)


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _without(value: Any, members: set[str]) -> Any:
    return {name: one for name, one in value.items() if name not in members} if members else value


def test_a_file_of_a_run_does_not_tell_what_was_empty() -> None:
    run = json.loads(succeed("eval", "set.jsonl", "--json", "--output", "run.json"))
    message = fail("rescore", "run.json", *NOTHING)
    assert f"name the run where it is recorded: rankle rescore {run['id']}" in message
    again = json.loads(succeed("rescore", "run.json", "--measures", "R@1", "--json"))
    assert (again["abstention"], sides(again)) == (run["abstention"], sides(run))


def test_rescoring_needs_something_that_changes() -> None:
    assert "Missing option '--measures', --set, or --empty-means nothing." in fail("rescore", "latest")


def test_a_pool_leaves_out_what_should_find_nothing() -> None:
    def pooled(*options: str) -> set[str]:
        return {
            one["query"]
            for one in json.loads(succeed("eval", "pool", "set.jsonl", "--json", *options))["unjudged"]
        }

    assert pooled() >= {"found", "empty"}
    assert pooled(*NOTHING) == pooled() - {"empty"}
    assert "marked" not in pooled()


def test_a_round_of_labelling_leaves_it_out_too_and_the_line_stays_as_it_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("RANKLE_RATER", "anna")
    line = '{"id": "empty", "query": "battery",   "relevant": []}\n'
    Path("set.jsonl").write_text(line, encoding="utf-8")
    code, seen = play("eval", "label", "set.jsonl", *NOTHING, typed="")
    assert (code, "0 judgments kept" in seen) == (0, True)
    assert Path("set.jsonl").read_text(encoding="utf-8") == line
    code, seen = play("eval", "label", "set.jsonl", typed="2q")
    assert (code, "1 judgment kept" in seen) == (0, True)
