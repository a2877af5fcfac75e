"""What a test of paired differences says, whichever test it is."""

import math
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


def count_above(level: float, total: int) -> int:
    """The smallest count whose share of total is more than 1 - level, by the comparison a caller makes."""
    alpha = round(1.0 - level, 12)  # 1 - 0.9 is a little under 0.1
    count = math.floor(alpha * total)
    while count / total <= alpha:
        count += 1
    return count
