"""Finds the runs that names on a command line or in Python mean, one or several."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from rankle.app import runs
from rankle.app.eval_runs import eval_labels, eval_reports
from rankle.core.run import RunReport
from rankle.records.exported import read_exported_runs
from rankle.records.finding import names_file


@dataclass(frozen=True, slots=True)
class NamedRun:
    """A run, and what its user calls it."""

    name: str
    run: RunReport


def load_run(ref: str | Path, *, records: Path | None = None) -> RunReport:
    """The one run that a name means, in the records or a file; see `rankle.app.runs.load_run`."""
    return runs.load_run(str(ref), records=records).report


def load_runs(refs: Iterable[str | Path], *, records: Path | None = None) -> tuple[NamedRun, ...]:
    """The runs that names mean, in their order; a file with several runs stands for all of them, and a run of
    several evals for each of these."""
    return tuple(named for ref in refs for named in named_runs(str(ref), records=records))


def named_runs(ref: str, *, records: Path | None = None) -> tuple[NamedRun, ...]:
    """What one name stands for."""
    evals = eval_reports(ref, records=records)
    if evals is not None and len(evals) > 1:
        labels = eval_labels(evals)
        return tuple(NamedRun(f"{ref}#{label}", run) for label, run in zip(labels, evals, strict=True))
    if evals is not None:
        return (NamedRun(ref, evals[0]),)
    if "#" not in ref and names_file(ref, tags=()):
        found = read_exported_runs(ref)
        if len(found) > 1:
            methods = [run.system.method for run in found]
            return tuple(
                NamedRun(f"{ref}#{place if methods.count(run.system.method) > 1 else run.system.method}", run)
                for place, run in enumerate(found, start=1)
            )
    return (NamedRun(ref, load_run(ref, records=records)),)
