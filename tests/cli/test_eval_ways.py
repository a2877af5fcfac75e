"""From a folder of documents to a first table of figures, by each of the ways that `rankle eval` tells."""

import os
import re
import shlex
import subprocess
from pathlib import Path

import pytest

from fakes.command import fail, on_terminal, succeed, write_files
from fakes.terminal import play
from rankle.cli.eval_ways import WAYS, ways

NOTES = {
    "loans.md": "# Loans\n\nBooks are lent for four weeks. A loan can be renewed twice.\n",
    "cards.md": "# Library cards\n\nA card is free for everyone under 18. How to reset a lost one: ask us.\n",
    "fees.md": "# Fees\n\nReturn after the due date costs 20 cents a day, a lost card 5 euros.\n",
    "rooms.md": "# Rooms\n\nThe reading room is silent. Group rooms are booked at the desk.\n",
}
TABLE = re.compile(r"^Recall +\d\.\d{3}", re.MULTILINE)


@pytest.fixture(autouse=True)
def notes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RANKLE_RATER", "anna")
    folder = write_files(tmp_path / "notes", NOTES)
    succeed("index", folder)
    return folder


def commands(way: str) -> list[list[str]]:
    """What stands below the name of a way, as words."""
    section = re.split(r"^  (?=\w)", WAYS, flags=re.MULTILINE)
    (lines,) = (part.splitlines()[1:] for part in section if part.startswith(way))
    return [shlex.split(line) for line in lines if line.startswith("    ")]


def test_eval_without_a_set_tells_the_ways_to_one_and_fails() -> None:
    for options in ([], ["--json"], ["--gate", "-k", "5"]):
        said = fail("eval", *options)
        assert (
            said
            == f"Usage: rankle eval [OPTIONS] SET\nTry 'rankle eval --help' for help.\n\nError: {ways()}\n"
        )
    assert ways() == f"name a set, queries with judgments: rankle eval queries.jsonl\n\n{WAYS}"
    assert max(map(len, f"Error: {ways()}".splitlines())) <= 80


def test_eval_without_a_set_names_those_that_are_here(tmp_path: Path) -> None:
    files = {
        "evals/my set.jsonl": '{"query": "a", "relevant": ["loans.md"]}\n',
        "evals/set.judgments.jsonl": '{"id": "x", "judge": "anna", "query": "a", "grade": 1}\n',
        "evals/broken.jsonl": "nothing\n",
        "results.jsonl": '{"id": "a", "score": 1}\n',
        "questions.jsonl": '{"query": "a", "relevant": []}\n',
        "deep.jsonl": "[" * 99_999,
    }
    write_files(tmp_path, files)
    os.mkfifo(tmp_path / "pipe.jsonl")
    pipe = os.open(tmp_path / "pipe.jsonl", os.O_RDWR)  # so that reading it would not wait
    os.write(pipe, b'{"query": "a"}\n')
    said = fail("eval")
    os.close(pipe)
    named = re.findall(r"^      (rankle eval .*\.jsonl.*)$", said.split("No judgments yet?")[0], re.MULTILINE)
    assert named == ["rankle eval questions.jsonl", "rankle eval 'evals/my set.jsonl'"]


def test_the_way_by_ratings() -> None:
    rate, make, measure = commands("rate")
    code, seen = on_terminal(*rate[1:], typed=("lost card\n", *"54", "\n"))
    assert code == 0, seen
    assert "Wrote 1 query with 2 judgments to eval.jsonl" in succeed(*make[1:])
    assert TABLE.search(succeed(*measure[1:]))


def test_the_way_by_labels() -> None:
    write, label, measure = commands("label")
    assert (write[0], write[2]) == ("echo", ">")
    subprocess.run(["bash", "-c", f"echo {shlex.quote(write[1])} > {write[3]}"], check=True)
    code, seen = play(*label[1:], typed="3")
    assert code == 0, seen
    assert "1 judgment kept and written to queries.jsonl; all is judged" in seen
    assert TABLE.search(succeed(*measure[1:]))


def test_the_way_by_generated_questions_needs_nobody_and_gets_better_by_labels() -> None:
    generate, measure, label = commands("generate")
    said = succeed(*generate[1:])
    assert "Next: rankle eval generated.jsonl\nthen: rankle eval label generated.jsonl\n" in said
    first = succeed(*measure[1:])
    assert TABLE.search(first)
    code, seen = play(*label[1:], typed="2q")
    assert code == 0, seen
    assert "1 judgment kept and written to generated.jsonl; go on with: rankle eval label" in seen
    second = succeed(*measure[1:])
    assert TABLE.search(second)
    assert _judged(second) > _judged(first)


def _judged(table: str) -> float:
    found = re.search(r"^Judged .*?(\d\.\d{3})$", table, re.MULTILINE)
    assert found
    return float(found[1])


@pytest.mark.parametrize("word", ["genrate", "lable", "labl"])
def test_a_misspelt_way_says_what_is_near(word: str) -> None:
    assert 'did you mean "rankle eval ' in fail("eval", word)
