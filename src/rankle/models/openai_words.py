"""What a server said, made fit to be shown: short, on one line, and without the key."""

import html
import json
from typing import Final
from urllib.parse import quote

from rankle.core.redaction import REDACTED, without_users

SHOWN_CHARACTERS: Final = 500


class ServerWords:
    """Quotes what a server said. Holds the key in order to hide it, so its `repr` shows nothing."""

    def __init__(self, *, secret: str | None) -> None:
        spellings = {
            secret or "",
            quote(secret or "", safe=""),
            html.escape(secret or ""),
            json.dumps(secret or "")[1:-1],
        }
        self._spellings = sorted(spellings - {""}, key=lambda spelling: (-len(spelling), spelling))

    def said(self, body: bytes) -> str:
        """The message of an error answer, else the text as it is; quoted, or `nothing` where it is empty."""
        text = self.clean(_message(body))
        return f'"{text}"' if text else "nothing"

    def clean(self, text: str) -> str:
        """The first 500 characters on one line, with no key, credential or terminal control in them.

        The key is hidden before the text is cut, or half of it would stay at the end.
        """
        for spelling in self._spellings:
            text = text.replace(spelling, REDACTED)
        text = "".join(char if char.isprintable() else " " for char in without_users(text))
        text = " ".join(text.split())
        return text if len(text) <= SHOWN_CHARACTERS else text[:SHOWN_CHARACTERS] + "…"


def _message(body: bytes) -> str:
    """Servers differ in where they put it: `error.message`, `error`, `message`, `detail`, or plain text."""
    text = body.decode("utf-8", errors="replace")
    try:
        answer = json.loads(text)
    except (ValueError, RecursionError):
        return text
    for key in ("error", "message", "detail"):
        if isinstance(answer, dict) and answer.get(key):
            answer = answer[key]
    return answer if isinstance(answer, str) else text
