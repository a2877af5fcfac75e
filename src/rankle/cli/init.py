"""`rankle init`: the files that a project needs to measure search."""

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rankle.cli import completing

if TYPE_CHECKING:
    from rankle.app.init import Started, Written


@click.command("init", short_help="Start a project: settings, an example, CI.")
@click.argument("folder", metavar="[DIR]", type=click.Path(path_type=Path), default=Path())
@click.option(
    "--system",
    shell_complete=completing.systems,
    metavar="URI",
    help="A search of your own that is to be measured, as in `rankle eval --system`; or its kind: http, "
    "python, command, run or kb.",
)
def init(folder: Path, *, system: str | None) -> None:
    """Start a project in DIR, by default the current folder: settings, an example that runs, a job for CI.

    \b
      rankle init
      rankle init search-quality
      rankle init --system http://localhost:8080/search

    \b
      rankle.toml                    every setting, with its default
      evals/example_eval.py          an eval as code, for `rankle run`
      evals/example.jsonl            questions with their answers, for
                                     `rankle eval`
      evals/example/                 the notes that they ask about
      .github/workflows/rankle.yml   both in CI, with gates

    Nothing is asked, nothing outside of DIR is read, and no file is written over: what is there stays as it
    is, and is named. The workflow is written where GitHub looks for it, at the top of the git repository; of
    a second project there it is rankle-DIR.yml.
    """
    from rankle.app.init import start_project

    for line in _lines(start_project(folder, system=system)):
        click.echo(line)


def _lines(started: "Started") -> "Iterator[str]":
    from rankle.cli.options import shown_path

    new = [file for file in started.files if file.is_new]
    old = [file for file in started.files if not file.is_new]
    if new:
        yield "Made:"
        yield from _file_lines(new)
    else:
        yield "Nothing to make."
    if old:
        yield "There already, and left as it is:"
        yield from (f"  {shown_path(file.path)}" for file in old)
    if started.is_workspace_there and started.has_new_settings:
        yield f'Note: there is a workspace "{started.workspace}" already, and this project uses it.'
        yield f"      See: rankle workspace info {started.workspace}"
    if not started.has_new_settings:
        yield from _to_be_added(started)
    yield ""
    yield "Next:"
    folder = shown_path(started.folder)
    if folder != ".":
        yield f"  cd {_quoted(folder)}"
    steps = list(_next_steps(started))
    width = max(44, *(len(command) + 3 for command, _ in steps))
    yield from (f"  {command:<{width}}{words}".rstrip() for command, words in steps)


def _to_be_added(started: "Started") -> "Iterator[str]":
    """What the settings lack, which were there already, and the other files need."""
    if started.system:
        import json

        yield "Note: to the settings, which were there already, add your search:"
        yield f"      [{started.table}systems.search]"
        yield f"      uri = {json.dumps(started.system, ensure_ascii=False)}"
    if not started.has_gates:
        yield "Note: the settings, which were there already, have no gates, and --gate needs one:"
        yield f"      [{started.table}gates.floors]"
        yield '      "R@3" = 0.6'


def _file_lines(files: "list[Written]") -> "Iterator[str]":
    """A line a file, and one for several of a folder that have the same purpose."""
    from rankle.cli.options import shown_path

    groups = [list(group) for _, group in groupby(files, key=lambda file: (file.path.parent, file.purpose))]
    names = [
        shown_path(group[0].path) if len(group) == 1 else f"{shown_path(group[0].path.parent)}/"
        for group in groups
    ]
    width = max(map(len, names)) + 3
    for name, group in zip(names, groups, strict=True):
        several = "" if len(group) == 1 else f"{len(group)} notes: "
        yield f"  {name:<{width}}{several}{group[0].purpose}"


def _next_steps(started: "Started") -> "Iterator[tuple[str, str]]":
    yield "rankle run", "the example eval"
    if started.system:
        yield "rankle doctor", "asks your search"
        yield "edit evals/example.jsonl", "your own queries"
        yield "rankle eval label evals/example.jsonl --system search", "judge what it finds"
        yield "rankle eval evals/example.jsonl --system search", "measure it"
        return
    yield "rankle index evals/example", "its notes, to search them"
    yield "rankle eval evals/example.jsonl --gate", "search in the notes, judged"
    yield "rankle docs remove --root evals/example", "takes them out again"
    yield f"rankle index {_quoted(started.documents or 'PATH')}", "your own documents"
    yield "rankle eval generate", "first questions about them"


def _quoted(name: str) -> str:
    import shlex

    return shlex.quote(name)
