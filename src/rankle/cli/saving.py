"""What `--output` of a measurement does: write the runs in the format that the file's name tells."""

from collections.abc import Sequence
from pathlib import Path

import click

from rankle.app.export import export_notices, write_export
from rankle.core.run import RunReport
from rankle.reports.exporting import output_format


def save(path: Path, runs: Sequence[RunReport]) -> None:
    """Write the file, and tell on the error stream what its format has no place for. Raises InputError."""
    form = output_format(path)
    write_export(path, runs, form)
    for notice in export_notices(runs, form):
        click.echo(f"Note: {path}: {notice}", err=True)
