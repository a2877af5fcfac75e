"""Checks the documentation against the code; `--write` renews the generated pages.

- docs/cli.md is what `--help` says, for every command
- every link between our pages leads somewhere
- every `rankle` command line in the pages names commands and options that exist
- every public name is documented in docs/python.md, every scorer in docs/scorers.md
- every decision is listed in its index
"""

import argparse
import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click

import rankle
from rankle import scorers
from rankle.cli.main import main as root_command
from rankle.core.product import NAME

REPOSITORY: Final = Path(__file__).resolve().parent.parent
CLI_PAGE: Final = REPOSITORY / "docs" / "cli.md"
_WIDTH: Final = 80
_FREE: Final = 2  # columns that click leaves empty at the right
_LINK: Final = re.compile(r"\]\(([^)#\s]+)(?:#[^)\s]*)?\)")
_EVERYWHERE: Final = {"--help", "-h", "--version", "-V"}
_FENCE: Final = re.compile(r"^```(?:sh|bash|console|text)?\n(.*?)^```", re.MULTILINE | re.DOTALL)


def pages() -> list[Path]:
    return sorted([*REPOSITORY.glob("*.md"), *(REPOSITORY / "docs").rglob("*.md")])


Words = tuple[str, ...]
"""The words that call a command, such as `rankle docs list`."""


def commands(command: click.Command, path: Words) -> Iterator[tuple[Words, click.Command]]:
    """A command and all below it, with the words that call each."""
    yield path, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            child = command.get_command(context, name)
            assert child is not None
            yield from commands(child, (*path, name))


def cli_page() -> str:
    """The reference of the command line, from its own help."""
    parts = [
        "# Command line",
        "",
        f"What `--help` says in a terminal of {_WIDTH} columns, for every command. Written by",
        "`tools/docs_check.py --write`.",
        "",
    ]
    for path, command in commands(root_command, (NAME,)):
        # As below the root; and a command keeps the help option of the first context that it meets.
        names = root_command.context_settings["help_option_names"]
        context = click.Context(
            command, info_name=" ".join(path), terminal_width=_WIDTH - _FREE, help_option_names=names
        )
        lines = [line.rstrip() for line in command.get_help(context).splitlines()]
        parts += [f"## {' '.join(path)}", "", "```text", *lines, "```", ""]
    return "\n".join(parts)


def faults() -> Iterator[str]:
    if not CLI_PAGE.is_file() or CLI_PAGE.read_text(encoding="utf-8") != cli_page():
        yield "docs/cli.md is not what --help says; run: python tools/docs_check.py --write"
    known = dict(commands(root_command, (NAME,)))
    for page in pages():
        text = page.read_text(encoding="utf-8")
        name = page.relative_to(REPOSITORY).as_posix()
        yield from (f"{name}: dead link {link}" for link in _dead_links(page, text))
        if page != CLI_PAGE:
            yield from (f"{name}: {fault}" for fault in _wrong_calls(text, known))
    yield from _undocumented()


def _dead_links(page: Path, text: str) -> Iterator[str]:
    for target in _LINK.findall(text):
        if "://" not in target and not target.startswith("mailto:") and not (page.parent / target).exists():
            yield target


def _wrong_calls(text: str, known: dict[tuple[str, ...], click.Command]) -> Iterator[str]:
    for block in _FENCE.findall(text):
        for line in block.splitlines():
            call = line.strip().removeprefix("$ ")
            if call.startswith(f"{NAME} "):
                yield from _wrong_call(call, known)


def _wrong_call(call: str, known: dict[tuple[str, ...], click.Command]) -> Iterator[str]:
    try:
        words = shlex.split(call, comments=True)
    except ValueError as error:
        yield f"`{call}` cannot be parsed: {error}"
        return
    path: tuple[str, ...] = (NAME,)
    while len(words) > len(path) and (*path, words[len(path)]) in known:
        path = (*path, words[len(path)])
    command = known[path]
    # A group with an argument of its own takes any word.
    takes_words = any(isinstance(parameter, click.Argument) for parameter in command.params)
    is_group = isinstance(command, click.Group) and not takes_words
    if is_group and len(words) > len(path) and not words[len(path)].startswith("-"):
        yield f"`{call}`: no command {words[len(path)]}"
        return
    options = {flag for parameter in command.params for flag in (*parameter.opts, *parameter.secondary_opts)}
    for word in words[len(path) :]:
        flag = word.split("=")[0]
        if re.fullmatch(r"--?[a-zA-Z][\w-]*", flag) and flag not in options | _EVERYWHERE:
            yield f"`{call}`: {' '.join(path)} has no option {flag}"


def _undocumented() -> Iterator[str]:
    python = (REPOSITORY / "docs" / "python.md").read_text(encoding="utf-8")
    for public in rankle.PUBLIC:
        if f"`{NAME}.{public}" not in python:
            yield f"docs/python.md does not tell of {NAME}.{public}"
    page = (REPOSITORY / "docs" / "scorers.md").read_text(encoding="utf-8")
    for public in scorers.PUBLIC:
        if f"`{public}(" not in page:
            yield f"docs/scorers.md does not tell of rankle.scorers.{public}"
    index = (REPOSITORY / "docs" / "decisions" / "README.md").read_text(encoding="utf-8")
    for decision in sorted((REPOSITORY / "docs" / "decisions").glob("[0-9]*.md")):
        if f"({decision.name})" not in index:
            yield f"docs/decisions/README.md does not list {decision.name}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--write", action="store_true", help="renew docs/cli.md")
    if parser.parse_args().write:
        CLI_PAGE.write_text(cli_page(), encoding="utf-8")
    found = list(faults())
    for fault in found:
        print(fault, file=sys.stderr)
    if not found:
        print(f"docs: {len(pages())} pages agree with the code")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
