"""Templates of requests and ids, which can reach nothing but what they are given."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from jinja2 import StrictUndefined, Template, TemplateError
from jinja2.sandbox import SandboxedEnvironment

from rankle.core.errors import InputError, SystemFailureError


@cache
def _environment() -> SandboxedEnvironment:
    return SandboxedEnvironment(undefined=StrictUndefined, keep_trailing_newline=True)


def template(text: str) -> Template:
    """Raises InputError, with what is wrong, on what is no template."""
    try:
        return _environment().from_string(text)
    except TemplateError as error:
        raise InputError(f"a template cannot be read: {error}. It is: {text[:200]}") from error


def render(compiled: Template, values: Mapping[str, Any]) -> str:
    """Raises SystemFailureError where the template asks for what is not there."""
    try:
        return compiled.render(values)
    except TemplateError as error:
        raise SystemFailureError(
            f"a template asks for what is not there: {error}. There is: {', '.join(sorted(values))}"
        ) from error
