"""Where a part of an answer stands: a JMESPath expression, or a template that makes text of several parts."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, is_dataclass
from functools import cache
from typing import Any, Final

from rankle.core.errors import InputError, SystemFailureError

_TEMPLATE: Final = "{{"
_DEEPEST: Final = 6
Expression = Callable[[object], Any]
"""What it gives for an answer or a result; None where there is nothing."""


@cache
def parse_expression(text: str) -> Expression:
    """Raises InputError, with what is wrong, on what is no expression and no template."""
    return _template(text) if _TEMPLATE in text else _path(text)


def _path(text: str) -> Expression:
    import jmespath

    try:
        compiled = jmespath.compile(text)
    except jmespath.exceptions.JMESPathError as error:
        said = str(error).splitlines()[0]
        raise InputError(
            f'"{text}" is no JMESPath expression: {said}. A member is found by its name: id'
        ) from error

    def find(value: object) -> Any:
        try:
            return compiled.search(as_plain(value))
        except jmespath.exceptions.JMESPathError as error:
            raise SystemFailureError(f'"{text}" does not fit the answer: {error}') from error

    return find


def _template(text: str) -> Expression:
    from rankle.systems.templates import render, template

    compiled = template(text)

    def make(value: object) -> Any:
        found = as_plain(value)
        return render(compiled, found if isinstance(found, Mapping) else {"it": found})

    return make


def as_plain(value: object, depth: int = 0) -> Any:
    """A value as JSON has it: objects become mappings of their attributes, so that paths lead into them."""
    if value is None or isinstance(value, str | int | float | bool) or depth > _DEEPEST:
        return value
    if isinstance(value, Mapping):
        return {str(name): as_plain(item, depth + 1) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [as_plain(item, depth + 1) for item in value]
    return _members(value, depth)


def _members(value: object, depth: int) -> Any:
    dump = getattr(value, "model_dump", None)
    if callable(dump):
        return as_plain(dump(), depth + 1)
    if is_dataclass(value) and not isinstance(value, type):
        return as_plain(asdict(value), depth + 1)
    if hasattr(value, "__dict__"):
        public = {name: item for name, item in vars(value).items() if not name.startswith("_")}
        return as_plain(public, depth + 1)
    return value
