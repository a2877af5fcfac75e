"""What all built-in scorers have in common: a name, a weight, and a line that says what they are."""

import reprlib
from collections.abc import Callable
from typing import Any

from rankle.core.errors import InputError
from rankle.harness.evals.score import Score, ScoreContext
from rankle.harness.evals.scorer import Scorer

NOTHING_EXPECTED = "nothing is expected"
_SHOWN = reprlib.Repr()
_SHOWN.maxstring = _SHOWN.maxother = 60


def make_scorer(
    call: Callable[[ScoreContext], Score],
    *,
    default_name: str,
    description: str,
    name: str | None,
    weight: float,
) -> Scorer:
    """A scorer under the name that was asked for, or under its own."""
    return Scorer(default_name if name is None else name, call, description, weight)


def shown(value: Any) -> str:
    """A value in a message: short, however large it is, and with its type."""
    return f"{_SHOWN.repr(value)} ({type(value).__name__})"


def number_at_least(value: Any, least: float, *, what: str, above: bool = False) -> float:
    """A setting as it was given. Raises InputError where it is no finite number of at least so much.

    above: whether `least` itself is too little.
    """
    fits = isinstance(value, int | float) and not isinstance(value, bool) and value < float("inf")
    if not fits or not (value > least if above else value >= least):
        raise InputError(f"{what} must be a number {'>' if above else '>='} {least:g}, got {value!r}")
    return float(value)
