"""What a search returns, from any system: hits, and what each stage did."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
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
    exhausted: bool = True
    """Whether `ranks` holds everything that matched; False where the list was cut at its depth, so that what
    is not in it may still have matched."""


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
    folded: tuple[str, ...] = ()
    """Ids of results that were left out since they nearly repeat this one, best first."""


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
    """Spans of `text` that match the query, ascending, not overlapping. The knowledge base looks for them in
    the first 200,000 characters, and leaves out words that stand in most chunks."""
    terms: tuple[str, ...] = ()
    """The query's terms that stand in the passage, its title, headings or path."""


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
    n_terms: int = 0
    """How many terms the query asks for, exclusions left out."""
    waited_ms: float = 0.0
    """What of the time since it was asked went by before it could be, since others were asked: for a free
    process, thread or connection, or for the pace that was asked for. It is no latency of the system."""

    def first(self, k: int) -> "SearchResult":
        """The same with its first k hits only; the stages keep all that they ranked."""
        return replace(self, hits=self.hits[:k])

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)

    def __len__(self) -> int:
        return len(self.hits)

    def __getitem__(self, place: int) -> Hit:
        return self.hits[place]


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
    weightless: bool = False
    """True where the term stands in more than half of all chunks, so that it moves no score."""
