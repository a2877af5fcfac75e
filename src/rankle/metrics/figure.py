"""What a figure of a run is of: a ranking measure, or a scorer of an eval, which may be called anything."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import TypeAlias

from rankle.core.errors import MeasureError
from rankle.metrics.family import Value
from rankle.metrics.measure import Measure, parse_measure
from rankle.metrics.table import BY_NAME


@dataclass(frozen=True, slots=True)
class ScorerName:
    """A scorer, by the name that its author gave it, with what a `Measure` has beside its name.

    It has no cut and no parameters that anyone could read; two of one name are one scorer.
    """

    name: str

    def __str__(self) -> str:
        return self.name

    @property
    def title(self) -> str:
        """The name itself: reports do not rename what an author named."""
        return self.name

    @property
    def family(self) -> str:
        """A family of its own, which no measure has."""
        return f"scorer {self.name}"

    @property
    def k(self) -> None:
        return None

    @property
    def rel(self) -> int:
        return 1

    @property
    def parameters(self) -> tuple[tuple[str, Value], ...]:
        return ()


Figure: TypeAlias = Measure | ScorerName


def read_figure(name: str) -> Figure:
    """What a record names: a measure where it is the canonical name of one, else a scorer.

    `str(read_figure(name)) == name` for every name, so that a scorer called `recall` or `map` stays what it
    is, and no figure of a run is ever mixed up with another.
    """
    try:
        measure = parse_measure(name)
    except MeasureError:
        return ScorerName(name)
    return measure if str(measure) == name else ScorerName(name)


def find_figure(name: str, known: Collection[str]) -> Figure:
    """What a user means by a name where figures of these names are there: the one that is called so, else a
    measure in any spelling, be it there or not. Raises MeasureError on any other name."""
    return read_figure(name) if name in known else parse_measure(name)


def ranks(figure: Figure) -> bool:
    """Whether it says how good an answer is, so that runs can be compared by it: all but those measures that
    describe the judgments."""
    return isinstance(figure, ScorerName) or BY_NAME[figure.family].scores_relevance
