"""`rankle rescore --set`: a run scored by the labels that its set has now, so that it can be compared."""

import json
import shlex
from pathlib import Path

import pytest

from fakes.command import fail, rankle, succeed, write_files

COLOURS = ("red", "green", "blue")
DOCS = {f"docs/{name}.md": f"# {name}\n\nAbout the {name} and the pump.\n" for name in COLOURS}


def a_set(**more: list[str]) -> str:
    lines = [{"query": f"{name} pump", "relevant": [f"{name}.md", *more.get(name, [])]} for name in COLOURS]
    return "".join(f"{json.dumps(line)}\n" for line in lines)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """One run, then a further label, then another run."""
    folder = write_files(tmp_path / "project", {**DOCS, "evals/set.jsonl": a_set()})
    monkeypatch.chdir(folder)
    monkeypatch.delenv("RANKLE_RECORDS")
    succeed("index", "docs")
    succeed("eval", "evals/set.jsonl", "-k", "2")
    write_files(folder, {"evals/set.jsonl": a_set(red=["green.md"])})
    succeed("eval", "evals/set.jsonl", "-k", "2")
    return folder


def test_a_label_between_two_runs_is_told_with_commands_that_bring_them_together(project: Path) -> None:
    said = fail("compare", "latest~1", "latest")
    assert "judgments differ" in said
    advice = said.splitlines()
    assert advice[-1] == "--force compares the queries and measures that they have in common"
    first, second = (line.strip() for line in advice[-3:-1])
    assert first == "rankle rescore latest~1 --set evals/set.jsonl --output relabelled.json"
    assert second == "rankle compare relabelled.json latest"
    succeed(*shlex.split(first)[1:])
    compared = succeed(*shlex.split(second)[1:])
    assert "no difference shown" in compared  # the same index, searched twice
    assert "Lost most" not in compared


def test_the_rescored_run_has_the_figures_that_an_evaluation_with_these_labels_has(project: Path) -> None:
    again = json.loads(succeed("rescore", "latest~1", "--set", "evals/set.jsonl", "--json"))
    now = json.loads(succeed("show", "latest", "--json"))
    assert again["measures"] == now["measures"]
    assert again["set"] == now["set"]
    assert again["id"] != now["id"]
    assert [query["targets"] for query in again["queries"]] == [query["targets"] for query in now["queries"]]
    before = json.loads(succeed("show", "latest~1", "--json"))
    assert before["measures"] != now["measures"]


def test_queries_that_the_set_has_no_more_are_left_out(project: Path) -> None:
    write_files(project, {"evals/set.jsonl": a_set().splitlines(keepends=True)[1]})
    again = json.loads(succeed("rescore", "latest", "--set", "evals/set.jsonl", "--json"))
    assert [query["query"] for query in again["queries"]] == ["green pump"]


def test_queries_that_were_not_asked_are_refused(project: Path) -> None:
    more = a_set() + '{"query": "yellow pump", "relevant": ["red.md"]}\n'
    write_files(project, {"evals/set.jsonl": more})
    said = fail("rescore", "latest", "--set", "evals/set.jsonl")
    assert 'run latest was not asked 1 of the 4 queries of set.jsonl, such as "yellow pump"' in said
    assert said.endswith("evaluate again: rankle eval evals/set.jsonl\n")


def test_passages_of_another_index_are_refused_and_documents_are_not(project: Path) -> None:
    spans = '{"query": "red pump", "relevant": [{"document": "red.md", "quote": "About the red"}]}\n'
    write_files(project, {"spans.jsonl": spans})
    succeed("eval", "spans.jsonl", "-k", "2")
    succeed("rescore", "latest", "--set", "spans.jsonl")
    write_files(project, {"docs/blue.md": "# blue\n\nAbout nothing.\n"})
    succeed("index")
    assert "what is indexed is not what run latest searched" in fail(
        "rescore", "latest", "--set", "spans.jsonl"
    )
    assert rankle("rescore", "latest~1", "--set", "evals/set.jsonl").code == 0


def test_a_recorded_run_of_another_system_takes_the_labels_as_they_are_written(project: Path) -> None:
    write_files(project, {"a.run": "line-1 Q0 red.md 1 2.0 x\nline-1 Q0 green.md 2 1.0 x\n"})
    write_files(project, {"one.jsonl": '{"id": "line-1", "query": "red", "relevant": ["red.md"]}\n'})
    succeed("eval", "one.jsonl", "--system", "run:a.run", "-k", "2")
    write_files(project, {"one.jsonl": '{"id": "line-1", "query": "red", "relevant": ["green.md"]}\n'})
    again = json.loads(succeed("rescore", "latest", "--set", "one.jsonl", "--json", "--measures", "RR"))
    assert again["measures"]["RR"]["mean"] == 0.5


@pytest.mark.parametrize("system", ["words", "kb:default?method=fts5&collapse=true"])
def test_a_workspace_is_asked_again_whatever_its_run_called_it(project: Path, system: str) -> None:
    write_files(project, {"rankle.toml": '[systems.words]\nuri = "kb:default?method=fts5"\n'})
    succeed("eval", "evals/set.jsonl", "-k", "2", "--system", system)
    again = json.loads(succeed("rescore", "latest", "--set", "evals/set.jsonl", "--json"))
    assert again["measures"] == json.loads(succeed("show", "latest", "--json"))["measures"]


BOTH = """\
[{"id": 1, "query": "red pump", "relevantDocs": ["red.md"],
  "judgments": [{"docid": "blue.md", "relevance": 2}, {"docid": "red.md", "relevance": 0}]},
 {"id": 2, "query": "green pump", "relevantDocs": ["GREEN.md"],
  "judgments": [{"docid": "GREEN.md", "relevance": 1}]},
 {"id": 3, "query": "yellow lamp", "relevantDocs": []}]
"""


def test_the_set_is_read_as_an_evaluation_reads_it(project: Path) -> None:
    write_files(project, {"both.json": BOTH})
    said = ("--relevance", "judgments", "--empty-means", "nothing", "--normalise", "ids=case")
    now = json.loads(succeed("eval", "both.json", "-k", "2", "--json", *said))
    again = json.loads(succeed("rescore", "latest", "--set", "both.json", "--json", *said))
    for member in ("measures", "abstention", "set", "labels"):
        assert again[member] == now[member]
    assert "name it with --set" in fail("rescore", "latest", "--measures", "AP", "--relevance", "judgments")


def test_runs_with_other_measures_are_told_with_one_that_both_have(project: Path) -> None:
    succeed("eval", "evals/set.jsonl", "-k", "2", "--measures", "nDCG@2,R@2,AP")
    said = fail("compare", "latest~1", "latest").splitlines()
    assert said[-1] == "--force compares the queries and measures that they have in common"
    advice = "To compare by a measure that both have: "
    assert said[-2] == f"{advice}rankle compare latest~1 latest --measures nDCG@2"
    succeed(*shlex.split(said[-2].removeprefix(advice))[1:])


def test_a_file_does_not_hold_what_other_labels_take(project: Path) -> None:
    succeed("show", "latest", "-o", "run.json")
    run = json.loads((project / "run.json").read_text(encoding="utf-8"))["id"]
    assert f"name the run where it is recorded: rankle rescore {run}" in fail(
        "rescore", "run.json", "--set", "evals/set.jsonl"
    )
