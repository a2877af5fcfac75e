"""An eval set: queries, and what is known about the right results of each."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from rankle.core.canonical import Json, fingerprint
from rankle.core.errors import InputError

MAX_GRADE: Final = 2**31 - 1
"""Grades beyond are ids, times or mistakes, and would be no 32-bit integers."""


class Level(StrEnum):
    """What a judgment points at, and so what is ranked when it is scored."""

    CHUNK = "chunk"
    DOCUMENT = "document"
    SPAN = "span"
    """A passage of a document, however the document is cut into chunks; what is ranked are chunks."""


@dataclass(frozen=True, slots=True)
class Span:
    """Where in its document a judgment points, as a set states it: a quote, a character range, or both."""

    quote: str | None = None
    start: int | None = None
    """Offset of the first character in the document's stored text; stands with `end` or not at all."""
    end: int | None = None
    """Offset behind the last character."""
    occurrence: int | None = None
    """Which of the places that hold the quote is meant, from 1; None where nothing says so."""

    def __post_init__(self) -> None:
        """Raises InputError where it points nowhere."""
        fault = span_fault(quote=self.quote, start=self.start, end=self.end, occurrence=self.occurrence)
        if fault:
            raise InputError(f"a span {fault}")

    @property
    def range(self) -> tuple[int, int] | None:
        return None if self.start is None or self.end is None else (self.start, self.end)

    def to_json(self) -> dict[str, Json]:
        """Only what is stated."""
        members = {"quote": self.quote, "start": self.start, "end": self.end, "occurrence": self.occurrence}
        return {name: value for name, value in members.items() if value is not None}


def span_fault(
    *, quote: str | None, start: int | None, end: int | None, occurrence: int | None
) -> str | None:
    """What is wrong with the members of a span, in words that complete "a span …"; None where nothing is."""
    if quote is not None and not quote.strip():
        return f'needs a "quote" that is not blank, got {quote!r}'
    if (start is None) != (end is None):
        return 'needs both "start" and "end", got only ' + ('"end"' if start is None else '"start"')
    if start is not None and end is not None and not 0 <= start < end:
        return f'needs 0 <= "start" < "end", got start {start} and end {end}'
    if quote is None and start is None:
        return 'needs a "quote", or "start" and "end"'
    if occurrence is not None and quote is None:
        return 'has an "occurrence" of no quote; add the "quote" that it counts'
    if occurrence is not None and occurrence < 1:
        return f'counts its "occurrence" from 1, got {occurrence}'
    return None


@dataclass(frozen=True, slots=True)
class Label:
    """One judgment as a set states it, before it is joined to an index."""

    name: str
    """The target as written: a chunk id, or any name of a document; of a span, that of its document."""
    level: Level | None = None
    """What the set says that the name is; None where it only gives the name, and the index tells. A span
    makes it SPAN."""
    grade: int = 1
    """0 is judged not relevant; negative is pooled but unjudged, as in trec_eval. At most MAX_GRADE."""
    relevant: bool | None = None
    """Member of a relevant set that is stated apart from the grades (`relevantDocs` beside
    `judgments`); None where the set states no such thing and the grade decides."""
    span: Span | None = None
    """The passage that is meant, at level SPAN; None at the others."""
    chunk: str | None = None
    """Id of the chunk that held the span when it was labelled. It is the target at level CHUNK; at level
    SPAN it counts for nothing, so that it may be of a chunking that is gone."""

    def __post_init__(self) -> None:
        """A span makes the level. Raises InputError where the grade is no integer in its range, or level and
        span do not agree."""
        if self.level is None and self.span is not None:
            object.__setattr__(self, "level", Level.SPAN)
        if (self.level is Level.SPAN) != (self.span is not None) or (self.chunk and self.span is None):
            raise InputError(f'the label of "{self.name}" has a span if, and only if, its level is span')
        if self.span is not None and self.relevant is not None:
            raise InputError(f'of a passage of "{self.name}" the grade alone says whether it is relevant')
        grade: object = self.grade
        if not isinstance(grade, int) or not -MAX_GRADE <= grade <= MAX_GRADE:
            raise InputError(
                f'the grade of "{self.name}" must be an integer from 0 to {MAX_GRADE}, got {grade!r}'
            )

    @property
    def target(self) -> tuple[str, Span | None]:
        """What it points at: labels of one query with equal targets are about the same thing."""
        return self.name, self.span

    def to_json(self) -> Json:
        level = self.level.value if self.level else None
        known: dict[str, Json] = {
            "name": self.name, "level": level, "grade": self.grade, "relevant": self.relevant,
        }  # fmt: skip
        if self.span is not None:
            known |= self.span.to_json() | ({"chunk": self.chunk} if self.chunk else {})
        return known


@dataclass(frozen=True, slots=True)
class EvalQuery:
    """One query of a set."""

    id: str
    text: str
    labels: tuple[Label, ...] = ()
    answerable: bool = True
    """False where the set marks that nothing should be found."""
    collection: str | None = None
    """The collection that the query searches; None searches all."""
    language: str | None = None
    tags: tuple[str, ...] = ()
    answer: str | None = None
    topics: tuple[str, ...] = ()
    note: str | None = None
    line: int | None = None
    """Where the query stands in its file, from 1; not part of the fingerprint."""

    @property
    def grades(self) -> dict[str, int]:
        """Target name to grade, for what knows no passages: of several of one document, the highest."""
        found: dict[str, int] = {}
        for label in self.labels:
            grade = max(label.grade, 1) if label.relevant else label.grade
            found[label.name] = max(found.get(label.name, grade), grade)
        return found

    def to_json(self) -> Json:
        return {
            "id": self.id,
            "text": self.text,
            "labels": [label.to_json() for label in self.labels],
            "answerable": self.answerable,
            "collection": self.collection,
            "language": self.language,
            "tags": list(self.tags),
            "answer": self.answer,
            "topics": list(self.topics),
        }


@dataclass(frozen=True, slots=True)
class EvalSet:
    """Queries with judgments, as read from one file."""

    name: str
    """The file's name without its folders."""
    queries: tuple[EvalQuery, ...]
    folder: str | None = None
    """The absolute folder of the file; labels may name documents relative to it."""
    notices: tuple[str, ...] = field(default=())
    """What a reader of figures must know: repeated texts, disagreeing labels, dropped duplicates."""

    @property
    def fingerprint(self) -> str:
        """SHA-256 over the queries and judgments; file name, notes and line numbers do not count."""
        return fingerprint([query.to_json() for query in self.queries])
