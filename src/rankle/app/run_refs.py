"""Finds the runs that names on a command line or in Python mean, one or several."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from rankle.app import runs
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
    """The runs that names mean, in their order; a file with several runs stands for all of them."""
    return tuple(named for ref in refs for named in _named(str(ref), records))


def _named(ref: str, records: Path | None) -> tuple[NamedRun, ...]:
    if "#" not in ref and names_file(ref, tags=()):
        found = read_exported_runs(ref)
        if len(found) > 1:
            methods = [run.system.method for run in found]
            return tuple(
                NamedRun(f"{ref}#{place if methods.count(run.system.method) > 1 else run.system.method}", run)
                for place, run in enumerate(found, start=1)
            )
    return (NamedRun(ref, load_run(ref, records=records)),)
