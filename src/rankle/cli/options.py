"""Options that mean the same in every command, and how commands write to the screen."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from rankle.cli import completing

if TYPE_CHECKING:
    from msgspec import Struct

workspace_option: Final = click.option(
    "-w",
    "--workspace",
    shell_complete=completing.workspaces,
    metavar="NAME",
    help="The workspace, such as -w handbook. Default: see `rankle workspace list`.",
)
method_option: Final = click.option(
    "--method",
    metavar="NAME",
    shell_complete=completing.methods,
    help="How to search: hybrid, vector or fts5. Default: the workspace's best.",
)
json_option: Final = click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")
github_option: Final = click.option(
    "--github",
    is_flag=True,
    help="Add the Markdown to the summary of a job of GitHub Actions ($GITHUB_STEP_SUMMARY).",
)
collection_option: Final = click.option(
    "--collection", metavar="NAME", help="Search this collection only; leave out queries of others."
)
max_queries_option: Final = click.option(
    "--max-queries", type=click.IntRange(min=1), metavar="N", help="Ask the first N queries only."
)
max_failures_option: Final = click.option(
    "--max-failures",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    metavar="N",
    help="Exit with 2 if search fails on more queries.",
)
concurrency_option: Final = click.option(
    "--concurrency",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    metavar="N",
    help="Queries in flight at a time.",
)
yes_option: Final = click.option("--yes", is_flag=True, help="Do not ask. Needed where nobody can be asked.")


def print_json(schema: str, value: Mapping[str, Any]) -> None:
    """One JSON object with its `schema` member first, indented."""
    import json

    click.echo(json.dumps({"schema": schema, **value}, ensure_ascii=False, indent=2))


def print_report(report: "Struct") -> None:
    """The same of a type that has a published JSON Schema."""
    from rankle.reports.json_text import json_text

    click.echo(json_text(report), nl=False)


def confirm(question: str, *, yes: bool) -> None:
    """Ask on a terminal; elsewhere `--yes` is needed. A no ends the command well; nobody is an InputError."""
    import sys

    from rankle.core.errors import InputError

    if yes:
        return
    if not sys.stdin.isatty():
        raise InputError(f"{question} Nobody can be asked here; to go ahead, add --yes")
    if not click.confirm(question, err=True):
        click.echo("Nothing was changed.", err=True)
        raise click.exceptions.Exit(0)


def tell_waiting() -> None:
    """Say on a terminal that another process has to end first."""
    import sys

    if sys.stderr.isatty():
        click.echo("Waiting: another process writes to the workspace. Ctrl-C gives up.", err=True)


def shown_path(path: str | Path) -> str:
    """The path from the current folder where it lies below, else absolute."""
    try:
        return str(Path(path).relative_to(Path.cwd()))
    except ValueError:
        return str(path)


def count(n: int, noun: str) -> str:
    """`1 document`, `2 documents`, `1,200 documents`."""
    return f"{n:,} {noun}" if n == 1 else f"{n:,} {noun}s"


def size(n_bytes: int) -> str:
    """`812 B`, `3.4 kB`, `12.0 MB`: powers of 1,000, as disks are sold."""
    if n_bytes < 1_000:
        return f"{n_bytes} B"
    power = next((power for power in (1, 2, 3) if n_bytes / 1_000**power < 999.95), 4)
    return f"{n_bytes / 1_000**power:,.1f} {('kB', 'MB', 'GB', 'TB')[power - 1]}"


def seconds(took_s: float) -> str:
    """`0.24 s`, `12.1 s`, `3 min 4 s`."""
    if took_s < 60:
        return f"{took_s:.{1 if took_s >= 1 else 2}f} s"
    minutes, rest = divmod(round(took_s), 60)
    return f"{minutes} min {rest} s"


def per_second(rate: float) -> str:
    """`1,240`, `61`, `2.5`: the number alone."""
    return f"{rate:,.{0 if rate >= 10 else 1}f}"
