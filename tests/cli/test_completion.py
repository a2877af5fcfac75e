"""`rankle completion`: scripts that make shells complete, and what they complete."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from fakes.command import fail, succeed, write_files


@pytest.fixture
def command(tmp_path: Path) -> Path:
    """A folder with an executable called rankle."""
    program = f"#!/bin/sh\nexec {sys.executable} -c 'from rankle.cli.main import run; run()' \"$@\"\n"
    folder = write_files(tmp_path / "bin", {"rankle": program})
    (folder / "rankle").chmod(0o755)
    return folder


def completed(command: Path, *words: str) -> list[str]:
    """What bash offers for the last of these words, once it has sourced the script."""
    quoted = " ".join(f"'{word}'" for word in words)
    script = (
        f"set -eu; source <(rankle completion bash); COMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}\n"
        "compopt() { :; }\n"  # bash knows it while a user completes only
        "_rankle_completion rankle\n"
        "printf '%s\\n' \"${COMPREPLY[@]}\"\n"
        "complete -p rankle >&2\n"
    )
    environ = {**os.environ, "PATH": f"{command}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, env=environ, check=True)
    assert "_rankle_completion" in done.stderr
    return done.stdout.splitlines()


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["ev"], ["eval"]),
        (["ca"], ["cache"]),
        (["cache", "pr"], ["prune"]),
        (["search", "--coll"], ["--collection", "--collapse"]),
        (["eval", "generate-"], ["generate-from-ratings"]),
        (["eval", "check", "--fi"], ["--fix"]),
        (["eval", "set.jsonl", "--wor"], ["--workspace", "--worst"]),
        (["completion", "f"], ["fish"]),
    ],
    ids=" ".join,
)
def test_bash_completes_commands_and_options(command: Path, words: list[str], found: list[str]) -> None:
    assert sorted(filter(None, completed(command, "rankle", *words))) == sorted(found)


def test_bash_completes_the_names_of_workspaces(command: Path) -> None:
    succeed("workspace", "create", "handbook")
    succeed("workspace", "create", "other")
    assert completed(command, "rankle", "search", "-w", "hand") == ["handbook"]


def test_bash_completes_runs_by_id_and_tag_and_methods(
    command: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RANKLE_RECORDS", str(tmp_path / "runs.db"))
    assert completed(command, "rankle", "show", "") == [""]  # no records yet
    succeed("index", write_files(tmp_path / "docs", {"a.md": "# Battery\n"}))
    write_files(tmp_path, {"set.jsonl": '{"query": "battery", "relevant": ["a.md"]}\n'})
    run = json.loads(succeed("eval", tmp_path / "set.jsonl", "--json"))["id"]
    succeed("tag", "latest", "before")
    for words in (["show", ""], ["compare", "latest", ""], ["export", ""], ["baseline", "set", ""]):
        assert sorted(completed(command, "rankle", *words)) == sorted(["latest", "before", run]), words
    assert completed(command, "rankle", "gate", "bef") == ["before"]
    assert completed(command, "rankle", "search", "--method", "v") == ["vector"]
    assert completed(command, "rankle", "eval", "--method", "fts5,h") == ["fts5,hybrid"]


def test_what_cannot_be_read_offers_nothing(
    command: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(write_files(tmp_path / "project", {"rankle.toml": "nonsense ="}))
    assert completed(command, "rankle", "search", "-w", "") == [""]
    monkeypatch.delenv("RANKLE_RECORDS")
    assert completed(command, "rankle", "show", "") == [""]


@pytest.mark.parametrize(
    "words", [["evl", "x"], ["cache", "prnue", "x"], ["eval", "chekc", "--"]], ids=" ".join
)
def test_half_a_line_with_a_fault_completes_without_one(command: Path, words: list[str]) -> None:
    assert not any("Error" in line for line in completed(command, "rankle", *words))


@pytest.mark.parametrize(
    ("shell", "begins", "holds"),
    [
        ("bash", "_rankle_completion() {", "complete -o nosort -F _rankle_completion rankle"),
        ("zsh", "#compdef rankle", "compdef _rankle_completion rankle"),
        ("fish", "function _rankle_completion;", "complete --no-files --command rankle"),
    ],
)
def test_every_shell_has_its_script(shell: str, begins: str, holds: str) -> None:
    script = succeed("completion", shell)
    assert script.startswith(begins)
    assert holds in script
    assert f"_RANKLE_COMPLETE={shell}_complete" in script


def test_zsh_and_fish_ask_in_their_own_ways(command: Path) -> None:
    for shell, line in (
        ("zsh", "plain\neval\nEvaluate search on a set"),
        ("fish", "plain,eval\tEvaluate search"),
    ):
        environ = {
            **os.environ, "COMP_WORDS": "rankle ev", "COMP_CWORD": "1" if shell == "zsh" else "ev",
            "_RANKLE_COMPLETE": f"{shell}_complete",
        }  # fmt: skip
        done = subprocess.run([command / "rankle"], capture_output=True, text=True, env=environ, check=True)
        assert done.stdout.startswith(line), shell


def test_a_shell_that_is_not_known_is_refused() -> None:
    assert "'tcsh' is not one of 'bash', 'zsh', 'fish'" in fail("completion", "tcsh")


def test_completing_a_command_imports_nothing_heavy(command: Path) -> None:
    program = (
        "import sys\n"
        "from rankle.cli.main import _exit_code\n"
        "_exit_code([])\n"
        "print(sorted({'numpy', 'polars', 'sqlite3', 'onnxruntime'} & set(sys.modules)))"
    )
    environ = {
        **os.environ,
        "COMP_WORDS": "rankle inde",
        "COMP_CWORD": "1",
        "_RANKLE_COMPLETE": "bash_complete",
    }
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, env=environ, check=True
    )
    assert done.stdout.splitlines() == ["plain,index", "[]"]
