"""Judge runs by the gates of the project."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from rankle.app.baselines import find_baseline, named_baseline
from rankle.app.eval_runs import eval_reports
from rankle.app.runs import load_run
from rankle.app.wiring.project import PROJECT_FILE, find_project
from rankle.core.errors import InputError
from rankle.core.gate import Baseline, GateReport
from rankle.core.product import NAME
from rankle.core.run import RunReport
from rankle.gates.choosing import Asked, gate_of, no_gate_for, with_asked
from rankle.gates.fitting import check_measures
from rankle.gates.judge import judge
from rankle.gates.reading import EXAMPLE, read_gates
from rankle.gates.rules import Gate
from rankle.metrics.measure import Measure
from rankle.records.reference import steps_back
from rankle.reports.evals_as_run import eval_key_of, eval_names_of

NOTHING: Final = Asked()
_SEE: Final = "See docs/gates.md"


@dataclass(frozen=True, slots=True)
class ProjectGates:
    """The gates of the nearest project file."""

    folder: Path
    """Of the project file; the current one where there is none."""
    path: str
    """The file, for errors and as the name of gates without one."""
    gates: tuple[Gate, ...]


def project_gates(cwd: Path | None = None) -> ProjectGates:
    """Raises InputError on gates that are not well formed; no gates are no error here."""
    here = (cwd or Path.cwd()).absolute()
    project = find_project(here)
    file = project.folder / PROJECT_FILE
    path = file if file.is_file() else project.folder / "pyproject.toml"
    shown = _shown(path, here)
    given: Any = project.settings.get("gates")
    if given is None:
        return ProjectGates(project.folder, shown, ())
    gates = read_gates(given, path=shown, read_lines=lambda name: _lines(project.folder / name))
    return ProjectGates(project.folder, shown, gates)


def gate_names(run: RunReport) -> tuple[str, ...]:
    """What a gate may call the set or the eval that a run is of, the most exact first.

    An eval goes by its key (`path::name[variant]`), its name, both without the variant, and its data.
    """
    return (*eval_names_of(run), run.set.name)


def gate_for(project: ProjectGates, *names: str, asked: Asked) -> Gate:
    """The gate of a set or an eval that goes by these names, with what was asked beside it.

    Raises InputError where there is none, or it asks for nothing.
    """
    found = gate_of(project.gates, *names)
    if found is None and not asked.has_rules:
        if project.gates:
            raise no_gate_for(names[len(names) > 1], project.gates, path=project.path)
        raise InputError(
            f"there are no gates. Write some into {PROJECT_FILE}, such as {EXAMPLE}, or ask for a phase or a "
            f"baseline: --phase mvp, --baseline main. {_SEE}"
        )
    gate = with_asked(found or Gate(NAME), asked)
    if gate.is_empty:
        raise InputError(
            f"{project.path}: the gates ask for no figure. Add a rule, such as {EXAMPLE}. {_SEE}"
        )
    return gate


@dataclass(frozen=True, slots=True)
class Needed:
    """What judging takes, looked up before anything is measured."""

    measures: tuple[Measure, ...]
    """Those that the gate looks at."""
    baseline: Baseline | None
    """What is held against the run; None where the gate names none, or its file is not there yet."""


def needed_for(
    set_name: str, *, asked: Asked, records: Path | None = None, cwd: Path | None = None
) -> Needed:
    """What the gate of a set needs.

    A run that stands for a baseline is looked up here, since `latest` means another one once the run that is
    to be judged is recorded. records: where it is looked up; None for the project's store.
    Raises InputError on gates or a baseline that cannot be used.
    """
    project = project_gates(cwd)
    gate = gate_for(project, set_name, asked=asked)
    check_measures(gate)
    baseline = _baseline(gate, project, asked=asked, records=records, cwd=cwd)
    return Needed(gate.measures, baseline)


def judge_runs(
    runs: Sequence[RunReport], *, asked: Asked, baseline: Baseline | None, cwd: Path | None = None
) -> tuple[GateReport, ...]:
    """Each run by the gate of its set. Raises InputError on gates that cannot be used."""
    project = project_gates(cwd)
    return tuple(
        judge(run, gate_for(project, *gate_names(run), asked=asked), baseline=baseline) for run in runs
    )


def judge_run(
    ref: str, *, asked: Asked = NOTHING, records: Path | None = None, cwd: Path | None = None
) -> GateReport:
    """The run that a name means, by the gate of its set; one eval by its own.

    A measure that the gate looks at and the run was not evaluated by is made from its record or file.
    """
    run = load_run(ref, records=records).report
    if run.level == "case":
        project = project_gates(cwd)
        gate = gate_for(project, *gate_names(run), asked=asked)
        look_up = BaselineLookup(asked, records=records, cwd=cwd)
        return judge(run, gate, baseline=look_up.of_eval(run, gate, project))
    from rankle.app.rescore import with_measures  # brings what evaluations need, 50 ms

    needed = needed_for(run.set.name, asked=asked, records=records, cwd=cwd)
    run = with_measures(run, ref, needed.measures, records=records)
    return judge_runs([run], asked=asked, baseline=needed.baseline, cwd=cwd)[0]


class BaselineLookup:
    """Finds what an eval is held against. Another run that stands for a baseline has the same eval in it."""

    def __init__(
        self,
        asked: Asked,
        *,
        held: Sequence[RunReport] | None = None,
        records: Path | None = None,
        cwd: Path | None = None,
    ) -> None:
        """held: the evals of that other run; None looks it up when it is needed."""
        self.asked = asked
        self.cwd = cwd
        self._held = held
        self._records = records

    def of_eval(self, run: RunReport, gate: Gate, project: ProjectGates) -> Baseline | None:
        """What this eval is held against; None where nothing is named, or its file is not there yet."""
        if self.asked.baseline is None:
            return find_baseline(gate.baseline, folder=project.folder)
        if self._held is not None and steps_back(self.asked.baseline) and not self._has(run):
            return None  # what was the latest run has no such eval, and by now the name means this run

        def load(name: str) -> RunReport:
            every = self._held if self._held is not None else eval_reports(name, records=self._records)
            same = [one for one in every or () if eval_key_of(one) == eval_key_of(run)]
            return same[0] if same else load_run(name, records=self._records).report

        here = self.cwd or Path.cwd()
        return named_baseline(self.asked.baseline, folder=project.folder, here=here, load=load)

    def _has(self, run: RunReport) -> bool:
        return any(eval_key_of(one) == eval_key_of(run) for one in self._held or ())


def _baseline(
    gate: Gate, project: ProjectGates, *, asked: Asked, records: Path | None, cwd: Path | None
) -> Baseline | None:
    if asked.baseline is None:
        return find_baseline(gate.baseline, folder=project.folder)

    def load(name: str) -> RunReport:
        from rankle.app.rescore import with_measures

        run = load_run(name, records=records).report
        return with_measures(run, name, gate.measures, records=records)

    return named_baseline(
        asked.baseline,
        folder=project.folder,
        here=cwd or Path.cwd(),
        load=load,
    )


def _lines(path: Path) -> list[str]:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"the list of protected targets {path} cannot be read: {error}") from error
    return [line for line in text.splitlines() if not line.lstrip().startswith("#")]


def _shown(path: Path, here: Path) -> str:
    return str(path.relative_to(here)) if path.is_relative_to(here) else str(path)
