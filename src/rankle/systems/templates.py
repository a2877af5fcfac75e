"""Templates of requests and ids, which can reach nothing but what they are given."""

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final
from urllib.parse import quote

from jinja2 import StrictUndefined, Template, TemplateError, Undefined
from jinja2.sandbox import SandboxedEnvironment

from rankle.core.errors import InputError, SystemFailureError

_ALONE: Final = re.compile(r"\s*\{\{((?:(?!\{\{|\}\}).)*)\}\}\s*", re.DOTALL)
Filled = Callable[[Mapping[str, Any]], Any]
"""What a template makes of values. Raises SystemFailureError where it asks for what is not there."""


class _Quoted(str):
    """Text that is quoted for a URL already."""

    __slots__ = ()


@cache
def _environment() -> SandboxedEnvironment:
    return SandboxedEnvironment(undefined=StrictUndefined, keep_trailing_newline=True)


@cache
def _url_environment() -> SandboxedEnvironment:
    made = SandboxedEnvironment(undefined=StrictUndefined, finalize=_quoted)
    made.filters["urlencode"] = _quoted  # which writes what is quoted anyway, and must not be quoted twice
    return made


def _quoted(value: object) -> object:
    return value if isinstance(value, _Quoted | Undefined) else _Quoted(quote(str(value), safe=""))


def template(text: str) -> Template:
    """Raises InputError, with what is wrong, on what is no template."""
    return _compiled(text, _environment())


def render(compiled: Template, values: Mapping[str, Any]) -> str:
    """Raises SystemFailureError where the template asks for what is not there."""
    try:
        return compiled.render(values)
    except TemplateError as error:
        raise _missing(error, values) from error


def url_template(text: str) -> Filled:
    """A template whose values are quoted as a URL needs them."""
    compiled = _compiled(text, _url_environment())
    return lambda values: render(compiled, values)


def value_template(value: Any) -> Filled:
    """A template of a value of JSON: texts within it are templates. One that is a single `{{ … }}` gives what
    that is, a number or a list; all others give text."""
    if isinstance(value, Mapping):
        members = {name: value_template(item) for name, item in value.items()}
        return lambda values: {name: fill(values) for name, fill in members.items()}
    if isinstance(value, list):
        items = [value_template(item) for item in value]
        return lambda values: [fill(values) for fill in items]
    if not isinstance(value, str):
        return lambda _values: value
    alone = _ALONE.fullmatch(value)
    return _text(value) if alone is None else _expression(alone[1])


def _text(text: str) -> Filled:
    compiled = template(text)
    return lambda values: render(compiled, values)


def _expression(text: str) -> Filled:
    try:
        compiled = _environment().compile_expression(text, undefined_to_none=False)
    except TemplateError as error:
        raise InputError(f"a template cannot be read: {error}. It is: {text[:200]}") from error

    def fill(values: Mapping[str, Any]) -> Any:
        try:
            found = compiled(**values)
            if isinstance(found, Undefined):
                str(found)  # says what is missing
        except TemplateError as error:
            raise _missing(error, values) from error
        return found

    return fill


def _compiled(text: str, environment: SandboxedEnvironment) -> Template:
    try:
        return environment.from_string(text)
    except TemplateError as error:
        raise InputError(f"a template cannot be read: {error}. It is: {text[:200]}") from error


def _missing(error: TemplateError, values: Mapping[str, Any]) -> SystemFailureError:
    return SystemFailureError(
        f"a template asks for what is not there: {error}. There is: {', '.join(sorted(values))}"
    )
