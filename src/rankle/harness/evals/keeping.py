"""What running evals asks of whoever keeps them, and of a cache."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

from rankle.core.cached import CachedOutput as CachedOutput
from rankle.core.evals import EvalSummary
from rankle.core.trials import CaseReport, TrialReport
from rankle.harness.evals.case import Case
from rankle.harness.evals.options import EvalOptions

Place = tuple[int, int]
"""Where a trial belongs: the place of its case among the cases that are run, and its number, from 0."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalPlan:
    """One eval that is about to run."""

    key: str
    """`path::name`, with `[variant]` behind it where it has one: what its history goes by."""
    name: str
    cases: Sequence[Case]
    """Those that are run."""
    options: EvalOptions
    data_fingerprint: str
    task_fingerprint: str
    scorers: tuple[str, ...]
    is_full: bool
    data: str = "rows"
    """What its rows are from: a path, or `rows`."""


class KeptEval(Protocol):
    """One eval that is kept while it runs. Calls may come from any thread, one after another."""

    @property
    def id(self) -> str: ...

    @property
    def created(self) -> str:
        """UTC, ISO 8601 with a trailing Z."""
        ...

    @property
    def known(self) -> Mapping[Place, TrialReport]:
        """Trials of before, which are not run again. Their outputs, traces and inputs may be left out."""
        ...

    def keep(self, place: Place, trial: TrialReport) -> None:
        """Called with each trial as soon as it is done and scored, each once."""
        ...

    def trials(self, cases: Collection[int] | None = None) -> Iterator[tuple[Place, TrialReport]]:
        """All that was kept, whole, by case and then by trial; may be called again, and after the end too.

        cases: places of cases, for theirs alone.
        """
        ...

    def finish(self, summary: EvalSummary, cases: Callable[[], Iterable[CaseReport]]) -> None:
        """Called when every trial is done.

        cases: goes through the cases with their trials, read from what was kept; may be called again.
        """
        ...


class EvalKeeper(Protocol):
    """Keeps runs of evals."""

    def begin(self, plan: EvalPlan) -> AbstractContextManager[KeptEval]:
        """The eval that is about to run; a context that is left without `finish` ended early."""
        ...


class Cache(Protocol):
    """Outputs of tasks and answers of models, by what they depend on."""

    def get(self, key: str) -> CachedOutput | None:
        """What is kept under a key, a SHA-256 in hex; None where nothing is, or it is too old."""
        ...

    def put(self, key: str, value: bytes, *, took_ms: float, kind: str) -> None:
        """Keep what took so long to make.

        kind: `task` or `model`, for those who ask what the cache holds.
        """
        ...
