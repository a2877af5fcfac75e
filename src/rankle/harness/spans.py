"""Brings the answers of a run, which are chunks, to the passages that a query labels."""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from rankle.core.outcome import Answer, Outcome
from rankle.core.search import Hit, Stage, StageRank
from rankle.core.text_range import Range
from rankle.labels.coverage import Coverage
from rankle.labels.join import JoinedQuery
from rankle.labels.spans import SpanMatches, match_spans


@dataclass(frozen=True, slots=True)
class SpanView:
    """How chunks are seen as passages."""

    places: Mapping[str, Range]
    """Where those of the system's chunks stand that share a character with a labelled passage."""
    coverage: Coverage

    def matches(self, query: JoinedQuery, answer: Answer) -> SpanMatches:
        """Which of the query's targets, in their order, each result covers."""
        results = [self._place(hit) for hit in answer.hits]
        return self._match(results, query)

    def seen(self, query: JoinedQuery, outcome: Outcome) -> Outcome:
        """The outcome with the lists of its stages by target, each at the rank of the first chunk that covers
        it; results stay as they are."""
        if outcome.answer is None:
            return outcome
        stages = tuple(self._stage(stage, query) for stage in outcome.answer.stages)
        return replace(outcome, answer=replace(outcome.answer, stages=stages))

    def _stage(self, stage: Stage, query: JoinedQuery) -> Stage:
        ordered = sorted(stage.ranks.items(), key=lambda item: item[1].rank)
        matched = self._match([self._known(name) for name, _ in ordered], query)
        ranks: dict[str, StageRank] = {}
        for (_, rank), places in zip(ordered, matched.new, strict=True):
            ranks |= {query.targets[place].id: rank for place in places}
        return replace(stage, ranks=ranks)

    def _match(self, results: Sequence[Range], query: JoinedQuery) -> SpanMatches:
        return match_spans(
            results,
            [target.place for target in query.targets],
            [target.grade for target in query.targets],
            coverage=self.coverage,
        )

    def _place(self, hit: Hit) -> Range:
        """The system's own word where it gave the passage with the hit, else what it stores."""
        if hit.passage is not None:
            return Range(hit.document, hit.passage.start, hit.passage.end)
        return self._known(hit.id)

    def _known(self, name: str) -> Range:
        """A chunk that nobody knows covers nothing: it stands in no document."""
        return self.places.get(name, _NOWHERE)


def span_view(places: Mapping[str, Range], queries: Sequence[JoinedQuery], *, coverage: Coverage) -> SpanView:
    """The view of a system, with the chunks that matter to these queries: few, so that a record can keep it.

    places: of every chunk.
    """
    labelled: dict[str, list[Range]] = {}
    for query in queries:
        for target in query.targets:
            if target.place is not None:
                labelled.setdefault(target.place.document, []).append(target.place)
    bounds = {document: _merged(ranges) for document, ranges in labelled.items()}
    near = {name: place for name, place in places.items() if _touches(place, bounds.get(place.document))}
    return SpanView(near, coverage)


def _merged(ranges: Sequence[Range]) -> list[tuple[int, int]]:
    """Starts and ends of the ranges of one document, ascending, those that overlap made one."""
    merged: list[tuple[int, int]] = []
    for part in sorted(ranges, key=lambda each: each.start):
        if merged and part.start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], part.end))
        else:
            merged.append((part.start, part.end))
    return merged


def _touches(place: Range, bounds: Sequence[tuple[int, int]] | None) -> bool:
    if not bounds:
        return False
    last = bisect_left(bounds, (place.end, 0)) - 1  # the last that begins before the place ends
    return last >= 0 and bounds[last][1] > place.start


_NOWHERE = Range("", 0, 1)
"""No document has an empty name."""
