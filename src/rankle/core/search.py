"""What a search returns, from any system: hits, and what each stage did."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple


class StageRank(NamedTuple):
    """Where one result stood in one stage."""

    rank: int
    """From 1."""
    score: float


@dataclass(frozen=True, slots=True)
class Stage:
    """One stage of a search, with the whole candidate list that it handed on."""

    name: str
    took_ms: float
    ranks: Mapping[str, StageRank]
    """Target id (at the level that was searched) to its rank, best first."""


@dataclass(frozen=True, slots=True)
class Hit:
    """One result of a search, at the level that was asked for."""

    id: str
    """The chunk id, or the document id where results are grouped by document."""
    document: str
    score: float
    """Higher is better; comparable within one result list only."""
    rank: int
    """From 1."""
    chunks: tuple[str, ...] = ()
    """Chunk ids nested under this result, best first; the hit's own id at chunk level."""
    passage: "Passage | None" = None
    """The best chunk's text and place; None where the system gives no text."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A contiguous span of a document's stored text, ready to be shown."""

    chunk: str
    title: str
    breadcrumb: tuple[str, ...]
    """Headings above the passage, outermost first."""
    text: str
    start: int
    """Character offset of the first character in the stored text."""
    end: int
    """Offset behind the last character: `stored_text[start:end] == text`."""
    line_start: int
    """From 1."""
    line_end: int
    page: int | None = None
    """From 1; None where the format has no pages."""
    marks: tuple[tuple[int, int], ...] = ()
    """Spans of `text` that match the query, ascending, not overlapping."""


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The ranked results of one query, and how they came about."""

    query: str
    method: str
    hits: tuple[Hit, ...]
    stages: tuple[Stage, ...]
    took_ms: float
    notices: tuple[str, ...] = ()
    """What the searcher should know, such as a query without a searchable term."""
    terms: tuple["TermInfo", ...] = field(default=())
    """The parsed query, for those who ask why."""


@dataclass(frozen=True, slots=True)
class TermInfo:
    """One term of a parsed query."""

    text: str
    """As the user wrote it."""
    kind: str
    """`term`, `phrase`, `prefix`, or `exclude`."""
    tokens: tuple[str, ...]
    """What is looked up in the index, readable."""
    n_chunks: int
    """How many chunks of the index hold it."""
    ignored: bool = False
    """True where the term is so common that it has no weight and is not looked up."""
