"""What a test of paired differences says, whichever test it is."""

from dataclasses import dataclass
from typing import Literal

Alternative = Literal["two-sided", "greater", "less"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The p-value of one test, and the interval that inverts it."""

    p_value: float
    low: float | None
    high: float | None
    """The mean differences that the test does not reject; None on a side without a bound."""
    n_flips: int
    """Flips tried by a randomisation; 0 of every other test."""
    exact: bool
    """Whether p is counted, not approximated."""
