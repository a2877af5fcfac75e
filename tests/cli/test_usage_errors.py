"""Wrong calls of every command: what is misspelt says what is near, what is missing shows a call."""

import json
import shlex
from pathlib import Path

import click
import pytest

from fakes.command import fail, rankle, succeed
from rankle.cli.main import main
from rankle.cli.usage_errors import example_of
from tools.docs_check import commands

EVERY = list(commands(main, ()))
GROUPS = [(path, command) for path, command in EVERY if isinstance(command, click.Group)]
LISTING = [(path, group) for path, group in GROUPS if path != ("eval",) and not group.invoke_without_command]
DEMANDING = [
    (path, command)
    for path, command in EVERY
    if path != ("eval",) and any(param.required for param in command.params)
]


def name(value: object) -> str:
    return " ".join(value) if isinstance(value, tuple) else ""


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(("path", "command"), EVERY, ids=name)
def test_a_misspelt_option_says_what_is_near(path: tuple[str, ...], command: click.Command) -> None:
    options = [param for param in command.params if isinstance(param, click.Option)]
    flags = [flag for option in options for flag in (*option.opts, *option.secondary_opts) if len(flag) > 5]
    for flag in [*flags, "--help"]:
        misspelt = f"{flag[:-2]}{flag[-1]}{flag[-2]}x"
        said = fail(*path, misspelt)
        assert f"No such option '{misspelt}'" in said
        assert flag in said.split("No such option")[1], said


@pytest.mark.parametrize(("path", "command"), EVERY, ids=name)
def test_an_option_like_nothing_names_the_help(path: tuple[str, ...], command: click.Command) -> None:
    said = fail(*path, "--qqqqqq")
    assert f"Try '{' '.join(('rankle', *path))} --help' for help." in said
    assert "Error: No such option '--qqqqqq'" in said


@pytest.mark.parametrize(("path", "group"), GROUPS, ids=name)
def test_a_misspelt_command_says_what_is_near(path: tuple[str, ...], group: click.Group) -> None:
    for command in group.list_commands(click.Context(group)):
        middle = len(command) // 2
        misspelt = command[:middle] + command[middle + 1 :]
        if misspelt in group.list_commands(click.Context(group)):
            continue
        assert f'{command}"' in fail(*path, misspelt), misspelt


@pytest.mark.parametrize(("path", "command"), DEMANDING, ids=name)
def test_a_missing_argument_is_told_with_a_call_that_has_it(
    path: tuple[str, ...], command: click.Command
) -> None:
    *_, error, example = fail(*path).strip().splitlines()
    assert error.startswith("Error: Missing ") or path == ("completion",)
    assert example.startswith(f"Such as: rankle {' '.join(path)} ")
    words = shlex.split(example.removeprefix("Such as: ").split(" > ")[0])
    context = click.Context(main, info_name="rankle")
    command.make_context(name(path), words[1 + len(path) :], parent=context)  # raises where it is wrong


@pytest.mark.parametrize(("path", "group"), LISTING, ids=name)
def test_a_group_without_a_command_lists_them(path: tuple[str, ...], group: click.Group) -> None:
    said = fail(*path)
    for command in group.list_commands(click.Context(group)):
        assert f"\n  {command} " in said


def test_a_command_without_an_example_has_none() -> None:
    assert example_of(click.Command("x", help="Nothing."), "rankle x") == ""
    assert (
        example_of(click.Command("x", help="A.\n\n  rankle x a b    does it\n"), "rankle x") == "rankle x a b"
    )


def test_the_version_is_said_alone_or_as_json() -> None:
    from rankle.core.product import VERSION

    assert succeed("--version") == succeed("-V") == f"rankle, version {VERSION}\n"
    for args in (("--version", "--json"), ("--json", "--version"), ("-V", "--json")):
        said = json.loads(succeed(*args))
        assert (said["name"], said["version"]) == ("rankle", VERSION)
        assert sorted(said) == ["name", "platform", "python", "schema", "version"]


def test_json_without_a_command_is_refused() -> None:
    assert "--json stands behind a command, or goes with --version" in fail("--json")
    assert rankle("--json", "docs", "list").code == 2
