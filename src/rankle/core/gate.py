"""The JSON of a judged run, `rankle.gate/1`, and of a baseline, `rankle.baseline/1`; both schemas are
made from these types."""

from enum import StrEnum
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from rankle.core.run import Count, MeasureSummary, Rank, SetInfo, SystemInfo

Probability = Annotated[float, Meta(ge=0, le=1)]
Level = Literal["document", "chunk", "span", "case"]
Ties = Literal["system", "trec"]


class Verdict(StrEnum):
    """What a rule, or all rules of a gate together, came to."""

    PASSED = "passed"
    BROKEN = "broken"
    COULD_NOT_MEASURE = "could not measure"

    @property
    def exit_code(self) -> Literal[0, 1, 2]:
        return 0 if self is Verdict.PASSED else 1 if self is Verdict.BROKEN else 2

    @classmethod
    def of(cls, verdicts: "list[Verdict]") -> "Verdict":
        """That of all together: what could not be measured outranks what is broken. None at all: passed."""
        return max(verdicts, key=lambda verdict: verdict.exit_code, default=cls.PASSED)


class Regression(msgspec.Struct, frozen=True, kw_only=True):
    """One measure of the run against the baseline, query by query; differences are run minus baseline."""

    n: Count
    """Queries that both scored."""
    baseline_mean: float
    """Of the baseline, over these queries."""
    run_mean: float
    """Of the run, over these queries."""
    difference: float
    """Below 0, the run is worse."""
    low: float | None
    """Lower bound of the same interval; null as `high` is."""
    high: float | None
    """The 95 % interval of the difference, which inverts the test; null with fewer than 6 queries."""
    p_value: Probability
    """By sign flips, two-sided; adjusted for nothing."""
    p_holm: Probability
    """p adjusted for the number of no-regression rules of the gate; the one that decides."""
    wins: Count
    """Queries on which the run scores higher."""
    ties: Count
    """Queries on which both score the same."""
    losses: Count
    """Queries on which the run scores lower."""
    smallest_detectable: float | None
    """The drop that so many queries find 4 times in 5; null where nothing varies."""
    queries_needed: Count | None
    """How many queries would find the drop that was seen 4 times in 5; null where it did not matter, or
    nothing says how much differences vary."""
    seed: int
    """Of the sign flips."""


class RuleVerdict(msgspec.Struct, frozen=True, kw_only=True):
    """One rule, and what it came to."""

    kind: Literal["failures", "stale labels", "floor", "no regression", "latency", "protected", "unjudged"]
    """What sort of rule it is."""
    rule: str
    """What is asked, in words: `nDCG@10 at least 0.7 where language is de`."""
    verdict: Verdict
    """What it came to."""
    why: str
    """The figures in words; of what could not be measured, the reason and what to do."""
    measure: str | None = None
    """Canonical name."""
    where: dict[str, str] = {}
    """The slice: `language`, `tag` and `collection` to their value. Empty for all queries."""
    limit: float | None = None
    """What is asked as a figure: the floor, the tolerance, the most milliseconds, failures, ...; shares as
    shares of 1."""
    on: Literal["mean", "low"] | None = None
    """Of a floor: whether the mean or the lower bound of its interval is held against it."""
    value: float | None = None
    """What the run has; null where it could not be measured, or where nothing can be looked for."""
    low: float | None = None
    """Lower bound of the same interval; null of other rules, and where there is none."""
    high: float | None = None
    """Of a floor: the 95 % interval of the mean."""
    n: Count | None = None
    """Queries, results or targets that the value is over."""
    regression: Regression | None = None
    """Of a no-regression rule, the comparison behind it; else null."""
    lost: list[str] = []
    """Of protected targets: those that were not found, each once, as `target (query)`."""


class JudgedRun(msgspec.Struct, frozen=True, kw_only=True):
    """The run that was judged."""

    id: str
    """Of its record."""
    created: str
    """UTC, ISO 8601 with a trailing Z."""
    set: SetInfo
    """What was asked."""
    level: Level
    """What the labels point at; `case` of an eval."""
    depth: Rank
    """How many results a query was asked for."""
    system: SystemInfo
    """What answered."""


class BaselineInfo(msgspec.Struct, frozen=True, kw_only=True):
    """What the run was held against."""

    name: str
    """Such as `main`."""
    run: str
    """Id of its run."""
    created: str
    """When that run was made."""


class GateReport(msgspec.Struct, frozen=True, kw_only=True, tag_field="schema", tag="rankle.gate/1"):
    """The rules of a gate over one run: `rankle.gate/1`."""

    verdict: Verdict
    """Of all rules: could not measure outranks broken, and broken passed."""
    exit_code: Literal[0, 1, 2]
    """0 passed, 1 broken, 2 could not be measured."""
    gate: str
    """The gate's name; the name of its file where it has none."""
    run: JudgedRun
    """What was judged."""
    baseline: BaselineInfo | None
    """Null where no rule needs one, or there is none."""
    rules: list[RuleVerdict]
    """In the order in which the gate states them."""


class BaselineQuery(msgspec.Struct, frozen=True, kw_only=True):
    """The scores of one query."""

    id: str
    """As the set names it."""
    scores: dict[str, float]
    """Canonical measure name to score, only what is defined."""


class Baseline(msgspec.Struct, frozen=True, kw_only=True, tag_field="schema", tag="rankle.baseline/1"):
    """A run that later ones are held against, made to be committed: `rankle.baseline/1`."""

    name: str
    """Such as `main`."""
    run: str
    """Id of the run."""
    created: str
    """When that run was made: UTC, ISO 8601 with a trailing Z."""
    rankle_version: str
    """The version that measured."""
    set: SetInfo
    """What was asked."""
    queries_fingerprint: str
    """Of ids, texts and collections of the queries."""
    judgments_fingerprint: str
    """Of the judged targets and their grades."""
    level: Level
    """What the labels point at; `case` of an eval."""
    depth: Rank
    """How many results a query was asked for."""
    ties: Ties
    """How equal scores stand: as the system returned them, or by id as trec_eval has it."""
    system: SystemInfo
    """What answered."""
    n_failed: Count
    """Queries on which the system failed; they have no scores."""
    measures: dict[str, MeasureSummary]
    """Canonical name to its figures over all queries."""
    queries: list[BaselineQuery]
    """In the order of the set."""


class GatesReport(msgspec.Struct, frozen=True, kw_only=True, tag_field="schema", tag="rankle.gates/1"):
    """A run of evals, each judged by its own gate: `rankle.gates/1`."""

    exit_code: Literal[0, 1, 2]
    """Of the worst; what could not be run could not be measured."""
    gates: list[GateReport]
    """In the order of the evals."""
    without_gate: list[str]
    """Keys of evals (`path::name[variant]`) that no gate speaks of."""
    not_run: list[str]
    """Keys of evals that could not be run, so that nothing can be said of them."""

    @property
    def is_one(self) -> bool:
        """Whether there is but one gate, and nothing to tell beside it."""
        return len(self.gates) == 1 and not self.without_gate and not self.not_run
