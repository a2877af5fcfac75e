"""One eval that ran: what its figures and notices are made from."""

from collections.abc import Sequence
from dataclasses import dataclass

from rankle.core.trials import ScoreReport
from rankle.harness.evals.aggregation import EvalFigures
from rankle.harness.evals.prepared import PreparedEval, PreviousRun


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """One eval that ran, to its last trial or not."""

    prepared: PreparedEval
    figures: EvalFigures
    id: str
    """Of its record."""
    is_complete: bool
    run_scores: Sequence[ScoreReport]
    took_s: float
    seed: int
    previous: PreviousRun | None
    notices: Sequence[str] = ()
