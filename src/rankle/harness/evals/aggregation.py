"""Brings trials together into figures of cases. Only figures stay in memory: outputs may be of any size."""

import bisect
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import mul
from typing import Final

from rankle.core.evals import FailedCase
from rankle.core.trials import CaseStatus, ScoreReport, TrialReport, Usage
from rankle.harness.evals.case import Case
from rankle.harness.evals.keeping import Place
from rankle.harness.evals.scorer import Scorer
from rankle.harness.evals.scoring import scorer_of
from rankle.harness.evals.usage import added_usage

MOST_FAILURES: Final = 100
_REASONS: Final = 1_000
"""Different reasons of a score that are counted; a reason may name its case, and then there are as many."""
_LONGEST: Final = 200


@dataclass(frozen=True, slots=True)
class TrialFigures:
    """What counts of one trial."""

    trial: int
    is_done: bool
    """Whether the task gave an output."""
    values: Mapping[str, float]
    """Name of a score to its value."""
    crashed: tuple[str, ...]
    """The scorers that crashed."""

    @property
    def has_failed(self) -> bool:
        return not self.is_done or bool(self.crashed)


@dataclass(frozen=True, slots=True)
class CaseFigures:
    """What the trials of one case come to."""

    trials: tuple[TrialFigures, ...]
    """By their numbers."""
    status: CaseStatus
    scores: Mapping[str, float]
    """Name of a score to the mean over the trials that have it. It is left out where its scorer, or the task,
    crashed on any trial of the case: the trials that survived would look better than the case is."""
    score: float | None
    is_flaky: bool
    has_failed: bool
    """Whether the task or a scorer crashed on any trial."""
    crashed: frozenset[str]
    """The scorers that crashed; all of them where the task did."""


@dataclass(slots=True)
class EvalFigures:
    """What counts of all trials of one eval, in whichever order they end."""

    scorers: Sequence[Scorer]
    pass_mark: float
    n_trials: int = 0
    n_cached: int = 0
    n_cut_traces: int = 0
    """Trials with steps that their traces do not hold."""
    n_steps_left_out: int = 0
    """These steps, of all trials."""
    latencies_ms: list[float] = field(default_factory=list)
    """Of the trials whose task gave an output, and in which the cache answered nothing."""
    usage: Usage | None = None
    labels: dict[str, Counter[str]] = field(default_factory=dict)
    reasons: dict[str, Counter[str]] = field(default_factory=dict)
    """Name of a score to why it does not apply."""
    _cases: dict[int, list[TrialFigures]] = field(default_factory=dict)
    _made: dict[int, CaseFigures] = field(default_factory=dict)
    """What the trials of a case came to so far: the summary and each reading of the cases ask for it."""
    _names: dict[str, tuple[Place, int]] = field(default_factory=dict)
    """Name of a score to the first place where it stands."""
    _owners: dict[str, str] = field(default_factory=dict)
    _weights: dict[tuple[str, ...], tuple[float, ...]] = field(default_factory=dict)
    """Names of scores to their weights: few combinations occur, each very often."""
    _failures: list[tuple[tuple[int, int], FailedCase]] = field(default_factory=list)
    """The place of each case and of the scorer in it, with what failed there."""

    def add(self, place: Place, report: TrialReport, *, case: Case) -> TrialFigures:
        """Count one trial; each once."""
        found = TrialFigures(
            report.trial,
            report.status == "done",
            {score.name: score.value for score in report.scores if score.value is not None},
            tuple(self.owner(score.name) for score in report.scores if score.error is not None),
        )
        self._cases.setdefault(place[0], []).append(found)
        self._made.pop(place[0], None)
        self.n_trials += 1
        self.n_cached += report.cached
        self.n_cut_traces += bool(report.n_steps_left_out)
        self.n_steps_left_out += report.n_steps_left_out or 0
        if found.has_failed:
            self._add_failure(place, report, case)
        if found.is_done and report.took_ms is not None and not _has_cached(report):
            self.latencies_ms.append(report.took_ms)
        self.usage = added_usage(self.usage, report.usage)
        self._add_names(place, report.scores)
        return found

    def owner(self, score: str) -> str:
        """The scorer that a score is of."""
        if score not in self._owners:
            self._owners[score] = scorer_of(score, [one.name for one in self.scorers]) or score
        return self._owners[score]

    def names_of(self, scorer: Scorer) -> tuple[str, ...]:
        """The scores that a scorer gave, in the order in which they stand first; its own name where it gave
        none."""
        own = [name for name in self._names if self.owner(name) == scorer.name]
        return tuple(sorted(own, key=self._names.__getitem__)) or (scorer.name,)

    def cases(self) -> dict[int, CaseFigures]:
        """Place of a case among those that were run to its figures; only cases with a trial."""
        return {place: self.case(place) for place in sorted(self._cases)}

    def case(self, place: int) -> CaseFigures:
        """The figures of a case with a trial."""
        if place not in self._made:
            self._made[place] = self._case(place)
        return self._made[place]

    def _case(self, place: int) -> CaseFigures:
        trials = tuple(sorted(self._cases[place], key=lambda one: one.trial))
        all_done = all(one.is_done for one in trials)
        crashed = frozenset(
            {name for one in trials for name in one.crashed}
            if all_done
            else {one.name for one in self.scorers}
        )
        scores = {} if not all_done else self._means(trials, crashed)
        return CaseFigures(
            trials=trials,
            status="failed" if not all_done else "scored" if scores else "undefined",
            scores=scores,
            score=self.together(scores),
            is_flaky=len(trials) > 1 and len({self._passes(one) for one in trials} - {None}) > 1,
            has_failed=any(one.has_failed for one in trials),
            crashed=crashed,
        )

    def together(self, values: Mapping[str, float]) -> float | None:
        """One figure of scores: each scorer by its weight, which several scores of it share; None of none."""
        if not values:
            return None
        names = tuple(values)
        if names not in self._weights:
            self._weights[names] = tuple(self.weights(names).values())
        weights = self._weights[names]
        total = sum(weights)
        # Rounding alone could take the mean of ones above 1.
        return min(sum(map(mul, weights, values.values())) / total, 1.0) if total else None

    def weights(self, names: Iterable[str]) -> dict[str, float]:
        """Name of a score to its weight, where these are all scores that there are."""
        owners = {name: self.owner(name) for name in names}
        shares = Counter(owners.values())
        weights = {one.name: one.weight for one in self.scorers}
        return {name: weights.get(owner, 0.0) / shares[owner] for name, owner in owners.items()}

    @property
    def failures(self) -> list[FailedCase]:
        """The first failure of each case in its task, and in each of its scorers, in the order of the data;
        at most 100."""
        return [failure for _, failure in self._failures]

    def _means(self, trials: Sequence[TrialFigures], crashed: frozenset[str]) -> dict[str, float]:
        if len(trials) == 1:  # of which nothing is averaged: there are many, and this is done for each
            return {
                name: value for name, value in trials[0].values.items() if self.owner(name) not in crashed
            }
        means = {}
        for name in dict.fromkeys(name for one in trials for name in one.values):
            if self.owner(name) not in crashed:
                found = [one.values[name] for one in trials if name in one.values]
                means[name] = sum(found) / len(found)
        return means

    def _passes(self, one: TrialFigures) -> bool | None:
        """None for a trial that has no score by which it could."""
        if not one.is_done:
            return False
        score = self.together(one.values)
        return None if score is None else score >= self.pass_mark - 1e-9

    def _add_names(self, place: Place, scores: Sequence[ScoreReport]) -> None:
        for order, score in enumerate(scores):
            if score.error is not None:
                continue
            first = (place, order)
            if first < self._names.get(score.name, (place, order + 1)):
                self._names[score.name] = first
            if score.label is not None:
                self.labels.setdefault(score.name, Counter())[score.label] += 1
            elif score.value is None and score.reason is not None:
                self._add_reason(score.name, score.reason)

    def _add_reason(self, name: str, reason: str) -> None:
        counts = self.reasons.setdefault(name, Counter())
        cut = reason[:_LONGEST]
        if cut in counts or len(counts) < _REASONS:
            counts[cut] += 1

    def _add_failure(self, place: Place, report: TrialReport, case: Case) -> None:
        """A task stands before its scorers, and these in their order, whichever trial each is of."""
        if report.error is not None:
            failed = {"task": (0, report.error)}
        else:
            orders = {one.name: order for order, one in enumerate(self.scorers, start=1)}
            failed = {
                one.name: (orders.get(self.owner(one.name), len(orders) + 1), one.error)
                for one in report.scores
                if one.error is not None
            }
        for where, (order, error) in failed.items():
            found = FailedCase(
                id=case.id, position=case.position, trial=report.trial, where=where, error=error
            )
            self._keep_failure((place[0], order), found)

    def _keep_failure(self, key: tuple[int, int], failure: FailedCase) -> None:
        at = bisect.bisect_left(self._failures, key, key=lambda one: one[0])
        known = at < len(self._failures) and self._failures[at][0] == key
        if known and self._failures[at][1].trial <= failure.trial:
            return
        self._failures[at : at + known] = [(key, failure)]
        del self._failures[MOST_FAILURES:]


def _has_cached(report: TrialReport) -> bool:
    """Whether its time is not one of now. What a judge was answered from the cache is none of the task's;
    of a trial of before, whose trace may be gone, it cannot be told apart."""
    if report.trace:
        return report.cached or any(span.cached for span in report.trace)
    return report.cached or (report.usage is not None and report.usage.n_cached > 0)
