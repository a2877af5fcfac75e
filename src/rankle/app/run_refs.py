"""Finds the runs that names on a command line or in Python mean."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from rankle.core.run import RunReport
from rankle.records.exported import read_exported, read_exported_runs


@dataclass(frozen=True, slots=True)
class NamedRun:
    """A run, and what its user calls it."""

    name: str
    run: RunReport


def load_run(ref: str | Path) -> RunReport:
    """The one run that a name means: a file, or `FILE#2` or `FILE#hybrid` of a file with several.

    Raises InputError where there is no such run, or several.
    """
    return read_exported(str(ref))


def load_runs(refs: Iterable[str | Path]) -> tuple[NamedRun, ...]:
    """The runs that names mean, in their order; a file with several runs stands for all of them."""
    return tuple(named for ref in refs for named in _named(str(ref)))


def _named(ref: str) -> tuple[NamedRun, ...]:
    if "#" not in ref and Path(ref).expanduser().is_file():
        runs = read_exported_runs(ref)
        if len(runs) > 1:
            methods = [run.system.method for run in runs]
            return tuple(
                NamedRun(f"{ref}#{place if methods.count(run.system.method) > 1 else run.system.method}", run)
                for place, run in enumerate(runs, start=1)
            )
    return (NamedRun(ref, load_run(ref)),)
