"""The JSON of a measured run, schema `rankle.run/1`. The published JSON Schema is made from these types."""

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

Count = Annotated[int, Meta(ge=0)]
Rank = Annotated[int, Meta(ge=1)]
Milliseconds = Annotated[float, Meta(ge=0)]


class SetInfo(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    fingerprint: str
    n_queries: Count
    """Queries that were asked."""
    n_in_file: Count
    """Queries that the set holds; more than n_queries where some were left out on request."""


class SystemInfo(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    method: str
    fingerprint: str
    stages: list[str]
    path: str | UnsetType = UNSET
    """The file of a recorded run, as it was given; `-` is the standard input."""


class MeasureSummary(msgspec.Struct, frozen=True, kw_only=True):
    mean: float | None
    """Over the scored queries; null where none was scored."""
    low: float | None
    """Lower bound of the 95 % interval; null for fewer than two scored queries."""
    high: float | None
    n_scored: Count
    n_undefined: Count
    """Queries without a relevant judgment: they have no such figure."""
    n_failed: Count
    """Queries on which the system failed: they are in no mean."""
    n_missing: Count
    """Queries absent from the run; scored 0 and part of n_scored."""


class Latency(msgspec.Struct, frozen=True, kw_only=True):
    p50: Milliseconds | None
    p95: Milliseconds | None
    """Null where no query was answered."""


class TargetReport(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    """The document or chunk, resolved; the name as written where nothing resolves it."""
    grade: Count
    relevant: bool
    rank: Rank | None
    """In the final list; null where it is not there."""
    rank_at: dict[str, Rank]
    """Rank in each stage that had it."""
    lost_at: str | None
    """Where it was lost: `not indexed`, `in another collection` than the query searched, `no candidate
    list` (no stage found it), `below depth` (in no candidate list, of which one was cut at its depth),
    `fused out`, `reranked out`, another stage's name followed by `out`, or `below k`. Null where it was
    found within the largest k, where it is not relevant, and where the system failed."""


class ResultReport(msgspec.Struct, frozen=True, kw_only=True):
    rank: Rank
    id: str
    document: str
    score: float
    grade: Count | None
    """Null for unjudged."""
    chunks: list[str]


class QueryReport(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    query: str
    status: Literal["scored", "undefined", "failed"]
    scores: dict[str, float]
    """Canonical measure name to score; a measure that is undefined for the query is absent."""
    first_relevant_rank: Rank | None
    targets: list[TargetReport]
    results: list[ResultReport]
    took_ms: Milliseconds | None
    error: str | None = None
    collection: str | None = None
    language: str | None = None
    tags: list[str] = []


class DocumentReport(msgspec.Struct, frozen=True, kw_only=True):
    """How often a labelled document is found by the queries that need it."""

    id: str
    n_queries: Count
    """Queries for which the document is relevant, failed ones left out."""
    n_found: Count
    """Of these, queries that have it in the top k of the largest k."""
    hit_rate: Annotated[float, Meta(ge=0, le=1)]


class LabelReport(msgspec.Struct, frozen=True, kw_only=True):
    """How the labels of the set join the index."""

    n_labels: Count
    n_joined: Count
    unknown: list[str]
    """Names that join nothing, sorted; each stays in the denominators."""


class RunReport(msgspec.Struct, frozen=True, kw_only=True, tag_field="schema", tag="rankle.run/1"):
    """One measured run: `rankle.run/1`."""

    id: str
    created: str
    """UTC, ISO 8601 with a trailing Z."""
    rankle_version: str
    set: SetInfo
    level: Literal["document", "chunk"]
    depth: Rank
    k: list[Rank]
    """The cuts, ascending."""
    ties: Literal["system", "trec"]
    seed: int
    system: SystemInfo
    measures: dict[str, MeasureSummary]
    latency_ms: Latency
    labels: LabelReport
    documents: list[DocumentReport]
    """Lowest hit rate first."""
    notices: list[str]
    """What a reader of the figures must know. Where `labels.unknown` names any, the first tells of them."""
    n_duplicates_dropped: Count
    """Results that occurred twice in a list; each counts once, at its best rank."""
    queries: list[QueryReport]


class RunsReport(msgspec.Struct, frozen=True, kw_only=True, tag_field="schema", tag="rankle.runs/1"):
    """Several measured runs: `rankle.runs/1`."""

    runs: list[RunReport]
