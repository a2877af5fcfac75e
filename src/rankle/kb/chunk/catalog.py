"""Chunkers by name."""

from collections.abc import Mapping
from typing import Final

from rankle.core.errors import InputError, UnknownNameError
from rankle.kb.chunk.document import DocumentChunker
from rankle.kb.chunk.fixed import FixedChunker
from rankle.kb.chunk.heading import HeadingChunker
from rankle.kb.chunk.sentence import SentenceChunker
from rankle.kb.chunk.span import Chunker

CHUNKERS: Final[Mapping[str, str]] = {
    "heading": "blocks and headings packed to about 300 tokens; heading:N for about N",
    "fixed:N": "N tokens each, no overlap",
    "sentence": "one sentence each",
    "document": "the whole document",
}
"""How a chunker is written, and what it does."""

DEFAULT_CHUNKER: Final = "heading"
_LEAST_TARGET: Final = 20
_MOST_TOKENS: Final = 1_000_000


def parse_chunker(spec: str) -> Chunker:
    """The chunker that `spec` names: `heading`, `heading:N`, `fixed:N`, `sentence` or `document`.

    Raises UnknownNameError for any other name, InputError for a number that is missing or not allowed.
    """
    name, colon, number = spec.strip().partition(":")
    name = name.lower()
    if name == "fixed":
        return FixedChunker(tokens=_tokens(spec, number, least=1))
    if name == "heading":
        return (
            HeadingChunker(target=_tokens(spec, number, least=_LEAST_TARGET)) if colon else HeadingChunker()
        )
    if name in ("sentence", "document"):
        if colon:
            raise InputError(f'chunker "{spec}": {name} takes no number; write {name}')
        return SentenceChunker() if name == "sentence" else DocumentChunker()
    known = [written.removesuffix(":N") for written in CHUNKERS]
    raise UnknownNameError(what="chunker", name=name, known=known, hint=f"Known are {', '.join(CHUNKERS)}")


def _tokens(spec: str, number: str, *, least: int) -> int:
    digits = number.strip()
    if not (digits.isascii() and digits.isdigit()) or not least <= int(digits[:9]) <= _MOST_TOKENS:
        raise InputError(
            f'chunker "{spec}": needs a number of tokens from {least} to {_MOST_TOKENS}, got "{number}";'
            f" write {spec.split(':')[0].strip()}:200"
        )
    return int(digits[:9])
