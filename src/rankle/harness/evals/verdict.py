"""What a run of evals comes to: its exit code, and why in a sentence."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from rankle.core.evals import BrokenFile, EvalSummary

_MOST: Final = 3
"""Names of one kind in a sentence; reports list them all."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """0 fine, 1 a threshold is missed, 2 could not measure."""

    exit_code: Literal[0, 1, 2]
    sentence: str


def verdict(
    evals: Sequence[EvalSummary],
    *,
    broken_files: Sequence[BrokenFile] = (),
    max_failures: int = 0,
    interrupted: bool = False,
) -> Verdict:
    """Judge a run. What could not be measured outranks a missed threshold, and both are told.

    max_failures: cases that may crash over all evals together.
    """
    unmeasured = _unmeasured(evals, broken_files, max_failures=max_failures, interrupted=interrupted)
    missed = _few(
        [_missed(one) for one in evals if one.passed is False], what="evals score under their threshold"
    )
    if unmeasured:
        return Verdict(2, _sentence([*unmeasured, *missed]))
    if missed:
        return Verdict(1, _sentence(missed))
    return Verdict(0, _fine(evals))


def _unmeasured(
    evals: Sequence[EvalSummary],
    broken_files: Sequence[BrokenFile],
    *,
    max_failures: int,
    interrupted: bool,
) -> list[str]:
    """Everything that keeps the run from being measured."""
    found = []
    if interrupted:
        found.append("the run was stopped before its last case")
    found += _few([f"could not load {one.file}" for one in broken_files], what="files could not be loaded")
    # Several of one name cannot be run because of that.
    broken = list(dict.fromkeys(f'could not run "{_name(one)}"' for one in evals if one.error is not None))
    found += _few(broken, what="evals could not be run")
    if not found and _has_nothing(evals):
        found.append("no case was found to run")
    n_failed = sum(one.n_failed for one in evals)
    if n_failed > max_failures:
        found.append(f"{_cases(n_failed)} failed, where {max_failures or 'none'} may")
    else:
        failed = [f'every case of "{_name(one)}" failed' for one in evals if 0 < one.n_cases == one.n_failed]
        found += _few(failed, what="evals failed on every case")
    unscored = [
        f'"{_name(one)}" has a threshold, and no score'
        for one in evals
        if one.threshold is not None
        and one.score is None
        and one.error is None
        and one.n_cases > one.n_failed
    ]
    found += _few(unscored, what="evals have a threshold, and no score")
    crashed = [
        f'scorer "{said.name}" of the whole run failed in "{_name(one)}"'
        for one in evals
        for said in one.run_scores
        if said.error is not None
    ]
    return found + _few(crashed, what="scorers of whole runs failed")


def _has_nothing(evals: Sequence[EvalSummary]) -> bool:
    """Whether nothing ran; data that may be empty, and is, is fine."""
    return not any(one.n_cases for one in evals) and (not evals or any(one.n_in_data for one in evals))


def _missed(one: EvalSummary) -> str:
    assert one.score is not None
    assert one.threshold is not None
    scores = _percent(one.score * 100, below=one.threshold)
    return f'"{_name(one)}" scores {scores} %, under its threshold of {one.threshold:g} %'


def _percent(value: float, *, below: float) -> str:
    """One decimal, rounded as the table is; cut where that would reach the threshold: 69.97 is under 70, and
    must not look as if it were not."""
    rounded = round(value, 1)
    return f"{rounded if rounded < below else int(value * 10 + 1e-6) / 10:.1f}"


def _fine(evals: Sequence[EvalSummary]) -> str:
    n_cases, n_failed = sum(one.n_cases for one in evals), sum(one.n_failed for one in evals)
    n_thresholds = sum(one.threshold is not None for one in evals)
    ran = f"{_cases(n_cases)} of {_evals(len(evals))} ran"
    failed = f"{n_failed} failed, as is allowed" if n_failed else "none failed"
    reached = {0: "no threshold was set"}.get(n_thresholds, f"{_evals(n_thresholds)} reached the threshold")
    return _sentence([ran, failed, reached])


def _few(parts: Sequence[str], *, what: str) -> list[str]:
    """The first of them, and how many more there are."""
    if len(parts) <= _MOST:
        return list(parts)
    return [*parts[:_MOST], f"{len(parts) - _MOST} more {what}"]


def _sentence(parts: Sequence[str]) -> str:
    text = "; ".join(parts)
    return f"{text[0].upper()}{text[1:]}."


def _name(one: EvalSummary) -> str:
    return f"{one.name} [{one.variant}]" if one.variant else one.name


def _cases(n: int) -> str:
    return "1 case" if n == 1 else f"{n:,} cases"


def _evals(n: int) -> str:
    return "1 eval" if n == 1 else f"{n} evals"
