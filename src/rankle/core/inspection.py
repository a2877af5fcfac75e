"""What inspecting files tells, schema `rankle.inspect/1`."""

import msgspec

from rankle.core.run import Count


class JudgmentFigures(msgspec.Struct, frozen=True, kw_only=True):
    n_queries: Count
    n_judgments: Count
    grades: dict[str, Count]
    """Grade to how many judgments have it, ascending by grade."""
    n_queries_without_relevant: Count


class ResultFigures(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    """What the run calls itself; empty where nothing does."""
    n_queries: Count
    n_results: Count
    fewest: Count
    """Results of the query that has the fewest."""
    median: float
    most: Count
    n_queries_with_ties: Count
    n_tied: Count
    """Distinct results whose score another result of the query has too."""
    n_duplicates: Count
    """Results that stand in their query already."""


class FaultReport(msgspec.Struct, frozen=True, kw_only=True):
    line: int | None
    """In a Parquet file the row; null where the fault is of the whole file."""
    message: str


class FileReport(msgspec.Struct, frozen=True, kw_only=True):
    path: str
    kind: str | None
    """`qrels`, `run`, `set`, `queries` or `corpus`; null where the file cannot be read."""
    format: str | None
    packing: str | None
    """`gzip` or `Zstandard`."""
    reason: str | None
    """Why it is taken for this kind."""
    n_queries: Count | None
    """Queries whose texts the file has; null where it has no texts."""
    n_documents: Count | None
    judgments: JudgmentFigures | None
    results: ResultFigures | None
    notices: list[str]
    faults: list[FaultReport]


class NearJoinReport(msgspec.Struct, frozen=True, kw_only=True):
    normalise: str
    """What to give to `--normalise`."""
    n_joined: Count


class JoinReport(msgspec.Struct, frozen=True, kw_only=True):
    what: str
    """Such as `judged queries`."""
    file: str
    within: str
    """The file whose ids they are looked up in."""
    n: Count
    n_joined: Count
    expected: bool
    """Whether all should join; a run need not retrieve all that is judged."""
    missing: list[str]
    """The first ids that do not join."""
    near: NearJoinReport | None
    """The normalisation that would join more; null where none would."""


class InspectReport(msgspec.Struct, frozen=True, kw_only=True, tag_field="schema", tag="rankle.inspect/1"):
    """What files are, and how well their ids join: `rankle.inspect/1`."""

    files: list[FileReport]
    joins: list[JoinReport]
