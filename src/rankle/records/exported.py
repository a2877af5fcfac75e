"""Reads a run from a file that was exported before: `rankle.run/1`, or one of `rankle.runs/1`."""

from pathlib import Path

import msgspec

from rankle.core.errors import InputError, UnknownNameError
from rankle.core.newer_file import newer_file_words
from rankle.core.run import RunReport, RunsReport


def read_exported(ref: str) -> RunReport:
    """The run of `FILE`; of a file with several, the one that `FILE#2` or `FILE#hybrid` names.

    Raises InputError where the file cannot be read, holds no run, or holds several and none is named.
    """
    name, _, which = ref.partition("#")
    path = Path(name).expanduser()
    runs = _read(path)
    if not which:
        if len(runs) == 1:
            return runs[0]
        listed = ", ".join(f"{name}#{run.system.method}" for run in runs)
        raise InputError(f"{name} holds {len(runs)} runs; name one of them: {listed}")
    if which.isdecimal() and 1 <= int(which) <= len(runs):
        return runs[int(which) - 1]
    found = [run for run in runs if which in (run.system.method, run.id)]
    if len(found) == 1:
        return found[0]
    if found:
        raise InputError(f"{name} holds {len(found)} runs by {which}; name one by its number, as {name}#1")
    raise UnknownNameError(what=f"run in {name}", name=which, known=[run.system.method for run in runs])


def read_exported_runs(name: str) -> list[RunReport]:
    """All runs of a file. Raises InputError where it cannot be read or holds no run."""
    return _read(Path(name).expanduser())


def _read(path: Path) -> list[RunReport]:
    try:
        value = msgspec.json.decode(path.read_bytes(), type=RunReport | RunsReport)
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        if newer := newer_file_words(error, kinds=("run", "runs")):
            raise InputError(f"{path} {newer}") from error
        raise InputError(
            f"{path} is no record of a run ({error}). Make one with: rankle eval SET --output FILE"
        ) from error
    return list(value.runs) if isinstance(value, RunsReport) else [value]
