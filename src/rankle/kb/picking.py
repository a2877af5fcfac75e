"""From a ranked list of chunks to results: grouped by document, near-duplicates folded, few per document."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from rankle.core.evalset import Level
from rankle.kb.candidates import ChunkScore
from rankle.kb.duplicates import NearDuplicates, shingled
from rankle.kb.search_settings import SearchSettings

ReadTexts = Callable[[Sequence[int]], dict[int, str]]
"""The texts of chunks by row id."""


class Target(NamedTuple):
    """One result: a chunk, or a document with its chunks."""

    id: str
    rows: tuple[ChunkScore, ...]
    """Best first; the first gives rank and score."""
    folded: tuple[str, ...] = ()
    """Ids of the results that nearly repeat it, best first."""


def targets(rows: Iterable[ChunkScore], level: Level) -> list[Target]:
    """Chunks as they come, or documents in the order of their best chunk."""
    if level is Level.CHUNK:
        return [Target(row.name, (row,)) for row in rows]
    nested: dict[str, list[ChunkScore]] = {}
    for row in rows:
        nested.setdefault(row.document, []).append(row)
    return [Target(document, tuple(chunks)) for document, chunks in nested.items()]


def picked(
    ranked: Sequence[Target], *, level: Level, settings: SearchSettings, read_texts: ReadTexts
) -> list[Target]:
    """The results that the settings let through, in their order.

    Each is let through or not by those before it, so more behind them change nothing. What nearly repeats a
    better result is folded into that one; only then do chunks count against their document. A document keeps
    its best chunks.
    """
    if level is Level.DOCUMENT and settings.per_document is not None:
        ranked = [Target(each.id, each.rows[: settings.per_document]) for each in ranked]
    if not settings.cuts:
        return list(ranked)
    picking = _Picking(level, settings)
    texts = read_texts([each.rows[0].chunk for each in ranked]) if settings.collapse else {}
    for each in ranked:
        picking.offer(each, texts.get(each.rows[0].chunk))
    return [each._replace(folded=tuple(ids)) for each, ids in zip(picking.kept, picking.folded, strict=True)]


@dataclass(slots=True)
class _Picking:
    level: Level
    settings: SearchSettings
    kept: list[Target] = field(default_factory=list)
    folded: list[list[str]] = field(default_factory=list)
    _seen: NearDuplicates = field(default_factory=NearDuplicates)
    _per_document: Counter[str] = field(default_factory=Counter)

    def offer(self, target: Target, text: str | None) -> None:
        """text: of its best chunk; None where near-duplicates stay."""
        shape = None if text is None else shingled(text)
        same = None if shape is None else self._seen.find(shape)
        if same is not None:
            self.folded[same].append(target.id)
            return
        document = target.rows[0].document
        limit = self.settings.per_document if self.level is Level.CHUNK else None
        if limit is not None and self._per_document[document] >= limit:
            return
        if shape is not None:
            self._seen.remember(shape)
        self._per_document[document] += 1
        self.kept.append(target)
        self.folded.append([])
