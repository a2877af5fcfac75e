"""Runs a page from top to bottom in a folder of its own: its commands, its examples in Python, its keys.

What the marks on a page mean: tools/docs_run.py.
"""

import io
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, MutableMapping, Sequence
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from rankle.app.wiring.models import model_cache
from rankle.cli.main import _exit_code
from rankle.core.product import NAME
from tools.docs_blocks import RUN, Block, Command, blocks, commands, folder_of
from tools.docs_folders import FOLDERS, Meant
from tools.docs_models import MODELS
from tools.docs_printed import Printed, agrees, masked

REPOSITORY: Final = Path(__file__).resolve().parent.parent
_SHELL: Final = re.compile(r"[|<>]")
"""What only a shell understands, of commands of ours too."""
_FOREIGN: Final = re.compile(
    r"RANKLE_|GITHUB_|GIT_|CI$|NO_COLOR$|FORCE_COLOR$|CLICOLOR|LINES$|PYTEST_ADDOPTS$|PY_COLORS$"
)
_COLOUR: Final = re.compile(r"\x1b\[[0-9;]*m")
_SAID: Final = re.compile(r"^ *print\(.*\)  # (.*)$", re.MULTILINE)

Play = Callable[[Sequence[str], Command], tuple[int, str]]


@dataclass(slots=True)
class Result:
    """What came of a page."""

    differences: list[tuple[Command, tuple[str, ...]]] = field(default_factory=list)
    """Commands and examples of which the page shows something else, with what was printed."""
    printed: list[Printed] = field(default_factory=list)
    """What the page does not show, as it is kept beside the tests."""
    n_run: int = 0


@dataclass(frozen=True, slots=True)
class _Stage:
    """Where a page is run."""

    folder: Path
    meant: Meant
    play: Play

    def here(self, text: str) -> str:
        """What a page says, as it is meant here."""
        for said, meant in self.meant.items():
            text = text.replace(said, meant)
        return text

    def lines(self, printed: str) -> tuple[str, ...]:
        """What was printed here, as the page says it, without what is empty at the end."""
        printed = printed.replace(f"{self.folder}/", "")
        for said, meant in self.meant.items():
            printed = printed.replace(meant, said)
        return tuple(line.rstrip() for line in _COLOUR.sub("", printed).rstrip().splitlines())


def run_page(text: str, folder: Path, *, play: Play) -> Result:
    """Run a page in a folder, which is filled first; relative paths are of that folder.

    play: runs a command by its words on a terminal, presses its keys, or does what is to be done meanwhile:
        its exit code, and what is seen.
    Raises KeyError where the page names no known folder, AssertionError where a command does not end as the
    page says, and whatever an example in Python raises.
    """
    result = Result()
    loaded = set(sys.modules)
    with FOLDERS[folder_of(text) or ""](folder) as meant, chdir(folder):
        stage = _Stage(folder, meant, play)
        for block in blocks(text):
            if block.title:
                Path(block.title).parent.mkdir(parents=True, exist_ok=True)
                Path(block.title).write_text(stage.here(block.text), encoding="utf-8")
            if block.title and block.language != "yaml":
                continue
            if block.is_run and block.language == "python":
                _compare(result, _example(block), _printed_by(stage.here(block.text), block.line), stage)
            elif block.is_run and block.language in RUN:
                _session(result, block, stage)
    for name in set(sys.modules) - loaded:
        if str(getattr(sys.modules[name], "__file__", None) or "").startswith(str(folder)):
            del sys.modules[name]
    return result


def _session(result: Result, block: Block, stage: _Stage) -> None:
    """Run the commands of a block, and see to what they print, but of those that are not shown."""
    code = 0
    for command in commands(block):
        code, printed = _run(command, code, stage)
        assert code == 0 or command.is_tested, (
            f"line {command.line}: `{command.text}` ends with {code}:\n{printed}"
        )
        if block.language == "console":
            _compare(result, command, printed, stage)
            continue
        result.n_run += 1
        if block.language != "run":
            lines = tuple(masked(line, stage.folder) for line in stage.lines(printed))
            result.printed.append(Printed(command.text, lines))


def _run(command: Command, before: int, stage: _Stage) -> tuple[int, str]:
    """The exit code of a command, and all that it printed. `echo $?` prints the code of the one before."""
    if command.text == "echo $?":
        return 0, f"{before}\n"
    text = stage.here(command.text)
    words = shlex.split(text, comments=True)
    if words[:1] != [NAME] or any(_SHELL.search(word) for word in shlex.split(text, posix=False)):
        return _by_shell(text)
    if command.keys or command.meanwhile:
        return stage.play(words[1:], command)
    seen = io.StringIO()
    with redirect_stdout(seen), redirect_stderr(seen):
        code = _exit_code(words[1:])
    return code, seen.getvalue()


def _by_shell(text: str) -> tuple[int, str]:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environ = {**os.environ, "PATH": path}
    shell = ["/bin/sh", "-c", text]
    done = subprocess.run(shell, capture_output=True, text=True, check=False, env=environ)  # noqa: S603 - ours
    return done.returncode, done.stdout + done.stderr


def _example(block: Block) -> Command:
    return Command("(the example in Python)", tuple(_SAID.findall(block.text)), block.line, is_tested=False)


def _printed_by(example: str, line: int) -> str:
    seen = io.StringIO()
    with redirect_stdout(seen):
        exec(compile(example, f"line {line}", "exec"), {"__name__": "__main__"})  # noqa: S102
    return seen.getvalue()


def _compare(result: Result, command: Command, printed: str, stage: _Stage) -> None:
    result.n_run += 1
    got = stage.lines(printed)
    said, seen = ([masked(line, stage.folder) for line in lines] for lines in (command.said, got))
    if not agrees(said, seen):
        result.differences.append((command, got))


def isolate(environ: MutableMapping[str, str], home: Path) -> None:
    """Settings of the one who calls are not those of a page: of rankle, of CI, of git, of the terminal."""
    environ[MODELS] = str(model_cache(environ))
    for name in [name for name in environ if _FOREIGN.match(name)]:
        del environ[name]
    home.mkdir(parents=True, exist_ok=True)
    environ["HOME"] = str(home)
    environ["RANKLE_HOME"] = str(home / "rankle")
    environ["RANKLE_MODEL"] = "none"
    environ["RANKLE_RATER"] = "anna"
    environ["COLUMNS"] = "80"
    environ["TERM"] = "xterm"
    environ["GITHUB_STEP_SUMMARY"] = str(home / "summary.md")  # of a job of GitHub Actions


def play(words: Sequence[str], command: Command) -> tuple[int, str]:
    """As `run_page` needs it; the terminal is that of our tests."""
    sys.path.insert(0, str(REPOSITORY / "tests"))
    from fakes import terminal, watching

    if command.meanwhile:
        return watching.watched(*words[1:], meanwhile=lambda: _by_shell(command.meanwhile or ""))
    return terminal.play(*words, typed=_typed(command.keys or ""))


def _typed(keys: str) -> Sequence[str]:
    """Keys to be pressed, one by one; with lines among them, all of them apart."""
    if '"' not in keys:
        return keys
    return [part if len(part) == 1 else f"{part}\n" for part in shlex.split(keys)]
