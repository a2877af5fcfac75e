"""The root command: help, misspelt names, exit codes, and that help stays quick."""

import errno
import os
import re
import subprocess
import sys
from pathlib import Path

import click
import pytest

from fakes.command import GUIDE, rankle, succeed, write_files
from rankle.cli.groups import command_tree
from rankle.cli.main import COMMANDS, main

HELP = """\
Usage: rankle [OPTIONS] COMMAND [ARGS]...

  Is your search any good, where does it fail, and did a change make it
  better?

  rankle init                            start a project, with an example
  rankle index docs/                     index a folder
  rankle search "how do I reset it"      search it
  rankle eval queries.jsonl              measure it on queries with judgments

  Exit codes: 0 fine, 1 a gate is broken, 2 could not measure.
"""


EVERY = list(command_tree(main))


@pytest.mark.parametrize("option", ["--help", "-h"])
def test_help_names_the_purpose_and_the_commands(option: str) -> None:
    outcome = rankle(option)
    assert outcome.code == 0
    assert outcome.out.startswith(HELP)
    for name, command in COMMANDS.items():
        assert f"  {name:<11} {command.help}\n" in outcome.out


def test_without_arguments_the_help_is_shown_as_wrong_usage() -> None:
    outcome = rankle()
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith(HELP)


@pytest.mark.parametrize("name", COMMANDS)
def test_the_line_of_a_command_is_its_own_short_help(name: str) -> None:
    command = main.get_command(click.Context(main), name)
    assert command is not None
    assert command.short_help == COMMANDS[name].help


@pytest.mark.parametrize(
    ("path", "command"), EVERY, ids=lambda value: " ".join(value) if isinstance(value, tuple) else ""
)
def test_every_command_has_help_with_an_example_within_100_columns(
    path: tuple[str, ...], command: click.Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "140")
    printed = rankle(*path, "-h").out
    assert max(map(len, printed.splitlines())) <= 100
    example = '{"query"' if path == ("eval",) else " ".join(("rankle", *path))
    assert example in printed.split("\n", 1)[1]
    assert all(option.help for option in command.params if isinstance(option, click.Option))


@pytest.mark.parametrize(
    ("path", "command"), EVERY, ids=lambda value: " ".join(value) if isinstance(value, tuple) else ""
)
def test_every_help_fits_into_80_columns(path: tuple[str, ...], command: click.Command) -> None:
    printed = rankle(*path, "-h").out
    assert [line for line in printed.splitlines() if len(line) > 80] == []
    assert not re.search(r"--\S+ (INTEGER|FLOAT)\b", printed)  # what a value is has a name of ours


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["serach"], 'unknown command "serach"; did you mean "search"? See: rankle --help'),
        (["xyzzy"], 'unknown command "xyzzy". See: rankle --help'),
        (["docs", "lst"], 'unknown command "lst"; did you mean "list"? See: rankle docs --help'),
        (["workspace", "del"], 'unknown command "del"; did you mean "delete"? See: rankle workspace --help'),
        (["index", "--chunkr", "x"], "No such option '--chunkr'. Did you mean '--chunker'?"),
        (["docs", "list", "--jsn"], "No such option '--jsn'. Did you mean '--json'?"),
        (["--verson"], "No such option '--verson'. (Did you mean one of: '--json', '--version'?)"),
    ],
)
def test_a_misspelt_name_exits_with_2_and_says_what_is_near(args: list[str], message: str) -> None:
    outcome = rankle(*args)
    assert (outcome.code, outcome.out) == (2, "")
    assert f"Error: {message}" in outcome.err.replace("Possible options: ", "Did you mean ")


@pytest.mark.parametrize("group", ["docs", "workspace"])
def test_a_group_without_a_command_shows_its_help(group: str) -> None:
    outcome = rankle(group)
    assert outcome.code == 2
    assert outcome.err.startswith(f"Usage: rankle {group} ")


HELP_OF_ALL = """
import sys
import click
from rankle.cli.main import _exit_code, main

def ask(command, *names):
    assert _exit_code([*names, "--help"]) == 0
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            ask(command.get_command(context, name), *names, name)

ask(main)
heavy = {"asyncio", "json", "msgspec", "numpy", "polars", "rapidfuzz", "rich", "sqlite3"}
print(sorted(heavy & set(sys.modules)), file=sys.stderr)
"""


def test_the_help_of_no_command_imports_anything_heavy() -> None:
    environ = {name: value for name, value in os.environ.items() if not name.startswith("RANKLE_")}
    done = subprocess.run(
        [sys.executable, "-c", HELP_OF_ALL], capture_output=True, text=True, check=True, env=environ
    )
    assert done.stdout.startswith(HELP)
    assert "Usage: rankle eval generate-from-ratings " in done.stdout
    assert done.stderr == "[]\n"


def test_a_home_that_cannot_be_made_is_an_error_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("RANKLE_HOME", str(tmp_path / "file" / "home"))
    outcome = rankle("workspace", "create", "x")
    assert outcome.code == 2
    assert (
        f"Error: the folder {tmp_path / 'file' / 'home' / 'x'} cannot be made: Not a directory" in outcome.err
    )


@pytest.mark.parametrize("args", ["--help", "search battery", "search battery --json", "docs list"])
def test_a_reader_that_goes_away_is_no_error(tmp_path: Path, args: str) -> None:
    succeed("index", write_files(tmp_path / "guide", GUIDE))
    command = f"\"{sys.executable}\" -c 'from rankle.cli.main import run; run()' {args}"
    done = subprocess.run(
        ["bash", "-c", f"{command} | true; exit ${{PIPESTATUS[0]}}"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("reason", [errno.EFBIG, errno.ENOSPC])
def test_a_file_that_finds_no_room_says_what_to_do(reason: int) -> None:
    @main.command("full")
    def full() -> None:
        raise OSError(reason, os.strerror(reason))

    try:
        outcome = rankle("full")
    finally:
        del main.commands["full"]
    assert outcome.code == 2
    assert outcome.err == (
        f"Error: a file could not be written: {os.strerror(reason)}. Make room for the workspace, the output "
        "and temporary files (TMPDIR names their folder), or raise the limit (ulimit -f), then try again\n"
    )


def test_a_fault_of_ours_exits_with_2_since_1_means_a_broken_gate() -> None:
    @main.command("boom")
    def boom() -> None:
        raise ValueError("boom")

    try:
        outcome = rankle("boom")
    finally:
        del main.commands["boom"]
    assert outcome.code == 2
    assert "ValueError: boom\nThis is a fault of rankle" in outcome.err


@pytest.mark.parametrize(("code", "said"), [(None, ""), (0, " with 0"), (1, " with 1")])
def test_code_of_the_user_that_ends_the_process_ends_with_2(code: int | None, said: str) -> None:
    @main.command("leaves")
    def leaves() -> None:
        sys.exit(code)

    try:
        outcome = rankle("leaves")
    finally:
        del main.commands["leaves"]
    assert outcome.code == 2
    assert outcome.err == f"Error: code that was imported or called ended the process{said} (sys.exit)\n"
