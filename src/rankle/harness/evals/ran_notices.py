"""What must be known before the figures of an eval are believed."""

from collections.abc import Mapping
from typing import Final

from rankle.core.trials import MOST_STEPS
from rankle.harness.evals.aggregation import CaseFigures, EvalFigures
from rankle.harness.evals.ran import Ran

_FEW_CASES: Final = 20
"""Under it an interval spans much of what is possible."""


def notices_of(ran: Ran, cases: Mapping[int, CaseFigures]) -> list[str]:
    """In the order in which they are told. cases: those with a trial, by their places."""
    prepared, figures = ran.prepared, ran.figures
    found = [*prepared.notices, *ran.notices]
    n_planned = len(prepared.cases)
    if not ran.is_complete:
        found.append(f"Stopped after {len(cases)} of {n_planned} cases: the figures are of these alone.")
    if len(cases) == 1:
        found.append("1 case tells no change from chance.")
    elif 0 < len(cases) < _FEW_CASES:
        found.append(f"{len(cases)} cases are few: a change must be large to be told from chance.")
    n_failed = sum(case.has_failed for case in cases.values())
    if n_failed:
        them = "It is in no mean: repair it" if n_failed == 1 else "They are in no mean: repair them"
        found.append(f"{_cases(n_failed)} of {len(cases)} failed. {them} first.")
    if cases and not n_failed and figures.scorers and not (figures.labels or _has_score(cases)):
        found.append("No scorer applies to any case: nothing is measured.")
    if figures.n_cached:
        found.append(
            f"{figures.n_cached} of {figures.n_trials} outputs are from the cache, with the time that they "
            "took when they were made; --no-cache makes them anew."
        )
    if figures.n_cut_traces:
        found.append(_cut_traces(figures))
    return found


def _cut_traces(figures: EvalFigures) -> str:
    trials = "1 trial" if figures.n_cut_traces == 1 else f"{figures.n_cut_traces:,} trials"
    return (
        f"A trace holds the first {MOST_STEPS:,} steps; further ones of {trials} are left out: "
        f"{figures.n_steps_left_out:,}. What they spent on models is counted."
    )


def _has_score(cases: Mapping[int, CaseFigures]) -> bool:
    return any(case.scores for case in cases.values())


def _cases(n: int) -> str:
    return "1 case" if n == 1 else f"{n} cases"
