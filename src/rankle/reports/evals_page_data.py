"""What the script of the page of evals shows: cases with their trials, scores and steps, texts cut."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from rankle.core.evals import EvalsRun, EvalSummary
from rankle.core.trials import CaseReport, ErrorReport, ScoreReport, SpanReport, TrialReport
from rankle.reports.evals_as_run import input_text
from rankle.reports.evals_words import (
    PASS_MARK,
    error_words,
    eval_title,
    said_words,
    scorer_title,
    usage_words,
)
from rankle.reports.evals_worst import shown_of

LONGEST: Final = 4_000
"""Characters of a text, at most."""
_LEAST: Final = 200
_BUDGET: Final = 12_000_000
"""Characters of all texts together, about; browsers open pages of that size at once."""
_CASES: Final = 20_000
_CELL: Final = 120
_TEXTS: Final = 4
"""Texts of a trial that may be long: input, expectation, output, and the steps together."""


@dataclass(frozen=True, slots=True)
class PageData:
    """What the page holds, and what was left out of it."""

    evals: list[dict[str, Any]]
    cut_at: int
    """Characters of a text."""
    n_cut: int
    """Texts that were cut."""
    n_left_out: int
    """Cases that are not in the page, the last ones of the data."""


class _Cutter:
    """Makes texts of values, cut to a size, and counts those that were."""

    def __init__(self, longest: int) -> None:
        self.longest = longest
        self.n_cut = 0

    def text(self, value: Any) -> str:
        """Text as it is, anything else as indented JSON."""
        text = (
            value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=1, default=repr)
        )
        if len(text) <= self.longest:
            return text
        self.n_cut += 1
        return f"{text[: self.longest]}…\n[{len(text):,} characters; cut]"

    def maybe(self, value: Any) -> str | None:
        """None for nothing, of which no block is shown."""
        return None if value is None or value == {} else self.text(value)


def evals_page_data(run: EvalsRun) -> PageData:
    """Cases one after another; what is kept of each is cut, so that outputs may be of any size."""
    n_trials = sum(min(one.n_cases, _CASES) * one.trials for one in run.evals)
    cutter = _Cutter(max(_LEAST, min(LONGEST, _BUDGET // max(1, n_trials * _TEXTS))))
    evals, n_left_out = [], 0
    for one in run.evals:
        if one.error is None:
            made = _eval(one, run.read_cases(one.id), cutter)
            n_left_out += max(0, one.n_cases - len(made["cases"]))
            evals.append(made)
    return PageData(evals, cutter.longest, cutter.n_cut, n_left_out)


def _eval(one: EvalSummary, cases: Iterable[CaseReport], cutter: _Cutter) -> dict[str, Any]:
    scorers = [scorer.name for scorer in one.scorers]
    heads: list[str] = []
    found: list[dict[str, Any]] = []
    for case in cases:
        if len(found) >= _CASES:
            break
        trial = case.trials[0] if case.trials else None
        columns = trial.columns if trial is not None else {}
        heads += [head for head in columns if head not in heads]
        shown = shown_of(case, trial) if columns else {}
        found.append(_case(case, scorers, [_cell(shown.get(head)) for head in heads], cutter))
    mark = PASS_MARK if one.threshold is None else one.threshold / 100
    return {
        "key": one.key,
        "title": eval_title(one),
        "scorers": scorers,
        "titles": [scorer_title(name) for name in scorers],
        "columns": heads,
        "mark": mark,
        "cases": found,
    }


def _cell(value: Any) -> str:
    text = "" if value is None else input_text(value)
    return text if len(text) <= _CELL else f"{text[:_CELL]}…"


def _case(case: CaseReport, scorers: list[str], columns: list[str], cutter: _Cutter) -> dict[str, Any]:
    took = [trial.took_ms for trial in case.trials if trial.took_ms is not None]
    return {
        "id": case.id,
        "number": case.position + 1,
        "text": _cell(case.input) or "(empty)",
        "status": case.status,
        "score": case.score,
        "scores": [case.scores.get(name) for name in scorers],
        "flaky": case.flaky,
        "tags": case.tags,
        "took": sum(took) / len(took) if took else None,
        "columns": columns,
        "input": cutter.text(case.input),
        "expected": cutter.maybe(case.expected),
        "metadata": cutter.maybe(case.metadata),
        "trials": [_trial(trial, cutter) for trial in case.trials],
    }


def _trial(trial: TrialReport, cutter: _Cutter) -> dict[str, Any]:
    return {
        "number": trial.trial + 1,
        "status": trial.status,
        "took": trial.took_ms,
        "cached": trial.cached,
        "output": None if trial.output is None and trial.status != "done" else cutter.text(trial.output),
        "error": _error(trial.error),
        "traceback": None if trial.error is None else trial.error.traceback,
        "scores": [_score(score) for score in trial.scores],
        "usage": usage_words(trial.usage),
        "trace": [_span(span, cutter) for span in trial.trace],
        "steps_left_out": trial.n_steps_left_out or 0,
    }


def _score(score: ScoreReport) -> dict[str, Any]:
    said = said_words(score) + (f" ({score.reason})" if score.reason and score.value is not None else "")
    return {
        "name": scorer_title(score.name),
        "said": said,
        "error": _error(score.error),
        "metadata": _metadata(score.metadata),
    }


def _metadata(values: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {_cell(value)}" for name, value in values.items())


def _span(span: SpanReport, cutter: _Cutter) -> dict[str, Any]:
    return {
        "name": span.name,
        "parent": span.parent,
        "start": span.start_ms,
        "took": span.took_ms,
        "cached": span.cached,
        "error": _error(span.error),
        "input": cutter.maybe(span.input),
        "output": cutter.maybe(span.output),
        "metadata": cutter.maybe(span.metadata),
        "usage": usage_words(span.usage),
    }


def _error(error: ErrorReport | None) -> str | None:
    return None if error is None else error_words(error)
