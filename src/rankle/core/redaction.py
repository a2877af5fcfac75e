"""Takes credentials out of addresses and commands before anything of them is shown or stored."""

import re
from base64 import b64encode
from typing import Final

REDACTED: Final = "***"
"""Stands where a credential stood."""
SHORTEST_SECRET: Final = 8
"""Characters of a value below which it is more likely a word than a key."""
CREDENTIAL_WORDS: Final = "key|token|secret|password|passwd|credentials?|signature|sig|auth"
"""How the name of an argument, a flag or a header ends that carries a credential; a regular expression."""
# Greedy, since a password may hold an "@" itself.
_USER: Final = re.compile(r"(?<=//)[^/\s?#]*@")
_UP_TO_LAST_AT: Final = re.compile(r"(?<=://)\S*@")
_ARGUMENT: Final = re.compile(
    rf"(?P<name>[?&][^=&#\s]*(?:{CREDENTIAL_WORDS})=)(?!\*{{3}})[^&#\s]+", re.IGNORECASE
)
_FLAG: Final = re.compile(
    rf"(?P<name>(?<!\S)--?[\w-]*(?:{CREDENTIAL_WORDS})(?:=|\s+)|\b(?=[A-Z])[A-Z0-9_]*(?:{CREDENTIAL_WORDS.upper()})="
    r"|(?i:\bauthorization:\s*(?:(?:bearer|basic|token|apikey)\s+)?|\bx-[\w-]*(?:key|token):\s*))"
    r"(?P<quote>['\"]?)(?!-|\*{3})(?P<value>[^\s'\"]+)(?P=quote)"
)
"""A key in the words of a command: `--api-key VALUE`, `-token=VALUE`, `API_KEY=VALUE`, `X-Api-Key: VALUE`."""


def redacted_uri(uri: str) -> str:
    """A URI without the user before its host and without the values of arguments that are named like keys,
    whether of a URL or of a command. A text that holds URIs loses the same of each."""
    without_users = _USER.sub(f"{REDACTED}@", uri)
    return _FLAG.sub(rf"\g<name>{REDACTED}", _ARGUMENT.sub(rf"\g<name>{REDACTED}", without_users))


def without_users(text: str) -> str:
    """A text in which all between `://` and the last "@" before white space is hidden.

    It hides more than `redacted_uri`: for addresses that may be none, since somebody wrote a "/" or "?" of a
    password as it is, and for what servers say.
    """
    return _UP_TO_LAST_AT.sub(f"{REDACTED}@", text)


def bare_endpoint(url: str) -> str:
    """The address of a server as what tells it from another: with neither the user before its host nor
    anything from its `?` or `#` on, so that it is the same whoever asks."""
    return re.split(r"[?#]", _USER.sub("", url), maxsplit=1)[0]


def secrets_of_uri(uri: str) -> tuple[str, ...]:
    """What `redacted_uri` takes out, for texts that repeat it elsewhere; also as headers carry it."""
    users = [match.group().removesuffix("@") for match in _USER.finditer(uri)]
    passwords = [user.partition(":")[2] for user in users]
    basic = [b64encode(user.encode()).decode() for user in users]
    arguments = [match.group()[match.end("name") - match.start() :] for match in _ARGUMENT.finditer(uri)]
    flags = [match["value"] for match in _FLAG.finditer(uri) if len(match["value"]) >= SHORTEST_SECRET]
    return tuple(value for value in (*passwords, *basic, *arguments, *flags) if value)
