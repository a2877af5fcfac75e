"""What a gate asks of a run."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from rankle.metrics.figure import Figure
from rankle.metrics.measure import Measure, parse_measure

MIN_QUERIES: Final = 6
"""With fewer queries no difference, however large, can be significant at 0.05."""
WITHIN: Final = 10
"""How deep protected targets and unjudged results are looked for where nobody says."""
TOLERANCE: Final = 0.02
"""The drop that is accepted where a baseline is named and no rule says how much."""
PHASE_MEASURE: Final = parse_measure("Hit@10")
REGRESSION_MEASURE: Final = parse_measure("nDCG@10")


@dataclass(frozen=True, slots=True)
class Floor:
    """The least that a measure may be, over all queries or a slice of them."""

    measure: Figure
    at_least: float
    on: Literal["mean", "low"] = "mean"
    """`low` holds the lower bound of the 95 % interval against the floor."""
    where: Mapping[str, str] = field(default_factory=dict)
    """`language`, `tag` and `collection` to the value that a query must have; empty for all queries."""
    min_queries: int = MIN_QUERIES
    """With fewer scored queries it could not be measured."""
    spelled: str = field(default="", compare=False)
    """The measure or scorer as it is written."""
    fault: str = field(default="", compare=False)
    """Why it is no measure, as an error says it; empty where it is one."""


@dataclass(frozen=True, slots=True)
class NoRegression:
    """The largest drop of a measure from the baseline's that is no regression, significant or not."""

    measure: Figure
    tolerance: float
    spelled: str = field(default="", compare=False)
    """The measure or scorer as it is written."""
    fault: str = field(default="", compare=False)
    """Why it is no measure, as an error says it; empty where it is one."""
    is_default: bool = field(default=False, compare=False)
    """Whether nobody wrote it, and it stands for what a baseline is held against."""


@dataclass(frozen=True, slots=True)
class Protected:
    """Targets that every query which needs them must find."""

    targets: tuple[str, ...]
    within: int = WITHIN


@dataclass(frozen=True, slots=True)
class Unjudged:
    """The largest share of the first results that nobody judged."""

    share: float
    within: int = WITHIN


@dataclass(frozen=True, slots=True)
class Gate:
    """All that is asked of the runs of a set."""

    name: str
    set_name: str | None = None
    """The set whose runs it judges, or the eval; None for those of every set without a gate of its own."""
    floors: tuple[Floor, ...] = ()
    phase: float | None = None
    """The floor of PHASE_MEASURE that a phase of the product presets."""
    no_regression: tuple[NoRegression, ...] = ()
    latency_p95_ms: float | None = None
    protected: Protected | None = None
    unjudged: Unjudged | None = None
    max_failures: int = 0
    """Queries on which the system may fail."""
    max_stale_labels: int = 0
    """Labels that may name nothing in the index."""
    min_queries: int = MIN_QUERIES
    baseline: str | None = None
    """Name or file of the baseline."""

    @property
    def is_empty(self) -> bool:
        """Whether it asks for nothing but what every gate does."""
        asked = (self.all_floors, self.no_regression, self.protected, self.unjudged)
        return not any(asked) and self.latency_p95_ms is None

    @property
    def all_floors(self) -> tuple[Floor, ...]:
        """That of the phase first."""
        if self.phase is None:
            return self.floors
        return (Floor(PHASE_MEASURE, self.phase, min_queries=self.min_queries), *self.floors)

    @property
    def measures(self) -> tuple[Measure, ...]:
        """Those that a run must have for it, each once; scorers of evals are none of them."""
        rules: list[Floor | NoRegression] = [*self.all_floors, *self.no_regression]
        figures = [rule.measure for rule in rules]
        return tuple(dict.fromkeys(figure for figure in figures if isinstance(figure, Measure)))
