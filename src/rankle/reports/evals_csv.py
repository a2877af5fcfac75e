"""A run of evals as CSV: a row a case and trial, or a row a scorer; all digits kept, safe in spreadsheets."""

import csv
import io
from collections.abc import Iterator, Sequence
from typing import Final

from rankle.core.evals import EvalsRun, EvalSummary
from rankle.core.trials import CaseReport, ScoreReport, TrialReport
from rankle.reports.evals_as_run import plain_text
from rankle.reports.evals_words import error_words
from rankle.reports.run_csv import safe_cell

TRIAL_COLUMNS: Final = (
    "eval", "case", "position", "trial", "status", "case_status", "case_score", "flaky", "cached", "took_ms",
    "tags", "error", "input", "expected", "output", "input_tokens", "output_tokens", "cost_usd",
)  # fmt: skip
"""What stands before the scorers in the table of trials."""
SCORER_COLUMNS: Final = (
    "eval", "scorer", "weight", "mean", "low", "high", "n_scored", "n_undefined", "n_failed", "sd_of_trials",
    "share_of_noise", "pass_at_k", "pass_all_k", "change", "change_low", "change_high", "change_p",
    "eval_score", "threshold", "passed", "error", "description",
)  # fmt: skip
_BETWEEN: Final = "; "
_LONGEST: Final = 32_000
"""Characters of a cell; spreadsheets hold 32,767."""


def trials_csv(run: EvalsRun) -> Iterator[str]:
    """Line by line: a row for each trial of each case, with a column for each scorer that any eval has.

    A cell of a scorer is its value, its label, or empty. `case_score` is that of all trials of the case.
    Longer texts than a spreadsheet holds are cut, with an ellipsis. A scorer that is called like another
    column has `scorer` before its name.
    """
    scorers = list(dict.fromkeys(scorer.name for one in run.evals for scorer in one.scorers))
    yield _line([*TRIAL_COLUMNS, *(f"scorer {one}" if one in TRIAL_COLUMNS else one for one in scorers)])
    for one in run.evals:
        for case in run.read_cases(one.id) if one.error is None else ():
            about = [_text(case.input), _text(case.expected)]
            for trial in case.trials:
                said = {score.name: score for score in trial.scores}
                scores = [_said(said.get(name)) for name in scorers]
                yield _line([*_trial_cells(one, case, trial, about), *scores])


def scorers_csv(run: EvalsRun) -> Iterator[str]:
    """Line by line: a row for each scorer of each eval; one without a scorer for an eval that could not be
    run."""
    yield _line(SCORER_COLUMNS)
    for one in run.evals:
        end = [one.score, one.threshold, None if one.passed is None else _truth(one.passed)]
        if one.error is not None:
            yield _line([one.key, *[None] * (len(SCORER_COLUMNS) - 3), error_words(one.error), None])
        for scorer in one.scorers:
            spread, change = scorer.trials, scorer.change
            cells: list[object] = [one.key, scorer.name, scorer.weight, scorer.mean, scorer.low, scorer.high]
            cells += [scorer.n_scored, scorer.n_undefined, scorer.n_failed]
            cells += (
                [None] * 4
                if spread is None
                else [spread.sd, spread.share, spread.pass_at_k, spread.pass_all_k]
            )
            cells += (
                [None] * 4 if change is None else [change.difference, change.low, change.high, change.p_value]
            )
            yield _line([*cells, *end, None, scorer.description or None])


def _trial_cells(one: EvalSummary, case: CaseReport, trial: TrialReport, about: list[str]) -> list[object]:
    usage = trial.usage
    return [
        one.key,
        case.id,
        case.position,
        trial.trial,
        trial.status,
        case.status,
        case.score,
        _truth(case.flaky),
        _truth(trial.cached),
        trial.took_ms,
        _BETWEEN.join(case.tags),
        _error(trial),
        *about,
        _text(trial.output),
        *([None] * 3 if usage is None else [usage.input_tokens, usage.output_tokens, usage.cost_usd]),
    ]


def _error(trial: TrialReport) -> str | None:
    """What crashed, the task before its scorers."""
    if trial.error is not None:
        return error_words(trial.error)
    crashed = [f"{one.name}: {error_words(one.error)}" for one in trial.scores if one.error is not None]
    return _BETWEEN.join(crashed) or None


def _said(score: ScoreReport | None) -> object:
    return None if score is None else score.label if score.value is None else score.value


def _truth(value: bool) -> str:
    return "true" if value else "false"


def _text(value: object) -> str:
    text = "" if value is None else plain_text(value)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def _line(cells: Sequence[object]) -> str:
    file = io.StringIO()
    csv.writer(file, lineterminator="\n").writerow([safe_cell(cell) for cell in cells])
    return file.getvalue()
