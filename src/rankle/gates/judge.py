"""The verdict of a gate over a run: every rule with its figures, and all of them together."""

from collections.abc import Sequence

from rankle.core.gate import Baseline, BaselineInfo, GateReport, JudgedRun, RuleVerdict, Verdict
from rankle.core.run import RunReport
from rankle.gates.fitting import fitted
from rankle.gates.floors import judge_floor
from rankle.gates.limits import judge_failures, judge_latency, judge_stale_labels, judge_unjudged
from rankle.gates.protected import judge_protected
from rankle.gates.regression import judge_regressions
from rankle.gates.rules import Gate


def judge(run: RunReport, gate: Gate, *, baseline: Baseline | None = None) -> GateReport:
    """Every rule of the gate, what concerns the measurement itself first.

    Verdicts depend on the rules and on what they name: further measures of the run change none. Runs of
    evals have no labels, so none of them can be stale.
    baseline: what the no-regression rules hold the run against; None where there is none.
    Raises MeasureError where a rule is about a name that is no measure, and the run is none of an eval.
    """
    gate = fitted(gate, run)
    rules = [
        judge_failures(run, most=gate.max_failures),
        *([] if run.level == "case" else [judge_stale_labels(run, most=gate.max_stale_labels)]),
        *(judge_floor(run, floor) for floor in gate.all_floors),
        *judge_regressions(run, gate, baseline),
        *_limits(run, gate),
    ]
    verdict = Verdict.of([rule.verdict for rule in rules])
    return GateReport(
        verdict=verdict,
        exit_code=verdict.exit_code,
        gate=gate.name,
        run=JudgedRun(
            id=run.id,
            created=run.created,
            set=run.set,
            level=run.level,
            depth=run.depth,
            system=run.system,
        ),
        baseline=_named(baseline) if baseline is not None and gate.no_regression else None,
        rules=rules,
    )


def _named(baseline: Baseline) -> BaselineInfo:
    return BaselineInfo(name=baseline.name, run=baseline.run, created=baseline.created)


def _limits(run: RunReport, gate: Gate) -> Sequence[RuleVerdict]:
    found = []
    if gate.protected is not None:
        found.append(judge_protected(run, gate.protected))
    if gate.unjudged is not None:
        found.append(judge_unjudged(run, gate.unjudged))
    if gate.latency_p95_ms is not None:
        found.append(judge_latency(run, most_ms=gate.latency_p95_ms))
    return found
