"""Judge runs of evals by the gates of the project, each eval by its own."""

from collections.abc import Sequence
from pathlib import Path

from rankle.app.eval_runs import eval_reports, find_evals
from rankle.app.gates import (
    NOTHING,
    BaselineLookup,
    gate_for,
    gate_names,
    judge_run,
    project_gates,
)
from rankle.core.evals import EvalsRun
from rankle.core.gate import GateReport, GatesReport, Verdict
from rankle.core.run import RunReport
from rankle.gates.choosing import Asked, NoGateError
from rankle.gates.judge import judge
from rankle.records.reference import steps_back
from rankle.reports.evals_as_run import eval_key_of, evals_as_runs


def find_held(asked: Asked, *, records: Path | None = None) -> tuple[RunReport, ...] | None:
    """The evals of the run that is named as a baseline; None where none is, or it is no run of evals. None of
    them where `latest` is named and there is no run yet.

    To be called before the run that is to be judged is recorded, since `latest` means another one after that.
    """
    if asked.baseline is None:
        return None
    found = eval_reports(asked.baseline, records=records)
    return () if found is None and steps_back(asked.baseline) else found


def judge_evals(
    run: EvalsRun,
    *,
    asked: Asked = NOTHING,
    held: Sequence[RunReport] | None = None,
    records: Path | None = None,
    cwd: Path | None = None,
) -> GatesReport:
    """Each eval of a run by the gate that names it, or by the one that names none.

    held: the evals of the run that stands for a baseline, from `find_held`; None looks it up now.
    An eval that no gate speaks of is passed over and named. Raises InputError where there is a gate for none
    of them, and on gates or a baseline that cannot be used.
    """
    look_up = BaselineLookup(asked, held=held, records=records, cwd=cwd)
    return _judged(evals_as_runs(run), _not_run(run), look_up)


def judge_named(
    ref: str, *, asked: Asked = NOTHING, records: Path | None = None, cwd: Path | None = None
) -> GatesReport:
    """The run that a name means, of search or of evals; a run of several evals stands for all of them."""
    run = find_evals(ref, records=records)
    reports = eval_reports(ref, records=records)
    if run is None or reports is None:
        return _report([judge_run(ref, asked=asked, records=records, cwd=cwd)], [], [])
    return _judged(reports, _not_run(run), BaselineLookup(asked, records=records, cwd=cwd))


def _not_run(run: EvalsRun) -> list[str]:
    return [one.key for one in run.evals if one.error is not None]


def _judged(reports: Sequence[RunReport], not_run: list[str], look_up: BaselineLookup) -> GatesReport:
    project = project_gates(look_up.cwd)
    found: list[GateReport] = []
    without: list[str] = []
    first: NoGateError | None = None
    for run in reports:
        try:
            gate = gate_for(project, *gate_names(run), asked=look_up.asked)
        except NoGateError as error:  # no gate speaks of it
            first = first or error
            without.append(eval_key_of(run) or run.set.name)
            continue
        found.append(judge(run, gate, baseline=look_up.of_eval(run, gate, project)))
    if not found and first is not None:
        raise first
    return _report(found, without, not_run)


def _report(found: list[GateReport], without: list[str], not_run: list[str]) -> GatesReport:
    verdicts = [report.verdict for report in found] + [Verdict.COULD_NOT_MEASURE] * len(not_run)
    code = Verdict.of(verdicts).exit_code
    return GatesReport(exit_code=code, gates=found, without_gate=without, not_run=not_run)
