"""Picks the part of an output, or of an expectation, that a scorer reads."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeAlias

from rankle.core.errors import InputError
from rankle.harness.scorers.making import shown

Select: TypeAlias = Callable[[Any], Any] | str | None
"""A function of the value, a JMESPath expression, or None for the value as it is."""
_DIGITS = 12


@dataclass(frozen=True, slots=True, repr=False)
class Selector:
    """What a `Select` does. Its `repr` changes with what it does, and is the same in every process."""

    given: Select
    what: str
    """Name of the option, for messages."""

    def __post_init__(self) -> None:
        """Raises InputError on an expression that cannot be parsed, and on what is neither."""
        if isinstance(self.given, str):
            _expression(self.given, self.what)
        elif self.given is not None and not callable(self.given):
            raise InputError(
                f"{self.what}= is a function of the value or a JMESPath text, got {self.given!r}"
            )

    def __call__(self, value: Any) -> Any:
        """The selected part. A JMESPath that finds nothing gives None."""
        if self.given is None:
            return value
        return (
            _expression(self.given, self.what).search(value)
            if isinstance(self.given, str)
            else self.given(value)
        )

    def needed(self, value: Any) -> Any:
        """The same of a part that must be there. Raises InputError where a JMESPath finds nothing."""
        found = self(value)
        if found is None and isinstance(self.given, str):
            raise InputError(f'{self.what}="{self.given}" selects nothing from {shown(value)}')
        return found

    def reason(self, value: Any, *, otherwise: str) -> str:
        """Why there is no such part: this selects nothing, although there is something to select from."""
        if self.given is None or value is None:
            return otherwise
        given = f'"{self.given}"' if isinstance(self.given, str) else repr(self)
        return f"{self.what}={given} selects nothing"

    def __repr__(self) -> str:
        return stable_repr(self.given)


@cache
def _expression(text: str, what: str) -> Any:
    import jmespath  # only those who select by text wait for it
    from jmespath.exceptions import JMESPathError

    try:
        return jmespath.compile(text)
    except JMESPathError as error:
        reason = str(error).splitlines()[0]
        raise InputError(f'{what}= is no JMESPath expression: "{text}" ({reason})') from None


def stable_repr(value: object) -> str:
    """A `repr` without addresses: of what is called, its name and a hash of what it does."""
    if not callable(value):
        return repr(value)
    from pathlib import Path

    from rankle.core.canonical import fingerprint
    from rankle.harness.evals.code_reading import CodeReading  # asked for only where scorers are written out

    name = getattr(value, "__qualname__", type(value).__qualname__)
    reading = CodeReading(root=Path())  # which matters only to what it tells of unseen code
    return f"<{name} {fingerprint(reading.callable(value))[:_DIGITS]}>"
