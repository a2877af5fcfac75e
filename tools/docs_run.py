"""Runs what a page shows, in a scratch folder, and compares what is printed with what the page says.

    python tools/docs_run.py docs/tutorial.md            # what differs
    python tools/docs_run.py docs/tutorial.md --write    # and put what was printed in its place

A page that is run has the line `<!-- run in: NAME -->`, where NAME is one of `FOLDERS` in
tools/docs_folders.py. In order,

- a block with `title="NAME"` is written to that file
- a `console` block is run: each line that begins with `$ ` is a command, and below it stands what it prints.
  A command must end with 0, unless `$ echo $?` stands behind it. `<!-- keys: 301 -->` above it says which
  keys are pressed while its first command asks on a terminal
- an `sh` block is run, and what it prints is not compared. With
  `<!-- not run: REASON -->` above it, it is not
- a `python` block is run, and prints what the comments behind its `print(...)` say
- `<!-- run: COMMAND -->` is run, and not shown

A line of three dots stands for any lines. Times, ids of runs, dates and the folder's path are not compared.
"""

import argparse
import io
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from rankle.cli.main import _exit_code
from rankle.core.product import NAME

REPOSITORY: Final = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(REPOSITORY))  # as a script too
from tools.docs_folders import FOLDERS, Meant  # noqa: E402

ANYTHING: Final = ("…", "...")
_FOLDER: Final = re.compile(r"^<!-- run in: (\w+) -->$", re.MULTILINE)
_ASIDE: Final = re.compile(r"^<!-- (keys|run|not run)(?:: (.+))? -->$")
_OPENED: Final = re.compile(r"^```(\w*)(?: title=\"([^\"]+)\")?$")
RUN: Final = ("console", "sh", "run")
"""Languages of blocks that are commands."""
_SHELL: Final = re.compile(r"[|<>]")
"""What only a shell understands, of commands of ours too."""
_SAID: Final = re.compile(r"^ *print\(.*\)  # (.*)$", re.MULTILINE)
_MASKS: Final = (
    (re.compile(r"\d[\d,]*(?:\.\d+)? (ms|s|documents/s)\b"), r"_ \1"),
    (re.compile(r"(?<![\w-])[0-9a-f]{8}(?:[0-9a-f]{4})?\b"), "_"),
    (re.compile(r"\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\d)?Z?)?"), "_"),
    (re.compile(r"─+"), "─"),
    (re.compile(r"[ \t]+"), " "),
)


Play = Callable[[Sequence[str], str], tuple[int, str]]


@dataclass(frozen=True, slots=True)
class Command:
    """One command of a page, with what stands below it."""

    text: str
    said: tuple[str, ...]
    """The lines below, without those at the end that are empty."""
    line: int
    """Of the page, from 1."""
    is_tested: bool
    """Whether `echo $?` follows, so that it may end with something else than 0."""
    keys: str | None = None


@dataclass(frozen=True, slots=True)
class Block:
    """One block of a page that is written, or run."""

    language: str
    """`run` for what is run and not shown."""
    title: str | None
    text: str
    line: int
    """Of the page, of the first line within, from 1."""
    keys: str | None = None
    """To be pressed while the first command asks."""
    is_run: bool = True


@dataclass(slots=True)
class Result:
    """What came of a page: each command or example with what was printed in its place, where that differs."""

    differences: list[tuple[Command, tuple[str, ...]]] = field(default_factory=list)
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

    def on_the_page(self, text: str) -> str:
        """What was printed here, as the page says it."""
        for said, meant in self.meant.items():
            text = text.replace(meant, said)
        return text


def folder_of(page: str) -> str | None:
    """The name of the folder that a page is run in, or None where nothing of it is run."""
    found = _FOLDER.search(page)
    return found[1] if found else None


def blocks(page: str) -> Iterator[Block]:
    """All that is shown as code, and what is run and not shown, in order."""
    lines = page.splitlines()
    place, asides = 0, dict[str, str]()
    while place < len(lines):
        line = lines[place]
        place += 1
        if aside := _ASIDE.match(line):
            asides[aside[1]] = aside[2] or ""
            if aside[1] == "run":
                yield Block("run", None, asides.pop("run"), place)
        elif line.startswith("```"):
            begin = place
            while place < len(lines) and lines[place] != "```":
                place += 1
            opened = _OPENED.match(line)
            language, title = opened.groups() if opened else ("", None)
            text = "".join(f"{inner}\n" for inner in lines[begin:place])
            yield Block(language, title, text, begin + 1, asides.get("keys"), "not run" not in asides)
            place, asides = place + 1, {}


def commands(block: Block) -> Iterator[Command]:
    """Those of a block. Raises ValueError where a `console` block does not begin with one."""
    lines = block.text.splitlines()
    if block.language != "console":
        yield from (
            Command(line, (), block.line + n, is_tested=False) for n, line in enumerate(lines) if line
        )
        return
    places = [place for place, line in enumerate(lines) if line.startswith("$ ")]
    if not places or places[0] != 0:
        raise ValueError(f"line {block.line}: a console block begins with `$ ` and a command")
    for place, end in zip(places, [*places[1:], len(lines)], strict=True):
        said = list(lines[place + 1 : end])
        while said and not said[-1].strip():
            said.pop()
        following = lines[end] if end < len(lines) else ""
        is_tested, keys = following == "$ echo $?", block.keys if place == 0 else None
        yield Command(lines[place][2:], tuple(said), block.line + place, is_tested, keys)


def run_page(text: str, folder: Path, *, play: Play) -> Result:
    """Run a page in a folder, which is filled first; relative paths are of that folder.

    play: runs a command by its words on a terminal, and presses keys there: its exit code, and what is seen.
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
            elif block.is_run and block.language == "python":
                _compare(result, _example(block), _printed_by(stage.here(block.text), block.line), stage)
            elif block.is_run and block.language in RUN:
                _session(result, block, stage)
    for name in set(sys.modules) - loaded:
        if str(getattr(sys.modules[name], "__file__", None) or "").startswith(str(folder)):
            del sys.modules[name]
    return result


def _session(result: Result, block: Block, stage: _Stage) -> None:
    """Run the commands of a block. What those of a `console` block print is compared."""
    code = 0
    for command in commands(block):
        code, printed = _run(command, code, stage)
        assert code == 0 or command.is_tested, (
            f"line {command.line}: `{command.text}` ends with {code}:\n{printed}"
        )
        if block.language == "console":
            _compare(result, command, printed, stage)
        else:
            result.n_run += 1


def _run(command: Command, before: int, stage: _Stage) -> tuple[int, str]:
    """The exit code of a command, and all that it printed. `echo $?` prints the code of the one before."""
    if command.text == "echo $?":
        return 0, f"{before}\n"
    text = stage.here(command.text)
    words = shlex.split(text, comments=True)
    if words[:1] != [NAME] or any(_SHELL.search(word) for word in shlex.split(text, posix=False)):
        shell = ["/bin/sh", "-c", text]
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        environ = {**os.environ, "PATH": path}
        done = subprocess.run(shell, capture_output=True, text=True, check=False, env=environ)  # noqa: S603 - ours
        return done.returncode, done.stdout + done.stderr
    if command.keys:
        return stage.play(words[1:], command.keys)
    seen = io.StringIO()
    with redirect_stdout(seen), redirect_stderr(seen):
        code = _exit_code(words[1:])
    return code, seen.getvalue()


def _example(block: Block) -> Command:
    return Command("(the example in Python)", tuple(_SAID.findall(block.text)), block.line, is_tested=False)


def _printed_by(example: str, line: int) -> str:
    seen = io.StringIO()
    with redirect_stdout(seen):
        exec(compile(example, f"line {line}", "exec"), {"__name__": "__main__"})  # noqa: S102
    return seen.getvalue()


def _compare(result: Result, command: Command, printed: str, stage: _Stage) -> None:
    result.n_run += 1
    got = tuple(line.rstrip() for line in stage.on_the_page(printed).rstrip().splitlines())
    said, seen = ([_masked(line, stage.folder) for line in lines] for lines in (command.said, got))
    if not fits(said, seen):
        result.differences.append((command, got))


def _masked(line: str, folder: Path) -> str:
    line = line.replace(f"{folder}/", "").replace(str(folder), ".")
    for pattern, instead in _MASKS:
        line = pattern.sub(instead, line)
    return line.strip()


def fits(said: Sequence[str], got: Sequence[str]) -> bool:
    """Whether lines are those that a page shows, where a line of three dots stands for any number of them."""
    if not said:
        return not got
    if said[0] in ANYTHING:
        return any(fits(said[1:], got[skipped:]) for skipped in range(len(got) + 1))
    return bool(got) and said[0] == got[0] and fits(said[1:], got[1:])


def rewritten(text: str, result: Result) -> str:
    """A page with what was printed; a block that is shown in part is left for people."""
    lines = text.splitlines()
    for command, got in reversed(result.differences):
        if command.text.startswith("(") or any(line in ANYTHING for line in command.said):
            continue
        lines[command.line : command.line + len(command.said)] = got
    return "\n".join(lines) + "\n"


def isolate(environ: dict[str, str], home: Path) -> None:
    """Settings of the one who calls are not those of a page."""
    for name in [name for name in environ if name.startswith("RANKLE_")]:
        del environ[name]
    summary = home.parent / "summary.md"  # of a job of GitHub Actions
    environ |= {"RANKLE_HOME": str(home), "RANKLE_MODEL": "none", "COLUMNS": "80"}
    environ |= {"GITHUB_STEP_SUMMARY": str(summary)}


def play(words: Sequence[str], keys: str) -> tuple[int, str]:
    """As `run_page` needs it; the terminal is that of our tests."""
    sys.path.insert(0, str(REPOSITORY / "tests"))
    from fakes import terminal

    return terminal.play(*words, typed=keys)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("page", type=Path)
    parser.add_argument("--write", action="store_true", help="put what was printed into the page")
    options = parser.parse_args()
    page: Path = options.page.absolute()
    text = page.read_text(encoding="utf-8")
    if folder_of(text) is None:
        parser.error(f"{options.page} is not run: it has no line <!-- run in: NAME -->")
    with tempfile.TemporaryDirectory() as scratch:
        isolate(os.environ, Path(scratch) / "home")  # type: ignore[arg-type]
        folder = Path(scratch).resolve() / "project"
        folder.mkdir()
        result = run_page(text, folder, play=play)
    for command, got in result.differences:
        print(f"{options.page}:{command.line}: $ {command.text}", *got, sep="\n")
    if options.write:
        page.write_text(rewritten(text, result), encoding="utf-8")
    print(f"{result.n_run} run, {len(result.differences)} printed something else", file=sys.stderr)
    return 1 if result.differences else 0


if __name__ == "__main__":
    sys.exit(main())
