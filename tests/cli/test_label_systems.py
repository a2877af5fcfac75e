"""`rankle eval label` and `rankle eval pool` with `--system`: what a search of one's own finds is judged."""

import gc
import json
import re
from pathlib import Path
from typing import Any

import pytest

from fakes.command import fail, rankle, succeed, write_files
from fakes.schemas import valid_json
from fakes.terminal import play

SEARCH = """
def find(query, depth=10):
    if query == "explode":
        raise RuntimeError("the index is on fire")
    return [{"id": "pump.md", "title": "The pump", "text": "Battery of the pump."}, {"id": "lamp.md"}][:depth]


def other(query, depth=10):
    return ["lamp.md", "roof.md"]
"""
SET = '{"id": "a", "query": "battery", "relevant": []}\n{"id": "b", "query": "cup", "answerable": false}\n'
FIND = "python:search:find"


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without any workspace."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RANKLE_RATER", "anna")
    write_files(tmp_path, {"search.py": SEARCH, "set.jsonl": SET})


def pool(*options: str) -> Any:
    return valid_json(succeed("eval", "pool", "set.jsonl", "--json", *options))


def test_documents_are_judged_by_their_ids_without_a_workspace_and_the_set_measures_the_system() -> None:
    code, seen = play("eval", "label", "set.jsonl", "--system", FIND, typed="30")
    assert code == 0, seen
    assert "Asked 1 of 1 queries" in seen
    assert "Query 1 of 1: battery" in seen
    assert re.search(r"^pump\.md\r?\nThe pump\r?\n  \| Battery of the pump\.", seen, re.MULTILINE)
    assert re.search(r"^lamp\.md\r?\n  \| \(no text came with it\)", seen, re.MULTILINE)
    assert "2 judgments kept and written to set.jsonl; all is judged" in seen
    grades = {
        each["docid"]: each["relevance"]
        for each in json.loads(Path("set.jsonl").read_text(encoding="utf-8").splitlines()[0])["judgments"]
    }
    assert sorted(grades.values()) == [0, 3]
    measured = json.loads(succeed("eval", "set.jsonl", "--system", FIND, "--json"))
    first = "pump.md" if grades["pump.md"] else "lamp.md"
    assert (
        measured["queries"][0]["targets"][0] | {"grade": 3, "id": first}
        == measured["queries"][0]["targets"][0]
    )
    assert pool("--system", FIND)["n_unjudged"] == 0


def test_a_round_that_was_left_says_how_to_go_on_with_the_same_system() -> None:
    code, seen = play("eval", "label", "set.jsonl", "--system", FIND, typed="2q")
    assert code == 0, seen
    assert f"go on with: rankle eval label set.jsonl --system {FIND}" in seen
    assert pool("--system", FIND)["n_unjudged"] == 1


def test_several_systems_are_put_together_by_document() -> None:
    found = pool("--system", FIND, "--system", "python:search:other")
    assert found["methods"] == ["search:find", "search:other"]
    assert found["level"] == "document"
    assert {each["target"]: each["ranks"] for each in found["unjudged"]} == {
        "pump.md": {"search:find": 1},
        "lamp.md": {"search:find": 2, "search:other": 1},
        "roof.md": {"search:other": 2},
    }
    printed = succeed("eval", "pool", "set.jsonl", "--system", FIND, "--system", "python:search:other")
    assert printed.splitlines()[0].startswith(" Tells  search:find  search:other  Query")
    assert max(map(len, printed.splitlines())) <= 80
    assert "3 of 3 documents unjudged; 1 query" in printed


def test_systems_that_are_called_alike_stand_apart(tmp_path: Path) -> None:
    for folder, found in (("old", "pump.md"), ("new", "lamp.md")):
        write_files(tmp_path / folder, {"a.run": f"a Q0 {found} 1 1.0 bm25\n"})
    found = pool("--system", "run:old/a.run", "--system", "run:new/a.run")
    assert found["methods"] == ["run:old/a.run", "run:new/a.run"]
    assert found["n_pooled"] == 2


def test_what_the_set_labels_already_is_not_asked_for() -> None:
    Path("set.jsonl").write_text(
        '{"id": "a", "query": "battery", "relevant": ["lamp.md"]}\n', encoding="utf-8"
    )
    assert [each["target"] for each in pool("--system", FIND)["unjudged"]] == ["pump.md"]


def test_a_set_of_passages_is_refused() -> None:
    line = {"id": "a", "query": "battery", "relevant": [{"document": "pump.md", "quote": "Battery"}]}
    Path("set.jsonl").write_text(json.dumps(line) + "\n", encoding="utf-8")
    said = fail("eval", "pool", "set.jsonl", "--system", FIND)
    assert "set.jsonl labels passages, and of a system documents are judged" in said


def test_a_query_on_which_the_system_fails_is_told_before_the_first_key() -> None:
    Path("set.jsonl").write_text(SET + '{"id": "c", "query": "explode", "relevant": []}\n', encoding="utf-8")
    said = fail("eval", "pool", "set.jsonl", "--system", FIND)
    assert "search:find failed on 1 of 2 queries" in said
    assert 'The first is "explode": RuntimeError: the index is on fire' in said


def test_a_method_is_of_a_workspace_and_goes_with_no_system() -> None:
    said = fail("eval", "pool", "set.jsonl", "--system", FIND, "--method", "fts5")
    assert "--system 'kb:NAME?method=hybrid'" in said


def test_a_workspace_goes_with_no_system_either() -> None:
    said = fail("eval", "pool", "set.jsonl", "--system", FIND, "-w", "handbook")
    assert "--system kb:handbook" in said


def test_a_system_that_is_named_twice_is_refused() -> None:
    assert "is named twice" in fail("eval", "pool", "set.jsonl", "--system", FIND, "--system", FIND)


def test_who_interrupts_a_search_sees_no_traceback(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    write_files(tmp_path, {"stopping.py": "def find(query):\n    raise KeyboardInterrupt\n"})
    outcome = rankle("eval", "pool", "set.jsonl", "--system", "python:stopping:find")
    assert (outcome.code, outcome.err.strip()) == (130, "Interrupted. What was complete is kept.")
    gc.collect()  # when asyncio tells of tasks whose errors nobody asked for
    assert caplog.text == ""


def test_where_there_is_no_terminal_the_list_of_the_same_system_is_named() -> None:
    said = fail("eval", "label", "set.jsonl", "--system", FIND)
    assert f"rankle eval pool set.jsonl --system {FIND}" in said
