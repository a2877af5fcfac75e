"""Whether a number is close enough to the one that is expected."""

from dataclasses import dataclass
from math import isfinite
from typing import Any

from rankle.core.errors import InputError
from rankle.harness.evals.score import Score, ScoreContext
from rankle.harness.evals.scorer import Scorer
from rankle.harness.scorers.making import NOTHING_EXPECTED, make_scorer, number_at_least, shown
from rankle.harness.scorers.selecting import Select, Selector


@dataclass(frozen=True, slots=True)
class _Numeric:
    tolerance: float
    relative: float
    output: Selector
    expected: Selector

    def __call__(self, context: ScoreContext) -> Score:
        given = self.expected(context.expected)
        if given is None:
            return Score(None, reason=self.expected.reason(context.expected, otherwise=NOTHING_EXPECTED))
        expected = _number(given, what="what is expected", option="expected")
        if expected is None or not isfinite(expected):
            raise InputError(f"what is expected must be a finite number, got {shown(given)}")
        number = _number(self.output.needed(context.output), what="the output", option="output")
        allowed = max(self.tolerance, self.relative * abs(expected))
        if number is None or not isfinite(number):
            return Score(False, {"difference": None, "allowed": allowed})
        difference = number - expected
        return Score(abs(difference) <= allowed, {"difference": difference, "allowed": allowed})


def numeric(
    *,
    tolerance: float = 0.0,
    relative: float = 0.0,
    output: Select = None,
    expected: Select = None,
    name: str | None = None,
    weight: float = 1.0,
) -> Scorer:
    """1 where the output is within the tolerance of the expected number, its edge included.

    tolerance: in the unit of the numbers. relative: as a share of the expected number; the larger of the two
        counts. Numbers may stand as text; a text that is no number is wrong, and anything else an error.
    Where nothing is expected it does not apply. Raises InputError on a tolerance below 0.
    """
    call = _Numeric(
        number_at_least(tolerance, 0, what="tolerance= of numeric"),
        number_at_least(relative, 0, what="relative= of numeric"),
        Selector(output, "output"),
        Selector(expected, "expected"),
    )
    within = [f"{tolerance:g}"] if tolerance else []
    within += [f"{100 * relative:g} %"] if relative else []
    return make_scorer(
        call,
        default_name="numeric",
        description="Whether the number is "
        + (f"within {' or '.join(within)} of " if within else "")
        + "the expected one",
        name=name,
        weight=weight,
    )


def _number(given: Any, *, what: str, option: str) -> float | None:
    """None for a text that is no number."""
    if isinstance(given, str):
        try:
            return float(given)
        except ValueError:
            return None
    if isinstance(given, bool) or not hasattr(given, "__float__"):
        raise InputError(f"{what} must be a number; select it with {option}=; got {shown(given)}")
    return float(given)
