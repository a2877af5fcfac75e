"""Checks the documentation against the code; `--write` renews the generated pages.

- docs/cli.md is what `--help` says, for every command; docs/configuration.md and docs/schemas.md are what the
  code says
- every link between our pages leads somewhere, and none of docs/ out of it, where the site has nothing
- every page stands in the navigation of the site
- every `rankle` command line in the pages and in help names commands and options that exist; a test runs
  those of pages, or a reason is given
- every public name is documented in docs/python.md, every scorer in docs/scorers.md
- every decision is listed in its index
"""

import argparse
import re
import shlex
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import click
import yaml

import rankle
from rankle import scorers
from rankle.cli.groups import command_tree
from rankle.cli.main import main as root_command
from rankle.core.product import NAME

REPOSITORY: Final = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(REPOSITORY))  # as a script too
from tools.docs_blocks import RUN, blocks, folder_of  # noqa: E402
from tools.docs_reference import SHOWN_BY, configuration_page, schemas, schemas_page  # noqa: E402

DOCS: Final = REPOSITORY / "docs"
CLI_PAGE: Final = DOCS / "cli.md"
_WIDTH: Final = 80
_FREE: Final = 2  # columns that click leaves empty at the right
_LINK: Final = re.compile(r"\]\(([^)#\s]+)(?:#[^)\s]*)?\)")
_CODE: Final = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_EVERYWHERE: Final = {"--help", "-h", "--version", "-V"}
_CALL: Final = re.compile(rf"^\s*(?:\$ |- run: |run: )?{NAME} ")
_PROSE: Final = re.compile(rf"^ {{2}}{NAME} .*$", re.MULTILINE)
"""What help says in words, where a line happens to begin with our name; its examples stand further in."""
_FENCE: Final = re.compile(
    r"^```(?:sh|bash|console|text|yaml)?(?: title=\"[^\"]+\")?\n(.*?)^```", re.MULTILINE | re.DOTALL
)


def pages() -> list[Path]:
    return sorted([*REPOSITORY.glob("*.md"), *(REPOSITORY / "docs").rglob("*.md")])


def cli_page() -> str:
    """The reference of the command line, from its own help."""
    parts = [
        "# Command line",
        "",
        f"What `--help` says in a terminal of {_WIDTH} columns, for every command. Written by",
        "`tools/docs_check.py --write`.",
        "",
    ]
    for path, command in command_tree(root_command, (NAME,)):
        # As below the root; and a command keeps the help option of the first context that it meets.
        names = root_command.context_settings["help_option_names"]
        context = click.Context(
            command, info_name=" ".join(path), terminal_width=_WIDTH - _FREE, help_option_names=names
        )
        lines = [line.rstrip() for line in command.get_help(context).splitlines()]
        parts += [f"## {' '.join(path)}", "", "```text", *lines, "```", ""]
    return "\n".join(parts)


GENERATED: Final[Mapping[Path, Callable[[], str]]] = {
    CLI_PAGE: cli_page,
    DOCS / "configuration.md": configuration_page,
    DOCS / "schemas.md": schemas_page,
}


def faults() -> Iterator[str]:
    for page, text_of in GENERATED.items():
        if not page.is_file() or page.read_text(encoding="utf-8") != text_of():
            name = page.relative_to(REPOSITORY).as_posix()
            yield f"{name} is not what the code says; run: python tools/docs_check.py --write"
    known = dict(command_tree(root_command, (NAME,)))
    for page in pages():
        text = page.read_text(encoding="utf-8")
        name = page.relative_to(REPOSITORY).as_posix()
        yield from (f"{name}: dead link {link}" for link in _dead_links(page, text))
        yield from (f"{name}: {fault}" for fault in _wrong_calls(_PROSE.sub("", text), known))
        if page not in GENERATED:
            yield from (f"{name}: {fault}" for fault in _unrun(text))
    yield from _undocumented()
    site = yaml.safe_load((REPOSITORY / "mkdocs.yml").read_text(encoding="utf-8"))
    yield from _not_in_the_site(
        site["nav"], {page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md")}
    )


def _dead_links(page: Path, text: str) -> Iterator[str]:
    """Links outside of code that lead nowhere; of a page of the site also those that lead out of it."""
    for target in _LINK.findall(_CODE.sub("", text)):
        if "://" in target or target.startswith("mailto:"):
            continue
        place = (page.parent / target).resolve()
        if not place.exists() or (page.is_relative_to(DOCS) and not place.is_relative_to(DOCS)):
            yield target


def _not_in_the_site(nav: Any, there: set[str]) -> Iterator[str]:
    """Pages of docs/ that the navigation of mkdocs.yml does not name, and the other way round."""
    listed = set(_leaves(nav))
    decisions = {page for page in there if re.match(r"decisions/\d", page)}  # listed by their own index
    for page in sorted(there - decisions - listed):
        yield f"mkdocs.yml: docs/{page} does not stand under nav"
    for page in sorted(listed - there):
        yield f"mkdocs.yml: nav names docs/{page}, which is not there"


def _leaves(nav: Any) -> Iterator[str]:
    """The pages of a navigation, however deep."""
    if isinstance(nav, str):
        yield nav
    else:
        for below in nav.values() if isinstance(nav, dict) else nav:
            yield from _leaves(below)


def only_checked(text: str) -> Iterator[tuple[str, bool]]:
    """The commands of a page that no test runs, and whether a mark above says that it is meant so.

    In blocks of any language, but files, those of ours; in `sh` all. An example in Python is its first line.
    """
    is_run = folder_of(text) is not None
    for block in blocks(text):
        is_file = block.title is not None and block.language != "yaml"
        if is_file or (is_run and block.is_run and block.language in (*RUN, "python")):
            continue
        lines = [line for line in block.text.splitlines() if line.strip()]
        if block.language == "python":
            yield lines[0], not block.is_run
        for line in lines:
            if block.language == "sh" or _CALL.match(line):
                yield line.strip(), not block.is_run


def _unrun(text: str) -> Iterator[str]:
    for line, is_meant in only_checked(text):
        if not is_meant:
            yield f"`{line}` is run by no test: see tools/docs_run.py, or say why: <!-- not run: REASON -->"


def _wrong_calls(text: str, known: dict[tuple[str, ...], click.Command]) -> Iterator[str]:
    for block in _FENCE.findall(text):
        for line in block.splitlines():
            call = line.strip().removeprefix("$ ").removeprefix("- run: ")
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
    for stem in schemas():
        if stem.rpartition("-")[0] not in SHOWN_BY:
            yield f"tools/docs_reference.py does not say, under SHOWN_BY, what prints the schema {stem}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--write", action="store_true", help="renew the generated pages")
    parser.add_argument("--unrun", action="store_true", help="list the command lines that no test runs")
    options = parser.parse_args()
    if options.unrun:
        for page in pages():
            name = page.relative_to(REPOSITORY).as_posix()
            for line, _ in only_checked(page.read_text(encoding="utf-8")) if page not in GENERATED else ():
                print(f"{name}: {line}")
        return 0
    if options.write:
        for page, text_of in GENERATED.items():
            page.write_text(text_of(), encoding="utf-8")
    found = list(faults())
    for fault in found:
        print(fault, file=sys.stderr)
    if not found:
        print(f"docs: {len(pages())} pages agree with the code")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
