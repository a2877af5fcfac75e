"""No regression: is the run worse than the baseline by more than is accepted, and is that real?"""

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rankle.core.errors import CannotMeasureError
from rankle.core.gate import Baseline, Regression, RuleVerdict, Verdict
from rankle.core.nouns import Noun, asked_at
from rankle.core.product import NAME
from rankle.core.run import RunReport
from rankle.gates.comparable import incomparable
from rankle.gates.floors import SAME, lacks
from rankle.gates.rules import Gate, NoRegression
from rankle.gates.words import figure, listed, probability, signed
from rankle.stats.corrections import holm
from rankle.stats.paired import PairedTest, paired_test
from rankle.stats.power_analysis import queries_needed, smallest_detectable

ALPHA: Final = 0.05


def judge_regressions(run: RunReport, gate: Gate, baseline: Baseline | None) -> list[RuleVerdict]:
    """The no-regression rules of a gate, in their order; together they are one family of tests (Holm).

    A drop larger than the tolerance is broken where it is significant, and could not be measured where it is
    not; anything else passed. A rule that cannot be tested stays in the family, so that no verdict depends on
    what else a run was measured by.
    """
    rules = gate.no_regression
    paired = [_paired(run, rule, gate, baseline, n_rules=len(rules)) for rule in rules]
    tests = [None if isinstance(one, str) else paired_test(*one, seed=run.seed) for one in paired]
    adjusted = holm([1.0 if test is None else test.p_value for test in tests])
    verdicts = []
    for rule, pairs, test, p_holm in zip(rules, paired, tests, adjusted, strict=True):
        if test is None or isinstance(pairs, str):
            verdicts.append(_rule(rule, Verdict.COULD_NOT_MEASURE, str(pairs)))
            continue
        tested = _Tested(rule, test, p_holm, pairs[1] - pairs[0], alpha=ALPHA / len(rules))
        verdicts.append(_judged(tested, n_run=len(run.queries), asked=asked_at(run.level)))
    return verdicts


def fewest_queries(*, alpha: float) -> int:
    """So many queries it takes until a randomisation can be significant at all: 6 at 0.05."""
    return math.ceil(1 - math.log2(alpha))


Pairs = tuple[NDArray[np.float64], NDArray[np.float64]]
"""Scores of the baseline and of the run, query by query."""


def _paired(
    run: RunReport, rule: NoRegression, gate: Gate, baseline: Baseline | None, *, n_rules: int
) -> Pairs | str:
    """The scores of the queries that both scored; or why there is nothing to test."""
    measure = str(rule.measure)
    if baseline is None:
        return _no_baseline(gate)
    differing = incomparable(run, baseline)
    if differing:
        return (
            f"the baseline {baseline.name} has {' and '.join(differing)}. Set it anew from a run on this "
            f"set: {NAME} baseline set RUN {baseline.name}"
        )
    if measure not in run.measures:
        return lacks(run, measure)
    if measure not in baseline.measures:
        known = listed(list(baseline.measures), most=8)
        return f"the baseline {baseline.name} has no {measure}, only {known}; set it anew"
    before = {query.id: query.scores[measure] for query in baseline.queries if measure in query.scores}
    now = {query.id: query.scores[measure] for query in run.queries if measure in query.scores}
    common = [query for query in before if query in now]  # as `compare` pairs them, so that p is the same
    fewest = max(gate.min_queries, fewest_queries(alpha=ALPHA / n_rules))
    if len(common) < fewest:
        return (
            f"{_were(asked_at(run.level), len(common))} scored by both, and it takes {fewest} to "
            "tell anything"
        )
    return np.array([before[query] for query in common]), np.array([now[query] for query in common])


def _were(asked: Noun, n: int) -> str:
    return f"{asked.counted(n)} {'was' if n == 1 else 'were'}"


def _no_baseline(gate: Gate) -> str:
    if gate.baseline is None:
        return 'no baseline is named: --baseline NAME, or baseline = "main" among the gates'
    return f"there is no baseline {gate.baseline} yet; set one: {NAME} baseline set RUN {gate.baseline}"


@dataclass(frozen=True, slots=True)
class _Tested:
    rule: NoRegression
    test: PairedTest
    p_holm: float
    differences: NDArray[np.float64]
    alpha: float
    """What one rule must reach whatever the others show; sizes and numbers of queries are at this level."""

    @property
    def drop(self) -> float:
        return -self.test.difference

    @property
    def verdict(self) -> Verdict:
        if self.drop <= self.rule.tolerance + SAME:
            return Verdict.PASSED
        return Verdict.BROKEN if self.p_holm <= ALPHA else Verdict.COULD_NOT_MEASURE

    @property
    def detectable(self) -> float | None:
        try:
            return smallest_detectable(self.differences, alpha=self.alpha).effect
        except CannotMeasureError:
            return None  # nothing varies: every query moved alike, or none at all

    @property
    def needed(self) -> int | None:
        if self.verdict is not Verdict.COULD_NOT_MEASURE:
            return None
        try:
            n = queries_needed(self.differences, effect=self.drop, alpha=self.alpha).n
        except CannotMeasureError:
            return None  # more than a billion
        # The test says that these were too few, even where the power of the average such sample says enough.
        return max(n, self.test.n + 1)


def _judged(tested: _Tested, *, n_run: int, asked: Noun) -> RuleVerdict:
    test = tested.test
    regression = Regression(
        n=test.n,
        baseline_mean=test.mean_a,
        run_mean=test.mean_b,
        difference=test.difference,
        low=test.low,
        high=test.high,
        p_value=test.p_value,
        p_holm=tested.p_holm,
        wins=test.wins,
        ties=test.ties,
        losses=test.losses,
        smallest_detectable=tested.detectable,
        queries_needed=tested.needed,
        seed=test.seed,
    )
    if regression.ties == regression.n:
        why = f"{figure(test.mean_b)} as before: no score of {asked.counted(test.n)} moved"
    else:
        why = f"{_figures(regression, n_run=n_run, asked=asked)}. {_conclusion(tested, regression, asked)}"
    return _rule(tested.rule, tested.verdict, why, regression=regression)


def _figures(found: Regression, *, n_run: int, asked: Noun) -> str:
    queries = asked.counted(found.n)
    over = queries if found.n == n_run else f"the {queries} that both scored"
    interval = "" if found.low is None else f", 95 % interval {signed(found.low)} to {signed(found.high)}"
    adjusted = "" if found.p_holm == found.p_value else f", Holm p {probability(found.p_holm)}"
    return (
        f"{figure(found.baseline_mean)} before, {figure(found.run_mean)} now: {signed(found.difference)} "
        f"over {over}{interval}, p {probability(found.p_value)}{adjusted}; {found.wins} better, {found.ties} "
        f"as before, {found.losses} worse"
    )


def _conclusion(tested: _Tested, found: Regression, asked: Noun) -> str:
    if tested.verdict is Verdict.BROKEN:
        return "A drop that is more than chance"
    if tested.verdict is Verdict.COULD_NOT_MEASURE:
        tell = (
            f"no number of {asked.several}"
            if found.queries_needed is None
            else f"about {asked.counted(found.queries_needed)}"
        )
        return f"A drop of this size may be chance; {tell} would tell, 4 times in 5"
    if found.smallest_detectable is None:
        return "All scores moved alike"
    return f"Smallest drop that these {asked.several} show 4 times in 5: {found.smallest_detectable:.3f}"


def _rule(
    rule: NoRegression, verdict: Verdict, why: str, *, regression: Regression | None = None
) -> RuleVerdict:
    return RuleVerdict(
        kind="no regression",
        rule=f"{rule.measure} drops by at most {rule.tolerance:g}",
        verdict=verdict,
        why=why,
        measure=str(rule.measure),
        limit=rule.tolerance,
        value=None if regression is None else regression.difference,
        n=None if regression is None else regression.n,
        regression=regression,
    )
