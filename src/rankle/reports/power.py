"""How many queries show a difference of some size: `rankle.power/1`, from the scores of recorded runs."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Final, Literal

import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from rankle.core.errors import CannotMeasureError, InputError
from rankle.core.run import Count, RunReport
from rankle.reports.comparability import (
    check_comparable,
    check_different,
    chosen_measures,
    mismatches,
)
from rankle.reports.differences import main_measure
from rankle.stats.power_analysis import difference_variance, queries_needed, smallest_detectable

SCHEMA: Final = "rankle.power/1"
LIKELY: Final = (
    (0.5, "another method"),
    (0.8, "a method that shares much"),
    (0.9, "other settings"),
)
"""How much the scores of two systems correlate, as measured on docs_qa: see docs/statistics.md."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PowerRow:
    """What it takes if the runs to be compared differ by so much."""

    change: str
    """What is supposed to be compared, for people."""
    correlation: Annotated[float, Meta(ge=-1, le=1)] | None
    """Of the two runs' scores over the queries; null where one of them does not vary."""
    deviation: float
    """Standard deviation of the differences per query that follows from it."""
    n_needed: Count
    """Queries that find the difference with the power asked."""
    smallest: float | None
    """The difference that the set's queries find with that power; null where they are too few for any."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PowerReport:
    """How many queries it takes: `rankle.power/1`."""

    schema: Literal["rankle.power/1"]
    set: str
    """The set's name."""
    n_queries: Count
    """Queries of the set that can be scored: they have a relevant label."""
    run: str
    """As it was named."""
    against: str | None
    """The run whose differences from the first were taken; null where they are supposed."""
    n_scored: Count
    """Queries of the run (of both runs) that all this rests on."""
    measure: str
    """Canonical name."""
    difference: float
    """The difference of two means that is to be seen."""
    power: float
    """The chance of seeing it that is asked for, 0 to 1."""
    alpha: float
    """The chance of a false alarm that is accepted."""
    deviation: float
    """Standard deviation of the run's scores."""
    rows: list[PowerRow]
    """What it takes, for each supposed correlation of the runs; one row where a second run tells it."""
    notes: list[str]
    """What a reader of the figures must know."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PowerRequest:
    """What is asked."""

    difference: float = 0.02
    power: float = 0.8
    alpha: float = 0.05
    measure: str | None = None
    """None takes what runs are compared by: nDCG at its deepest cut."""
    correlation: float | None = None
    """None tries several."""

    def __post_init__(self) -> None:
        """Raises InputError on what is out of range."""
        if not self.difference > 0:
            raise InputError(f"the difference must be greater than 0, got {self.difference:g}")
        for name, value in (("power", self.power), ("alpha", self.alpha)):
            if not 0.0 < value < 1.0:
                raise InputError(f"{name} must be between 0 and 1, got {value:g}")


@dataclass(frozen=True, slots=True)
class NamedReport:
    """A run, and what its user calls it."""

    name: str
    run: RunReport


def power_report(
    run: NamedReport,
    request: PowerRequest,
    *,
    set_name: str,
    set_fingerprint: str,
    n_queries: int,
    against: NamedReport | None = None,
) -> PowerReport:
    """From the scores of a run, or the differences of two.

    n_queries: those of the set that can be scored. Raises InputError on a measure that a run does not have
    and on a difference that no means can have, CannotMeasureError on fewer than two scored queries and on
    scores that do not vary.
    """
    if run.run.level != "case" and request.difference > 1:
        raise InputError(
            f"means of measures lie between 0 and 1, so that none differ by {request.difference:g}; two "
            "points of a hundred are --difference 0.02"
        )
    runs = [run] if against is None else [run, against]
    measure = _measure(runs, request.measure)
    if against is not None:
        check_different([one.run for one in runs], [one.name for one in runs])
        check_comparable(
            mismatches([one.run for one in runs], ["A", "B"], measures_matter=False),
            first_label="A",
            advice="Name two runs that asked the same, or leave --against out",
        )
    scores = _scores([one.run for one in runs], measure)
    if scores.shape[1] < 2:
        raise CannotMeasureError(
            f"the variance of {measure} takes at least 2 scored queries, got {scores.shape[1]}"
        )
    rows = _of_two(scores, request, n_queries) if against else _supposed(scores[0], request, n_queries)
    return PowerReport(
        schema=SCHEMA,
        set=set_name,
        n_queries=n_queries,
        run=run.name,
        against=None if against is None else against.name,
        n_scored=scores.shape[1],
        measure=measure,
        difference=request.difference,
        power=request.power,
        alpha=request.alpha,
        deviation=float(scores[0].std(ddof=1)),
        rows=rows,
        notes=_notes(runs, set_name=set_name, set_fingerprint=set_fingerprint),
    )


def _measure(runs: Sequence[NamedReport], asked: str | None) -> str:
    name = asked or main_measure(runs[0].run)
    if name is None:
        raise CannotMeasureError(f"{runs[0].name} has no measure of relevance")
    (measure,) = chosen_measures([one.run for one in runs], [one.name for one in runs], [name])
    return measure


def _scores(runs: Sequence[RunReport], measure: str) -> NDArray[np.float64]:
    """Of the queries that all of them scored, shape (n_runs, n)."""
    every = [
        {query.id: query.scores[measure] for query in run.queries if measure in query.scores} for run in runs
    ]
    ids = [name for name in every[0] if all(name in scores for scores in every)]
    return np.array([[scores[name] for name in ids] for scores in every], dtype=np.float64)


def _supposed(scores: NDArray[np.float64], request: PowerRequest, n: int) -> list[PowerRow]:
    if scores.std() <= 1e-12:
        raise CannotMeasureError(
            f"all {scores.size} scores are {scores[0]:g}, so nothing says how much differences vary. Two "
            "runs that differ tell: --against RUN"
        )
    cases = LIKELY if request.correlation is None else ((request.correlation, "as supposed"),)
    return [
        _row(words, correlation, difference_variance(scores, correlation=correlation), request, n)
        for correlation, words in cases
    ]


def _of_two(scores: NDArray[np.float64], request: PowerRequest, n: int) -> list[PowerRow]:
    variance = float((scores[1] - scores[0]).var(ddof=1))
    if variance <= 1e-24:
        raise CannotMeasureError(
            "the two runs differ by the same on every query, so nothing says how much differences vary"
        )
    both_vary = bool((scores.std(axis=1) > 1e-12).all())
    correlation = float(np.clip(np.corrcoef(scores).flat[1], -1, 1)) if both_vary else None
    return [_row("as these two runs", correlation, variance, request, n)]


def _row(words: str, correlation: float | None, variance: float, request: PowerRequest, n: int) -> PowerRow:
    return PowerRow(
        change=words,
        correlation=correlation,
        deviation=variance**0.5,
        n_needed=queries_needed(
            variance=variance, effect=request.difference, power=request.power, alpha=request.alpha
        ).n,
        smallest=_smallest(variance, request, n),
    )


def _smallest(variance: float, request: PowerRequest, n: int) -> float | None:
    if n < 1:
        return None
    try:
        found = smallest_detectable(variance=variance, n=n, power=request.power, alpha=request.alpha)
    except CannotMeasureError:  # so few queries show no difference, however large: that is the answer
        return None
    return found.effect


def _notes(runs: Sequence[NamedReport], *, set_name: str, set_fingerprint: str) -> list[str]:
    return [
        f"{one.name} is a run of another set than {set_name} ({one.run.set.name}), or of another version "
        "or part of it; its scores stand for those that this set would get"
        for one in runs
        if one.run.set.fingerprint != set_fingerprint
    ]
