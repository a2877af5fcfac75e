"""One grade from those of several people."""

from collections.abc import Sequence


def lower_median(grades: Sequence[int]) -> int:
    """The middle one; of two in the middle the lower, since doubt should not make a passage better.

    Raises ValueError where there is none.
    """
    if not grades:
        raise ValueError("no grade to take the middle of")
    return sorted(grades)[(len(grades) - 1) // 2]
