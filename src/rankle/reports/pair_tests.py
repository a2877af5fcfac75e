"""The tests of a comparison: every pair of runs by every measure, adjusted for their number."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from rankle.core.errors import CannotMeasureError
from rankle.core.run import QueryReport
from rankle.metrics.figure import read_figure
from rankle.reports.comparison import MeasureDifference
from rankle.reports.table import title_of
from rankle.reports.verdicts import verdict_of
from rankle.stats.corrections import holm
from rankle.stats.paired import Method, PairedTest, paired_tests
from rankle.stats.power_analysis import detectable_shift
from rankle.stats.tukey import TukeyPair, tukey_tests

Queries = Mapping[str, QueryReport]
Floats = NDArray[np.float64]
Correction = Literal["none", "holm", "tukey"]
_POWER: Final = 0.8


@dataclass(frozen=True, slots=True, kw_only=True)
class TestPlan:
    """How everything is tested."""

    __test__ = False
    """No class of tests, whatever its name looks like to pytest."""

    correction: Correction
    method: Method
    alpha: float
    seed: int

    @property
    def level(self) -> float:
        return round(1.0 - self.alpha, 12)


@dataclass(frozen=True, slots=True)
class TestedPair:
    """Two runs by their places, with the figures of each measure."""

    __test__ = False

    a: int
    b: int
    measures: list[MeasureDifference]


@dataclass(frozen=True, slots=True)
class _Tested:
    """One measure of one pair before p is adjusted."""

    measure: str
    test: PairedTest | None
    """None where no query was scored by both."""
    spread: float
    """Standard deviation of the differences."""
    tukey: TukeyPair | None = None


def tested_pairs(
    queries: Sequence[Queries], labels: Sequence[str], measures: Sequence[str], plan: TestPlan
) -> list[TestedPair]:
    """All pairs of runs with Tukey's correction, each run against the first with the others.

    queries: of each run, the same ones in the same order. A pair and measure is over the queries that both
    scored; with Tukey's, over those that all runs scored.
    Raises CannotMeasureError where Student's t is asked for and differences do not vary.
    """
    n = len(queries)
    if plan.correction == "tukey":
        places = list(combinations(range(n), 2))
        tested = _by_tukey(queries, labels, measures, plan)
    else:
        places = [(0, place) for place in range(1, n)]
        tested = [_pair_tests(queries[a], queries[b], measures, plan) for a, b in places]
    adjusted = iter(_adjusted([one for pair in tested for one in pair], plan, n_measures=len(measures)))
    n_tests = len(places) * len(measures)
    return [
        TestedPair(a, b, [_figures(one, next(adjusted), plan, n_tests=n_tests) for one in pair])
        for (a, b), pair in zip(places, tested, strict=True)
    ]


def _pair_tests(a: Queries, b: Queries, measures: Sequence[str], plan: TestPlan) -> list[_Tested]:
    """Measures that the same queries have share their flips, which costs little more than one of them."""
    found: dict[str, _Tested] = {}
    for ids, members in _groups((a, b), measures).items():
        if not ids:
            found |= {measure: _Tested(measure, None, 0.0) for measure in members}
            continue
        scores = _score_array((a, b), ids, members)
        tests = _tests(scores[:, 0], scores[:, 1], measures=members, plan=plan)
        found |= dict(zip(members, tests, strict=True))
    return [found[measure] for measure in measures]


def _tests(a: Floats, b: Floats, *, measures: Sequence[str], plan: TestPlan) -> list[_Tested]:
    try:
        tests = paired_tests(a, b, seed=plan.seed, method=plan.method, level=plan.level)
    except CannotMeasureError as error:
        of = ", ".join(title_of(read_figure(measure)) for measure in measures)
        raise CannotMeasureError(f"of {of}, {error}") from error
    spreads = (b - a).std(axis=0, ddof=1) if len(a) > 1 else np.zeros(len(measures))
    return [_Tested(*one) for one in zip(measures, tests, spreads.tolist(), strict=True)]


def _by_tukey(
    queries: Sequence[Queries], labels: Sequence[str], measures: Sequence[str], plan: TestPlan
) -> list[list[_Tested]]:
    """For each pair, the tests of all measures; measures of the same queries share shuffles and flips."""
    places = list(combinations(range(len(labels)), 2))
    found: dict[str, list[_Tested]] = {}
    for ids, members in _groups(queries, measures).items():
        if not ids:
            found |= {measure: [_Tested(measure, None, 0.0)] * len(places) for measure in members}
            continue
        scores = _score_array(queries, ids, members)
        wholes = tukey_tests(scores, names=labels, seed=plan.seed, level=plan.level)
        columns = [(measure, pair) for measure in range(len(members)) for pair in places]
        a, b = (
            np.column_stack([scores[:, pair[side], measure] for measure, pair in columns]) for side in (0, 1)
        )
        tests = iter(_tests(a, b, measures=[members[measure] for measure, _ in columns], plan=plan))
        found |= {
            measure: [replace(next(tests), tukey=pair) for pair in whole.pairs]
            for measure, whole in zip(members, wholes, strict=True)
        }
    return [[found[measure][pair] for measure in measures] for pair in range(len(places))]


def _groups(queries: Sequence[Queries], measures: Sequence[str]) -> dict[tuple[str, ...], list[str]]:
    """Measures by the queries that all runs scored."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for measure in measures:
        groups.setdefault(_scored(queries, measure), []).append(measure)
    return groups


def _score_array(queries: Sequence[Queries], ids: Sequence[str], measures: Sequence[str]) -> Floats:
    """Shape (len(ids), n_runs, n_measures)."""
    rows = [[[run[name].scores[one] for one in measures] for run in queries] for name in ids]
    return np.array(rows, dtype=np.float64)


def _scored(queries: Sequence[Queries], measure: str) -> tuple[str, ...]:
    """Ids of the queries that all of them scored, in the order of the first."""
    return tuple(name for name in queries[0] if all(measure in run[name].scores for run in queries))


def _adjusted(tested: Sequence[_Tested], plan: TestPlan, *, n_measures: int) -> list[float | None]:
    """p for all tests together, in their order; None for those that could not be made."""
    if plan.correction == "tukey":
        # Tukey's p holds for the pairs of one measure. Holm's steps over its measures would need one p each.
        return [None if one.tukey is None else min(1.0, n_measures * one.tukey.p_value) for one in tested]
    p_values = iter(holm([one.test.p_value for one in tested if one.test is not None]))
    return [None if one.test is None else next(p_values) for one in tested]


def _figures(one: _Tested, p_adjusted: float | None, plan: TestPlan, *, n_tests: int) -> MeasureDifference:
    test = one.test
    if test is None:
        return _nothing(one.measure)
    interval = test if one.tukey is None else one.tukey
    return MeasureDifference(
        measure=one.measure,
        n=test.n,
        mean_a=test.mean_a,
        mean_b=test.mean_b,
        difference=test.difference,
        low=interval.low,
        high=interval.high,
        p_value=interval.p_value,
        p_adjusted=p_adjusted,
        wins=test.wins,
        ties=test.ties,
        losses=test.losses,
        effect_size=test.effect_size,
        smallest_detectable=_detectable(one, test, alpha=plan.alpha / n_tests),
        verdict=verdict_of(
            p=p_adjusted,
            alpha=plan.alpha,
            difference=test.difference,
            balance=test.wins - test.losses,
            method=plan.method,
        ),
    )


def _detectable(one: _Tested, test: PairedTest, *, alpha: float) -> float | None:
    """At the level that the strictest step of the correction works at; the others see a little more."""
    if test.effect_size is None or test.method not in ("randomisation", "t"):
        return None
    shift = detectable_shift(test.n, power=_POWER, alpha=alpha, two_sided=True)
    return None if shift is None else shift * one.spread / math.sqrt(test.n)


def _nothing(measure: str) -> MeasureDifference:
    return MeasureDifference(
        measure=measure, n=0, mean_a=None, mean_b=None, difference=None, low=None, high=None, p_value=None,
        p_adjusted=None, wins=0, ties=0, losses=0, effect_size=None, smallest_detectable=None,
        verdict="not compared",
    )  # fmt: skip
