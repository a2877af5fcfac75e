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


@dataclass(frozen=True, slots=True)
class Label:
    """One judgment as a set states it, before it is joined to an index."""

    name: str
    """The target as written: a chunk id, or any name of a document."""
    level: Level | None = None
    """What the set says that the name is; None where it only gives the name, and the index tells."""
    grade: int = 1
    """0 is judged not relevant; negative is pooled but unjudged, as in trec_eval. At most MAX_GRADE."""
    relevant: bool | None = None
    """Member of a relevant set that is stated apart from the grades (`relevantDocs` beside
    `judgments`); None where the set states no such thing and the grade decides."""

    def __post_init__(self) -> None:
        """Raises InputError where the grade is no integer in its range."""
        grade: object = self.grade
        if not isinstance(grade, int) or not -MAX_GRADE <= grade <= MAX_GRADE:
            raise InputError(
                f'the grade of "{self.name}" must be an integer from 0 to {MAX_GRADE}, got {grade!r}'
            )

    def to_json(self) -> Json:
        level = self.level.value if self.level else None
        return {"name": self.name, "level": level, "grade": self.grade, "relevant": self.relevant}


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
