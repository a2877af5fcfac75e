"""The words `openai:MODEL@URL?options`, by which users name a model behind an embeddings endpoint."""

import re
import unicodedata
from dataclasses import dataclass
from typing import Final
from urllib.parse import parse_qsl, quote, urlsplit

from rankle.core.canonical import fingerprint
from rankle.core.errors import InputError, UnknownNameError
from rankle.core.redaction import without_users

SCHEME: Final = "openai:"
PUBLIC_API: Final = "https://api.openai.com/v1"
KEY_VARIABLE: Final = "OPENAI_API_KEY"
"""Where wiring reads the key; here only to be named in messages."""
OPTIONS: Final = ("query_prefix", "passage_prefix", "dimensions")
_SPACE_VERSION: Final = 1
"""Raised when the same text would get another vector from the same endpoint."""
_FORM: Final = (
    'Write openai:MODEL@URL, such as "openai:bge-m3@http://localhost:11434/v1", '
    "or openai:MODEL alone for the public API"
)
_URL_FOLLOWS: Final = re.compile(r"@(?=https?://)", re.IGNORECASE)
_HOST: Final = re.compile(r"[\w.:-]+")
_DEFAULT_PORTS: Final = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class OpenAIName:
    """A model behind an endpoint. `str()` of it is the canonical name, and parses to the same value."""

    model: str
    """As the server knows it; may hold `/`, `:` and `@`."""
    base_url: str = PUBLIC_API
    """What `/embeddings` is appended to; no trailing slash, no credentials, no query."""
    query_prefix: str = ""
    passage_prefix: str = ""
    dimensions: int | None = None
    """Asked of the server, for models that can shorten their vectors; None asks for nothing."""

    @property
    def is_public(self) -> bool:
        """Whether the public API is meant, which answers nobody without a key."""
        return self.base_url == PUBLIC_API

    def __str__(self) -> str:
        endpoint = "" if self.is_public and "@" not in self.model else f"@{self.base_url}"
        given = {
            "query_prefix": self.query_prefix,
            "passage_prefix": self.passage_prefix,
            "dimensions": str(self.dimensions or ""),
        }
        options = "&".join(f"{key}={quote(value, safe=':/')}" for key, value in given.items() if value)
        return f"{SCHEME}{self.model}{endpoint}{'?' if options else ''}{options}"


def parse_openai_name(name: str) -> OpenAIName:
    """Read `openai:MODEL[@URL][?options]`; the URL begins at the last `@http://` or `@https://`.

    A URL without a path gets `/v1`, and a trailing `/embeddings` is dropped: both are what people paste.
    Options are written as in a URL, with `%26` for `&` and `%20` or `+` for a space.
    Raises InputError where a part is malformed, and where the URL holds credentials, which are then not
    repeated in the message; UnknownNameError on an option that does not exist.
    """
    head, _, options = name.partition("?")
    if not head.startswith(SCHEME):
        raise _malformed(name, f'does not begin with "{SCHEME}"')
    if any(char.isspace() or unicodedata.category(char) in {"Cc", "Cs"} for char in head):
        raise _malformed(name, "holds white space or a control character")
    found = list(_URL_FOLLOWS.finditer(head))
    model = head[len(SCHEME) : found[-1].start() if found else None]
    base_url = _checked_url(head[found[-1].end() :], name=name) if found else PUBLIC_API
    if not model:
        raise _malformed(name, "names no model")
    if "://" in model:
        raise _malformed(name, "has a URL where the model belongs")
    if "@" in model and not found:
        # Without this, "bge-m3@localhost:8080" would be a model of the public API, and send texts there.
        raise _malformed(name, 'holds "@", but no URL follows that begins with http:// or https://')
    return _with_options(name, options, model=model, base_url=base_url)


def space_fingerprint(name: OpenAIName, *, dimensions: int) -> str:
    """What tells the space of one endpoint from another's: URL, model, prefixes and observed dimensions.

    http and https are the same server. A hash of an answer is left out: rounded however coarsely, some number
    of it lies at a rounding edge, and the server's noise would move it over.
    """
    place = name.base_url.partition("://")[2]
    prefixes = [name.query_prefix, name.passage_prefix]
    return fingerprint(["openai", _SPACE_VERSION, place, name.model, dimensions, *prefixes])


def _checked_url(url: str, *, name: str) -> str:
    if "@" in url:
        # A password may itself hold "/" or ":", so any "@" counts, not only where a parser expects it.
        raise InputError(
            f'"{_shown(name)}" holds credentials in its URL, which would be stored and shown. '
            f"Put the key into the environment variable {KEY_VARIABLE}. "
            'An "@" that is part of a path is written %40.'
        )
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError as error:
        raise _malformed(name, f"has a malformed URL ({error})") from error
    if not _is_host(host):
        raise _malformed(name, f"has a URL {'without a host' if not host else 'whose host is no name'}")
    if parts.fragment:
        raise _malformed(name, 'has a "#" in its URL')
    place = f"[{host}]" if ":" in host else host
    if port is not None and port != _DEFAULT_PORTS[parts.scheme]:
        place += f":{port}"
    path = parts.path.rstrip("/").removesuffix("/embeddings").rstrip("/")
    return f"{parts.scheme}://{place}{path or '/v1'}"


def _is_host(host: str) -> bool:
    try:
        host.encode("idna")  # what the resolver does, failing on an empty or overlong part
    except UnicodeError:
        return False
    return _HOST.fullmatch(host) is not None


def _with_options(name: str, options: str, *, model: str, base_url: str) -> OpenAIName:
    given: dict[str, str] = {}
    try:
        pairs = parse_qsl(options, keep_blank_values=True, strict_parsing=True, errors="strict")
        options.encode()
    except ValueError as error:
        raise _malformed(name, 'has options that are not of the form "name=value&name=value"') from error
    for key, value in pairs:
        if key not in OPTIONS:
            raise UnknownNameError(
                what=f'option in "{_shown(name)}"',
                name=key,
                known=OPTIONS,
                hint=f"(Options are {', '.join(OPTIONS)}.)",
            )
        if key in given:
            raise _malformed(name, f"gives {key} twice")
        given[key] = value
    return OpenAIName(
        model=model,
        base_url=base_url,
        query_prefix=given.get("query_prefix", ""),
        passage_prefix=given.get("passage_prefix", ""),
        dimensions=_checked_dimensions(given["dimensions"], name=name) if "dimensions" in given else None,
    )


def _checked_dimensions(text: str, *, name: str) -> int:
    if not re.fullmatch(r"[0-9]{1,5}", text) or int(text) == 0:
        raise _malformed(name, "has dimensions that are no whole number from 1 to 99999")
    return int(text)


def _malformed(name: str, fault: str) -> InputError:
    return InputError(f'"{_shown(name)}" {fault}. {_FORM}.')


def _shown(name: str) -> str:
    """The name without credentials and without the values of options, which may be secrets as well."""
    head, _, options = name.partition("?")
    head = "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in head)
    return without_users(head) + ("?…" if options else "")
