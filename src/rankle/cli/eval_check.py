"""`rankle eval check SET`: what became of the labels of a set."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from rankle.cli.options import json_option, workspace_option
from rankle.cli.reading import set_reading_options

if TYPE_CHECKING:
    from rankle.formats.kinds import ReadOptions


@click.command("check", short_help="Check the labels of a set against what is indexed now.")
@click.argument("set_file", metavar="SET", type=click.Path(path_type=Path))
@click.option("--fix", is_flag=True, help="Write the set with what is certain repaired; needs --output.")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), metavar="NEW", help="Where --fix writes the set."
)
@click.option("--drop-gone", is_flag=True, help="With --fix: leave out labels of what is gone.")
@click.option(
    "--add-passages",
    is_flag=True,
    help="With --fix: put the passage beside each chunk id, so that the labels outlast a new chunking.",
)
@click.option(
    "--level",
    type=click.Choice(["document", "chunk", "span"]),
    help="What counts as the target. Default: what the labels name; chunk takes the ids beside passages.",
)
@workspace_option
@json_option
@set_reading_options
def check(
    set_file: Path,
    *,
    fix: bool,
    output: Path | None,
    drop_gone: bool,
    add_passages: bool,
    level: str | None,
    workspace: str | None,
    as_json: bool,
    reading: "ReadOptions",
) -> None:
    """Check every label of SET against what is indexed now.

    \b
      valid   it is where it was, or anywhere if the label does not say where
      moved   it stands at another place, in another document, under another id
      split   of a chunk id: its text is now part of several chunks
      merged  of a chunk id: its text is now part of a larger chunk
      gone    nothing that is indexed holds it

    Labels of passages ({"document": …, "quote": …}) stay valid however the text is chunked. What became of
    a chunk id is known only where the set keeps the passage beside it.

    \b
      rankle eval check set.jsonl
      rankle eval check set.jsonl --fix -o repaired.jsonl
      rankle eval check chunks.jsonl --fix --add-passages -o lasting.jsonl

    Exit code 1 if any label is moved, split, merged or gone (with --fix: and could not be repaired), 2 if
    the set cannot be read or scored.
    """
    from rankle.app.check_labels import check_labels
    from rankle.cli.screen import screen
    from rankle.core.errors import InputError
    from rankle.reports.label_check import render_check, render_check_json

    if fix != (output is not None):
        raise InputError("--fix writes a repaired set and -o names its file; give both, or neither")
    if (drop_gone or add_passages) and not fix:
        raise InputError("--drop-gone and --add-passages change what --fix writes; add --fix -o NEW")
    report = check_labels(
        set_file,
        workspace=workspace,
        level=level,
        reading=reading,
        output=output,
        drop_gone=drop_gone,
        with_passages=add_passages,
    )
    text = render_check_json(report) if as_json else render_check(
        report, path=str(set_file), width=screen().width
    )  # fmt: skip
    click.echo(text, nl=False)
    if fix and report.repair is None and not as_json:
        click.echo(f"Nothing was written to {output}.")
    if report.faults:
        raise click.exceptions.Exit(2)
    if report.n_stale if report.repair is None else report.repair.n_left:
        raise click.exceptions.Exit(1)
