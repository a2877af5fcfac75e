"""Wrong calls of every command: what is misspelt says what is near, what is missing shows a call."""

import json
import re
import shlex
from pathlib import Path

import click
import pytest

from fakes.command import fail, rankle, succeed, write_files
from rankle.cli.groups import command_tree
from rankle.cli.main import main
from rankle.cli.usage_errors import example_of

EVERY = list(command_tree(main, ()))
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
    words = shlex.split(re.split(" >>? ", example.removeprefix("Such as: "))[0])
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


def _choices() -> list[tuple[tuple[str, ...], click.Parameter]]:
    return [(path, param) for path, command in EVERY for param in command.params if _is_choice(param)]


def _is_choice(param: click.Parameter) -> bool:
    return isinstance(param.type, click.Choice)


@pytest.mark.parametrize(
    ("path", "param"), _choices(), ids=lambda value: name(value) if isinstance(value, tuple) else value.name
)
def test_a_misspelt_choice_says_what_is_near_and_what_is_allowed(
    path: tuple[str, ...], param: click.Parameter
) -> None:
    assert isinstance(param.type, click.Choice)
    flag = [max(param.opts, key=len)] if isinstance(param, click.Option) else []
    for choice in param.type.choices:
        misspelt = f"{choice[:-2]}{choice[-1]}{choice[-2]}x" if len(choice) > 3 else f"{choice}x"
        said = fail(*path, *flag, misspelt)
        assert all(f"'{one}'" in said for one in param.type.choices)
        assert said.endswith(f'Did you mean "{choice}"?\n'), said


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (
            ("show", "latest", "--system", "x"),
            (
                "--system is an option of: "
                "rankle init, rankle eval, rankle eval label, rankle eval pool, rankle record"
            ),
        ),
        (("eval", "set.jsonl", "--threshold", "3"), "--threshold is an option of: rankle run, rankle watch"),
        (("index", "docs", "--fix"), "--fix is an option of: rankle eval check"),
    ],
)
def test_an_option_of_another_command_is_told_with_that_command(args: tuple[str, ...], said: str) -> None:
    assert fail(*args).splitlines()[-1] == said


def test_an_option_of_many_commands_or_of_none_is_not_told_of_them() -> None:
    assert "is an option of" not in fail("completion", "bash", "--json")
    assert "is an option of" not in fail("completion", "bash", "--qqqqqq")


def test_one_argument_too_many_is_told_with_a_call_that_is_right() -> None:
    assert fail("show", "latest", "other").endswith("(other)\nSuch as: rankle show latest\n")


@pytest.mark.parametrize(
    ("variable", "meant"), [("RANKLE_WORKSPCE", "RANKLE_WORKSPACE"), ("RANKLE_CASHE", "RANKLE_CACHE")]
)
def test_a_misspelt_variable_is_told_and_changes_nothing(
    variable: str, meant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, "x")
    outcome = rankle("workspace", "list")
    assert outcome.code == 0
    assert outcome.err == f"Note: the variable {variable} is not read; did you mean {meant}?\n"


def test_a_variable_of_a_project_that_only_begins_like_ours_is_not_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("RANKLE_SHOP_TOKEN", "x")
    assert rankle("workspace", "list").err == ""


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("init", ".", "--system", "htpp://x/y"), 'unknown kind of system "htpp"; did you mean "http"'),
        (("search", "x", "--collection", "defalt"), 'unknown collection "defalt"; did you mean "default"?'),
        (("docs", "list", "--collection", "defalt"), 'did you mean "default"? Known: default.'),
        (("show", "latst"), 'unknown run "latst"; did you mean "latest"?'),
        (("search", "x", "--method", "hybird"), 'did you mean "hybrid"? Known: hybrid, vector, fts5.'),
        (("index", "docs", "--chunker", "sentense"), 'did you mean "sentence"? Known are heading, fixed:N'),
        (("eval", "set.jsonl", "--measures", "nDGC@10"), 'did you mean "nDCG@10"?'),
        (("eval", "set.jsonl", "--method", "hybird"), 'did you mean "hybrid"?'),
        (("eval", "set.jsonl", "--system", "htpp://x"), 'unknown kind of system "htpp"; did you mean "http"'),
        (("eval", "set.jsonl", "--system", "shp"), 'unknown system "shp"; did you mean "shop"?'),
        (("eval", "set.jsonl", "--phase", "bta"), 'did you mean "beta"?'),
        (("search", "x", "-w", "projcet"), 'did you mean "project"?'),
        (("eval", "st.jsonl"), "no such file: st.jsonl; did you mean set.jsonl?"),
        (("docs", "show", "b.md"), 'unknown document "b.md"; did you mean "a.md"?'),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_a_misspelt_name_says_what_is_near(project: Path, args: tuple[str, ...], said: str) -> None:
    assert said in rankle(*args).err


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home and a project with a workspace and a recorded run."""
    return tmp_path_factory.mktemp("started")


@pytest.fixture
def project(started: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RANKLE_HOME", str(started / "home"))
    monkeypatch.setenv("RANKLE_RECORDS", str(started / "runs.db"))
    if not (started / "project").exists():
        files = {
            "rankle.toml": 'workspace = "project"\n[systems.shop]\nuri = "http://localhost:1/"\n',
            "docs/a.md": "# Battery\n",
            "set.jsonl": '{"query": "battery", "relevant": ["a.md"]}\n',
        }
        monkeypatch.chdir(write_files(started / "project", files))
        succeed("index", "docs")
        succeed("eval", "set.jsonl")
    monkeypatch.chdir(started / "project")
    return started / "project"


ALONE = [
    path
    for path, command in EVERY
    if path not in {(), ("init",), ("watch",)}
    and not (isinstance(command, click.Group) and path != ("eval",))
]


@pytest.mark.parametrize("path", ALONE, ids=" ".join)
def test_a_command_alone_works_or_says_a_call_that_does(
    path: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RANKLE_RECORDS", str(tmp_path / "runs.db"))
    outcome = rankle(*path)
    assert outcome.code == 0 or re.search(r"\brankle [a-z]+", outcome.err.split("Error: ")[1]), outcome
