"""One list out of two: fuses what full text and vectors found, chunk by chunk."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from operator import attrgetter
from typing import Final, Literal, get_args

from rankle.core.errors import InputError, UnknownNameError
from rankle.kb.candidates import ChunkScore, tuples

FusionKind = Literal["convex", "rrf"]
KINDS: Final[tuple[FusionKind, ...]] = get_args(FusionKind)
DEFAULT_CANDIDATES: Final = 100
DEFAULT_RRF_K: Final = 60.0
_DEFAULT_WEIGHT: Final = {"convex": 0.4, "rrf": 0.5}


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


@dataclass(frozen=True, slots=True)
class Fusion:
    """How two lists become one. Raises InputError or UnknownNameError for what is not allowed."""

    kind: FusionKind = "convex"
    """`convex` adds the scores, each list's scaled to 0 to 1; `rrf` adds the reciprocals of the ranks."""
    vector_weight: float | None = None
    """Share of vectors in the fused score, in 0 to 1; full text has the rest. None is the kind's default:
    0.4 for `convex`, 0.5 (both alike) for `rrf`."""
    candidates: int = DEFAULT_CANDIDATES
    """How many chunks of each list are fused, >= 1."""
    rrf_k: float = DEFAULT_RRF_K
    """Added to every rank by `rrf`, >= 0; larger values make the first ranks count less."""

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise UnknownNameError(
                what="fusion", name=str(self.kind), known=KINDS, hint="Known: convex, rrf."
            )
        if not _is_number(self.weight) or not 0 <= self.weight <= 1:
            raise InputError(f"vector weight must be a number in 0 to 1, got {self.vector_weight}")
        if not _is_number(self.candidates) or self.candidates != int(self.candidates) or self.candidates < 1:
            raise InputError(f"candidates must be an integer >= 1, got {self.candidates}")
        if not _is_number(self.rrf_k) or self.rrf_k < 0:
            raise InputError(f"rrf k must be a number >= 0, got {self.rrf_k}")

    @property
    def weight(self) -> float:
        """The vector weight, the default resolved."""
        return _DEFAULT_WEIGHT[self.kind] if self.vector_weight is None else self.vector_weight


DEFAULT_FUSION: Final = Fusion()


def fuse(
    fulltext: Sequence[ChunkScore], vector: Sequence[ChunkScore], fusion: Fusion = DEFAULT_FUSION
) -> list[ChunkScore]:
    """Every chunk of both lists once, best first.

    fulltext, vector: best first. Of each, the first `candidates` are fused; a chunk that is not among them
        counts 0 there, even where the list goes on and has it further down.

    `convex`: each list's candidates are scaled so that the best is 1 and the last 0 (all 1 where all are
    equal), then weighted and added. Where fewer than `candidates` chunks match in full text, all others have
    a BM25 of 0, so 0 and not the last match is the lower end: otherwise the second of two matches would
    count as none. `rrf`: 2 x weight / (rrf_k + rank), added; at equal weights that is plain RRF.
    Ties: the better of a chunk's two ranks decides, then full text before vectors.

    What no list has among its candidates follows behind, in the order of its better rank, with the scores
    candidates / rank - 1, all below 0. None of that depends on how long the lists are, so asking for more
    never changes the order of what was there.

    Sources: Bruch, Gai, Ingber 2023, An Analysis of Fusion Functions for Hybrid Retrieval (`convex`);
    Cormack, Clarke, Büttcher 2009, Reciprocal Rank Fusion Outperforms Condorcet (`rrf`).
    """
    heads = (fulltext[: fusion.candidates], vector[: fusion.candidates])
    weights = (1 - fusion.weight, fusion.weight)
    scores: dict[int, float] = {}
    for head, weight, floor in zip(heads, weights, (0.0, None), strict=True):
        for row, part in zip(head, _parts(head, fusion, floor=floor), strict=True):
            scores[row.chunk] = scores.get(row.chunk, 0.0) + weight * part
    # Rank by rank, full text first: sorting is stable, so this is the order among equal scores.
    ordered = {row.chunk: row for row in _interleaved(*heads)}
    names, documents = [row.name for row in ordered.values()], [row.document for row in ordered.values()]
    fused = tuples(ChunkScore, ordered, names, documents, [scores[chunk] for chunk in ordered])
    fused.sort(key=attrgetter("score"), reverse=True)
    return [*fused, *_behind(fulltext, vector, seen=set(scores), candidates=fusion.candidates)]


def _parts(head: Sequence[ChunkScore], fusion: Fusion, *, floor: float | None) -> Iterator[float]:
    """What each candidate of one list adds, before its weight."""
    if fusion.kind == "rrf":
        yield from (2 / (fusion.rrf_k + rank) for rank in range(1, len(head) + 1))
        return
    if not head:
        return
    best, last = head[0].score, head[-1].score
    low = floor if floor is not None and len(head) < fusion.candidates else last
    for row in head:
        yield (row.score - low) / (best - low) if best > low else 1.0


def _interleaved(*lists: Sequence[ChunkScore]) -> Iterator[ChunkScore]:
    """Each chunk at the better of its ranks."""
    seen: set[int] = set()
    for ranked_alike in zip_longest(*lists):
        for row in ranked_alike:
            if row is not None and row.chunk not in seen:
                seen.add(row.chunk)
                yield row


def _behind(
    fulltext: Sequence[ChunkScore], vector: Sequence[ChunkScore], *, seen: set[int], candidates: int
) -> Iterator[ChunkScore]:
    """What is no candidate of either list."""
    behind = zip_longest(fulltext[candidates:], vector[candidates:])
    for rank, ranked_alike in enumerate(behind, start=candidates + 1):
        for row in ranked_alike:
            if row is not None and row.chunk not in seen:
                seen.add(row.chunk)
                yield ChunkScore(row.chunk, row.name, row.document, candidates / rank - 1)
