"""Which run it is."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Stamp:
    """What tells one run from another; given from outside, so that a run can be repeated to the letter."""

    id: str
    created: str
    """UTC, ISO 8601 with a trailing Z."""
