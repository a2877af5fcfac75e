"""How far a run of evals has come."""

from dataclasses import dataclass
from typing import NamedTuple

from rankle.core.trials import TrialReport
from rankle.harness.evals.keeping import Place


class EvalProgress(NamedTuple):
    """How far one eval has come."""

    key: str
    n_done: int
    """Trials that are done and scored, those of before included."""
    n_total: int
    n_failed: int
    """Trials of these that crashed, timed out, or on which a scorer crashed."""


class FinishedTrial(NamedTuple):
    """The trial that has just been done."""

    key: str
    """Of its eval."""
    place: Place
    trial: TrialReport


@dataclass(frozen=True, slots=True)
class Progress:
    """How far all evals of a run have come together, in trials."""

    n_done: int
    n_total: int
    n_failed: int
    n_cached: int
    """Trials that the cache answered."""
    cost_usd: float | None
    """What models cost so far; None where no call told a cost."""
    elapsed_s: float
    evals: tuple[EvalProgress, ...]
    """In the order in which they were given."""
    just_finished: FinishedTrial | None
    """None at the start, and where trials of before were found."""
    reading: str | None = None
    """The eval whose data is being read: no trial is known yet, all other figures are 0. Else None."""


def reading_of(name: str, elapsed_s: float) -> Progress:
    """Tells that the data of an eval is being read, since elapsed_s seconds."""
    return Progress(
        n_done=0,
        n_total=0,
        n_failed=0,
        n_cached=0,
        cost_usd=None,
        elapsed_s=elapsed_s,
        evals=(),
        just_finished=None,
        reading=name,
    )
