"""Keeps keys out of everything that is stored: which names are those of keys, and their values taken out."""

import re
from base64 import b64encode
from collections.abc import Iterable, Mapping
from typing import Final
from urllib.parse import quote, quote_plus

SECRET_NAME: Final = re.compile(r"(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)$", re.IGNORECASE)
"""How the name of a variable of the environment ends that holds a key."""
REDACTED: Final = "***"
SHORTEST_SECRET: Final = 8
"""Characters of a value below which it is more likely a word than a key."""
_USER: Final = re.compile(r"(?<=//)[^/@\s?#]*@")
_KINDS: Final = "key|token|secret|password|passwd|credentials?|signature|sig|auth"
_ARGUMENT: Final = re.compile(rf"(?P<name>[?&][^=&#\s]*(?:{_KINDS})=)(?!\*{{3}})[^&#\s]+", re.IGNORECASE)
_FLAG: Final = re.compile(
    rf"(?P<name>(?<!\S)--?[\w-]*(?:{_KINDS})(?:=|\s+)|\b(?=[A-Z])[A-Z0-9_]*(?:{_KINDS.upper()})="
    r"|(?i:\bauthorization:\s*(?:(?:bearer|basic|token|apikey)\s+)?|\bx-[\w-]*(?:key|token):\s*))"
    r"(?P<quote>['\"]?)(?!-|\*{3})(?P<value>[^\s'\"]+)(?P=quote)"
)
"""A key in the words of a command: `--api-key VALUE`, `-token=VALUE`, `API_KEY=VALUE`, `X-Api-Key: VALUE`."""
_HEADERS: Final = re.compile(rf"(?:{_KINDS}|authorization|authentication|cookie)$", re.IGNORECASE)


def redacted_uri(uri: str) -> str:
    """A URI without the user before its host and without the values of arguments that are named like keys,
    whether of a URL or of a command."""
    without_users = _USER.sub(f"{REDACTED}@", uri)
    return _FLAG.sub(rf"\g<name>{REDACTED}", _ARGUMENT.sub(rf"\g<name>{REDACTED}", without_users))


def is_secret_header(name: str) -> bool:
    """Whether a header of this name carries what nobody else may have."""
    return _HEADERS.search(name) is not None


def secrets_of_uri(uri: str) -> tuple[str, ...]:
    """What `redacted_uri` takes out, for texts that repeat it elsewhere; also as headers carry it."""
    users = [match.group().removesuffix("@") for match in _USER.finditer(uri)]
    passwords = [user.partition(":")[2] for user in users]
    basic = [b64encode(user.encode()).decode() for user in users]
    arguments = [match.group()[match.end("name") - match.start() :] for match in _ARGUMENT.finditer(uri)]
    flags = [match["value"] for match in _FLAG.finditer(uri) if len(match["value"]) >= SHORTEST_SECRET]
    return tuple(value for value in (*passwords, *basic, *arguments, *flags) if value)


def secrets_of_headers(headers: Mapping[str, str]) -> tuple[str, ...]:
    """The values of headers that carry keys, and their parts: `Bearer abc` is known by `abc` too."""
    values = [value for name, value in headers.items() if is_secret_header(name)]
    parts = [part for value in values for part in value.split() if len(part) >= SHORTEST_SECRET]
    return tuple(dict.fromkeys([*values, *parts]))


class Redactor:
    """Takes known keys out of texts, also where they are quoted as URIs quote."""

    def __init__(self, secrets: Iterable[str]) -> None:
        spelled = {
            form for secret in secrets if secret for form in (secret, quote(secret), quote_plus(secret))
        }
        spelled |= {quote(secret, safe="") for secret in spelled}
        self._secrets = sorted(spelled, key=lambda secret: (-len(secret), secret))

    def __call__(self, text: str) -> str:
        for secret in self._secrets:
            text = text.replace(secret, REDACTED)
        return redacted_uri(text)
