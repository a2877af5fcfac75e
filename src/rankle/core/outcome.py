"""What one query of an evaluation came to: an answer or an error."""

from dataclasses import dataclass

from rankle.core.search import Hit, Stage


@dataclass(frozen=True, slots=True)
class Answer:
    """What a system returned for one query."""

    hits: tuple[Hit, ...]
    """Best first, each target once."""
    stages: tuple[Stage, ...]
    n_duplicates: int
    """Results dropped because their target stood higher already."""
    notices: tuple[str, ...] = ()
    """What the system said of this search."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """One item of a plan, done: it has an answer or an error, never both."""

    answer: Answer | None
    error: str | None
    took_ms: float | None
    """None where the system failed. In a batch, the query's share of it."""
    batch_size: int | None = None
    """How many queries were answered together; None where this one was asked by itself."""
    crash_of_batch: str | None = None
    """How the batch failed of which this query was a part, before it was asked by itself."""
    reused_from: str | None = None
    """Id of the run that asked, time and all; None where the system was asked in this one."""
