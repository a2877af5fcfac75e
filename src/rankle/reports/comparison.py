"""What a comparison of runs says: `rankle.compare/1`. The published JSON Schema is made from these types."""

from dataclasses import asdict, dataclass
from html import escape
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta

from rankle.core.run import Count, Rank, SetInfo
from rankle.core.tables import Tabular, html_table

Share = Annotated[float, Meta(ge=0, le=1)]
Verdict = Literal["better", "worse", "no difference shown", "unclear", "not compared"]
What = Literal["queries", "cases", "judgments", "set", "level", "depth", "ties", "measures"]
SCHEMA: Final = "rankle.compare/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedRun:
    """One of the runs."""

    label: str
    """A, B, C, … in the order given; what everything else calls the run."""
    name: str
    """As the user named it."""
    id: str
    """Of its record."""
    created: str
    """UTC, ISO 8601 with a trailing Z."""
    rankle_version: str
    """The version that measured."""
    system: str
    """Its name."""
    method: str
    """What tables call it."""
    system_fingerprint: str
    """SHA-256 of what it is made of."""
    set: SetInfo
    """What was asked."""
    n_failed: Count
    """Queries on which the system failed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mismatch:
    """Something that makes two runs no fair comparison."""

    what: What
    """What differs."""
    run: str
    """The label of the run that differs from the first."""
    first: str
    """What it is of the first run; of queries, judgments and sets a fingerprint."""
    other: str
    """What it is of the other run."""
    words: str
    """How much of it differs, for people; empty where the two values say all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasureDifference:
    """Two runs by one measure, over the queries that both scored (with Tukey: that all runs scored)."""

    measure: str
    """Canonical name."""
    n: Count
    """Queries that the figures are over."""
    mean_a: float | None
    """Over these n queries; null where n is 0, as are all other figures then."""
    mean_b: float | None
    """Of b over the same n queries; null where n is 0."""
    difference: float | None
    """Mean of b minus mean of a."""
    low: float | None
    """Lower bound of the interval at 1 - alpha that inverts the test; null where the test has none."""
    high: float | None
    """Upper bound of that interval; null as `low` is."""
    p_value: float | None
    """Of this one test; by Tukey, for all pairs of the measure together."""
    p_adjusted: float | None
    """For all tests of the comparison together; what the verdict goes by."""
    wins: Count
    """Queries on which b scores higher."""
    ties: Count
    """Queries on which both score the same."""
    losses: Count
    """Queries on which b scores lower."""
    effect_size: float | None
    """Mean difference over the standard deviation of the differences; null where they do not vary."""
    smallest_detectable: float | None
    """The true difference that such queries would show with a chance of 80 %, all tests of the comparison
    counted in; null where they do not vary, are too few to show any, or the test is none of means."""
    verdict: Verdict
    """Of b against a."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """One query whose score changed."""

    id: str
    """Of the query."""
    query: str
    """Its text."""
    score_a: float
    """By the main measure, in a."""
    score_b: float
    """By the main measure, in b."""
    first_relevant_rank_a: Rank | None
    """Null where no relevant result stands within the depth."""
    first_relevant_rank_b: Rank | None
    """The same in b."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SliceDifference:
    """Two runs over some of the queries."""

    by: Literal["language", "collection", "tag", "length"]
    """What the queries have in common."""
    value: str
    """Such as `de`, or `1-2 words`."""
    n: Count
    """Queries of the slice that both scored."""
    mean_a: float
    """Of a over these, by the main measure."""
    mean_b: float
    """Of b over these, by the main measure."""
    difference: float
    """mean_b minus mean_a."""
    low: float | None
    """Lower bound of the interval that inverts the test; null where there is none."""
    high: float | None
    """Upper bound of that interval; null as `low` is."""
    p_value: float
    """Of this one test."""
    p_adjusted: float
    """By Holm over the slices of this pair."""
    wins: Count
    """Queries on which b scores higher."""
    ties: Count
    """Queries on which both score the same."""
    losses: Count
    """Queries on which b scores lower."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Overlap:
    """How alike two rankings are, and what in them nobody has judged; over the queries that both answered."""

    n: Count
    """Queries that both answered."""
    rbo: Share
    """Mean rank-biased overlap (p = 0.9) of the results: 1 for equal rankings, 0 for disjoint ones."""
    k: Rank | None
    """The first so many results are looked at for judgments; null for all."""
    unjudged_only_a: Count
    """Unjudged results in the first k of a that are not in the first k of b, of queries that both scored."""
    unjudged_only_b: Count
    """The same of b, that are not in the first k of a."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShareDifference:
    """A share of abstention in two runs, over the queries that both answered."""

    n: Count
    """Queries of that kind that both answered."""
    share_a: Share | None
    """Over these n queries; null where n is 0, as are all other figures then."""
    share_b: Share | None
    """The same of b; null where n is 0."""
    difference: float | None
    """Share of b minus share of a."""
    low: float | None
    """Lower bound of the interval at 1 - alpha that inverts the test."""
    high: float | None
    """Upper bound of that interval; null as `low` is."""
    p_value: float | None
    """By sign flips, adjusted for nothing."""
    wins: Count
    """Queries on which b is right and a is not."""
    losses: Count
    """Queries on which a is right and b is not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AbstentionChange:
    """What became of abstention; see `abstention` of the runs for what the shares mean."""

    floor_a: float | None
    """Null where the system states none."""
    floor_b: float | None
    """The same of b."""
    precision_a: Share | None
    """Each over the queries that its own run abstained on, so that there is no paired difference."""
    precision_b: Share | None
    """The same of b."""
    recall: ShareDifference
    """Of the queries that nothing answers, those abstained on."""
    answered: ShareDifference
    """Of the queries with something relevant, those not abstained on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PairComparison:
    """One run against another."""

    a: str
    """Label of the run that is held against."""
    b: str
    """Label of the run that is judged."""
    changed: list[str]
    """What b's system did otherwise than a's, as far as the systems tell."""
    measures: list[MeasureDifference]
    """In the order of the comparison's measures."""
    moves: list[Move]
    """Queries that both scored and whose score by the main measure changed; what lost most first, what gained
    most last."""
    slices: list[SliceDifference]
    """By the main measure; what lost most first."""
    overlap: Overlap | None
    """Null where the records hold no results."""
    abstention: AbstentionChange | None = None
    """Null unless both runs tell of abstention."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasureVerdict:
    """What is to be said of one measure."""

    measure: str
    """Canonical name."""
    sentence: str
    """Better, worse, or no difference shown, with the figures."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison(Tabular):
    """Runs over the same queries, held against each other pair by pair.

    As a table it has a row for each pair and measure; `str()` of it is the verdicts.
    """

    schema: Literal["rankle.compare/1"]
    rankle_version: str
    """The version that compared."""
    level: str
    """What the labels point at; `case` of evals."""
    depth: Rank
    """How many results a query was asked for."""
    n_queries: Count
    """Queries that all runs have in common."""
    forced: bool
    """Whether runs are compared that differ in more than their systems; see `mismatches`."""
    mismatches: list[Mismatch]
    """What else the runs differ in; empty unless `forced`."""
    test: Literal["randomisation", "t", "wilcoxon", "sign"]
    """The paired test behind each p."""
    correction: Literal["none", "holm", "tukey"]
    """How p-values are adjusted for their number. Tukey takes the pairs of a measure together, and its p is
    then multiplied by the number of measures."""
    n_tests: Count
    """How many tests the p-values are adjusted for: pairs times measures."""
    alpha: float
    """The chance of a false alarm that is accepted, over all tests together."""
    seed: int
    """Of the sign flips."""
    main_measure: str
    """What moves and slices go by."""
    runs: list[ComparedRun]
    """In the order given."""
    verdicts: list[MeasureVerdict]
    """One sentence a measure."""
    notes: list[str]
    """What a reader of the figures must know."""
    pairs: list[PairComparison]
    """Each run against each later one, or against the first."""

    def to_dict(self) -> dict[str, Any]:
        """What the JSON holds."""
        found: dict[str, Any] = msgspec.to_builtins(self)
        return found

    def to_rows(self) -> list[dict[str, Any]]:
        """A row for each pair and measure."""
        return [{"a": pair.a, "b": pair.b, **asdict(one)} for pair in self.pairs for one in pair.measures]

    def __str__(self) -> str:
        return "\n".join([*self._legend(), *(verdict.sentence for verdict in self.verdicts)])

    def __repr__(self) -> str:
        return f"<Comparison of {', '.join(run.name for run in self.runs)} over {self.n_queries} queries>"

    def _repr_html_(self) -> str:
        said = [*self._legend(), *(verdict.sentence for verdict in self.verdicts), *self.notes]
        return "".join(f"<p>{escape(text)}</p>" for text in said) + html_table(self.to_rows())

    def _legend(self) -> list[str]:
        words = [f"{run.label} is {run.name}" for run in self.runs]
        forced = " (forced: the runs differ in more than their systems)" if self.forced else ""
        return [f"{', '.join(words)}; {self.n_queries} queries in common{forced}."]
