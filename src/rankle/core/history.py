"""The JSON of recorded runs, `rankle.history/1`. The published JSON Schema is made from these types."""

from typing import Any, Literal

import msgspec

from rankle.core.run import Count, Rank


class RecordedSet(msgspec.Struct, frozen=True, kw_only=True):
    """What a run asked."""

    name: str
    fingerprint: str
    """Of queries and judgments, as the set states them."""
    n_queries: Count
    queries_fingerprint: str | None
    """Of ids, texts and collections of the queries; null until the run is complete."""
    judgments_fingerprint: str | None
    """Of the judged targets and their grades; null until the run is complete."""


class RecordedSystem(msgspec.Struct, frozen=True, kw_only=True):
    """What was asked."""

    name: str
    method: str
    fingerprint: str
    parts: dict[str, Any]
    """What the system is made of, where it tells: fingerprints of the index and the model."""


class Revision(msgspec.Struct, frozen=True, kw_only=True):
    """The git revision of the folder in which a run was made."""

    revision: str
    dirty: bool | None
    """Whether tracked files differed from it."""


class RecordedEval(msgspec.Struct, frozen=True, kw_only=True):
    """What a run is of, where it is of an eval."""

    key: str
    """`path::name`, with `[variant]` behind it where it has one."""
    name: str
    run: str
    """Id of the whole run, which may be of several evals."""
    trials: Count
    is_full: bool
    """Whether the command left no case out."""


class RecordedRun(msgspec.Struct, frozen=True, kw_only=True):
    """One recorded run."""

    id: str
    name: str | None
    """As the user called it; several runs may have one name."""
    tags: list[str]
    """A tag is on one run at a time."""
    state: Literal["complete", "running", "interrupted"]
    created: str
    """UTC, ISO 8601 with a trailing Z."""
    finished: str | None
    """Null until it is complete."""
    set: RecordedSet
    level: str
    depth: Rank
    seed: int
    system: RecordedSystem
    settings: dict[str, Any]
    """What was asked of the evaluation and of the system, defaults resolved."""
    measures: dict[str, float | None]
    """Canonical name to mean; empty until the run is complete."""
    n_done: Count
    """Queries that the record holds."""
    n_failed: Count | None
    """Queries on which the system failed; null until the run is complete."""
    rankle_version: str
    git: Revision | None
    """Null outside a repository."""
    pinned_for: str | None
    """Why it is never pruned, such as that a baseline was made from it."""
    eval: RecordedEval | None = None
    """Null for a run of search. Of an eval, queries are cases, and measures are scorers."""


class HistoryRecord(msgspec.Struct, frozen=True, kw_only=True, tag_field="schema", tag="rankle.history/1"):
    """Runs of a store that fit what was asked: `rankle.history/1`."""

    records: str
    """The store."""
    n_all: Count
    """How many runs it holds."""
    runs: list[RecordedRun]
    """Newest first."""
