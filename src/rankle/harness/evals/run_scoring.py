"""Calls the scorers of a whole run."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from rankle.core.trials import CaseReport, ScoreReport
from rankle.harness.evals.called import as_awaitable
from rankle.harness.evals.engine import Engine
from rankle.harness.evals.play import Results, Step
from rankle.harness.evals.score import RunContext
from rankle.harness.evals.scorer import RunScorer
from rankle.harness.evals.scoring import failed_score, scores_of

_CASES_A_TIME: Final = 1_000
"""For so many cases a scorer of the whole run has the time of one trial."""


@dataclass(frozen=True, slots=True)
class _Cases:
    """Read anew each time that they are gone through."""

    read: Callable[[], Iterator[CaseReport]]

    def __iter__(self) -> Iterator[CaseReport]:
        return self.read()


async def score_run(
    scorers: Sequence[RunScorer],
    *,
    cases: Callable[[], Iterator[CaseReport]],
    n_cases: int,
    engine: Engine,
    timeout_s: float,
) -> list[ScoreReport]:
    """What each says, in order; one that crashes, or takes too long, fails alone.

    timeout_s: of a trial. A scorer that goes through all cases has that for each 1,000 of them.
    """
    limit_s = timeout_s * (1 + n_cases // _CASES_A_TIME)
    context = RunContext(_Cases(cases), n_cases)
    found: list[ScoreReport] = []
    for scorer in scorers:
        (called,) = await engine.call([Step(_calling(scorer, context))], timeout_s=limit_s)
        found += [failed_score(scorer.name, called.error)] if called.error else called.value
    return found


def _calling(scorer: RunScorer, context: RunContext) -> Callable[[Results], Any]:
    def call(_results: Results) -> Any:
        said = scorer.call(context)
        awaitable = as_awaitable(said)
        return scores_of(scorer.name, said) if awaitable is None else _scored(scorer.name, awaitable)

    return call


async def _scored(name: str, said: Any) -> list[ScoreReport]:
    return scores_of(name, await said)
