"""The level of an evaluation: what its labels point at, unless it is asked for."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from rankle.core.errors import InputError
from rankle.core.evalset import Label, Level

_DEFAULT: Final = Level.DOCUMENT


class Mentioned(NamedTuple):
    """A label and what its name turned out to be."""

    label: Label
    level: Level | None
    """None where nobody can say."""


def choose_level(mentions: Sequence[Mentioned], *, asked: Level | None = None) -> Level:
    """All chunks: chunk; all documents: document; names that nothing fits have no say.

    Raises InputError where both kinds stand in a set and no level is asked for, and where chunks are
    asked for but documents are labelled, since nobody said which of their chunks is relevant.
    """
    first = {level: label.name for label, level in reversed(mentions) if level is not None}
    n_chunks = sum(level is Level.CHUNK for _, level in mentions)
    n_documents = sum(level is Level.DOCUMENT for _, level in mentions)
    if asked is Level.CHUNK and n_documents:
        raise InputError(
            f'{n_documents} labels name documents, such as "{first[Level.DOCUMENT]}", which cannot be scored '
            "at chunk level; use --level document, or label chunks"
        )
    if asked is not None:
        return asked
    if n_chunks and n_documents:
        raise InputError(
            f'the set labels both documents ({n_documents}, such as "{first[Level.DOCUMENT]}") and chunks '
            f'({n_chunks}, such as "{first[Level.CHUNK]}"); --level document scores all by document'
        )
    return Level.CHUNK if n_chunks else _DEFAULT
