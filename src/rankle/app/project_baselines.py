"""The baselines of the project that the current folder is in."""

from dataclasses import dataclass
from pathlib import Path

from rankle.app.baselines import (
    DEFAULT_NAME,
    FOLDER,
    Planned,
    baseline_path,
    list_baselines,
    plan_baseline,
)
from rankle.app.gates import gate_names, project_gates
from rankle.app.runs import load_run
from rankle.app.wiring.records import records_place
from rankle.core.errors import UnknownNameError
from rankle.core.gate import Baseline
from rankle.core.product import NAME
from rankle.gates.baselines import read_baseline
from rankle.gates.choosing import gate_of
from rankle.gates.fitting import fitted
from rankle.records.store import open_store


@dataclass(frozen=True, slots=True)
class Stored:
    """A baseline and its file."""

    path: Path
    baseline: Baseline


@dataclass(frozen=True, slots=True)
class Listed:
    """All baselines beside the project file, by name."""

    folder: Path
    baselines: tuple[Baseline, ...]
    faults: tuple[str, ...]
    """What is wrong with files there that are no baselines."""


def plan_project_baseline(
    ref: str, *, name: str | None = None, records: Path | None = None, cwd: Path | None = None
) -> Planned:
    """What setting a baseline to a run would write, and what speaks against it.

    name: None takes the one that the gate of the run's set names, else `main`.
    Raises InputError where there is no such run, or what is there is no baseline.
    """
    project = project_gates(cwd)
    run = load_run(ref, records=records).report
    gate = gate_of(project.gates, *gate_names(run))
    gate = fitted(gate, run) if gate else None
    chosen = name or (gate.baseline if gate else None) or DEFAULT_NAME
    measures = [rule.measure for rule in gate.no_regression] if gate else []
    return plan_baseline(run, path=baseline_path(chosen, folder=project.folder), measures=measures)


def keep_run(planned: Planned, *, records: Path | None = None) -> None:
    """Keep the run of a baseline from being pruned, where it is recorded, and let the one before it go.

    The baseline holds without it; but who asks why a gate is broken looks for the queries' results there.
    """
    place = records_place(records=records).path
    if place is None or not place.is_file():
        return
    reason = f"baseline {planned.baseline.name}"
    with open_store(place) as store:
        for info in store.runs():
            is_of_it = info.id == planned.baseline.run
            if is_of_it != (info.pinned_for == reason):
                store.pin(info.id, reason if is_of_it else None)


def project_baseline(name: str | None = None, *, cwd: Path | None = None) -> Stored:
    """A baseline, by its name; None takes the one that the only gate names, else `main`.

    Raises UnknownNameError where it is not there.
    """
    project = project_gates(cwd)
    named = [gate.baseline for gate in project.gates if gate.baseline is not None]
    chosen = name or (named[0] if len(named) == 1 else DEFAULT_NAME)
    path = baseline_path(chosen, folder=project.folder)
    if not path.is_file():
        known = [found.name for found in list_baselines(project.folder).baselines]
        hint = f"Set it: {NAME} baseline set RUN {chosen}"
        raise UnknownNameError(what="baseline", name=chosen, known=known, hint=hint)
    return Stored(path, read_baseline(path))


def project_baselines(cwd: Path | None = None) -> Listed:
    folder = project_gates(cwd).folder
    found = list_baselines(folder)
    return Listed(folder / FOLDER, found.baselines, found.faults)
