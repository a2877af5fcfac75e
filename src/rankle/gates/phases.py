"""Phases of a product, and the floor that each presets."""

from typing import Final

from rankle.core.errors import UnknownNameError
from rankle.gates.shares import read_percentage

PHASES: Final = {"mvp": 0.7, "beta": 0.8, "ga": 0.9}
"""Phase to the floor of PHASE_MEASURE: how many of the queries find something in the first ten."""


def read_phase(text: str, *, what: str) -> float:
    """The floor of a phase, by its name, or by a percentage of the user's own such as `85`.

    what: how an error calls it. Raises UnknownNameError on another name, InputError on a percentage that is
    none, or is in (0, 1].
    """
    if text in PHASES:
        return PHASES[text]
    if any(char.isdigit() for char in text):
        return read_percentage(text, what=what)
    phases = ", ".join(f"{name} ({100 * floor:.0f} %)" for name, floor in PHASES.items())
    hint = f"There is: {phases}, or a percentage such as 85"
    raise UnknownNameError(what=f"{what}:", name=text, known=PHASES, hint=hint)
