"""The JSON of a run of evals, schema `rankle.evals/1`. The published JSON Schema is made from these types.

Figures have one rule everywhere: trials are averaged within a case, cases within a scorer, and scorers, by
their weights, within an eval. What crashed is in no mean and stands beside it.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal, Protocol

import msgspec
from msgspec import Meta

from rankle.core.run import Count, Latency
from rankle.core.trials import CaseReport, ErrorReport, ScoreReport, Share, Usage

Percent = Annotated[float, Meta(ge=0, le=100)]
SCHEMA: Final = "rankle.evals/1"


class TrialSpread(msgspec.Struct, frozen=True, kw_only=True):
    """What repeating the cases tells of one scorer."""

    n_trials: Count
    """Scored trials of all cases."""
    sd: float | None
    """Standard deviation of trials about the mean of their case; null without a case of two trials."""
    share: Share | None
    """Of the squared standard error of the mean, the share that is noise between trials; null where nothing
    varies or it cannot be told."""
    pass_at_k: Share | None
    """Chance that at least one of the k trials of a case passes, mean over cases, k the number of trials."""
    pass_all_k: Share | None
    """Chance that all of the k trials of a case pass (pass^k), mean over cases."""


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """A figure against the previous full run of the same eval, over the cases that both scored."""

    n: Count
    """Cases that both scored."""
    before: Share
    """The mean of the previous run over these cases, 0 to 1."""
    now: Share
    """The mean of this run over these cases, 0 to 1."""
    difference: float
    """now minus before, -1 to 1."""
    low: float | None
    """The 95 % interval of the difference; null for fewer than two cases."""
    high: float | None
    """Upper bound of that interval; null as `low` is."""
    p_value: float | None
    """By sign flips, two-sided; null for fewer than two cases."""


class ScorerSummary(msgspec.Struct, frozen=True, kw_only=True):
    """One scorer over all cases of an eval."""

    name: str
    """Of the scorer; where it gives several scores, `scorer.name` for each of them."""
    description: str
    """What it measures, in a few words; may be empty."""
    weight: Annotated[float, Meta(ge=0)]
    """Several scores of one scorer share its weight; of these, one that only gave labels has none of it."""
    mean: Share | None
    """Over the scored cases, of the means of their trials; null where no case has a value."""
    low: float | None
    """The 95 % interval of the mean; null for fewer than two cases."""
    high: float | None
    """Upper bound of that interval; null as `low` is."""
    n_scored: Count
    """Cases with a value."""
    n_undefined: Count
    """Cases to which it does not apply, or that got labels."""
    n_failed: Count
    """Cases on which it crashed, or whose task did: they are in no mean."""
    labels: dict[str, Count]
    """Label to the number of trials that got it, most frequent first."""
    reasons: dict[str, Count] = {}
    """Why it does not apply, to the number of trials of which it said so: the ten most frequent, in that
    order."""
    trials: TrialSpread | None
    """Null for one trial a case."""
    change: Change | None
    """Null where there is no previous full run with this scorer."""


class Previous(msgspec.Struct, frozen=True, kw_only=True):
    """The run that changes are against."""

    id: str
    """Of its record."""
    created: str
    """UTC, ISO 8601 with a trailing Z."""


class FailedCase(msgspec.Struct, frozen=True, kw_only=True):
    """One case on which the task or a scorer crashed: the first time that each of them did."""

    id: str
    """Of the case."""
    position: Count
    """In the data, from 0."""
    trial: Count
    """From 0."""
    where: str
    """`task`, or the name of the scorer."""
    error: ErrorReport
    """How it failed."""


class EvalSummary(msgspec.Struct, frozen=True, kw_only=True):
    """One eval, all but its cases."""

    id: str
    """Of its record."""
    name: str
    """As its author called it."""
    file: str | None
    """Relative to the folder of the project; null where it was made in no file."""
    line: int | None
    """Where its function begins in the file, from 1; null where that is not known."""
    description: str
    """What its author says of it; empty where nothing is said."""
    tags: list[str]
    """As its author gave them; empty where there are none."""
    variant: str | None
    """Which of the variants side by side it is; null where it has none."""
    data: str
    """What its rows are from: a path, or `rows`."""
    data_fingerprint: str
    """Of the ids of its cases, whatever their order."""
    task_fingerprint: str
    """Of the task's source and of what it declares."""
    n_in_data: Count
    """Cases that the data holds; more than n_cases where some were left out."""
    n_skipped: Count
    """Cases that the data marks to be skipped, or that stand beside one marked `only`."""
    n_cases: Count
    """Cases that were run."""
    trials: Annotated[int, Meta(ge=1)]
    """Trials of each."""
    is_complete: bool = True
    """False where the run was stopped before the last of its trials."""
    is_full: bool
    """Whether neither the command nor a row marked `only` left a case out, so that later runs are held
    against it."""
    n_failed: Count
    """Cases with a crashed or timed out trial, or a crashed scorer."""
    n_cached: Count
    """Trials that the cache answered."""
    n_flaky: Count
    """Cases of which some trials pass and others do not."""
    scorers: list[ScorerSummary]
    """In the order of the eval."""
    run_scores: list[ScoreReport]
    """What scorers of the whole run said; they are in no mean."""
    score: Share | None
    """Mean of the scorers by weight."""
    threshold: Percent | None
    """Per cent that the score must reach; null where none was set."""
    passed: bool | None
    """Whether it reached it; null without a threshold or a score."""
    latency_ms: Latency
    """Of the trials that were run now; those in which the cache answered anything are left out."""
    took_s: Annotated[float, Meta(ge=0)]
    """Seconds from its first trial to its last."""
    usage: Usage | None
    """What it spent on models; null where none was called."""
    previous: Previous | None
    """Null where there is no previous full run of the eval."""
    failures: list[FailedCase]
    """In the order of the data; at most 100 of them. A case stands there again for each scorer that crashed
    on it; `n_failed` counts cases, and all of them."""
    notices: list[str]
    """What a reader of the scores must know."""
    error: ErrorReport | None
    """Why it could not be run, such as data that cannot be read; it has no case then."""

    @property
    def key(self) -> str:
        """What its history goes by: `path::name`, with `[variant]` behind it; its name without a file."""
        whole = self.name if self.file is None else f"{self.file}::{self.name}"
        return whole if self.variant is None else f"{whole}[{self.variant}]"


class EvalReport(EvalSummary, frozen=True, kw_only=True):
    """One eval with its cases."""

    cases: list[CaseReport]
    """In the order of the data."""


class BrokenFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file of evals that could not be loaded."""

    file: str
    """Relative to the folder of the project."""
    error: ErrorReport
    """What was raised while it was loaded."""


class GitRevision(msgspec.Struct, frozen=True, kw_only=True):
    """The git revision of the folder in which the evals ran."""

    revision: str
    """The commit's full hash."""
    dirty: bool | None
    """Whether tracked files differed from it."""


class EvalsSummary(msgspec.Struct, frozen=True, kw_only=True):
    """A run of evals, all but the evals."""

    id: str
    """Names the run where it is recorded."""
    created: str
    """UTC, ISO 8601 with a trailing Z."""
    rankle_version: str
    """The version that ran it."""
    git: GitRevision | None
    """Null outside of a repository."""
    seed: int
    """Of whatever is drawn at random."""
    settings: dict[str, Any]
    """What was asked: paths, filters, timeout, concurrency, trials, whether the cache was used."""
    max_failures: Count
    """Cases that may crash before the exit code is 2."""
    broken_files: list[BrokenFile]
    """Empty where every file could be loaded."""
    interrupted: bool
    """Whether it was stopped before its last case."""
    took_s: Annotated[float, Meta(ge=0)]
    """Seconds of all evals together."""
    exit_code: Literal[0, 1, 2]
    """0 fine, 1 a threshold is missed, 2 could not measure: more cases crashed than are allowed, or an
    eval or a file could not be run. 2 outranks 1."""
    verdict: str
    """Why the exit code is what it is, in a sentence."""


class EvalsReport(EvalsSummary, frozen=True, kw_only=True, tag_field="schema", tag=SCHEMA):
    """A run of evals with everything: `rankle.evals/1`."""

    evals: list[EvalReport]
    """In the order in which they were found."""


class CasesByPlace(Protocol):
    """Some of the cases of an eval, without reading the others."""

    def scores(self, eval_id: str) -> Mapping[int, float | None]:
        """Place of each case among those that were run, in order, to its score."""
        ...

    def read(self, eval_id: str, places: Collection[int]) -> Iterable[CaseReport]:
        """The cases at these places, in the order of the data."""
        ...


@dataclass(frozen=True, slots=True)
class EvalsRun:
    """A run of evals whose cases are read when they are needed, so that outputs of any size fit."""

    summary: EvalsSummary
    evals: tuple[EvalSummary, ...]
    read_cases: Callable[[str], Iterable[CaseReport]]
    """The cases of the eval of this id, in the order of the data; may be called again."""
    by_place: CasesByPlace | None = None
    """None where all cases are in memory, so that going through them costs nothing."""

    def report(self) -> EvalsReport:
        """All of it in memory."""
        return EvalsReport(
            **_members(self.summary),
            evals=[EvalReport(**_members(one), cases=list(self.read_cases(one.id))) for one in self.evals],
        )


def _members(struct: msgspec.Struct) -> dict[str, Any]:
    return {name: getattr(struct, name) for name in struct.__struct_fields__}
