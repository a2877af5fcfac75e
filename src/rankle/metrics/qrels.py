"""Qrels: all judgments of a set, as columns."""

import struct
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from rankle.core.errors import InputError

if TYPE_CHECKING:
    import polars as pl

GREATEST_GRADE: Final = 1_000_000_000
"""Grades beyond it, or below its negative, are refused: they are ids or times in the wrong column."""


@dataclass(frozen=True, eq=False)
class Qrels:
    """Judgments, grouped by query. Q queries, T judgments."""

    queries: tuple[str, ...]
    """Ids of the queries, each once."""
    offsets: NDArray[np.int64]
    """The judgments of query q are `offsets[q]:offsets[q + 1]`; shape (Q + 1,)."""
    targets: "Sequence[str] | pl.Series"
    """Id of each judged target, shape (T,); distinct within a query. Text or a Polars column."""
    grades: NDArray[np.int64]
    """Grade of each, shape (T,); negative means pooled but unjudged."""
    notices: tuple[str, ...] = ()
    """What a reader of figures must know about how the judgments were read."""

    @classmethod
    def from_dict(
        cls, judgments: Mapping[str, Mapping[str, int]], *, gains: Mapping[str, int] | None = None
    ) -> "Qrels":
        """From `{query id: {target id: grade}}`.

        gains: grade as written to the integer that it means, such as `{"high": 3, "0.5": 1}`; those of
            grades that no judgment has are told in the notices.
        Raises InputError, with the query and target, on an id that is not text or empty and on a grade
        that is not an integer (a float of integral value is one; True and False are 1 and 0).
        """
        if not all(issubclass(kind, Mapping) for kind in set(map(type, judgments.values()))):
            _check_forms(judgments)
        if "" in judgments or any("" in grades for grades in judgments.values()):
            raise InputError(empty_id("the qrels", judgments))
        met: set[str] = set()
        if gains:
            judgments = {
                query: {
                    t: integer_grade(g, query=query, target=t, gains=gains, met=met)
                    for t, g in grades.items()
                }
                for query, grades in judgments.items()
            }
        targets = list(chain.from_iterable(judgments.values()))
        if not set(map(type, judgments)) | set(map(type, targets)) <= {str}:
            for query, grades in judgments.items():
                _check_ids(query, grades)
        return cls(
            queries=tuple(judgments),
            offsets=offsets_of(map(len, judgments.values())),
            targets=targets,
            grades=_grades(judgments),
            notices=tuple(unused_gains(gains, met)),
        )

    @property
    def n_judgments(self) -> int:
        return len(self.grades)

    @property
    def n_negative(self) -> int:
        """Judgments with a negative grade: pooled but unjudged."""
        return int(np.count_nonzero(self.grades < 0))

    @cached_property
    def index(self) -> Mapping[str, int]:
        """Query id to its place in `queries`."""
        return {query: place for place, query in enumerate(self.queries)}

    @cached_property
    def names(self) -> list[str]:
        """The targets as a list of text."""
        return self.targets if isinstance(self.targets, list) else list(self.targets)

    @cached_property
    def by_query(self) -> Sequence[Mapping[str, int]]:
        """Target id to grade, for each query in order."""
        targets = self.names
        grades, bounds = self.grades.tolist(), self.offsets.tolist()
        return [
            dict(zip(targets[start:end], grades[start:end], strict=True)) for start, end in pairwise(bounds)
        ]

    @cached_property
    def column(self) -> "pl.Series":
        """The targets as a Polars column of text."""
        import polars as pl  # 60 ms that small inputs do not need

        return (
            self.targets
            if isinstance(self.targets, pl.Series)
            else pl.Series(list(self.targets), dtype=pl.String)
        )

    @cached_property
    def query_of(self) -> NDArray[np.int64]:
        """Place of each judgment's query, shape (T,)."""
        return np.repeat(np.arange(len(self.queries)), np.diff(self.offsets))

    @cached_property
    def ideal(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Offsets (Q + 1,) and grades of the judged targets, highest first within a query."""
        judged = self.grades >= 0
        query, grade = self.query_of[judged], self.grades[judged]
        top = int(grade.max(initial=0)) + 1
        keys = query * top + (top - 1 - grade)
        keys.sort(kind="stable")  # what is in order by query is sorted faster so
        counts = np.bincount(query, minlength=len(self.queries))
        return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64), top - 1 - keys % top


def offsets_of(lengths: Iterable[int]) -> NDArray[np.int64]:
    """Running bounds of groups of these lengths, one longer than them, from 0."""
    sizes = np.fromiter(lengths, dtype=np.int64)
    return np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(sizes)])


def _check_ids(query: object, grades: Mapping[str, int]) -> None:
    if not isinstance(query, str):
        raise InputError(f"a query id must be text, got {query!r}; write it as {str(query)!r}")
    for target in grades:
        if not isinstance(target, str):
            raise InputError(f'a target id of query "{query}" must be text, got {target!r}')


def _grades(judgments: Mapping[str, Mapping[str, int]]) -> NDArray[np.int64]:
    """All grades in order. Raises InputError on what is no integer, or too great."""
    flat = list(chain.from_iterable(grades.values() for grades in judgments.values()))
    try:
        read = np.frombuffer(struct.pack(f"{len(flat)}q", *flat), dtype=np.int64)
    except struct.error:  # some are of another kind, or beyond 64 bits
        flat = [
            integer_grade(grade, query=query, target=target)
            for query, grades in judgments.items()
            for target, grade in grades.items()
        ]
        _check_greatest(flat)
        read = np.array(flat, dtype=np.int64)
    if np.abs(read).max(initial=0) > GREATEST_GRADE:
        _check_greatest(flat)
    return read


def _check_greatest(grades: Sequence[int]) -> None:
    greatest = max(grades, key=abs, default=0)
    if abs(greatest) > GREATEST_GRADE:
        raise InputError(f"a grade must be within {GREATEST_GRADE:,}, got {greatest}")


def _check_forms(judgments: Mapping[str, Mapping[str, int]]) -> None:
    for query, grades in judgments.items():
        if not isinstance(grades, Mapping):
            raise InputError(
                f"qrels must be {{query: {{target: grade}}}}, got {query!r}: {type(grades).__name__}; "
                "without grades write {target: 1}"
            )


def empty_id(what: str, by_query: Mapping[str, Mapping[str, float]]) -> str:
    """The message on an id that is empty, in a query or in place of one."""
    if "" in by_query:
        return f"{what} have an empty text as the id of a query; leave it out or name it"
    query = next(query for query, names in by_query.items() if "" in names)
    return f'{what} have an empty text as the id of a target for query "{query}"; leave it out or name it'


def unused_gains(gains: Mapping[str, int] | None, met: Collection[str]) -> list[str]:
    """What must be said of gains that map nothing, such as those of a misspelled label."""
    unused = [word for word in gains or {} if word not in met]
    return [f"gains for grades that no judgment has: {', '.join(unused)}"] if unused else []


def integer_grade(
    grade: object,
    *,
    query: str,
    target: str,
    gains: Mapping[str, int] | None = None,
    met: set[str] | None = None,
) -> int:
    """The integer that a grade is, or is mapped to by its text. Raises InputError where it is none."""
    whole = whole_grade(grade, gains, met=met)
    if whole is None:
        raise InputError(
            f'the grade of "{target}" for query "{query}" must be an integer, got {grade!r}. '
            f'Map it: gains={{"{grade}": 1}}, at the shell --gain {grade}=1'
        )
    return whole


def whole_grade(
    grade: object, gains: Mapping[str, int] | None = None, *, met: set[str] | None = None
) -> int | None:
    """The same; None where it is none. met: the gains that a grade was mapped by are added here."""
    for written in (str(grade), f"{grade:g}" if isinstance(grade, float) else ""):
        if gains and written in gains:
            if met is not None:
                met.add(written)
            return gains[written]
    try:
        whole = int(grade)  # type: ignore[call-overload]
    except (TypeError, ValueError, OverflowError):
        return None
    return None if isinstance(grade, str) or whole != grade else int(whole)
