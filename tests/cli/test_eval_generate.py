"""`rankle eval generate`: a weak set that says so, and that can be evaluated at once."""

import json
import re
from pathlib import Path

import pytest

from fakes.command import fail, succeed, write_files

TEXTS = {
    f"{topic}.md": (
        f"# The {topic} clamp\n\n"
        f"A {topic} clamp is a device that holds copper pipes during winter storms.\n\n"
        f"Engineers replace worn {topic} gaskets every autumn before frost reaches the northern depot.\n"
    )
    for topic in ("pump", "filter", "lamp", "hinge")
}


@pytest.fixture(autouse=True)
def docs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    folder = write_files(tmp_path / "docs", TEXTS)
    succeed("index", folder)
    return folder


def test_questions_are_written_with_passages_and_marked_as_weak() -> None:
    printed = succeed("eval", "generate", "--n", "10")
    assert printed.startswith("Wrote 10 questions to generated.jsonl\n")
    counted = dict(re.findall(r"^ +(\d+)  (\w+) +such as: .", printed, re.MULTILINE))
    assert ("1", "unanswerable") in counted.items()
    assert max(map(len, printed.splitlines())) <= 80
    assert "These labels are weak" in printed
    records = [json.loads(line) for line in Path("generated.jsonl").read_text(encoding="utf-8").splitlines()]
    assert all(record["tags"][0] == "generated" for record in records)
    assert sum(record.get("answerable") is False for record in records) == 1
    for record in records:
        for label in record["relevant"]:
            text = succeed("docs", "show", label["document"], "--text")
            assert text[label["start"] : label["end"]] == label["quote"]
    run = json.loads(succeed("eval", "generated.jsonl", "--json"))
    assert run["level"] == "span"
    assert run["measures"]["R@10"]["mean"] > 0.5


def test_the_same_seed_writes_the_same_bytes() -> None:
    succeed("eval", "generate", "-o", "a.jsonl", "--seed", "5")
    succeed("eval", "generate", "-o", "b.jsonl", "--seed", "5")
    assert Path("a.jsonl").read_bytes() == Path("b.jsonl").read_bytes()


def test_a_file_that_is_there_stays_unless_told() -> None:
    Path("generated.jsonl").write_text("mine", encoding="utf-8")
    assert "is there already" in fail("eval", "generate")
    assert Path("generated.jsonl").read_text(encoding="utf-8") == "mine"
    succeed("eval", "generate", "--force")


def test_a_name_that_is_not_of_json_is_refused_before_anything_is_written() -> None:
    assert "end g.csv in .jsonl" in fail("eval", "generate", "-o", "g.csv")
    assert not Path("g.csv").exists()
    succeed("eval", "generate", "-o", "g.jsonl.gz")
    assert json.loads(succeed("eval", "g.jsonl.gz", "--json"))["queries"]


def test_what_gives_no_question_says_why(docs: Path, tmp_path: Path) -> None:
    succeed(
        "index", write_files(tmp_path / "ja", {"a.txt": "フィルターの交換は毎年秋に行います。\n"}), "-w", "ja"
    )
    assert "none of 1 chunks gives a question" in fail("eval", "generate", "-w", "ja")
    assert not Path("generated.jsonl").exists()
    assert 'unknown collection "x"' in fail("eval", "generate", "--collection", "x")


def test_fewer_questions_than_asked_for_are_told() -> None:
    printed = succeed("eval", "generate", "--n", "5000", "--unanswerable", "0")
    made = len(Path("generated.jsonl").read_text(encoding="utf-8").splitlines())
    assert printed.startswith(
        f"Wrote {made} questions of 5,000 to generated.jsonl\nThe documents give no more.\n"
    )
    assert re.search(r"^    0  unanswerable$", printed, re.MULTILINE)


def test_each_question_is_tagged_with_its_difficulty_and_kind_so_that_they_are_told_apart() -> None:
    succeed("eval", "generate", "--n", "20")
    records = [json.loads(line) for line in Path("generated.jsonl").read_text(encoding="utf-8").splitlines()]
    assert len(records) > 10
    for record in records:
        assert record["tags"][1] in ("easy", "medium", "hard", "unanswerable")
        assert len(record["tags"]) == (2 if record["tags"][1] == "unanswerable" else 3)
        assert record["language"] == "en"
