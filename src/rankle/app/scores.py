"""What scoring a run gave."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import fsum, isnan
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

from rankle.core.errors import UnknownNameError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class MeasureMean:
    """One measure over all queries that count."""

    mean: float | None
    """Over the scored queries; None where there is none."""
    n_scored: int
    n_undefined: int
    """Queries without what the measure needs, in no mean."""
    n_missing: int
    """Queries that the run does not have; they score 0 and are part of `n_scored`."""


@dataclass(frozen=True, eq=False)
class Scores:
    """What scoring a run gave."""

    run: str
    """The run's own name, or that of its file; empty where nothing names it."""
    queries: tuple[str, ...]
    """The queries that count, in the order of the judgments."""
    columns: "Mapping[str, Sequence[float] | NDArray[np.float64]]"
    """`values` as they were computed: small runs are scored without arrays."""
    means: Mapping[str, MeasureMean]
    """Canonical measure name to its mean, with what it is a mean of."""
    missing: tuple[str, ...]
    """Queries of the judgments that the run does not have."""
    n_extra: int
    """Queries of the run without judgments; they are in no figure."""
    n_duplicates: int
    """Results that stood twice in a query; each counts once, at its best rank."""
    n_joined: int
    """Judged targets that the run retrieved."""
    n_judgments: int
    first_ranks: "Sequence[int] | NDArray[np.int64]"
    """`first_relevant` as it was computed."""
    depth: int
    """Results of the query that has most."""
    ties: Literal["trec", "system"]
    """What ordered results of equal score."""
    notices: tuple[str, ...]

    @cached_property
    def values(self) -> "Mapping[str, NDArray[np.float64]]":
        """Canonical measure name to one value a query, in the order of `queries`; NaN where undefined."""
        import numpy as np  # which the mean of a small run does not need

        arrays = {name: np.asarray(column, dtype=np.float64) for name, column in self.columns.items()}
        for array in arrays.values():
            array.flags.writeable = False
        return MappingProxyType(arrays)

    @cached_property
    def first_relevant(self) -> "NDArray[np.int64]":
        """Rank of the first relevant result of each query, in the order of `queries`; 0 where none is."""
        import numpy as np

        array = np.asarray(self.first_ranks, dtype=np.int64)
        array.flags.writeable = False
        return array

    def __getitem__(self, measure: str) -> float | None:
        """The mean of a measure, by any spelling of its name."""
        if measure not in self.means:
            from rankle.metrics.measure import parse_measure

            name = str(parse_measure(measure))
            if name not in self.means:
                raise UnknownNameError(
                    what="measure of these scores",
                    name=name,
                    known=self.means,
                    hint=f"There is: {', '.join(self.means)}",
                )
            measure = name
        return self.means[measure].mean

    def __getstate__(self) -> dict[str, Any]:
        """Copies and pickles, which mapping proxies alone do not allow."""
        state = {
            name: value for name, value in vars(self).items() if name not in ("values", "first_relevant")
        }
        return {**state, "columns": dict(self.columns), "means": dict(self.means)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        frozen = {name: MappingProxyType(state[name]) for name in ("columns", "means")}
        vars(self).update({**state, **frozen})

    def query(self, query: str) -> dict[str, float]:
        """All values of one query by canonical measure name; undefined ones are NaN."""
        if query not in self.queries:
            raise UnknownNameError(what="query", name=query, known=self.queries)
        place = self.queries.index(query)
        return {name: float(column[place]) for name, column in self.columns.items()}


def mean_of(column: Sequence[float], *, n_missing: int) -> MeasureMean:
    """The mean of a column, NaN left out. The sum is exact, whatever the order of the queries.

    n_missing: of the queries that are defined.
    """
    defined = [value for value in column if not isnan(value)]
    return MeasureMean(
        mean=fsum(defined) / len(defined) if defined else None,
        n_scored=len(defined),
        n_undefined=len(column) - len(defined),
        n_missing=n_missing,
    )
