"""The JSON of a measured run, schema `rankle.run/1`. The published JSON Schema is made from these types."""

from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

Count = Annotated[int, Meta(ge=0)]
Rank = Annotated[int, Meta(ge=1)]
Milliseconds = Annotated[float, Meta(ge=0)]

RECORDED_RUN: Final = "recorded run"
"""The method of a run that was scored from a file; its system has the name of the file's run."""
STALE_LABELS: Final = "stale labels: "
"""How the notice begins that tells of stale labels; it is the first of a run."""


class SetInfo(msgspec.Struct, frozen=True, kw_only=True):
    """The set that was asked."""

    name: str
    """Its file's name."""
    fingerprint: str
    """SHA-256 of queries and judgments, as the set states them."""
    n_queries: Count
    """Queries that were asked."""
    n_in_file: Count
    """Queries that the set holds; more than n_queries where some were left out on request."""


class SystemInfo(msgspec.Struct, frozen=True, kw_only=True):
    """What was measured."""

    name: str
    """Such as `kb:handbook`, a URI, or the name of a table [systems.NAME]."""
    method: str
    """What tables call it, such as `hybrid`; of a recorded run its file."""
    fingerprint: str
    """SHA-256 of what it is made of; the same for the same content and settings."""
    stages: list[str]
    """Names of the stages that a search ran through, in order; empty where none are known."""
    settings: dict[str, Any] = {}
    """What moves its results beside the method, defaults resolved; empty where it does not tell."""
    path: str | UnsetType = UNSET
    """The file of a recorded run, as it was given; `-` is the standard input."""


class MeasureSummary(msgspec.Struct, frozen=True, kw_only=True):
    """One measure over all queries."""

    mean: float | None
    """Over the scored queries; null where none was scored."""
    low: float | None
    """Lower bound of the 95 % interval; null for fewer than two scored queries."""
    high: float | None
    """Upper bound of the 95 % interval; null for fewer than two scored queries."""
    n_scored: Count
    """Queries that have a score; what `mean` is over."""
    n_undefined: Count
    """Queries without a relevant judgment: they have no such figure."""
    n_failed: Count
    """Queries on which the system failed: they are in no mean."""
    n_missing: Count
    """Queries absent from the run; scored 0 and part of n_scored."""


class Latency(msgspec.Struct, frozen=True, kw_only=True):
    """Milliseconds a query took."""

    p50: Milliseconds | None
    """Median; null where no query was answered."""
    p95: Milliseconds | None
    """Null where no query was answered."""
    of: Literal["search", "batch"] = "search"
    """What was timed: each search by itself, or batches of queries. A query's share of its batch says how
    fast a set is worked off, and not how long one search takes."""
    batch_size: Rank | None = None
    """The most queries that were answered together; null where each was asked by itself."""
    n_reused: Rank | UnsetType = UNSET
    """Of the times, how many were taken from an earlier run with the results, and not measured in this one;
    left out where all were measured."""


class TargetReport(msgspec.Struct, frozen=True, kw_only=True):
    """Something that is judged for a query."""

    id: str
    """The document or chunk, resolved; the name as written where nothing resolves it."""
    grade: Count
    """0 is judged not relevant."""
    relevant: bool
    """Whether binary measures count it as relevant."""
    rank: Rank | None
    """In the final list; null where it is not there."""
    rank_at: dict[str, Rank]
    """Rank in each stage that had it."""
    lost_at: str | None
    """Where it was lost: `not indexed`, `in another collection` than the query searched, `not returned` (by a
    system that tells of no stages), `no candidate list` (no stage had it among its candidates), `below
    depth` (the one list of candidates was cut at its depth and may have gone on to it), `fused out`,
    `reranked out`, another stage's name followed by `out`, or `below k`. Null where it was found within the
    largest k, where it is not relevant, and where the system failed."""


class ResultReport(msgspec.Struct, frozen=True, kw_only=True):
    """One result of a query."""

    rank: Rank
    """From 1."""
    id: str
    """At the level that is scored: of the document, or of the chunk."""
    document: str
    """The document that it is, or is a part of."""
    score: float
    """As the system gave it; higher is better."""
    grade: Count | None
    """Null for unjudged."""
    chunks: list[str]
    """Its chunks that were found, best first; empty where the system tells of none."""
    covers: list[str] | UnsetType = UNSET
    """At level span: the passages that it covers. Its grade is the highest among those that no result above
    it covers, 0 where there is none."""


class QueryReport(msgspec.Struct, frozen=True, kw_only=True):
    """One query: its scores, what it needs, and what was found."""

    id: str
    """As the set names it; unique in the run."""
    query: str
    """Its text."""
    status: Literal["scored", "undefined", "failed"]
    """`undefined` where it has no relevant judgment, `failed` where the system crashed; else `scored`."""
    scores: dict[str, float]
    """Canonical measure name to score; a measure that is undefined for the query is absent."""
    first_relevant_rank: Rank | None
    """From 1; null where no relevant result stands within the depth."""
    targets: list[TargetReport]
    """Everything that is judged for it, relevant or not; empty without judgments."""
    results: list[ResultReport]
    """At the level that is scored, best first; empty where nothing was found."""
    took_ms: Milliseconds | None
    """Milliseconds of its search, or its share of a batch; null where that is not known."""
    reused_from: str | UnsetType = UNSET
    """Id of the run that results and time were taken from; left out where the system was asked."""
    error: str | None = None
    """What the system said; null unless it failed."""
    collection: str | None = None
    """The collection that was searched; null for all."""
    language: str | None = None
    """As the set marks it; null where it does not."""
    tags: list[str] = []
    """As the set gives them; empty where it gives none."""
    answerable: bool | UnsetType = UNSET
    """In a run with `abstention`: false where the set says that nothing should be found, true where something
    is relevant. Where neither is so, it is left out."""
    abstained: bool | UnsetType = UNSET
    """Beside `answerable`: whether no result scores above the floor. Left out where the system failed."""


class ShareReport(msgspec.Struct, frozen=True, kw_only=True):
    """A share of queries."""

    share: Annotated[float, Meta(ge=0, le=1)] | None
    """`n` of `n_of`; null where that is 0."""
    low: float | None
    """Lower bound of the 95 % interval (Wilson); null for fewer than two queries."""
    high: float | None
    """Upper bound of the 95 % interval (Wilson); null for fewer than two queries."""
    n: Count
    """Queries that count."""
    n_of: Count
    """Queries that could."""


class AbstentionReport(msgspec.Struct, frozen=True, kw_only=True):
    """Whether the system finds nothing where nothing should be found. It abstains on a query where no
    result scores above its floor."""

    floor: float | None
    """Null where the system states none; then it abstains where it returns nothing."""
    precision: ShareReport
    """Of the queries that it abstained on, those that nothing answers."""
    recall: ShareReport
    """Of the queries that nothing answers, those that it abstained on."""
    answered: ShareReport
    """Of the queries with something relevant, those that it did not abstain on."""
    n_undefined: Count
    """Queries on neither side: not marked, and nothing is known to be relevant."""
    n_failed: Count
    """Queries of the two sides on which the system failed; they are in no share."""


class StageReport(msgspec.Struct, frozen=True, kw_only=True):
    """How many of the relevant targets one stage handed on, of `FunnelReport.n_targets`."""

    stage: str
    """Its name, as in `rank_at` of the targets."""
    n_listed: Count
    """Targets that are anywhere in its list."""
    n_within_k: Count
    """Targets that stand within the first k of its list."""


class FateReport(msgspec.Struct, frozen=True, kw_only=True):
    """How many of the relevant targets met one fate, of `FunnelReport.n_targets`."""

    fate: str
    """`found` within the first k of the results, or one of `TargetReport.lost_at`."""
    n_targets: Count
    """Relevant targets that met it."""
    queries: list[str]
    """Ids of the queries that need these targets, in the order of the set, each once."""


class CoverageReport(msgspec.Struct, frozen=True, kw_only=True):
    """When a chunk covers a passage: it has one of these shares."""

    of_span: Annotated[float, Meta(gt=0, le=1)]
    """Share of the passage's characters that are in the chunk."""
    of_chunk: Annotated[float, Meta(gt=0, le=1)]
    """Share of the chunk's characters that are in the passage."""


class FunnelReport(msgspec.Struct, frozen=True, kw_only=True):
    """Where the relevant targets stand after each stage, and where they were lost."""

    k: Rank
    """The largest cut."""
    n_targets: Count
    """Relevant targets of the answered queries; a target that two queries need counts twice. The denominator
    of every figure here."""
    n_queries: Count
    """Queries that these targets are of."""
    n_failed: Count
    """Queries on which the system failed: their targets are not counted."""
    n_candidates: Count
    """Targets that at least one list of candidates has; no later stage that only reorders finds more."""
    n_candidates_within_k: Count
    """Targets that stand within the first k of at least one list of candidates."""
    stages: list[StageReport]
    """In the order in which they run, lists of candidates first."""
    fates: list[FateReport]
    """`found` first, then losses from the last step of the search back to the first; only what occurred."""


class DocumentReport(msgspec.Struct, frozen=True, kw_only=True):
    """How often a labelled document is found by the queries that need it."""

    id: str
    """The document, as the index names it."""
    n_queries: Count
    """Queries for which the document is relevant, failed ones left out."""
    n_found: Count
    """Of these, queries that have it in the top k of the largest k."""
    hit_rate: Annotated[float, Meta(ge=0, le=1)]
    """n_found over n_queries, 0 to 1."""


class LabelReport(msgspec.Struct, frozen=True, kw_only=True):
    """How the labels of the set join the index."""

    n_labels: Count
    """Labels of the queries that were asked."""
    n_joined: Count
    """Of these, labels that name something indexed."""
    unknown: list[str]
    """Names that join nothing, sorted; each stays in the denominators."""


class RunReport(msgspec.Struct, frozen=True, kw_only=True, tag_field="schema", tag="rankle.run/1"):
    """One measured run: `rankle.run/1`."""

    id: str
    """Names the run where it is recorded."""
    created: str
    """UTC, ISO 8601 with a trailing Z."""
    rankle_version: str
    """The version that measured."""
    set: SetInfo
    """What was asked."""
    level: Literal["document", "chunk", "span", "case"]
    """What the labels point at. `case` is a run of an eval, whose queries are its cases: it has no targets,
    no results, no depth (1 stands for it), and the cuts of those of its scorers that are measures (or 1)."""
    coverage: CoverageReport | UnsetType = UNSET
    """At level span: when a chunk counts as a passage."""
    depth: Rank
    """How many distinct results a query was asked for, and so the deepest cut there can be."""
    k: list[Rank]
    """The cuts, ascending."""
    ties: Literal["system", "trec"]
    """How equal scores stand: `system` as it returned them, `trec` by id, descending, as trec_eval has it."""
    seed: int
    """Of the resampling that intervals are made by."""
    system: SystemInfo
    """What answered."""
    measures: dict[str, MeasureSummary]
    """Canonical name to its figures over all queries."""
    abstention: AbstentionReport | UnsetType = UNSET
    """Left out where the set marks no query as one that nothing answers."""
    latency_ms: Latency
    """Milliseconds that answers took."""
    labels: LabelReport
    """How the labels of the set join what is indexed."""
    funnel: FunnelReport | None = None
    """Null for a recorded run, of which no stages are known."""
    documents: list[DocumentReport]
    """Lowest hit rate first."""
    notices: list[str]
    """What a reader of the figures must know. Where `labels.unknown` names any, the first tells of them."""
    n_duplicates_dropped: Count
    """Results that occurred twice in a list; each counts once, at its best rank."""
    queries: list[QueryReport]
    """In the order of the set."""


class RunsReport(msgspec.Struct, frozen=True, kw_only=True, tag_field="schema", tag="rankle.runs/1"):
    """Several measured runs: `rankle.runs/1`."""

    runs: list[RunReport]
    """In the order in which they were asked for."""
