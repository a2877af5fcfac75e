"""Brings results that are chunks to passages: which passages each of them covers, and what that is worth.

A result is worth the highest grade among the passages that it covers and no result above it does; all that
it covers count as found. So the same passage is worth something once, however often overlapping chunks repeat
it, and a long chunk that holds several is one good result that finds them all.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from rankle.core.text_range import Range
from rankle.labels.coverage import HALF, Coverage
from rankle.metrics.judged import REPEATED, UNJUDGED, UNSTATED, JudgedRanks


@dataclass(frozen=True, slots=True)
class SpanMatches:
    """What the results of one query cover of its passages. N results, S passages."""

    covered: tuple[tuple[int, ...], ...]
    """Of each result, the places (in the list of passages) of those that it covers, N entries."""
    new: tuple[tuple[int, ...], ...]
    """Of these, the ones that no result above it covers."""
    ranks: tuple[int | None, ...]
    """Rank of the first result that covers each passage, from 1; None where none does, S entries."""
    gains: tuple[int | None, ...]
    """Of each result the highest grade among the new ones; REPEATED where it only repeats what is judged,
    UNJUDGED where all that it covers is so, None where it covers nothing."""


def match_spans(
    results: Sequence[Range],
    spans: Sequence[Range | None],
    grades: Sequence[int],
    *,
    coverage: Coverage = HALF,
) -> SpanMatches:
    """Maps the results of one query, best first, to its passages.

    spans: None for a passage that stands nowhere, which no result covers.
    grades: one a passage; negative is unjudged. Raises ValueError where the lengths differ.
    """
    by_document: dict[str, list[int]] = {}
    for place, (span, _) in enumerate(zip(spans, grades, strict=True)):
        if span is not None:
            by_document.setdefault(span.document, []).append(place)
    return matches_of(
        tuple(_covered(result, spans, by_document, coverage) for result in results), list(grades)
    )


def matches_of(covered: tuple[tuple[int, ...], ...], grades: Sequence[int]) -> SpanMatches:
    """What follows from which passages each result covers, best first, and the grades of all passages."""
    ranks: list[int | None] = [None] * len(grades)
    new = []
    for rank, places in enumerate(covered, start=1):
        first = tuple(place for place in places if ranks[place] is None)
        for place in first:
            ranks[place] = rank
        new.append(first)
    gains = tuple(_gain(*pair, grades) for pair in zip(covered, new, strict=True))
    return SpanMatches(covered, tuple(new), tuple(ranks), gains)


def _covered(
    result: Range, spans: Sequence[Range | None], by_document: Mapping[str, list[int]], coverage: Coverage
) -> tuple[int, ...]:
    return tuple(
        place
        for place in by_document.get(result.document, ())
        if (span := spans[place]) is not None and coverage.holds(result, span)
    )


def _gain(covered: Sequence[int], new: Sequence[int], grades: Sequence[int]) -> int | None:
    if any(grades[place] >= 0 for place in new):
        return max(grades[place] for place in new)
    if any(grades[place] >= 0 for place in covered):
        return REPEATED
    return UNJUDGED if covered else None


def judge_spans(matches: Sequence[SpanMatches], grades: Sequence[Sequence[int]]) -> JudgedRanks:
    """The facts that the ranking measures read, of all queries together.

    grades: those of each query's passages; the ideal ranking has one result for each that is judged.
    """
    rows: list[tuple[int, int, int]] = []
    found: list[tuple[int, int]] = []
    ideal, offsets = list[int](), [0]
    for query, (matched, known) in enumerate(zip(matches, grades, strict=True)):
        for rank, (gain, new) in enumerate(zip(matched.gains, matched.new, strict=True), start=1):
            if gain is not None:
                found += [(len(rows), known[place]) for place in new]
                rows.append((query, rank, gain))
        ideal += sorted((grade for grade in known if grade >= 0), reverse=True)
        offsets.append(len(ideal))
    columns = np.array(rows, dtype=np.int64).reshape(-1, 3)
    finds = np.array(found, dtype=np.int64).reshape(-1, 2)
    return JudgedRanks(
        query=columns[:, 0].copy(),
        rank=columns[:, 1].copy(),
        grade=columns[:, 2].copy(),
        stated=np.full(len(rows), UNSTATED, dtype=np.int8),
        n_retrieved=np.array([len(matched.covered) for matched in matches], dtype=np.int64),
        ideal_offsets=np.array(offsets, dtype=np.int64),
        ideal_grades=np.array(ideal, dtype=np.int64),
        n_stated=np.full(len(matches), UNSTATED, dtype=np.int64),
        found_row=finds[:, 0].copy(),
        found_grade=finds[:, 1].copy(),
    )
