"""What inspecting files tells, schema `rankle.inspect/1`."""

import msgspec

from rankle.core.run import Count


class JudgmentFigures(msgspec.Struct, frozen=True, kw_only=True):
    """What judgments a file holds."""

    n_queries: Count
    """Queries that are judged."""
    n_judgments: Count
    """Judged pairs of query and target."""
    grades: dict[str, Count]
    """Grade to how many judgments have it, ascending by grade."""
    n_queries_without_relevant: Count
    """Queries whose judgments all say not relevant."""


class ResultFigures(msgspec.Struct, frozen=True, kw_only=True):
    """What results a file holds."""

    name: str
    """What the run calls itself; empty where nothing does."""
    n_queries: Count
    """Queries with results."""
    n_results: Count
    """Of all queries together."""
    fewest: Count
    """Results of the query that has the fewest."""
    median: float
    """Results of a query, the median."""
    most: Count
    """Results of the query that has the most."""
    n_queries_with_ties: Count
    """Queries in which some results have equal scores."""
    n_tied: Count
    """Distinct results whose score another result of the query has too."""
    n_duplicates: Count
    """Results that stand in their query already."""


class FaultReport(msgspec.Struct, frozen=True, kw_only=True):
    """Something that is wrong in a file."""

    line: int | None
    """In a Parquet file the row; null where the fault is of the whole file."""
    message: str
    """What is wrong, what is allowed, and what to do."""


class FileReport(msgspec.Struct, frozen=True, kw_only=True):
    """What one file is, what it holds, and what is wrong with it."""

    path: str
    """As it was given."""
    kind: str | None
    """`qrels`, `run`, `set`, `queries` or `corpus`; null where the file cannot be read."""
    format: str | None
    """How it is written, such as `TREC` or `CSV`; null where it cannot be read."""
    packing: str | None
    """`gzip` or `Zstandard`."""
    reason: str | None
    """Why it is taken for this kind."""
    n_queries: Count | None
    """Queries whose texts the file has; null where it has no texts."""
    n_documents: Count | None
    """Documents whose texts the file has; null where it has none."""
    judgments: JudgmentFigures | None
    """Null where it holds none."""
    results: ResultFigures | None
    """Null where it holds none."""
    notices: list[str]
    """What a reader must know of how it was read."""
    faults: list[FaultReport]
    """What is wrong with it, all at once; empty where it can be used."""


class NearJoinReport(msgspec.Struct, frozen=True, kw_only=True):
    """A normalisation of ids by which more of them join."""

    normalise: str
    """What to give to `--normalise`."""
    n_joined: Count
    """Ids that would be found with it."""


class JoinReport(msgspec.Struct, frozen=True, kw_only=True):
    """How many ids of one file are in another."""

    what: str
    """Such as `judged queries`."""
    file: str
    """The file whose ids are looked up."""
    within: str
    """The file whose ids they are looked up in."""
    n: Count
    """Distinct ids of that kind."""
    n_joined: Count
    """Of these, those that are found."""
    expected: bool
    """Whether all should join; a run need not retrieve all that is judged."""
    missing: list[str]
    """The first ids that do not join."""
    near: NearJoinReport | None
    """The normalisation that would join more; null where none would."""


class InspectReport(msgspec.Struct, frozen=True, kw_only=True, tag_field="schema", tag="rankle.inspect/1"):
    """What files are, and how well their ids join: `rankle.inspect/1`."""

    files: list[FileReport]
    """In the order in which they were named."""
    joins: list[JoinReport]
    """Which ids of which file were looked up in which other; empty for one file."""
