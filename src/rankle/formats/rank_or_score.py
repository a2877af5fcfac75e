"""Whether whole numbers beside results are ranks or scores, by how they run within each query."""

import re
from collections.abc import Iterable, Sequence
from enum import Enum, auto
from typing import Final

from rankle.core.errors import InputError
from rankle.formats.ambiguity import ambiguous

_WHOLE: Final = re.compile(r"[0-9]+(\.0*)?")
_HIGHEST_FIRST: Final = 2
"""Ranks begin at 0 or 1, or at 2 where the first result was taken out."""


class Meaning(Enum):
    """What the numbers of results are."""

    RANKS = auto()
    SCORES = auto()
    UNCLEAR = auto()


def meaning(rows: Iterable[tuple[str, str, str]]) -> Meaning:
    """What the numbers of rows of query, target and number are.

    Ranks ascend in the file within every query, from 0, 1 or 2, with at most about every other one left
    out. Scores descend, or are negative, tied or fractions. Other whole numbers are unclear, unless they
    are written as fractions (`3.0`). Queries of one result tell nothing.
    """
    found: dict[str, dict[str, str]] = {}
    for query, target, number in rows:
        if not _WHOLE.fullmatch(number.strip()):
            return Meaning.SCORES
        found.setdefault(query, {}).setdefault(target, number.strip())
    columns = [[int(float(n)) for n in results.values()] for results in found.values() if len(results) > 1]
    tied = any(len(set(column)) < len(column) for column in columns)
    if tied or all(column == sorted(column, reverse=True) for column in columns):
        return Meaning.SCORES
    if all(map(_are_ranks, columns)):
        return Meaning.RANKS
    points = any("." in number for results in found.values() for number in results.values())
    return Meaning.SCORES if points else Meaning.UNCLEAR


def _are_ranks(column: Sequence[int]) -> bool:
    return (
        column[0] <= _HIGHEST_FIRST and column[-1] <= 2 * len(column) + 1 and list(column) == sorted(column)
    )


def rank_question(path: object, column: str) -> InputError:
    """The error for numbers that could be either. column: which, such as `the third column`."""
    return ambiguous(
        path,
        f"{column} holds whole numbers that could be ranks or scores",
        {
            "--order rank": "the lowest is best",
            "--order score": "the highest is best",
            "--order file": "best first, as the lines stand",
        },
    )


RANK_NOTICE: Final = "counts up within each query: read as ranks"
