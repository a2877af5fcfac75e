"""Reads what is expected of a ranking: ids, graded entries, grades by id, or a relevant set beside grades."""

from collections.abc import Iterable, Mapping, Sized
from dataclasses import dataclass
from typing import Any, Final

from rankle.core.errors import InputError
from rankle.core.evalset import MAX_GRADE, Level, Span
from rankle.core.ids import is_chunk_id
from rankle.harness.scorers.making import shown
from rankle.harness.scorers.members import as_id, has_members, member

_RELEVANT: Final = ("relevantDocs", "relevant")
_JUDGMENTS: Final = "judgments"
_NAMES: Final = ("docid", "doc_id", "id")
_GRADES: Final = ("relevance", "grade")
_SPAN: Final = ("quote", "start", "end")
_ALLOWED: Final = (
    'what is expected must be ids, [{"docid": …, "relevance": …}], {id: grade}, or a mapping with '
    "relevantDocs, judgments or both; select it with expected="
)


@dataclass(frozen=True, slots=True)
class Entry:
    """One judgment, as it was stated."""

    name: str | None
    """A bare id, of whatever it is."""
    document: str | None
    chunk: str | None
    span: Span | None
    grade: int

    def level(self) -> Level | None:
        """What it points at; None where it does not say."""
        if self.span is not None:
            return Level.SPAN
        if self.chunk is not None or (self.name is not None and is_chunk_id(self.name)):
            return Level.CHUNK
        return Level.DOCUMENT if self.document is not None else None

    def id_at(self, level: Level) -> str:
        """Raises InputError where it has none at this level."""
        own = self.chunk if level is Level.CHUNK else self.document
        found = own or self.name
        if found is None or (level is Level.DOCUMENT and is_chunk_id(found)):
            raise InputError(f"{_described(self)} has no {level} id, which level={str(level)!r} needs")
        return found


@dataclass(frozen=True, slots=True)
class Expectation:
    """All judgments of a case."""

    graded: tuple[Entry, ...]
    stated: tuple[Entry, ...] | None
    """The relevant set of the binary measures, where one stands beside the grades."""

    @property
    def level(self) -> Level:
        """What all of them point at; documents where nothing says so.

        Raises InputError where they point at several kinds of things.
        """
        found = {level for entry in (*self.graded, *(self.stated or ())) if (level := entry.level())}
        if len(found) > 1:
            kinds = " and ".join(sorted(found))
            raise InputError(f'what is expected names {kinds} targets; choose one with level="document"')
        return next(iter(found), Level.DOCUMENT)


@dataclass(frozen=True, slots=True)
class Judged:
    """The judgments of a case by id, at one level."""

    grades: Mapping[str, int]
    """Negative is unjudged."""
    relevant: frozenset[str] | None
    """The relevant set of the binary measures, where it is stated apart."""


def read_expectation(expected: Any, *, grades_decide: bool) -> Expectation:
    """Read any form of expectation. None, or an empty one, has no judgments.

    grades_decide: whether the grades say what is relevant even where a relevant set stands beside them.
    Raises InputError, with what was got and what is allowed, on anything else.
    """
    if isinstance(expected, Mapping) and _is_set(expected):
        return _both(expected, grades_decide=grades_decide)
    return Expectation(_entries(expected), None)


def judged_at(expectation: Expectation, level: Level) -> Judged:
    """Grades by id, at document or chunk level.

    Where several chunks or passages of one document are judged, it has the highest of their grades.
    Raises InputError where one target itself has two grades.
    """
    stated = expectation.stated
    grades: dict[str, int] = {}
    whole: dict[str, int] = {}
    for entry in expectation.graded:
        name = entry.id_at(level)
        if entry.level() in (None, level) and whole.setdefault(name, entry.grade) != entry.grade:
            raise InputError(
                f'"{name}" is judged twice, with grades {whole[name]} and {entry.grade}; keep one'
            )
        grades[name] = max(grades.get(name, entry.grade), entry.grade)
    return Judged(grades, None if stated is None else frozenset(entry.id_at(level) for entry in stated))


def _is_set(expected: Mapping[Any, Any]) -> bool:
    """Whether it has a list under one of the names of sets, which an id could be called too."""
    return any(
        name in expected and not isinstance(expected[name], int | float) for name in (*_RELEVANT, _JUDGMENTS)
    )


def _both(expected: Mapping[str, Any], *, grades_decide: bool) -> Expectation:
    stated = next((expected[name] for name in _RELEVANT if expected.get(name) is not None), None)
    graded = expected.get(_JUDGMENTS)
    if stated is None or (graded and grades_decide):
        return Expectation(_entries(graded), None)
    if not graded or not stated:  # one of the two says nothing
        return Expectation(_entries(graded or stated), None)
    return Expectation(_entries(graded), _entries(stated))


def _entries(expected: Any) -> tuple[Entry, ...]:
    if expected is None:
        return ()
    bare = as_id(expected)
    if bare is not None:
        return (Entry(bare, None, None, None, 1),)
    if isinstance(expected, Mapping) and (_is_grades(expected) or not _is_entry(expected)):
        return tuple(
            Entry(_id(name), None, None, None, _grade(grade, name)) for name, grade in expected.items()
        )
    if has_members(expected) and _is_entry(expected):
        return (_entry(expected),)
    if (
        isinstance(expected, str | bytes)
        or not isinstance(expected, Iterable)
        or not isinstance(expected, Sized)
    ):
        raise InputError(f"{_ALLOWED}; got {shown(expected)}")
    return tuple(_entry(entry) for entry in expected)


def _is_entry(value: Any) -> bool:
    return as_id(member(value, (*_NAMES, "document", "chunk"))) is not None


def _is_grades(expected: Mapping[Any, Any]) -> bool:
    return all(isinstance(grade, int) for grade in expected.values())


def _entry(entry: Any) -> Entry:
    bare = as_id(entry)
    if bare is not None:
        return Entry(bare, None, None, None, 1)
    if not has_members(entry) or not _is_entry(entry):
        raise InputError(f"{_ALLOWED}; got an entry {shown(entry)}")
    ids = [as_id(member(entry, names)) for names in (_NAMES, ("document",), ("chunk",))]
    name, document, chunk = ids
    grade = member(entry, _GRADES)
    label = next(one for one in ids if one is not None)
    return Entry(name, document, chunk, _span(entry), 1 if grade is None else _grade(grade, label))


def _span(entry: Any) -> Span | None:
    quote, start, end = (member(entry, (name,)) for name in _SPAN)
    if quote is None and start is None and end is None:
        return None
    return Span(quote, start, end)


def _id(name: Any) -> str:
    found = as_id(name)
    if found is None:
        raise InputError(f"{_ALLOWED}; got the id {shown(name)}")
    return found


def _grade(value: Any, name: Any) -> int:
    whole = value if isinstance(value, int) else None
    if isinstance(value, float) and value.is_integer():
        whole = int(value)
    if whole is None or abs(whole) > MAX_GRADE:
        raise InputError(f'the grade of "{name}" must be a whole number >= 0, got {shown(value)}')
    return int(whole)


def _described(entry: Entry) -> str:
    return f'the expected "{entry.name or entry.document or entry.chunk}"'
