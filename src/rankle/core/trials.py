"""Cases of evals with their trials, as the JSON of a run has them: outputs, scores, steps, what was spent."""

from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from rankle.core.run import Count, Milliseconds

Share = Annotated[float, Meta(ge=0, le=1)]
Usd = Annotated[float, Meta(ge=0)]
TrialStatus = Literal["done", "failed", "timed out"]
CaseStatus = Literal["scored", "undefined", "failed"]
MOST_STEPS: Final = 10_000
"""Of a trial, in its trace; a loop that traces without end must not fill the memory."""


class Usage(msgspec.Struct, frozen=True, kw_only=True):
    """What was spent on models, as far as calls told."""

    input_tokens: Count = 0
    """Tokens that were sent."""
    output_tokens: Count = 0
    """Tokens that came back."""
    cost_usd: Usd | None = None
    """Null where no call told a cost."""
    n_calls: Count = 0
    """Calls of models, those that the cache answered too."""
    n_cached: Count = 0
    """Of these calls, those that the cache answered: their tokens and cost are those of the day they were
    made, and were not spent now."""


class ErrorReport(msgspec.Struct, frozen=True, kw_only=True):
    """How a task, a scorer or a step failed."""

    type: str
    """Name of the exception's class."""
    message: str
    """What the exception says."""
    traceback: str | None = None
    """The frames of the user's own code, last call last; null where there is none."""


class SpanReport(msgspec.Struct, frozen=True, kw_only=True):
    """One traced step of a trial."""

    name: str
    """As the code calls it."""
    parent: int | None
    """Place of the step that it is part of, in the list of the trial; null at the top."""
    start_ms: Milliseconds
    """Since the trial began."""
    took_ms: Milliseconds
    """Milliseconds."""
    input: Any = None
    """What it was given, as JSON; null where nothing was kept."""
    output: Any = None
    """What came out, as JSON; null where nothing was kept."""
    metadata: dict[str, Any] = {}
    """What the step was given beside, such as `k`."""
    usage: Usage | None = None
    """Null where the step called no model."""
    cached: bool = False
    """Whether the cache answered; `took_ms` is then that of the call which filled it."""
    error: ErrorReport | None = None
    """How it failed; null where it did not."""


class ScoreReport(msgspec.Struct, frozen=True, kw_only=True):
    """What one scorer said of one trial. It has one of a value, a label, a reason or an error."""

    name: str
    """Of the scorer; of several scores `scorer.name`."""
    value: Share | None = None
    """0 to 1, higher is better; null where it gave none."""
    label: str | None = None
    """A name in place of a number: it is counted, and in no mean."""
    reason: str | None = None
    """Why the scorer does not apply here, where it has neither value nor label nor error."""
    error: ErrorReport | None = None
    """How it crashed; null where it did not."""
    metadata: dict[str, Any] = {}
    """What it says beside the score; empty where nothing."""


class TrialReport(msgspec.Struct, frozen=True, kw_only=True):
    """One repetition of a case."""

    trial: Count
    """From 0."""
    status: TrialStatus
    """What became of the task."""
    output: Any = None
    """As JSON; what JSON cannot hold stands as its `repr`."""
    error: ErrorReport | None = None
    """How the task failed; null where it did not."""
    took_ms: Milliseconds | None
    """Of the task alone, without scorers. Of a cached trial, what it took when it was made; of one with calls
    that the cache answered, with the time that these took when they were made."""
    cached: bool = False
    """Whether the cache answered in place of the task."""
    scores: list[ScoreReport] = []
    """In the order of the eval's scorers; empty where the task failed."""
    trace: list[SpanReport] = []
    """Its steps, in the order in which they began; the first 10,000."""
    n_steps_left_out: Count | UnsetType = UNSET
    """Steps after these, which are not in `trace`; absent where there are none. What they spent on models is
    in `usage`."""
    usage: Usage | None = None
    """Null where no model was called."""
    columns: dict[str, Any] = {}
    """What the eval asked to show of it."""


class CaseReport(msgspec.Struct, frozen=True, kw_only=True):
    """One case, with all its trials."""

    id: str
    """`case-` and 12 hex digits of the SHA-256 of input and expectation, so that it is the same wherever the
    case stands in the data and whatever the eval is called."""
    position: Count
    """In the data, from 0."""
    input: Any
    """What the task was given, as JSON."""
    expected: Any
    """What the data says should come out; null where it says nothing."""
    metadata: dict[str, Any]
    """What else the data says of it; empty where nothing."""
    tags: list[str]
    """As the data gives them; empty where there are none."""
    status: CaseStatus
    """`failed` where any trial failed, `undefined` where no scorer gave a value."""
    scores: dict[str, Share]
    """Scorer to the mean over the trials that it scored. A scorer without any is absent, and so is one that
    crashed on any trial of the case; all are where the task did. So the mean of a scorer is that of these."""
    score: Share | None
    """Mean of `scores` by the weights of the scorers; null where it has none."""
    flaky: bool
    """Whether some of its trials pass and others do not."""
    trials: list[TrialReport]
    """Every repetition, in order."""
