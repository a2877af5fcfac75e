"""What a system is called on the command line: a URI, or the name of a table of the project file."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import parse_qsl

from rankle.core.errors import InputError, UnknownNameError
from rankle.core.product import NAME
from rankle.core.redaction import redacted_uri

WITH_OPTIONS: Final = ("kb", "python", "run")
"""Schemes whose URIs may end in `?option=value`; of the others, all belongs to the system."""
EXAMPLES: Final = (
    "kb:handbook?method=hybrid, python:my_search:find, run:results.trec, https://host/search, "
    "or command:./search.sh"
)
_SCHEME: Final = re.compile(r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*):(?P<rest>.*)", re.DOTALL)
_PORT: Final = re.compile(r"\d+(?:/|$)")
_OPTIONS: Final = re.compile(r"\?(?P<options>[A-Za-z_]+=[^?]*)$")


@dataclass(frozen=True, slots=True)
class SystemUri:
    """A URI, taken apart."""

    scheme: str
    """Lower case."""
    rest: str
    """What follows the colon, without the options; of http and https, the whole URL."""
    options: Mapping[str, str] = field(default_factory=dict)
    shown: str = ""
    """The URI as it may be stored: without credentials."""


def is_uri(text: str) -> bool:
    """Whether a text is a URI, and not the name of a table."""
    return _SCHEME.fullmatch(text.strip()) is not None


def parse_uri(text: str) -> SystemUri:
    """Take a URI apart. Raises InputError where it is none, or names a host without saying how to ask it."""
    text = text.strip()
    found = _SCHEME.fullmatch(text)
    if found is None or not found["rest"].strip():
        raise InputError(f'a system is named by a URI such as {EXAMPLES}; got "{redacted_uri(text)}"')
    scheme, rest = found["scheme"].lower(), found["rest"]
    if _PORT.match(rest):
        raise InputError(
            f'"{redacted_uri(text)}" does not say how to ask it; write http://{redacted_uri(text)}'
        )
    if scheme in ("http", "https"):
        return SystemUri(scheme, f"{scheme}:{rest}", {}, redacted_uri(text))
    options = _OPTIONS.search(rest) if scheme in WITH_OPTIONS else None
    if options is None:
        return SystemUri(scheme, rest, {}, redacted_uri(text))
    given = dict(parse_qsl(options["options"], keep_blank_values=True))
    return SystemUri(scheme, rest[: options.start()], given, redacted_uri(text))


def unknown_system(name: str, tables: Iterable[str]) -> InputError:
    """The error for a name that no table of the project file has."""
    known = tuple(tables)
    if not name.strip():
        return InputError(f"a system is named by a URI, such as {EXAMPLES}; got nothing")
    where = f"[systems.{name}] of {NAME}.toml"
    if re.search(r"[./\\]", name):
        hint = f"A recorded run is run:{name}, a Python function python:module:function"
    elif known:
        hint = f"There is: {', '.join(sorted(known))}. Or write a URI, such as {EXAMPLES}"
    else:
        hint = f"No {where} is there; write a URI, such as {EXAMPLES}"
    return UnknownNameError(what="system", name=name, known=known, hint=hint)
