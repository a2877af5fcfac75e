"""The error for what a file leaves open: the choices, and the flag for each."""

from collections.abc import Mapping

from rankle.core.errors import InputError


def ambiguous(path: object, what: str, choices: Mapping[str, str]) -> InputError:
    """An error to be raised. choices: flag to what it would mean."""
    listed = ", ".join(f"{flag} ({meaning})" for flag, meaning in choices.items())
    return InputError(f"{path}: {what}. Say which: {listed}")
