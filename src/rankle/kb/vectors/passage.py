"""What of a chunk is embedded."""

import hashlib
from collections.abc import Sequence
from typing import Final

PASSAGE_VERSION: Final = 1
"""Raised by every change of `embedded_text` that makes another text of the same chunk."""
_MARKUP: Final = 8
"""Characters around a heading that are not its words, such as `## ` and a line end."""


def embedded_text(title: str, breadcrumb: Sequence[str], text: str) -> str:
    """The chunk's text, below the title and the headings above it that it does not open with anyway.

    A chunk is cut out of its surroundings; what it is about often stands only in the headings above.
    """
    headings = [heading for heading in dict.fromkeys((title, *breadcrumb)) if heading]
    opening = text[: sum(len(heading) + _MARKUP for heading in headings)]
    return "\n".join([*(heading for heading in headings if heading not in opening), text])


def passage_hash(text: str) -> bytes:
    """SHA-256 of what is embedded: the key of its vector, 32 bytes."""
    return hashlib.sha256(text.encode()).digest()
