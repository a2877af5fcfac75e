# ruff: noqa: E501  (messages stand as they are printed)
"""`rankle eval`: its help, and flags that are refused before anything is searched."""

from pathlib import Path

import pytest

from fakes.command import fail, write_files
from fakes.hand_worked import write_set
from rankle.cli.main import COMMANDS, _exit_code


@pytest.mark.parametrize("columns", [80, 140])
def test_the_help_shows_both_formats_within_its_width(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    assert _exit_code(["eval", "--help"]) == 0
    printed = capsys.readouterr().out
    assert '{"query": "how do I reset it", "relevant": ["guide/reset.md"]}' in printed
    assert '"judgments": [{"docid": "guide/reset.md", "relevance": 2}]' in printed
    assert max(len(line) for line in printed.splitlines()) <= min(columns, 100)


@pytest.mark.parametrize("command", ["check", "add", "label", "pool"])
def test_the_usage_of_a_subcommand_has_no_argument_of_the_group(
    capsys: pytest.CaptureFixture[str], command: str
) -> None:
    assert _exit_code(["eval", command, "--help"]) == 0
    assert f"Usage: rankle eval {command} [OPTIONS] SET\n" in capsys.readouterr().out
    assert _exit_code(["eval", command, "--nosuch"]) == 2
    assert f"Try 'rankle eval {command} --help' for help." in capsys.readouterr().err


def test_the_short_help_is_that_of_the_root_command() -> None:
    from rankle.cli.eval import eval_

    assert eval_.short_help == COMMANDS["eval"].help


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-k", "a"], 'Error: -k must be integers >= 1 with commas between them, such as 1,5,10; got "a"'),
        (["-k", "1,,5"], 'Error: -k must be integers >= 1 with commas between them, such as 1,5,10; got "1,,5"'),
        (["-k", "0"], 'Error: -k must be integers >= 1 with commas between them, such as 1,5,10; got "0"'),
        (["-k", "-1"], 'Error: -k must be integers >= 1 with commas between them, such as 1,5,10; got "-1"'),
        (["-k", "²"], 'Error: -k must be integers >= 1 with commas between them, such as 1,5,10; got "²"'),
        (["-k", "1", "-k", "b"], '-k must be integers >= 1 with commas between them, such as 1,5,10; got "1,b"'),
        (["-k", "3", "--measures", "R@5"], "Error: k = 3 and the measures, which go to 5, would cut the lists differently; leave k out, or name measures at 3"),
        (["-k", "1,200"], "Error: k = 200 is deeper than the 100 results that the system is asked for; raise the depth: --depth 200"),
        (["--measures", "R@101"], "Error: R@101 is deeper than the 100 results that the system is asked for; raise the depth: --depth 101"),
        (["--measures", ""], "measure"),
        (["--measures", "nDGC@10"], "nDGC@10"),
        (["--level", "page"], "'page' is not one of 'document', 'chunk', 'span'"),
        (["--max-queries", "0"], "0 is not in the range x>=1"),
        (["--worst", "-1"], "-1 is not in the range x>=0"),
        (["--relevance", "both"], "'both' is not one of 'relevantDocs', 'judgments'"),
        (["--output", "."], "Error: . is a folder; --output names a file, such as run.json"),
        (["--output", "no/run.json"], "Error: no such folder: no; make it first, or write elsewhere"),
        (["--nosuch"], "No such option"),
    ],
)  # fmt: skip
def test_bad_flags_exit_with_2_and_say_why(tmp_path: Path, arguments: list[str], message: str) -> None:
    assert message in fail("eval", write_set(tmp_path), *arguments)


def test_a_missing_set_exits_with_2(tmp_path: Path) -> None:
    assert fail("eval", tmp_path / "no.jsonl") == f"Error: no such file: {tmp_path / 'no.jsonl'}\n"


def test_all_bad_lines_are_printed_with_their_numbers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "set.jsonl"
    path.write_text(
        '{"query": "x", "relevant": ["a"]}\n{"query": 1, "relevant": []}\nnonsense\n', encoding="utf-8"
    )
    assert _exit_code(["eval", str(path)]) == 2
    assert capsys.readouterr().err == (
        f'Error: {path}:2: "query" must be text that is not blank, got 1\n'
        f"{path}:3: is not valid JSON: Expecting value at column 1\n"
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--method", ""], 'Error: --method must be names with commas between them, such as fts5,hybrid; got ""'),
        (["--method", "fts5,"], 'such as fts5,hybrid; got "fts5,"'),
        (["--method", "fts5,fts5"], 'Error: method "fts5" is named twice'),
        (["--method", "fts5", "--method", "fts5"], 'Error: method "fts5" is named twice'),
    ],
)  # fmt: skip
def test_methods_that_are_not_several_different_ones_are_refused(
    tmp_path: Path, arguments: list[str], message: str
) -> None:
    assert message in fail("eval", write_set(tmp_path), *arguments)


@pytest.mark.parametrize("named", ["evals", "evals/deep/search_eval.py"])
def test_evals_that_are_code_are_told_how_they_are_run(named: str, tmp_path: Path) -> None:
    write_files(tmp_path, {"evals/deep/search_eval.py": "raise SystemExit"})
    path = tmp_path / named
    assert fail("eval", path).endswith(f"; evals that are code are run with: rankle run {path}\n")
