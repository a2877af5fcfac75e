"""Runs of evals as the runner would report them, with every kind of thing that reports must show."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from rankle.core.evals import (
    BrokenFile,
    Change,
    EvalsRun,
    EvalsSummary,
    EvalSummary,
    FailedCase,
    Previous,
    ScorerSummary,
    TrialSpread,
)
from rankle.core.run import Latency
from rankle.core.trials import CaseReport, ErrorReport, ScoreReport, SpanReport, TrialReport, Usage
from rankle.stats.intervals import mean_interval

MARKUP: Final = "</script><b>bold</b> & \"quoted\" 'text'"
TIMED_OUT: Final = ErrorReport(
    type="TimeoutError",
    message="took longer than 30 s",
    traceback='File "evals/search_eval.py", line 14, in vector_search\n    hits = await kb.asearch(query)',
)
SCORES: Final = (
    {"R@5": 1.0, "exact": 1.0},
    {"R@5": 0.5, "exact": 0.0},
    {"R@5": 0.25, "exact": 0.0},
    {"R@5": 1.0, "exact": 1.0},
    {"R@5": 1 / 3, "exact": 0.0},
    {"R@5": 1.0, "exact": 0.0},
    {"R@5": 0.75, "exact": 1.0},
)
"""Of the cases that did not fail, scorer to score."""


def case_report(
    place: int,
    scores: Mapping[str, float],
    *,
    trials: int = 1,
    given: Any = None,
    output: Any = None,
    error: ErrorReport | None = None,
    expected: Any = "answer",
    columns: Mapping[str, Any] | None = None,
    cached: bool = False,
    trace: Sequence[SpanReport] = (),
    flaky: bool = False,
) -> CaseReport:
    """A case whose trials all score the same; with an error, one whose last trial crashed."""
    made = [
        TrialReport(
            trial=trial,
            status="done" if error is None or trial < trials - 1 else "timed out",
            output=(f"answer {place}" if output is None else output),
            error=error if trial == trials - 1 else None,
            took_ms=10.0 * (place + 1) + trial,
            cached=cached,
            scores=[ScoreReport(name=name, value=value) for name, value in scores.items()],
            trace=list(trace),
            columns=dict(columns or {}),
        )
        for trial in range(trials)
    ]
    return CaseReport(
        id=f"case-{place:012x}",
        position=place,
        input={"query": f"question {place}"} if given is None else given,
        expected=expected,
        metadata={"language": "de" if place % 2 else "en"},
        tags=["even"] if place % 2 == 0 else [],
        status="failed" if error is not None else "scored" if scores else "undefined",
        scores=dict(scores),
        score=sum(scores.values()) / len(scores) if scores else None,
        flaky=flaky,
        trials=made,
    )


def scorer_summary(
    name: str, cases: Sequence[CaseReport], *, change: Change | None = None, trials: int = 1
) -> ScorerSummary:
    values = np.array([case.scores[name] for case in cases if name in case.scores])
    interval = mean_interval(values)
    n_failed = sum(case.status == "failed" and name not in case.scores for case in cases)
    return ScorerSummary(
        name=name,
        description=f"about {name}",
        weight=1.0,
        mean=float(values.mean()) if values.size else None,
        low=interval.low,
        high=interval.high,
        n_scored=values.size,
        n_undefined=len(cases) - values.size - n_failed,
        n_failed=n_failed,
        labels={},
        trials=_spread(values.size * trials) if trials > 1 else None,
        change=change,
    )  # fmt: skip


def _spread(n_trials: int) -> TrialSpread:
    return TrialSpread(n_trials=n_trials, sd=0.125, share=0.25, pass_at_k=0.875, pass_all_k=0.5)


def eval_summary(name: str, cases: Sequence[CaseReport], **given: Any) -> EvalSummary:
    """An eval over these cases; anything of it can be given otherwise."""
    trials = given.get("trials", 1)
    names = list(dict.fromkeys(name for case in cases for name in case.scores))
    scorers = given.pop("scorers", [scorer_summary(one, cases, trials=trials) for one in names])
    means = [one.mean for one in scorers if one.mean is not None]
    failures = [
        FailedCase(id=case.id, position=case.position, trial=trial.trial, where="task", error=trial.error)
        for case in cases
        for trial in case.trials
        if trial.error is not None
    ]
    usual: dict[str, Any] = {
        "id": f"id-{name}",
        "name": name,
        "file": "evals/search_eval.py",
        "line": 12,
        "description": "",
        "tags": [],
        "variant": None,
        "data": "evals/queries.json",
        "data_fingerprint": "d" * 64,
        "task_fingerprint": "f" * 64,
        "n_in_data": len(cases),
        "n_skipped": 0,
        "n_cases": len(cases),
        "trials": 1,
        "is_full": True,
        "n_failed": sum(case.status == "failed" for case in cases),
        "n_cached": sum(trial.cached for case in cases for trial in case.trials),
        "n_flaky": sum(case.flaky for case in cases),
        "scorers": scorers,
        "run_scores": [],
        "score": sum(means) / len(means) if means else None,
        "threshold": None,
        "passed": None,
        "latency_ms": Latency(p50=12.5, p95=80.25),
        "took_s": 1.5,
        "usage": None,
        "previous": None,
        "failures": failures,
        "notices": [],
        "error": None,
    }
    return EvalSummary(**{**usual, **given})


def evals_run(
    *evals: tuple[EvalSummary, Sequence[CaseReport]],
    broken: Sequence[BrokenFile] = (),
    exit_code: Any = 0,
    verdict: str = "everything was measured",
) -> EvalsRun:
    cases = {one.id: tuple(made) for one, made in evals}

    def read_cases(eval_id: str) -> Iterable[CaseReport]:
        return iter(cases[eval_id])

    summary = EvalsSummary(
        id="0123456789abcdef",
        created="2026-11-30T09:00:00Z",
        rankle_version="0.1.0",
        git=None,
        seed=0,
        settings={"paths": ["evals"]},
        max_failures=0,
        broken_files=list(broken),
        interrupted=False,
        took_s=2.0,
        exit_code=exit_code,
        verdict=verdict,
    )
    return EvalsRun(summary, tuple(one for one, _ in evals), read_cases)


def plain_run() -> EvalsRun:
    """One eval, one trial a case, nothing amiss."""
    cases = [case_report(place, scores) for place, scores in enumerate(SCORES)]
    return evals_run((eval_summary("Vector search", cases), cases))


def rich_run() -> EvalsRun:
    """Two evals, an eval that could not be run, a file that could not be loaded."""
    trace = [
        SpanReport(name="search", parent=None, start_ms=0.5, took_ms=8.0, input=MARKUP, output=[1, 2]),
        SpanReport(
            name="bm25", parent=0, start_ms=1.0, took_ms=3.0, metadata={"k": 50}, cached=True,
            usage=Usage(input_tokens=12, output_tokens=3, cost_usd=0.001, n_calls=1, n_cached=1),
        ),
    ]  # fmt: skip
    first = [
        case_report(
            place, scores, trials=3, flaky=place == 1, cached=place == 2,
            columns={"Query": f"question {place}", "Top 3": ["a.md", MARKUP]}, trace=trace,
        )
        for place, scores in enumerate(SCORES)
    ]  # fmt: skip
    first.append(case_report(7, {}, trials=3, error=TIMED_OUT, given=MARKUP))
    second = [case_report(place, {"exact": scores["exact"]}) for place, scores in enumerate(SCORES)]
    change = Change(n=7, before=0.5, now=0.690, difference=0.19, low=0.05, high=0.33, p_value=0.0156)
    same = Change(n=7, before=3 / 7, now=3 / 7, difference=0.0, low=None, high=None, p_value=1.0)
    scorers = [
        scorer_summary("R@5", first, change=change, trials=3),
        scorer_summary("exact", first, change=same, trials=3),
    ]
    one = eval_summary(
        "Vector search", first, trials=3, scorers=scorers, threshold=70.0, passed=False,
        description="What people ask of the guides.",
        n_in_data=10, n_skipped=2, previous=Previous(id="fedcba9876543210", created="2026-11-29T08:30:00Z"),
        usage=Usage(input_tokens=1200, output_tokens=300, cost_usd=0.0125, n_calls=24, n_cached=3),
        run_scores=[ScoreReport(name="coverage", value=0.8)],
    )  # fmt: skip
    two = eval_summary("Answers", second, variant="short", threshold=40.0, passed=True)
    lost = eval_summary(
        "Lost", [], scorers=[], error=ErrorReport(type="InputError", message="no such file: lost.json")
    )
    error = ErrorReport(
        type="NameError",
        message="name 'kb' is not defined",
        traceback='File "evals/bad_eval.py", line 3',
    )
    broken = BrokenFile(file="evals/bad_eval.py", error=error)
    return evals_run(
        (one, first), (two, second), (lost, []), broken=[broken], exit_code=2,
        verdict="1 case failed (0 are allowed), 1 file was not loaded",
    )  # fmt: skip
