"""What `--output` and `--github` of a measurement do: write the runs where and as they are wanted."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from rankle.core.gate import GateReport
    from rankle.core.run import RunReport


class Saving:
    """Where the runs of a measurement go beside the terminal."""

    def __init__(
        self, output: Path | None, *, github: bool, inputs: Sequence[str | Path], n_runs: int
    ) -> None:
        """inputs: files that are read, and must not be written over. n_runs: how many runs there will be.

        Raises InputError where one of the places cannot be used, before anything is measured for it.
        """
        self._output = output
        self._summary: Path | None = None
        if github:
            from rankle.app.wiring.variables import step_summary

            self._summary = step_summary()
        if output is not None:
            from rankle.reports.exporting import check_export, output_format

            check_export(output, output_format(output), inputs=inputs, n_runs=n_runs)

    @property
    def has_file(self) -> bool:
        return self._output is not None

    def save(self, runs: "Sequence[RunReport]", gates: "Sequence[GateReport]" = ()) -> None:
        """Write them all. gates: the verdict on each run; none where they are not judged."""
        if self._output is not None:
            save(self._output, runs, gates)
        if self._summary is not None:
            from rankle.app.export import append_summary
            from rankle.reports.judged import render_judged_markdown

            append_summary(self._summary, render_judged_markdown(runs, gates))


def save(path: Path, runs: "Sequence[RunReport]", gates: "Sequence[GateReport]" = ()) -> None:
    """Write the file, and tell on the error stream what its format has no place for. Raises InputError."""
    from rankle.app.export import export_notices, write_export
    from rankle.reports.exporting import output_format

    form = output_format(path)
    write_export(path, runs, form, gates=gates)
    for notice in export_notices(runs, form, gates=gates):
        click.echo(f"Note: {path}: {notice}", err=True)
