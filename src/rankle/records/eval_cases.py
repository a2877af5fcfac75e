"""Cases of evals as they are stored: what they hold, and what they came to."""

from typing import Any

import msgspec

from rankle.core.trials import CaseReport, CaseStatus, TrialReport


class StoredCase(msgspec.Struct, frozen=True, kw_only=True):
    """One case, before it is run."""

    id: str
    position: int
    """In the data, from 0."""
    input: Any
    expected: Any
    metadata: dict[str, Any]
    tags: list[str]


class CaseFigures(msgspec.Struct, frozen=True, array_like=True):
    """What one case came to."""

    id: str
    status: CaseStatus
    score: float | None
    flaky: bool
    crashed: bool
    """Whether a trial or a scorer of it crashed."""
    scores: dict[str, float]


class BareTrial(msgspec.Struct, frozen=True, kw_only=True):
    """A trial that is done, as far as one that goes on needs it: without its output, trace and columns."""

    trial: int
    status: Any
    error: Any = None
    took_ms: float | None = None
    cached: bool = False
    scores: Any = ()
    n_steps_left_out: int | msgspec.UnsetType = msgspec.UNSET
    usage: Any = None


def figures_of(case: CaseReport) -> CaseFigures:
    """What is stored of the figures of a case."""
    crashed = any(
        trial.status != "done" or any(score.error is not None for score in trial.scores)
        for trial in case.trials
    )
    return CaseFigures(case.id, case.status, case.score, case.flaky, crashed, dict(case.scores))


def case_report(case: StoredCase, figures: CaseFigures, trials: list[TrialReport]) -> CaseReport:
    """A case as it was reported."""
    return CaseReport(
        id=case.id,
        position=case.position,
        input=case.input,
        expected=case.expected,
        metadata=case.metadata,
        tags=case.tags,
        status=figures.status,
        scores=figures.scores,
        score=figures.score,
        flaky=figures.flaky,
        trials=trials,
    )
