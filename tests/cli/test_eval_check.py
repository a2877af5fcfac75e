# ruff: noqa: E501
"""`rankle eval check`, and evaluations of sets that label passages, as a user calls them."""

import json
from pathlib import Path
from typing import Any

import pytest

from fakes.command import Outcome, rankle
from rankle.kb.knowledge_base import KnowledgeBase

LEAVE = (
    "# Leave\n\nEmployees may take fourteen weeks of parental leave. Tell your manager ten weeks before.\n"
)
SICK = "# Sick leave\n\nCall before nine in the morning. A certificate is needed from the third day on.\n"
WEEKS = "Employees may take fourteen weeks of parental leave."
NINE = "Call before nine in the morning."
RECORDS: list[dict[str, Any]] = [
    {"id": "weeks", "query": "how long is parental leave", "relevant": [{"document": "leave.md", "quote": WEEKS}]},
    {"id": "nine", "query": "when to call in sick", "relevant": [
        {"document": "sick.md", "quote": NINE, "start": 14, "end": 46, "relevance": 2},
        {"document": "sick.md", "quote": "A certificate is needed from the third day on."}]},
]  # fmt: skip


@pytest.fixture
def labelled(tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    documents = tmp_path / "docs"
    documents.mkdir()
    (documents / "leave.md").write_text(LEAVE)
    (documents / "sick.md").write_text(SICK)
    index(documents, home)
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "set.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in RECORDS))
    return path


def index(documents: Path, home: Path, *, chunker: str = "sentence") -> None:
    with KnowledgeBase(home / "default", name="default", create=True) as kb:
        kb.index(documents, chunker=chunker, vectors=False)


def scores(*arguments: str) -> dict[str, float]:
    done = rankle("eval", *arguments, "--method", "fts5", "--json")
    assert done.code == 0, done.err
    return {name: measure["mean"] for name, measure in json.loads(done.out)["measures"].items()}


def test_a_set_of_passages_scores_alike_under_every_chunker(labelled: Path, home: Path) -> None:
    done = rankle("eval", labelled, "--method", "fts5", "-k", "3")
    assert done.code == 0, done.err
    assert "level: span" in done.out
    found = scores(str(labelled), "-k", "3")
    assert (found["R@3"], found["Hit@3"]) == (1, 1)
    index(labelled.parent / "docs", home, chunker="document")
    again = scores(str(labelled), "-k", "3")
    assert (again["R@3"], again["Hit@3"]) == (1, 1)
    assert scores(str(labelled), "-k", "3", "--level", "document")["R@3"] == 1


def test_all_valid_exits_with_0(labelled: Path) -> None:
    assert rankle("eval", "check", labelled) == Outcome(
        0,
        "set.jsonl: 3 labels of 2 queries, by passage, against workspace default\n\n"
        "valid 3, moved 0, split 0, merged 0, gone 0\n\nEvery label is valid.\n",
        "",
    )


def change(labelled: Path, home: Path) -> None:
    (labelled.parent / "docs" / "sick.md").write_text(SICK.replace("# Sick leave", "# When you are sick"))
    (labelled.parent / "docs" / "leave.md").write_text("# Leave\n\nNothing is known of it.\n")
    index(labelled.parent / "docs", home)


def test_stale_labels_exit_with_1_and_are_told_first_by_a_run(labelled: Path, home: Path) -> None:
    change(labelled, home)
    done = rankle("eval", "check", labelled)
    assert done.code == 1
    assert "valid 1, moved 1, split 0, merged 0, gone 1" in done.out
    assert f"then  {NINE}" in done.out
    run = rankle("eval", labelled, "--method", "fts5")
    assert run.code == 0
    notes = [line for line in run.out.splitlines() if line.startswith("Note: ")]
    assert notes[0].startswith(
        "Note: stale labels: 2 of 3 (passages that moved, scored where they stand now: 1;"
    )
    assert run.out.index("stale labels") < run.out.index("labels that name nothing") < run.out.index("Recall")
    value = json.loads(rankle("eval", "check", labelled, "--json").out)
    assert (value["schema"], value["counts"]["moved"], value["counts"]["gone"]) == ("rankle.check/1", 1, 1)


def test_labels_that_only_moved_are_told_above_the_figures_too(labelled: Path, home: Path) -> None:
    (labelled.parent / "docs" / "sick.md").write_text(f"# Sick leave\n\nNew words come first here.\n\n{SICK}")
    index(labelled.parent / "docs", home)
    printed = rankle("eval", labelled).out
    assert printed.index("stale labels: 1 of 3") < printed.index("Recall")


def test_after_the_repair_the_scores_are_those_of_labels_made_afresh(labelled: Path, home: Path) -> None:
    change(labelled, home)
    new = labelled.with_name("new.jsonl")
    done = rankle("eval", "check", labelled, "--fix", "--drop-gone", "-o", new)
    assert (done.code, new.exists()) == (0, True), done.err
    assert rankle("eval", "check", new).code == 0
    text = (labelled.parent / "docs" / "sick.md").read_text()
    start = text.index(NINE)
    afresh = [
        {"id": "weeks", "query": RECORDS[0]["query"], "relevant": []},
        {"id": "nine", "query": RECORDS[1]["query"], "relevant": [
            {"document": "sick.md", "quote": NINE, "start": start, "end": start + len(NINE), "relevance": 2},
            {"document": "sick.md", "quote": "A certificate is needed from the third day on."}]},
    ]  # fmt: skip
    fresh = labelled.with_name("fresh.jsonl")
    fresh.write_text("".join(json.dumps(record) + "\n" for record in afresh))
    assert scores(str(new)) == scores(str(fresh))
    assert scores(str(new), "--measures", "AP,nDCG,RR,Bpref,ERR@10,P@2") == scores(
        str(fresh), "--measures", "AP,nDCG,RR,Bpref,ERR@10,P@2"
    )


def test_a_repair_that_leaves_something_stale_exits_with_1(labelled: Path, home: Path) -> None:
    change(labelled, home)
    done = rankle("eval", "check", labelled, "--fix", "-o", labelled.with_name("new.jsonl"))
    assert done.code == 1
    assert "1 label repaired, 1 stale as before, for you to settle." in " ".join(done.out.split())


def test_a_set_that_cannot_be_read_or_scored_exits_with_2(labelled: Path) -> None:
    labelled.write_text(
        '{"query": "x", "relevant": [{"document": "sick.md"}, {"quote": "x"}]}\n{"query": 3}\n'
    )
    done = rankle("eval", "check", labelled)
    assert done.code == 2
    assert f"{labelled}:1: a quote or range needs its" in done.err
    assert f"{labelled}:2: " in done.err
    labelled.write_text('{"query": "x", "relevant": [{"document": "sick.md", "quote": "the"}]}\n')
    unclear = rankle("eval", "check", labelled)
    assert unclear.code == 2
    assert 'line 1  the quote "the" stands 2 times in sick.md' in unclear.out
    assert rankle("eval", labelled, "--method", "fts5").code == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--fix"], "give both, or neither"),
        (["-o", "new.jsonl"], "give both, or neither"),
        (["--drop-gone"], "add --fix -o NEW"),
        (["--fix", "-o", "set.jsonl"], "write the repaired one to another file"),
        (["--level", "page"], "'page' is not one of"),
        (["-w", "nowhere"], "no workspace"),
    ],
    ids=["no output", "no fix", "drop alone", "itself", "level", "workspace"],
)
def test_what_cannot_be_done_exits_with_2_and_says_why(
    labelled: Path, arguments: list[str], message: str
) -> None:
    done = rankle("eval", "check", labelled.name, *arguments)
    assert done.code == 2
    assert message in done.err


def test_a_set_of_the_name_of_a_command_is_written_with_its_folder(labelled: Path) -> None:
    labelled.rename(labelled.with_name("check"))
    assert rankle("eval", "./check", "--method", "fts5").code == 0
    assert rankle("eval", "check", "./check").code == 0
    assert rankle("eval", "-k", "3", "./check", "--method", "fts5").code == 0


def test_a_misspelt_command_is_told_unless_a_file_has_its_name(labelled: Path) -> None:
    done = rankle("eval", "chek", labelled)
    assert done.code == 2
    assert 'no file and no command is named "chek"; did you mean "rankle eval check"?' in done.err
    assert "no such file: questions" in rankle("eval", "questions").err
    labelled.rename(labelled.with_name("chek"))
    assert rankle("eval", "chek", "--method", "fts5").code == 0


def test_the_shares_of_coverage_are_options(labelled: Path, home: Path) -> None:
    index(labelled.parent / "docs", home, chunker="document")
    assert scores(str(labelled), "-k", "3")["R@3"] == 1
    done = rankle("eval", labelled, "--span-share", "0", "--method", "fts5")
    assert (done.code, "is not in the range" in done.err) == (2, True)
    value = json.loads(rankle("eval", labelled, "--span-share", "0.9", "--method", "fts5", "--json").out)
    assert value["coverage"] == {"of_span": 0.9, "of_chunk": 0.5}


def test_an_empty_relevant_is_told_unless_it_is_said_to_mean_nothing(labelled: Path) -> None:
    with labelled.open("a", encoding="utf-8") as file:
        file.write('{"id": "none", "query": "who painted the ceiling", "relevant": []}\n')
    told = 'line 3  has no label; name its targets, or say "answerable": false'
    assert told in rankle("eval", "check", labelled).out
    checked = rankle("eval", "check", labelled, "--empty-means", "nothing")
    assert (checked.code, "has no label" in checked.out) == (0, False)
    counted = "queries that nothing answers, scored as abstention alone: 1"
    assert counted not in rankle("eval", labelled, "--level", "span", "--json").out.replace('\\"', '"')
    printed = rankle("eval", labelled, "--level", "span", "--json", "--empty-means", "nothing")
    assert counted in printed.out.replace('\\"', '"')


def test_a_set_with_faults_is_not_repaired_and_says_so(labelled: Path) -> None:
    with labelled.open("a", encoding="utf-8") as file:
        file.write("no json\n")
    done = rankle("eval", "check", labelled, "--fix", "-o", "new.jsonl")
    assert (done.code, done.err) == (2, "")
    assert "bad lines 1" in done.out
    assert done.out.endswith("Mend the faults, then check again.\nNothing was written to new.jsonl.\n")
    assert not Path("new.jsonl").exists()
    assert json.loads(rankle("eval", "check", labelled, "--json").out)["n_bad_lines"] == 1
