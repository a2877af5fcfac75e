"""The figures of one eval: each scorer over all cases, with its interval, spread and change."""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from rankle.core.evals import Change, EvalSummary, Previous, ScorerSummary, TrialSpread
from rankle.core.run import Latency
from rankle.harness.evals.aggregation import CaseFigures, EvalFigures
from rankle.harness.evals.prepared import PreparedEval
from rankle.harness.evals.ran import Ran
from rankle.harness.evals.ran_notices import notices_of
from rankle.harness.evals.scorer import Scorer

ROUNDING: Final = 1e-9
"""How far below its threshold a figure still reaches it: 0.7 as a mean of floats may be a hair less."""
_FLIPS: Final = 10_000
_FEW_FLIPS: Final = 999
_REASONS: Final = 10
"""Reasons of a scorer that are told."""


def summarised(ran: Ran) -> EvalSummary:
    """The figures of one eval: trials are averaged in a case, cases in a scorer, scorers by weight."""
    from rankle.stats.latency import latency_percentiles

    prepared, figures = ran.prepared, ran.figures
    cases = figures.cases()
    scorers = _scorers(ran, cases)
    score = _together(scorers)
    threshold = prepared.options.threshold
    return EvalSummary(
        **_described(prepared),
        id=ran.id,
        n_cases=len(cases),
        is_complete=ran.is_complete,
        is_full=prepared.is_full and ran.is_complete,
        n_failed=sum(case.has_failed for case in cases.values()),
        n_cached=figures.n_cached,
        n_flaky=sum(case.is_flaky for case in cases.values()),
        scorers=scorers,
        run_scores=list(ran.run_scores),
        score=score,
        passed=None if threshold is None or score is None else score >= threshold / 100 - ROUNDING,
        latency_ms=latency_percentiles(figures.latencies_ms),
        took_s=max(ran.took_s, 0.0),
        usage=figures.usage,
        previous=Previous(id=ran.previous.id, created=ran.previous.created) if ran.previous else None,
        failures=figures.failures,
        notices=notices_of(ran, cases),
        error=None,
    )


def _together(scorers: Sequence[ScorerSummary]) -> float | None:
    """The single figure of an eval; None where no scorer that has a weight has a mean."""
    pairs = [(one.weight, one.mean) for one in scorers if one.mean is not None]
    total = sum(weight for weight, _ in pairs)
    return min(sum(weight * mean for weight, mean in pairs) / total, 1.0) if total else None


def not_run(prepared: PreparedEval) -> EvalSummary:
    """An eval that cannot be run, by its `error`."""
    return EvalSummary(
        **_described(prepared),
        id="",
        n_cases=0,
        is_full=False,
        n_failed=0,
        n_cached=0,
        n_flaky=0,
        scorers=[],
        run_scores=[],
        score=None,
        passed=None,
        latency_ms=Latency(p50=None, p95=None),
        took_s=0.0,
        usage=None,
        previous=None,
        failures=[],
        notices=list(prepared.notices),
        error=prepared.error,
    )


def _described(prepared: PreparedEval) -> dict[str, Any]:
    """All that is known before it runs."""
    suite = prepared.suite
    return {
        "name": suite.name,
        "file": prepared.key.partition("::")[0] if suite.place else None,
        "line": suite.place.line if suite.place else None,
        "description": suite.description,
        "tags": list(suite.tags),
        "variant": prepared.variant.name if prepared.variant else None,
        "data": prepared.data,
        "data_fingerprint": prepared.data_fingerprint,
        "task_fingerprint": prepared.task_fingerprint,
        "n_in_data": prepared.n_in_data,
        "n_skipped": prepared.n_skipped,
        "trials": prepared.options.trials,
        "threshold": prepared.options.threshold,
    }


def _scorers(ran: Ran, cases: Mapping[int, CaseFigures]) -> list[ScorerSummary]:
    names = {name: scorer for scorer in ran.figures.scorers for name in ran.figures.names_of(scorer)}
    weights = _weights(names, ran.figures, valued={name for case in cases.values() for name in case.scores})
    return [_scorer(name, scorer, weights[name], ran=ran, cases=cases) for name, scorer in names.items()]


def _weights(names: Iterable[str], figures: EvalFigures, *, valued: set[str]) -> dict[str, float]:
    """Scores of one scorer share its weight where they have values: a label beside them takes none of it."""
    owners = {figures.owner(name) for name in valued}
    weights = figures.weights(names)
    without = {name: 0.0 for name in weights if figures.owner(name) in owners}
    return weights | without | figures.weights(name for name in weights if name in valued)


def _scorer(
    name: str, scorer: Scorer, weight: float, *, ran: Ran, cases: Mapping[int, CaseFigures]
) -> ScorerSummary:
    import numpy as np

    from rankle.harness.summary import summarise_scores

    whole = {place: case for place, case in cases.items() if scorer.name not in case.crashed}
    values = np.array([case.scores.get(name, math.nan) for case in whole.values()], dtype=np.float64)
    found = summarise_scores(values, n_failed=len(cases) - len(whole))
    labels, reasons = ran.figures.labels.get(name), ran.figures.reasons.get(name)
    return ScorerSummary(
        name=name,
        description=scorer.description,
        weight=weight,
        mean=found.mean,
        low=found.low,
        high=found.high,
        n_scored=found.n_scored,
        n_undefined=found.n_undefined,
        n_failed=found.n_failed,
        labels=_most_frequent(labels) if labels else {},
        reasons=_most_frequent(reasons, n=_REASONS) if reasons else {},
        trials=_spread(name, list(whole.values()), ran=ran) if ran.prepared.options.trials > 1 else None,
        change=_change(name, cases, ran=ran),
    )


def _most_frequent(counts: Mapping[str, int], *, n: int | None = None) -> dict[str, int]:
    """The n most frequent, all for None, most frequent first and else by name."""
    return dict(sorted(counts.items(), key=lambda one: (-one[1], one[0]))[:n])


def _spread(name: str, cases: Sequence[CaseFigures], *, ran: Ran) -> TrialSpread:
    from rankle.stats.trials import split_variance

    rows = [[one.values[name] for one in case.trials if name in one.values] for case in cases]
    rows = [row for row in rows if row]
    if not rows:
        return TrialSpread(n_trials=0, sd=None, share=None, pass_at_k=None, pass_all_k=None)
    parts = split_variance(rows)
    mark = ran.figures.pass_mark - ROUNDING
    passes = [[value >= mark for value in row] for row in rows]
    return TrialSpread(
        n_trials=parts.n_trials,
        sd=None if parts.trial_variance is None else math.sqrt(parts.trial_variance),
        share=parts.trial_share,
        # The unbiased estimates of pass@k and pass^k from n trials are any and all of them where k is n.
        pass_at_k=sum(map(any, passes)) / len(passes),
        pass_all_k=sum(map(all, passes)) / len(passes),
    )


def _change(name: str, cases: Mapping[int, CaseFigures], *, ran: Ran) -> Change | None:
    """Over the cases that both runs scored, by their ids; None where there are none."""
    from rankle.stats.paired import paired_test

    before = ran.previous.scores.get(name, {}) if ran.previous else {}
    ids = {place: ran.prepared.cases[place].id for place in cases}
    both = [place for place, case in cases.items() if name in case.scores and ids[place] in before]
    if not both:
        return None
    was, now = [before[ids[place]] for place in both], [cases[place].scores[name] for place in both]
    # Where nothing changed, each flip says the same, and ten thousand of ten thousand cases take a second.
    test = paired_test(was, now, seed=ran.seed, n_flips=_FEW_FLIPS if was == now else _FLIPS)
    return Change(
        n=test.n,
        before=test.mean_a,
        now=test.mean_b,
        difference=test.difference,
        low=test.low,
        high=test.high,
        p_value=test.p_value if test.n > 1 else None,
    )
