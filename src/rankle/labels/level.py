"""The level of an evaluation: what its labels point at, unless it is asked for."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from rankle.core.errors import InputError
from rankle.core.evalset import Label, Level

_DEFAULT: Final = Level.DOCUMENT
_PLURAL: Final = {Level.DOCUMENT: "documents", Level.CHUNK: "chunks", Level.SPAN: "passages"}


class Mentioned(NamedTuple):
    """A label and what its name turned out to be."""

    label: Label
    level: Level | None
    """None where nobody can say."""


class _Kind(NamedTuple):
    """The labels of one level."""

    n: int
    first: str
    """The name in the first of them."""


def choose_level(mentions: Sequence[Mentioned], *, asked: Level | None = None) -> Level:
    """All chunks: chunk; all documents: document; all passages: span; names that nothing fits have no say.

    Raises InputError where several kinds stand in a set and no level is asked for, where chunks or passages
    are asked for but documents are labelled, since nobody said which of their parts is relevant, and where
    chunks are asked for but passages are labelled without a chunk beside them.
    """
    kinds = _kinds(mentions)
    if asked in (Level.CHUNK, Level.SPAN) and Level.DOCUMENT in kinds:
        n, first = kinds[Level.DOCUMENT]
        raise InputError(
            f'labels name documents ({n}, such as "{first}"), which cannot be scored '
            f"at {asked} level; use --level document, or label {_PLURAL[asked]}"
        )
    if asked is Level.CHUNK:
        _check_chunks_beside(mentions)
    if asked is not None:
        return asked
    if len(kinds) > 1:
        raise InputError(_mixed(kinds))
    return next(iter(kinds), _DEFAULT)


def _kinds(mentions: Sequence[Mentioned]) -> dict[Level, _Kind]:
    names: dict[Level, list[str]] = {}
    for label, level in mentions:
        if level is not None:
            names.setdefault(level, []).append(label.name)
    return {level: _Kind(len(names[level]), names[level][0]) for level in _PLURAL if level in names}


def _check_chunks_beside(mentions: Sequence[Mentioned]) -> None:
    bare = [label for label, level in mentions if level is Level.SPAN and label.chunk is None]
    if bare:
        raise InputError(
            f'labels of passages have no chunk id beside them ({len(bare)}, such as "{bare[0].name}"), and '
            "cannot be scored at chunk level; use --level span"
        )


def _mixed(kinds: Mapping[Level, _Kind]) -> str:
    listed = [f'{_PLURAL[level]} ({kind.n}, such as "{kind.first}")' for level, kind in kinds.items()]
    before = "both " if len(listed) == 2 else ""
    advice = "--level document scores all by document"
    if Level.DOCUMENT not in kinds:
        advice = f"--level span scores all by passage, {advice}"
    return f"the set labels {before}{', '.join(listed[:-1])} and {listed[-1]}; {advice}"
