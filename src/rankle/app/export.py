"""Runs that were measured before, in another format: made from the record alone, nothing runs again."""

import os
from collections.abc import Sequence
from pathlib import Path

from rankle.core.errors import InputError
from rankle.core.run import RunReport
from rankle.formats.output import as_input_error, replace_file
from rankle.records.exported import read_exported
from rankle.reports.exporting import ExportFormat, check_export
from rankle.reports.json import parse_json


def load_runs(refs: Sequence[str]) -> tuple[RunReport, ...]:
    """The runs that are named, in this order: all of a file, or the one that `FILE#2` or `FILE#hybrid` names.

    Raises InputError on what is no record of a run.
    """
    return tuple(run for ref in refs for run in _runs_of(ref))


def write_export(path: Path, runs: Sequence[RunReport], form: ExportFormat) -> None:
    """Write the runs to a file that is whole or not there. Raises InputError where it cannot be written."""
    check_export(path, form)
    data = form.render(runs).encode()
    with as_input_error(path):
        replace_file(path, data)


def export_notices(runs: Sequence[RunReport], form: ExportFormat) -> tuple[str, ...]:
    """What a reader of the export must know, and the format has no place for."""
    from rankle.reports.run_trec import keeps_order

    if form.name != "trec" or all(keeps_order(run) for run in runs):
        return ()
    return ("scores are made from the ranks, since trec_eval would sort otherwise by those of the system",)


def append_summary(path: Path, text: str) -> None:
    """Add Markdown to a job summary, behind what other steps wrote there. Raises InputError."""
    with as_input_error(path), path.open("a", encoding="utf-8") as file:
        if path.stat().st_size:
            file.write("\n")
        file.write(text)


def _runs_of(ref: str) -> tuple[RunReport, ...]:
    if "#" in Path(ref).name:
        return (read_exported(ref),)
    path = Path(ref).expanduser()
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path} cannot be read: {os.strerror(error.errno or 0)}") from error
    try:
        return parse_json(data)
    except InputError as error:
        raise InputError(f"{path} is {error}. Make one with: rankle eval SET --output FILE") from error
