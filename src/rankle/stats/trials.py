"""What repeated trials of the same cases tell: how much cases differ, and how much trials of one do.

Trials of one case are no new cases. So the mean is taken within a case first and then over cases, and the
error of that mean is one of cases, however many trials there are.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rankle.core.errors import CannotMeasureError, InputError
from rankle.core.tables import Tabular

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class TrialVariance(Tabular):
    """The variance of scores, split into that between cases and that between trials of a case."""

    n_cases: int
    """Cases with at least one scored trial; the others are in no figure."""
    n_trials: int
    """Scored trials of all cases."""
    mean: float
    """Over cases, of the means within them."""
    case_variance: float | None
    """How much the true means of cases vary; 0 where cases seem to vary by their trials alone. None with
    fewer than two cases, or without a case of two trials."""
    trial_variance: float | None
    """How much trials vary about the mean of their case, pooled; None without a case of two trials."""
    standard_error: float | None
    """Of the mean; None with fewer than two cases."""
    trial_share: float | None
    """The share of the squared standard error that is due to trials, in [0, 1]: what more trials of the same
    cases could take away at best; the rest takes more cases. None where either part is, or nothing varies."""


def case_means(values: Sequence[Sequence[float]] | Floats) -> Floats:
    """The mean of the scored trials of every case.

    values: a row of scores per case, of any lengths, or an array of shape (n_cases, n_trials); NaN is a trial
        without score. Returns shape (n_cases,), NaN for a case without any.
    Raises InputError on scores that are infinite.
    """
    return np.array([row.mean() if row.size else math.nan for row in _scored(values)], dtype=np.float64)


def split_variance(values: Sequence[Sequence[float]] | Floats) -> TrialVariance:
    """Splits the variance of scores into a part of cases and a part of trials.

    values: as for `case_means`. The two parts are those of the one-way random-effects model; with the same
        number of trials everywhere they are the usual mean squares, else cases still count alike.
    Raises InputError on scores that are infinite, CannotMeasureError where no trial is scored.
    Source: Searle, Casella and McCulloch 1992, Variance Components, chapter 3.
    """
    rows = [row for row in _scored(values) if row.size]
    if not rows:
        raise CannotMeasureError("no trial has a score, so there is nothing to average")
    sizes = np.array([row.size for row in rows], dtype=np.float64)
    means = np.array([row.mean() for row in rows])
    trial = _pooled(rows, means)
    total = float(means.var(ddof=1)) if len(rows) > 1 else None
    of_trials = None if trial is None else float(np.mean(trial / sizes))
    case = share = None
    if total is not None and of_trials is not None:
        case = max(total - of_trials, 0.0)
        share = min(of_trials / total, 1.0) if total > 0.0 else None
    return TrialVariance(
        n_cases=len(rows),
        n_trials=int(sizes.sum()),
        mean=float(means.mean()),
        case_variance=case,
        trial_variance=trial,
        standard_error=None if total is None else math.sqrt(total / len(rows)),
        trial_share=share,
    )


def _pooled(rows: list[Floats], means: Floats) -> float | None:
    degrees = sum(row.size - 1 for row in rows)
    if not degrees:
        return None
    squares = sum(float(((row - mean) ** 2).sum()) for row, mean in zip(rows, means, strict=True))
    return squares / degrees


def _scored(values: Sequence[Sequence[float]] | Floats) -> list[Floats]:
    rows = []
    for case, trials in enumerate(values):
        row = np.asarray(trials, dtype=np.float64)
        if row.ndim != 1:
            raise InputError(f"values[{case}] must be a row of scores, got shape {row.shape}")
        if np.isinf(row).any():
            raise InputError(f"values[{case}, {int(np.argmax(np.isinf(row)))}] is infinite")
        rows.append(row[~np.isnan(row)])
    return rows
