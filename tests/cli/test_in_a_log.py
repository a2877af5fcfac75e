"""What commands write into a pipe and into the log of CI: no styles, no bars, the same width everywhere."""

import json
import re
from pathlib import Path

import pytest

from fakes.command import enter_project, on_terminal, rankle, start, succeed, write_files
from rankle.cli.groups import command_tree
from rankle.cli.main import main

EVERY = [path for path, _ in command_tree(main, ())]
CI = {"CI": "true", "GITHUB_ACTIONS": "true"}
MOVES = re.compile(r"\r|\x1b\[[\d;?]*[A-KSTfhln]")
"""What moves the cursor or erases, as bars do; colours end with `m`."""
CALLS = (
    ["init"],
    ["index", "evals/example", "--model", "fake"],
    ["search", "lost card"],
    ["explain", "lost card", "--target", "fees.md"],
    ["eval", "evals/example.jsonl", "--method", "fts5,vector", "--gate"],
    ["run"],
    ["history"],
    ["show", "latest"],
    ["docs", "list"],
    ["workspace", "list"],
    ["doctor"],
    ["eval", "generate"],
)
JSON = ("search", "explain", "eval", "history", "docs", "workspace", "doctor", "index")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return enter_project(tmp_path / "project", monkeypatch, {})


@pytest.mark.parametrize(
    ("environ", "has_colour"),
    [
        ({"COLUMNS": ""}, False),
        (CI, False),
        ({**CI, "FORCE_COLOR": "1", "TERM": "xterm"}, True),
        ({"NO_COLOR": "1", "COLUMNS": "200"}, False),
    ],
    ids=["pipe", "CI", "CI-with-FORCE_COLOR", "NO_COLOR"],
)
def test_a_log_has_no_bars_and_no_colour_unless_asked(
    project: Path, environ: dict[str, str], has_colour: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    n_coloured = 0
    for args in CALLS:
        done = rankle(*args)
        assert done.code in (0, 1), (args, done.err)
        assert not MOVES.search(done.out + done.err), args
        n_coloured += "\x1b[" in done.out
        assert "\x1b[" not in done.err
        if not has_colour:
            too_wide = [line for line in done.out.splitlines() if len(line) > 80 and "/" not in line]
            assert too_wide == [], args  # paths stand uncut
    assert (n_coloured > 0) == has_colour
    for args in CALLS:
        if args[0] in JSON and args[1:2] != ["generate"]:
            done = rankle(*args, "--json")
            assert json.loads(done.out)["schema"], args
            assert not MOVES.search(done.err), args


def test_a_command_of_its_own_process_knows_a_pipe_too(project: Path) -> None:
    write_files(project, {"notes/a.md": "# Battery\n\nCharge it.\n"})
    process = start("index", "notes", "--model", "fake")
    out, err = process.communicate(timeout=60)
    assert "Documents: 1 added" in out
    assert "\x1b" not in out + err
    assert not MOVES.search(out + err)


@pytest.mark.parametrize("path", EVERY, ids=lambda path: " ".join(path) or "rankle")
def test_help_is_as_wide_as_80_columns_in_a_pipe_and_never_coloured(
    path: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("CI", "true")
    said = succeed(*path, "--help")
    assert "\x1b" not in said
    assert max(map(len, said.splitlines())) <= 80


def test_a_terminal_has_colour_and_a_bar_that_leaves_nothing(project: Path) -> None:
    write_files(project, {"notes/a.md": "# Battery\n\nCharge it.\n"})
    _, seen = on_terminal("index", "notes", "--model", "fake")
    assert MOVES.search(seen)
    shown = re.sub(r"\x1b\[[\d;?]*\w", "", seen)
    assert "Documents: 1 added" in shown


def test_a_narrow_terminal_gets_narrow_lines_from_every_command(project: Path) -> None:
    """But for what cannot be broken: paths, commands to copy, and words of a document."""
    write_files(project, {"notes/a.md": "# Battery\n\nCharge it.\n"})
    write_files(project, {"set.jsonl": '{"query": "battery", "relevant": ["a.md"]}\n'})
    narrow = {"COLUMNS": "40", "NO_COLOR": "1", "TERM": "dumb"}
    for args in (["index", "notes"], ["eval", "set.jsonl"], ["history"], ["doctor"], ["search", "battery"]):
        code, seen = on_terminal(*args, environ=narrow)
        assert code == 0, seen
        wide = [line for line in seen.splitlines() if len(line) > 40 and "/" not in line]
        assert wide == [], args
