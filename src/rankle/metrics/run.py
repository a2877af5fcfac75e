"""Run: the ranked results of one system, as columns."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rankle.core.errors import InputError
from rankle.metrics.qrels import empty_id, offsets_of

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, eq=False)
class Run:
    """Results, grouped by query, in the order in which they were given. Q queries, N results."""

    queries: tuple[str, ...]
    """Ids of the queries, each once."""
    offsets: NDArray[np.int64]
    """The results of query q are `offsets[q]:offsets[q + 1]`; shape (Q + 1,)."""
    targets: "Sequence[str] | pl.Series"
    """Id of each result, shape (N,); an id may stand twice in a query. Text or a Polars column."""
    scores: NDArray[np.float64]
    """Score of each result, higher is better, finite, shape (N,)."""
    name: str = ""
    """What the run calls itself: the tag of a TREC file; empty where nothing names it."""
    notices: tuple[str, ...] = ()
    """What a reader of figures must know about how the run was read."""

    @classmethod
    def from_dict(cls, results: Mapping[str, Mapping[str, float]], *, name: str = "") -> "Run":
        """From `{query id: {target id: score}}`. Raises InputError on an empty id and a score not finite."""
        if "" in results or any("" in found for found in results.values()):
            raise InputError(empty_id("the results", results))
        scores = scores_of(list(results.values()))
        check_finite(scores, list(results), list(results.values()))
        return cls(
            queries=tuple(results),
            offsets=offsets_of(len(found) for found in results.values()),
            targets=[target for found in results.values() for target in found],
            scores=scores,
            name=name,
        )

    @classmethod
    def from_lists(cls, results: Mapping[str, Sequence[str]], *, name: str = "") -> "Run":
        """From `{query id: [target id, best first]}`; scores fall by 1 from the length of the list."""
        lengths = [len(found) for found in results.values()]
        falling = [np.arange(length, 0, -1, dtype=np.float64) for length in lengths]
        return cls(
            queries=tuple(results),
            offsets=offsets_of(lengths),
            targets=[target for found in results.values() for target in found],
            scores=np.concatenate([np.zeros(0), *falling]),
            name=name,
        )

    @property
    def n_results(self) -> int:
        return len(self.scores)

    @cached_property
    def column(self) -> "pl.Series":
        """The targets as a Polars column of text."""
        import polars as pl  # 60 ms that small inputs do not need

        return (
            self.targets
            if isinstance(self.targets, pl.Series)
            else pl.Series(list(self.targets), dtype=pl.String)
        )

    def distinct(self) -> "Distinct":
        """The results of each query by id; of one that stands twice, the one with the higher score."""
        results = {query: self.results_of(place) for place, query in enumerate(self.queries)}
        return Distinct(results, self.n_results - sum(map(len, results.values())))

    def results_of(self, place: int) -> dict[str, float]:
        """The results of the query at a place in `queries`, as given; each target once, at its best."""
        start, end = int(self.offsets[place]), int(self.offsets[place + 1])
        targets, scores = list(self.targets[start:end]), self.scores[start:end].tolist()
        found = dict(zip(targets, scores, strict=True))
        return found if len(found) == end - start else _best(targets, scores)


class Distinct(NamedTuple):
    """A run as dicts, each target once a query."""

    results: Mapping[str, Mapping[str, float]]
    n_duplicates: int


def _best(targets: Sequence[str], scores: Sequence[float]) -> dict[str, float]:
    found: dict[str, float] = {}
    for target, score in zip(targets, scores, strict=True):
        if target not in found:
            found[target] = score
        elif score > found[target]:  # its place in the order given is that of its best row
            del found[target]
            found[target] = score
    return found


def scores_of(results: Sequence[Mapping[str, float]]) -> NDArray[np.float64]:
    """The scores of all results in one array, in the order given. Raises InputError on what is no number."""
    values = chain.from_iterable(found.values() for found in results)
    try:
        return np.fromiter(values, dtype=np.float64, count=sum(map(len, results)))
    except (TypeError, ValueError, OverflowError) as error:
        raise InputError(f"a score must be a number: {error}") from error


def check_finite(
    scores: NDArray[np.float64], queries: Sequence[str], results: Sequence[Mapping[str, float]]
) -> None:
    """Raises InputError that names the query and target of the first score that is not finite."""
    finite = np.isfinite(scores)
    if finite.all():
        return
    place = int(np.argmin(finite))
    for query, found in zip(queries, results, strict=True):
        if place < len(found):
            target = list(found)[place]
            raise InputError(
                f'the score of "{target}" for query "{query}" must be a finite number, got {found[target]}'
            )
        place -= len(found)
