"""One result as a system gave it, and what becomes of several: duplicates, chunks of one document, hits."""

from collections.abc import Iterable
from dataclasses import dataclass

from rankle.core.evalset import Level
from rankle.core.search import Hit, Passage


@dataclass(frozen=True, slots=True)
class Found:
    """One result as the system gave it."""

    id: str
    document: str
    score: float | None
    text: str | None
    title: str
    place: tuple[int, int] | None
    same: object
    """What makes it a duplicate of another; None where nothing does."""


def hits_of(results: Iterable[Found], *, level: Level) -> tuple[Hit, ...]:
    """Hits with ranks from 1, best first as they stand. Where one has no score, all fall by rank."""
    kept = _grouped(_distinct(results), level=level)
    scored = all(group[0].score is not None for group in kept)
    return tuple(
        _hit(group, rank, score=None if scored else float(len(kept) - rank + 1), level=level)
        for rank, group in enumerate(kept, start=1)
    )


def _distinct(found: Iterable[Found]) -> list[Found]:
    seen: set[str] = set()
    kept = []
    for each in found:
        key = repr(each.same)  # what makes them equal may be a list or a mapping
        if each.same is not None and key in seen:
            continue
        seen.add(key)
        kept.append(each)
    return kept


def _grouped(found: Iterable[Found], *, level: Level) -> list[list[Found]]:
    """At document level, the chunks of one document together, where its best stands. A result that has no
    document beside its id stays by itself, so that one that occurs twice is counted as such."""
    groups: dict[object, list[Found]] = {}
    for place, each in enumerate(found):
        nested = level is Level.DOCUMENT and each.document != each.id
        groups.setdefault(each.document if nested else (place,), []).append(each)
    return list(groups.values())


def _hit(group: list[Found], rank: int, *, score: float | None, level: Level) -> Hit:
    best = group[0]
    by_document = level is Level.DOCUMENT
    own_chunk = by_document and best.document == best.id
    return Hit(
        id=best.document if by_document else best.id,
        document=best.document,
        score=(best.score or 0.0) if score is None else score,
        rank=rank,
        chunks=() if own_chunk else tuple(dict.fromkeys(each.id for each in group)),
        passage=None if best.text is None else _passage(best, best.text),
    )


def _passage(found: Found, text: str) -> Passage:
    start, end = found.place or (0, len(text))
    return Passage(
        chunk=found.id,
        title=found.title,
        breadcrumb=(),
        text=text,
        start=start,
        end=end,
        line_start=1,
        line_end=text.count("\n") + 1,
    )
