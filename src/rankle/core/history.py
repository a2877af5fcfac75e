"""The JSON of recorded runs, `rankle.history/1`. The published JSON Schema is made from these types."""

from typing import Any, Literal

import msgspec

from rankle.core.run import Count, Rank


class RecordedSet(msgspec.Struct, frozen=True, kw_only=True):
    """What a run asked."""

    name: str
    """Its file's name; of an eval the eval's."""
    fingerprint: str
    """Of queries and judgments, as the set states them."""
    n_queries: Count
    """Queries that were asked."""
    queries_fingerprint: str | None
    """Of ids, texts and collections of the queries; null until the run is complete."""
    judgments_fingerprint: str | None
    """Of the judged targets and their grades; null until the run is complete."""


class RecordedSystem(msgspec.Struct, frozen=True, kw_only=True):
    """What was asked."""

    name: str
    """Such as `kb:handbook`, a URI, or the name of a table [systems.NAME]."""
    method: str
    """What tables call it, such as `hybrid`."""
    fingerprint: str
    """SHA-256 of what it is made of."""
    parts: dict[str, Any]
    """What the system is made of, where it tells: fingerprints of the index and the model."""


class Revision(msgspec.Struct, frozen=True, kw_only=True):
    """The git revision of the folder in which a run was made."""

    revision: str
    """The commit's full hash."""
    dirty: bool | None
    """Whether tracked files differed from it."""


class RecordedEval(msgspec.Struct, frozen=True, kw_only=True):
    """What a run is of, where it is of an eval."""

    key: str
    """`path::name`, with `[variant]` behind it where it has one."""
    name: str
    """As its author called it."""
    run: str
    """Id of the whole run, which may be of several evals."""
    trials: Count
    """Trials of each case."""
    is_full: bool
    """Whether the command left no case out."""


class RecordedRun(msgspec.Struct, frozen=True, kw_only=True):
    """One recorded run."""

    id: str
    """What every command finds it by."""
    name: str | None
    """As the user called it; several runs may have one name."""
    tags: list[str]
    """A tag is on one run at a time."""
    state: Literal["complete", "running", "interrupted"]
    """`interrupted` where its process ended before the run was complete; --resume goes on with it."""
    created: str
    """UTC, ISO 8601 with a trailing Z."""
    finished: str | None
    """Null until it is complete."""
    set: RecordedSet
    """What was asked."""
    level: str
    """What was scored: `document`, `chunk`, `span`, or `case` of an eval."""
    depth: Rank
    """How many results a query was asked for."""
    seed: int
    """Of the resampling that intervals are made by."""
    system: RecordedSystem
    """What answered."""
    settings: dict[str, Any]
    """What was asked of the evaluation and of the system, defaults resolved."""
    measures: dict[str, float | None]
    """Canonical name to mean; empty until the run is complete."""
    n_done: Count
    """Queries that the record holds."""
    n_failed: Count | None
    """Queries on which the system failed; null until the run is complete."""
    rankle_version: str
    """The version that measured."""
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
