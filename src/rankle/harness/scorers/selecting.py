"""Picks the part of an output, or of an expectation, that a scorer reads."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from types import CodeType
from typing import Any, TypeAlias

from rankle.core.errors import InputError

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
    """A `repr` without addresses: of a function its name and a hash of its code and what it closes over."""
    code = getattr(value, "__code__", None)
    if not isinstance(code, CodeType):
        return f"<{type(value).__qualname__}>" if " at 0x" in repr(value) else repr(value)
    bound = [getattr(value, "__defaults__", None), getattr(value, "__kwdefaults__", None)]
    cells = [_content(cell) for cell in getattr(value, "__closure__", None) or ()]
    text = "\n".join([_code_text(code), *map(stable_repr, [*bound, *cells])])
    name = getattr(value, "__qualname__", "function")
    return f"<{name} {hashlib.sha256(text.encode()).hexdigest()[:_DIGITS]}>"


def _content(cell: Any) -> object:
    try:
        return cell.cell_contents
    except ValueError:  # a name that is not bound yet
        return None


def _code_text(code: CodeType) -> str:
    """What a code does, without where it stands."""
    constants = [_code_text(one) if isinstance(one, CodeType) else _constant(one) for one in code.co_consts]
    return repr((code.co_code, code.co_names, code.co_varnames, code.co_freevars, constants))


def _constant(value: object) -> str:
    """Sets of constants have another order in every process."""
    return repr(sorted(map(repr, value))) if isinstance(value, frozenset) else repr(value)
