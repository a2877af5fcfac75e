"""Reports in colour: on a terminal only, and not where NO_COLOR or a dumb terminal says no."""

import re
from pathlib import Path

import pytest

from fakes.command import on_terminal, succeed, write_files


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    write_files(tmp_path, {"a.qrels": "q1 0 d1 1\n", "a.run": "q1 Q0 d1 1 0.5 mine\n"})
    return [tmp_path / "a.qrels", tmp_path / "a.run"]


def test_a_terminal_gets_colour_and_a_pipe_the_same_words_without(files: list[Path]) -> None:
    code, seen = on_terminal("score", *files)
    assert code == 0
    assert "\x1b[1mScores: a.qrels (1 query)\x1b[0m" in seen
    assert re.sub(r"\x1b\[[\d;]*m", "", seen) == succeed("score", *files)


@pytest.mark.parametrize("environ", [{"NO_COLOR": "1"}, {"TERM": "dumb"}], ids=["NO_COLOR", "dumb"])
def test_no_colour_where_the_environment_says_so(files: list[Path], environ: dict[str, str]) -> None:
    _, seen = on_terminal("score", *files, environ=environ)
    assert "\x1b" not in seen
    assert "Scores: a.qrels" in seen


def test_what_programs_read_has_no_colour_on_a_terminal_either(files: list[Path]) -> None:
    for option in ("--json", "--per-query", "--trec"):
        assert "\x1b" not in on_terminal("score", *files, option)[1]


def test_eval_has_colour_on_a_terminal(tmp_path: Path) -> None:
    write_files(tmp_path / "docs", {"a.md": "# Battery\n\nCharge it.\n"})
    succeed("index", tmp_path / "docs")
    write_files(tmp_path, {"set.jsonl": '{"query": "battery", "relevant": ["a.md"]}\n'})
    _, seen = on_terminal("eval", tmp_path / "set.jsonl")
    assert "\x1b[1mEvaluation: set.jsonl (1 query)\x1b[0m" in seen
    _, plain = on_terminal("eval", tmp_path / "set.jsonl", environ={"NO_COLOR": "1"})
    assert "\x1b[1m" not in plain


def test_a_narrow_terminal_gets_narrow_lines(files: list[Path]) -> None:
    _, seen = on_terminal("score", *files, environ={"COLUMNS": "40", "NO_COLOR": "1"})
    assert max(map(len, seen.splitlines())) <= 40
