"""An eval that is ready to run: its cases are read and chosen, and its options weighed."""

from collections.abc import Mapping
from dataclasses import dataclass

from rankle.core.trials import ErrorReport
from rankle.harness.evals.case import Case
from rankle.harness.evals.options import EvalOptions
from rankle.harness.evals.suite import Suite, Variant


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedEval:
    """One eval, or one of the variants of it."""

    suite: Suite
    variant: Variant | None
    key: str
    """`path::name`, with `[variant]` behind it where it has one; the path is relative to the project's
    folder. Only the name where it was made in no file."""
    cases: tuple[Case, ...]
    """Those to be run, in the order of the data."""
    n_in_data: int
    n_skipped: int
    """Marked to be skipped, or beside one marked `only`."""
    is_full: bool
    """Whether neither the command nor a row marked `only` left a case out: later runs are held against it."""
    options: EvalOptions
    data: str
    """What the rows are from: a path, or `rows`."""
    data_fingerprint: str
    """SHA-256 over the sorted ids of all cases in the data."""
    task_fingerprint: str
    notices: tuple[str, ...] = ()
    error: ErrorReport | None = None
    """Why it cannot be run; it has no cases then."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PreviousRun:
    """What is known of the full run of an eval before this one."""

    id: str
    created: str
    scores: Mapping[str, Mapping[str, float]]
    """Scorer to case id to the mean over the trials."""
