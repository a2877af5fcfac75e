"""What a page holds as code: its blocks, and the commands of these. How they are run: tools/docs_run.py."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from rankle.core.product import NAME

_FOLDER: Final = re.compile(r"^<!-- run in: (\w+) -->$", re.MULTILINE)
_ASIDE: Final = re.compile(r"^<!-- (keys|meanwhile|run|not run): (.+) -->$")
_OPENED: Final = re.compile(r"^```(\w*)(?: title=\"([^\"]+)\")?$")
_STEP: Final = re.compile(rf"^ *- run: ({NAME} .+)$")
RUN: Final = ("console", "sh", "run", "yaml")
"""Languages of blocks that hold commands; of `yaml`, these are the steps of a job that call rankle."""


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
    meanwhile: str | None = None


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
    meanwhile: str | None = None
    """For a shell, while the first command watches."""
    is_run: bool = True


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
            asides[aside[1]] = aside[2]
            if aside[1] == "run":
                yield Block("run", None, asides.pop("run"), place)
        elif line.startswith("```"):
            begin = place
            while place < len(lines) and lines[place] != "```":
                place += 1
            opened = _OPENED.match(line)
            language, title = opened.groups() if opened else ("", None)
            text = "".join(f"{inner}\n" for inner in lines[begin:place])
            yield Block(
                language,
                title,
                text,
                begin + 1,
                keys=asides.get("keys"),
                meanwhile=asides.get("meanwhile"),
                is_run="not run" not in asides,
            )
            place, asides = place + 1, {}


def commands(block: Block) -> Iterator[Command]:
    """Those of a block. Raises ValueError where a `console` block does not begin with one."""
    lines = block.text.splitlines()
    if block.language == "console":
        yield from _session(block, lines)
        return
    keys = block.keys
    for n, line in enumerate(lines):
        step = _STEP.match(line) if block.language == "yaml" else None
        if step or (line and block.language != "yaml"):
            yield Command(step[1] if step else line, (), block.line + n, is_tested=False, keys=keys)
            keys = None


def _session(block: Block, lines: list[str]) -> Iterator[Command]:
    places = [place for place, line in enumerate(lines) if line.startswith("$ ")]
    if not places or places[0] != 0:
        raise ValueError(f"line {block.line}: a console block begins with `$ ` and a command")
    for place, end in zip(places, [*places[1:], len(lines)], strict=True):
        said = list(lines[place + 1 : end])
        while said and not said[-1].strip():
            said.pop()
        following = lines[end] if end < len(lines) else ""
        keys, meanwhile = (block.keys, block.meanwhile) if place == 0 else (None, None)
        yield Command(
            lines[place][2:],
            tuple(said),
            block.line + place,
            is_tested=following == "$ echo $?",
            keys=keys,
            meanwhile=meanwhile,
        )
