"""Chooses a floor: the score that best tells queries that nothing answers from others."""

import hashlib
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from rankle.core.floor import FloorFigures
from rankle.harness.abstention import share_of
from rankle.stats.share_difference import share_difference_interval

LEAST: Final = 10
"""Queries of each side that a choice takes: half of them choose, half say how well."""


@dataclass(frozen=True, slots=True)
class BestScore:
    """What search came to on one query."""

    text: str
    answerable: bool
    score: float | None
    """Of the best result; None where there is none."""

    def is_abstained(self, floor: float | None) -> bool:
        return self.score is None or (floor is not None and self.score <= floor)


@dataclass(frozen=True, slots=True)
class Halves:
    """Queries to choose on, and others."""

    dev: tuple[BestScore, ...]
    rest: tuple[BestScore, ...]


def halves(queries: Sequence[BestScore], *, seed: int) -> Halves:
    """Half of the texts of each side to choose on, the smaller half where they are odd.

    A text is on one half of its side alone, however often it is asked. Which one depends on seed and text,
    and not on the order of the set.
    """
    dev: set[tuple[bool, str]] = set()
    for side in (False, True):
        texts = {query.text for query in queries if query.answerable is side}
        ordered = sorted(texts, key=lambda text: hashlib.sha256(f"{seed}\n{text}".encode()).digest())
        dev |= {(side, text) for text in ordered[: len(ordered) // 2]}
    chosen = [(query.answerable, query.text) in dev for query in queries]
    return Halves(
        tuple(query for query, is_dev in zip(queries, chosen, strict=True) if is_dev),
        tuple(query for query, is_dev in zip(queries, chosen, strict=True) if not is_dev),
    )


def best_floor(queries: Sequence[BestScore]) -> float | None:
    """The floor with the highest balanced accuracy over the queries; of equal ones the lowest, since what is
    withheld is seen by nobody. None where none does better than no floor.

    It stands between two of the scores, rounded as far as they allow, so that it lets at least one through.
    """
    nothing, others = (_side(queries, answerable=side) for side in (False, True))
    scores = sorted({*nothing.scores, *others.scores})
    floors: list[float | None] = [None, *(short_between(low, high) for low, high in pairwise(scores))]

    def gain(floor: float | None) -> int:  # in whole numbers, so that equal ones are equal
        return nothing.n_abstained(floor) * others.n - others.n_abstained(floor) * nothing.n

    return max(floors, key=gain)


def figures_of(queries: Iterable[BestScore], floor: float | None) -> FloorFigures:
    """The figures of a floor over these queries; None is no floor."""
    sides = list(queries)
    nothing = [query.is_abstained(floor) for query in sides if not query.answerable]
    others = [query.is_abstained(floor) for query in sides if query.answerable]
    n_right, n_wrong, both = sum(nothing), sum(others), bool(nothing and others)
    gap = share_difference_interval(n_right, len(nothing), n_wrong, len(others))
    return FloorFigures(
        precision=share_of(n_right, n_right + n_wrong),
        recall=share_of(n_right, len(nothing)),
        answered=share_of(len(others) - n_wrong, len(others)),
        balanced_accuracy=_balance(n_right / len(nothing), n_wrong / len(others)) if both else None,
        low=None if gap.low is None else (1 + gap.low) / 2,
        high=None if gap.high is None else (1 + gap.high) / 2,
    )


def short_between(low: float, high: float) -> float:
    """A number from low on and below high, near their middle, with as few digits as that takes."""
    middle = low + (high - low) / 2
    for n_digits in range(1, 18):
        rounded = float(f"{middle:.{n_digits}g}")
        if low <= rounded < high:
            return rounded
    return low


def _balance(recall: float, wrong: float) -> float:
    return (1 + recall - wrong) / 2


@dataclass(frozen=True, slots=True)
class _Side:
    """The queries that nothing answers, or the others."""

    n: int
    scores: list[float]
    """Of the best results, ascending; of queries without any there is none."""

    def n_abstained(self, floor: float | None) -> int:
        n_at_most = 0 if floor is None else bisect_right(self.scores, floor)
        return self.n - len(self.scores) + n_at_most


def _side(queries: Sequence[BestScore], *, answerable: bool) -> _Side:
    side = [query.score for query in queries if query.answerable is answerable]
    return _Side(len(side), sorted(score for score in side if score is not None))
