"""What is asked of an evaluation, checked once."""

from dataclasses import dataclass
from typing import Final

from rankle.core.errors import InputError, MeasureError
from rankle.core.evalset import Level
from rankle.labels.coverage import HALF, Coverage
from rankle.metrics.measure import Measure, parse_measure

DEFAULT_CUTS: Final = (1, 5, 10)
DEFAULT_DEPTH: Final = 100


@dataclass(frozen=True, slots=True)
class Settings:
    """The choices of one evaluation. Raises InputError or MeasureError on what cannot be done."""

    k: tuple[int, ...] | None = None
    """Where the default measures are cut, and how deep a query's first hit may stand; kept ascending, each
    once. None takes the cuts of `measures`; beside these it must end where they do."""
    depth: int = DEFAULT_DEPTH
    """How many distinct targets the system is asked for."""
    measures: tuple[Measure, ...] = ()
    """What to compute; empty asks for the default measures at every k."""
    level: Level | None = None
    """None infers it from the labels."""
    collection: str | None = None
    """Search this collection only, and leave out queries that name another."""
    max_queries: int | None = None
    """Ask the first so many queries only."""
    concurrency: int = 1
    """Queries in flight at a time."""
    coverage: Coverage = HALF
    """When a chunk covers a passage; counts at level SPAN only."""
    one_by_one: bool = False
    """Ask each query by itself also where the system answers batches, so that each search is timed."""

    def __post_init__(self) -> None:
        for name in ("depth", "concurrency", "max_queries"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise InputError(f"{name} must be at least 1, got {value}")
        if self.k is not None:
            if not self.k or min(self.k) < 1:
                raise InputError(f"k must be one or more integers >= 1, got {list(self.k)}")
            object.__setattr__(self, "k", tuple(sorted(set(self.k))))
        for measure in self.measures:
            if measure.k is not None and measure.k > self.depth:
                raise MeasureError(
                    f"{measure} is deeper than the {self.depth} results that the system is asked for; "
                    f"raise the depth: --depth {measure.k}"
                )
        self._check_cuts()

    def _check_cuts(self) -> None:
        k, named = self.k[-1] if self.k else None, self._named_cuts
        if k is not None and named and k != named[-1]:
            raise InputError(
                f"k = {k} and the measures, which go to {named[-1]}, would cut the lists differently; "
                f"leave k out, or name measures at {k}"
            )
        if self.cuts[-1] > self.depth:
            raise InputError(
                f"k = {self.cuts[-1]} is deeper than the {self.depth} results that the system is asked for; "
                f"raise the depth: --depth {self.cuts[-1]}"
            )

    @property
    def cuts(self) -> tuple[int, ...]:
        """The cuts that the report shows, ascending; the last governs the worst queries and the documents.

        Those of `measures`; where these have none, or are the default ones, those of `k`.
        """
        if self._named_cuts:
            return self._named_cuts
        if self.k is not None:
            return self.k
        return (min(DEFAULT_CUTS[-1], self.depth),) if self.measures else DEFAULT_CUTS

    @property
    def _named_cuts(self) -> tuple[int, ...]:
        return tuple(sorted({measure.k for measure in self.measures if measure.k is not None}))

    @property
    def all_measures(self) -> tuple[Measure, ...]:
        """What is computed, in the order in which it is reported."""
        return tuple(dict.fromkeys(self.measures)) or default_measures(self.cuts)


def default_measures(k: tuple[int, ...]) -> tuple[Measure, ...]:
    """Recall, precision, nDCG and hit rate at every cut; RR and the judged share at the largest."""
    last = k[-1]
    names = [f"{family}@{cut}" for family in ("R", "P") for cut in k]
    names.append(f"RR@{last}")
    names += [f"{family}@{cut}" for family in ("nDCG", "Hit") for cut in k]
    return tuple(parse_measure(name) for name in [*names, f"Judged@{last}"])
