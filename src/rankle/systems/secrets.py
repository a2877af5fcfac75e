"""Keeps keys out of everything that is stored: which names are those of keys, and their values taken out."""

import html
import json
import re
from collections.abc import Iterable, Mapping
from typing import Final
from urllib.parse import quote, quote_plus

from rankle.core.redaction import CREDENTIAL_WORDS, REDACTED, SHORTEST_SECRET, redacted_uri

SECRET_NAME: Final = re.compile(r"(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)$", re.IGNORECASE)
"""How the name of a variable of the environment ends that holds a key."""
_CUT: Final = "…"
_TELLING: Final = 4
"""Characters of a key that are too many to be told."""
_HEADERS: Final = re.compile(rf"(?:{CREDENTIAL_WORDS}|authorization|authentication|cookie)$", re.IGNORECASE)


def is_secret_header(name: str) -> bool:
    """Whether a header of this name carries what nobody else may have."""
    return _HEADERS.search(name) is not None


def secrets_of_headers(headers: Mapping[str, str]) -> tuple[str, ...]:
    """The values of headers that carry keys, and their parts: `Bearer abc` is known by `abc` too."""
    values = [value for name, value in headers.items() if is_secret_header(name)]
    parts = [part for value in values for part in value.split() if len(part) >= SHORTEST_SECRET]
    return tuple(dict.fromkeys([*values, *parts]))


class Redactor:
    """Takes known keys out of texts, also where they are quoted as URIs, JSON, HTML and Python quote."""

    def __init__(self, secrets: Iterable[str]) -> None:
        bare = {form for secret in secrets for form in _forms(secret) if form.strip()}
        spelled = {form for secret in bare for form in _spellings(secret)}
        spelled |= {form for secret in spelled for form in _spellings(secret)}  # JSON is quoted in JSON
        self._secrets = sorted(spelled, key=lambda secret: (-len(secret), secret))
        self._no_words = [secret for secret in self._secrets if len(secret) >= SHORTEST_SECRET]

    def __call__(self, text: str) -> str:
        *cut, last = _without(self._secrets, text).split(_CUT)
        return redacted_uri(_CUT.join([*map(self._without_beginning, cut), last]))

    def _without_beginning(self, text: str) -> str:
        """Without the beginning of a key at the end of a text, which was cut off there."""
        for secret in self._secrets:
            for length in range(min(len(secret) - 1, len(text)), _TELLING - 1, -1):
                if text.endswith(secret[:length]):
                    return text[:-length] + REDACTED
        return text

    def of_result(self, text: str) -> str:
        """Without keys that are no words, and else as it is: texts of documents may have any word and URI."""
        return _without(self._no_words, text)


def _without(secrets: Iterable[str], text: str) -> str:
    for secret in secrets:
        text = text.replace(secret, REDACTED)
    return text


def _forms(secret: str) -> tuple[str, ...]:
    """A key, and what is left where its line breaks are gone or were changed."""
    lines = [line.strip() for line in secret.splitlines()]
    return (secret, secret.strip(), *(line for line in lines if len(line) >= SHORTEST_SECRET))


def _spellings(secret: str) -> tuple[str, ...]:
    """A key as it stands, and as those quote it who repeat what they were sent."""
    return (
        secret,
        quote(secret),
        quote(secret, safe=""),
        quote_plus(secret),
        json.dumps(secret)[1:-1],
        json.dumps(secret, ensure_ascii=False)[1:-1],
        html.escape(secret),
        repr(secret)[1:-1],
        repr(secret.encode())[2:-1],
    )
