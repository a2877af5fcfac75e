"""`rankle completion`: what is offered for a line, and that real shells put it there."""

import fcntl
import json
import os
import select
import shutil
import subprocess
import sys
import termios
import time
from contextlib import suppress
from pathlib import Path

import pytest

from fakes.command import fail, succeed, write_files
from rankle.cli.completion_scripts import SCRIPTS

BREAKS = " \t\n\"'><=;|&(:"
PROJECT = """
workspace = "handbook"
[systems.shop]
uri = "http://localhost:1/search"
[systems."my search"]
uri = "http://localhost:1/search"
"""


def offered(line: str, *, shell: str = "bash") -> list[str]:
    """What is offered for a line, without what it is; files as `<file>` behind what stands before them."""
    said = succeed("completion", shell, "--line", line, "--breaks", BREAKS)
    offers = [offer.split("\x1f") for offer in said.splitlines()]
    return [text if kind == "plain" else f"{text}<{kind}>" for kind, text, _ in offers]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A workspace with a document, a recorded run with a tag, and a project that names systems."""
    monkeypatch.setenv("RANKLE_RECORDS", str(tmp_path / "runs.db"))
    files = {
        "rankle.toml": PROJECT,
        "docs/a.md": "# Battery\n",
        "set.jsonl": '{"query": "battery", "relevant": ["a.md"]}\n',
        "my set.jsonl": "",
        "baselines/main.json": "{}",
    }
    monkeypatch.chdir(write_files(tmp_path / "project", files))
    succeed("index", "docs")
    succeed("workspace", "create", "other")
    succeed("eval", "set.jsonl")
    succeed("tag", "latest", "before")
    return tmp_path / "project"


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("rankle ev", ["eval"]),
        ("rankle ca", ["cache"]),
        ("rankle cache pr", ["prune"]),
        ("rankle search --coll", ["--collection", "--collapse"]),
        ("rankle eval generate-", ["generate-from-ratings", "<file>"]),
        ("rankle eval check --fi", ["--fix"]),
        ("rankle eval set.jsonl --wor", ["--workspace", "--worst"]),
        ("rankle eval set.jsonl --level ch", ["chunk"]),
        ("rankle eval set.jsonl --level=ch", ["chunk"]),
        ("rankle eval set.jsonl -o ", ["<file>"]),
        ("rankle eval set.jsonl --output=re", ["--output=<file>"]),
        ("rankle search -- --wor", []),
        ("rankle completion f", ["fish"]),
        ("rankle run ev", ["<file>"]),
        ("rankle inspect ", ["<file>"]),
        ("rankle index --chunker fi", ["fixed:"]),
        ("rankle index --model e5", ["e5-small"]),
        ("rankle eval --measures ap,ndcg", ["ap,nDCG@10"]),
        ("rankle eval --method fts5,", ["fts5,hybrid", "fts5,vector"]),
        ("rankle search --method=v", ["vector"]),
        ("rankle eval --system run:re", ["run:<file>"]),
        ("rankle eval --system=run:re", ["--system=run:<file>"]),
        ("rankle evl x", []),
        ("rankle cache prnue x", []),
        ("rankle eval chekc --work", ["--workspace"]),
    ],
)
def test_commands_options_and_values_are_offered(line: str, found: list[str]) -> None:
    assert offered(line) == found


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("rankle search -w hand", ["handbook"]),
        ("rankle workspace info ", ["handbook", "other"]),
        ("rankle workspace delete o", ["other"]),
        ("rankle eval --system kb:h", ["handbook"]),
        ("rankle eval --system sh", ["shop"]),
        ("rankle eval --system m", ["my\\ search"]),
        ('rankle eval --system "my', ["my search"]),
        ("rankle gate bef", ["before"]),
        ("rankle run --failing bef", ["before"]),
        ("rankle tag --delete ", ["before"]),
        ("rankle gate latest --baseline m", []),
        ("rankle show nothing", ["<file>"]),
    ],
)
def test_names_of_the_project_are_offered(project: Path, line: str, found: list[str]) -> None:
    assert offered(line) == found


def test_runs_are_offered_wherever_one_is_named(project: Path) -> None:
    (run,) = json.loads(succeed("history", "--json"))["runs"]
    every = ["latest", "before", run["id"]]
    for line in ("show", "compare latest", "export", "baseline set", "rescore", "power set.jsonl --run"):
        assert offered(f"rankle {line} ") == every, line
    assert offered(f"rankle show --records {project.parent / 'none.db'} ") == ["<file>"]


def test_what_cannot_be_read_offers_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(write_files(tmp_path / "project", {"rankle.toml": "nonsense ="}))
    assert offered("rankle search -w ") == []
    monkeypatch.delenv("RANKLE_RECORDS")
    assert offered("rankle tag --delete ") == []
    assert offered("rankle gate latest --baseline ") == []
    assert offered("rankle eval --system s") == []


def test_other_shells_get_the_whole_word_and_what_it_is() -> None:
    assert succeed("completion", "zsh", "--line", "rankle ev") == (
        "plain\x1feval\x1fEvaluate search on a set of queries with judgments.\n"
    )
    assert succeed("completion", "fish", "--line", "rankle eval --level=ch") == "plain\x1f--level=chunk\x1f\n"
    assert (
        succeed("completion", "fish", "--line", "rankle eval s --output='my s")
        == "file\x1f--output=\x1fmy s\n"
    )


def test_a_shell_that_is_not_known_is_refused() -> None:
    assert "'tcsh' is not one of 'bash', 'zsh', 'fish'" in fail("completion", "tcsh")


def test_completing_a_command_imports_nothing_heavy() -> None:
    program = (
        "import sys\n"
        "from rankle.cli.main import _exit_code\n"
        "_exit_code(['completion', 'bash', '--line', 'rankle '])\n"
        "heavy = {'numpy', 'polars', 'sqlite3', 'onnxruntime', 'rankle.cli.eval'}\n"
        "print(sorted(heavy & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert "plain\x1feval\x1f" in done.stdout
    assert done.stderr == "[]\n"


TYPED = (
    ("rankle eval --system kb:hand\t", ["eval", "--system", "kb:handbook"]),
    ("rankle eval --system=kb:hand\t", ["eval", "--system=kb:handbook"]),
    ("rankle eval --system my\t", ["eval", "--system", "my search"]),
    ("rankle eval 'my s\t", ["eval", "my set.jsonl"]),
    ("rankle eval x --output=se\t", ["eval", "x", "--output=set.jsonl"]),
    ("LANG=C rankle search --method fts5,hy\t", ["search", "--method", "fts5,hybrid"]),
    ("rankle search -- --metho\t", ["search", "--", "--metho"]),
)
"""Lines as they are typed, and the words that the command gets when the line is sent off."""
STARTS = {
    "bash": ("bash", ["--norc", "--noprofile", "-i"], "source <(rankle completion bash)"),
    "zsh": ("zsh", ["-f", "-i"], "rankle completion zsh >> ~/.zshrc; source ~/.zshrc"),
    "zsh by a folder of $fpath": (
        "zsh",
        ["-f", "-i"],
        "rankle completion zsh > $HOME/_rankle; fpath=($HOME $fpath); autoload -Uz compinit; compinit -u",
    ),
    "fish": ("fish", ["--no-config", "-i"], "rankle completion fish | source"),
}
INSTALLED = [name for name, (shell, *_) in STARTS.items() if shutil.which(shell)]


def test_bash_is_here_and_every_shell_has_a_way_to_be_driven() -> None:
    """So that the test below runs with it wherever the suite does; with zsh and fish where they are."""
    assert "bash" in INSTALLED
    assert {shell for shell, *_ in STARTS.values()} == {*SCRIPTS}


@pytest.mark.parametrize("start", INSTALLED)
def test_a_shell_on_a_terminal_puts_it_into_the_line(start: str, project: Path, tmp_path: Path) -> None:
    got = tmp_path / "got"
    program = (
        f"#!/bin/sh\n"
        f'[ "$1" = completion ] && exec {sys.executable} -c \'from rankle.cli.main import run; run()\' "$@"\n'
        f"{{ printf '%s\\n' \"$@\"; echo .; }} >> {got}\n"
    )
    (write_files(tmp_path / "bin", {"rankle": program}) / "rankle").chmod(0o755)
    shell, options, source = STARTS[start]
    typed = [source, *(line for line, _ in TYPED), "exit"]
    on_shell([shell, *options], typed, path=tmp_path / "bin", home=tmp_path)
    calls = [call.splitlines() for call in got.read_text().split("\n.\n") if call]
    assert calls == [words for _, words in TYPED]


def on_shell(command: list[str], typed: list[str], *, path: Path, home: Path) -> None:
    """Type lines into a shell on a terminal of its own, and wait for its end."""
    where = {"PATH": f"{path}{os.pathsep}{os.environ['PATH']}", "TERM": "xterm", "HOME": str(home)}
    environ = {**os.environ, **where}
    ours, theirs = os.openpty()
    process = subprocess.Popen(
        command, stdin=theirs, stdout=theirs, stderr=theirs, env=environ, start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
    )  # fmt: skip
    os.close(theirs)
    seen = bytearray()
    deadline = time.monotonic() + 60
    os.write(ours, "".join(f"{line}\r" for line in typed).encode())
    try:
        with suppress(OSError):  # how Linux says that the other end is closed
            while process.poll() is None:
                assert time.monotonic() < deadline, seen.decode(errors="replace")
                if select.select([ours], [], [], 0.05)[0]:
                    seen += os.read(ours, 4096)
        process.wait(timeout=60)
    finally:
        process.kill()
        process.wait()
        os.close(ours)
