"""Runs that were measured before, in another format: made from the record alone, nothing runs again."""

from collections.abc import Sequence
from pathlib import Path

from rankle.app import run_refs
from rankle.core.gate import GateReport
from rankle.core.run import RunReport
from rankle.formats.output import as_input_error, replace_file
from rankle.reports.exporting import ExportFormat, check_export
from rankle.reports.judged import has_place, render_judged


def load_runs(refs: Sequence[str], *, records: Path | None = None) -> tuple[RunReport, ...]:
    """The runs that are named, in this order; a file with several stands for all of them.

    records: the store; None for the project's. Raises InputError where there is no such run.
    """
    return tuple(named.run for named in run_refs.load_runs(refs, records=records))


def write_export(
    path: Path, runs: Sequence[RunReport], form: ExportFormat, *, gates: Sequence[GateReport] = ()
) -> None:
    """Write the runs to a file that is whole or not there. Raises InputError where it cannot be written.

    gates: what they were judged to, one a run; none where they were not judged.
    """
    check_export(path, form)
    data = render_judged(form, runs, gates).encode()
    with as_input_error(path):
        replace_file(path, data)


def export_notices(
    runs: Sequence[RunReport], form: ExportFormat, *, gates: Sequence[GateReport] = ()
) -> tuple[str, ...]:
    """What a reader of the export must know, and the format has no place for."""
    from rankle.reports.run_trec import keeps_order

    notices = []
    if form.name == "trec" and not all(keeps_order(run) for run in runs):
        notices.append(
            "scores are made from the ranks, since trec_eval would sort otherwise by those of the system"
        )
    if gates and not has_place(form):
        notices.append(f"the verdict of the gate is not in it, since a {form.words} has no place for one")
    return tuple(notices)


def append_summary(path: Path, text: str) -> None:
    """Add Markdown to a job summary, behind what other steps wrote there. Raises InputError."""
    with as_input_error(path), path.open("a", encoding="utf-8") as file:
        if path.stat().st_size:
            file.write("\n")
        file.write(text)
