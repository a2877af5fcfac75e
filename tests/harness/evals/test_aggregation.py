"""Trials become figures of cases in whichever order they end."""

from fakes.running_evals import EXACT, cases
from rankle.core.trials import ScoreReport, TrialReport
from rankle.harness.evals.aggregation import EvalFigures


def trial(number: int, value: float) -> TrialReport:
    scores = [ScoreReport(name="exact", value=value)]
    return TrialReport(trial=number, status="done", took_ms=1.0, scores=scores)


def test_a_case_that_was_looked_at_counts_a_trial_that_ends_later() -> None:
    (case,) = cases(["a"])
    figures = EvalFigures([EXACT], pass_mark=0.5)
    figures.add((0, 1), trial(1, 1.0), case=case)
    assert figures.case(0).score == 1.0
    figures.add((0, 0), trial(0, 0.0), case=case)
    found = figures.case(0)
    assert (found.score, found.is_flaky, [one.trial for one in found.trials]) == (0.5, True, [0, 1])
    assert figures.cases() == {0: found}
