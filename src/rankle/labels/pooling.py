"""The results of several methods put together: which are still to be judged, and which first."""

import math
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from rankle.core.evalset import EvalQuery, Label, Level
from rankle.core.search import Hit, Passage
from rankle.core.text_range import Range
from rankle.labels.coverage import HALF
from rankle.labels.finding import find_label
from rankle.labels.placing import Placed, place_span
from rankle.labels.stored import Stored


@dataclass(frozen=True, slots=True)
class Pooled:
    """One result of one query, from any of the methods."""

    query: EvalQuery
    target: str
    """The chunk's id, or the document's where documents are judged."""
    document: str
    passage: Passage
    ranks: Mapping[str, int]
    """Method to rank, of those that found it."""
    information: float
    """How much its judgment can tell, see `information`."""


def pool(query: EvalQuery, results: Mapping[str, Sequence[Hit]]) -> list[Pooled]:
    """Every result once, in the order of its best rank. results: by method; each hit with its passage."""
    found: dict[str, tuple[Hit, dict[str, int]]] = {}
    for method, hits in results.items():
        for hit in hits:
            found.setdefault(hit.id, (hit, {}))[1][method] = hit.rank
    pooled = [
        Pooled(query, target, hit.document, hit.passage, ranks, information(ranks, n_methods=len(results)))
        for target, (hit, ranks) in found.items()
        if hit.passage is not None
    ]
    return sorted(pooled, key=lambda item: (min(item.ranks.values()), item.target))


def information(ranks: Mapping[str, int], *, n_methods: int) -> float:
    """How much a judgment can tell of methods, from 0 to 2: how far they disagree, plus their mean weight.

    The weight of a rank is its discount in nDCG, 1 / log2(rank + 1), and 0 where a method does not find the
    result. So what one method has at the top and another not at all comes first, what all have at the top
    next, and what all have at the bottom last.
    """
    weights = [1 / math.log2(rank + 1) for rank in ranks.values()]
    weights += [0.0] * (n_methods - len(weights))
    return max(weights) - min(weights) + sum(weights) / len(weights)


def shuffled(items: Sequence[Pooled], *, seed: int, judge: str) -> list[Pooled]:
    """In an order that tells nothing of ranks; the same for the same seed, judge and query."""
    if not items:
        return []
    ordered = sorted(items, key=lambda item: item.target)
    random.Random(f"{seed}:{judge}:{items[0].query.id}").shuffle(ordered)  # noqa: S311 - no secret
    return ordered


def most_informative(items: Iterable[Pooled]) -> list[Pooled]:
    """Those whose judgments tell most first; among equals in the order in which they came."""
    return sorted(items, key=lambda item: -item.information)


class Labelled:
    """What the labels of one query are about already."""

    def __init__(self, labels: Sequence[Label], stored: Stored, *, by_document: bool) -> None:
        self._names: set[str] = set()
        self._places: list[Range] = []
        for label in labels:
            named = find_label(label, stored.names)
            if by_document:
                self._names.update(named.documents)
            elif named.level is Level.CHUNK:
                self._names.add(label.name)
            elif label.span is not None:
                self._names.update([label.chunk] if label.chunk else [])
                if named.indexed:
                    document = named.documents[0]
                    found = place_span(label.span, stored.text(document))
                    if isinstance(found, Placed):
                        self._places.append(Range(document, found.place.start, found.place.end))

    def holds(self, item: Pooled) -> bool:
        """Whether a label is about it: names it, or is of a passage that it covers."""
        place = Range(item.document, item.passage.start, item.passage.end)
        return item.target in self._names or any(HALF.holds(place, span) for span in self._places)
