"""One query through the stages of a method, asking each for as many chunks as the results need."""

import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Final

from rankle.core.evalset import Level
from rankle.core.search import Stage, StageRank
from rankle.kb.candidates import CandidateList, ms_since, tuples
from rankle.kb.fusion import Fusion, fuse
from rankle.kb.methods import CUT, FUSION, HYBRID
from rankle.kb.picking import ReadTexts, Target, picked, targets
from rankle.kb.search_request import SearchRequest

Source = Callable[[int], CandidateList]
"""A stage that finds: gives its best chunks for one query, as many as it is asked for; a larger number only
adds chunks behind."""

MOST: Final = 1 << 48
"""More than any workspace holds; SQLite takes no larger number."""
_CHUNKS_PER_DOCUMENT: Final = 3
"""Asked for at first; more where documents turn out to have more."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """What the stages made of one query."""

    lists: tuple[CandidateList, ...]
    """In the order in which they ran; the last one decides the order of results."""
    results: list[Target]
    """At most as many as were asked for."""
    exhausted: bool
    """Whether `results` holds all that match."""
    cut_ms: float


def first_limit(request: SearchRequest, method: str) -> int:
    """How many chunks each source is asked for at first."""
    depth = min(request.depth, MOST)
    limit = depth * (_CHUNKS_PER_DOCUMENT if request.level is Level.DOCUMENT else 1)
    return max(limit, request.settings.fusion.candidates) if method == HYBRID else limit


def rank(
    request: SearchRequest,
    method: str,
    sources: Sequence[Source],
    *,
    n_documents: int,
    read_texts: ReadTexts,
) -> Ranking:
    """The best `depth` results. More chunks are fetched until there are enough results, or no more of them.

    n_documents: how many there are to be found; with all of them, further chunks add no result.
    """
    depth = min(request.depth, MOST)
    limit = first_limit(request, method)
    spent_ms: defaultdict[str, float] = defaultdict(float)
    while True:
        lists = _lists(method, sources, limit=limit, fusion=request.settings.fusion)
        for each in lists:
            spent_ms[each.stage] += each.took_ms
        started = time.perf_counter()
        found = targets(lists[-1].rows, request.level)
        results = picked(
            found,
            level=request.level,
            settings=request.settings,
            read_texts=read_texts,
        )
        spent_ms[CUT] += ms_since(started)
        has_all = request.level is Level.DOCUMENT and len(found) >= n_documents
        is_whole = lists[-1].exhausted or has_all
        if is_whole or len(results) >= depth:
            return Ranking(
                lists=tuple(replace(each, took_ms=spent_ms[each.stage]) for each in lists),
                results=results[:depth],
                exhausted=is_whole and len(results) <= depth,
                cut_ms=spent_ms[CUT],
            )
        limit = min(4 * limit, MOST)


def stages(ranking: Ranking, request: SearchRequest) -> tuple[Stage, ...]:
    """What each stage had, at the level that was asked for.

    The list that decides the order is told as deep as it was asked for, the others as far as they were
    fetched. Where results were taken out of it, a stage `cut` says what is left.
    """
    *before, last = ranking.lists
    told = [_stage(each, request, depth=None) for each in before]
    whole = replace(last, exhausted=ranking.exhausted)
    if not request.settings.cuts:
        return (*told, _stage(whole, request, depth=request.depth))
    kept = {
        each.id: StageRank(rank, each.rows[0].score) for rank, each in enumerate(ranking.results, start=1)
    }
    return (*told, _stage(last, request, depth=None), Stage(CUT, ranking.cut_ms, kept, whole.exhausted))


def _stage(found: CandidateList, request: SearchRequest, *, depth: int | None) -> Stage:
    if request.level is Level.CHUNK:
        names, scores = [row.name for row in found.rows[:depth]], [row.score for row in found.rows[:depth]]
    else:
        best: dict[str, float] = {}
        for row in found.rows:
            best.setdefault(row.document, row.score)
        names, scores = list(best)[:depth], list(best.values())[:depth]
    ranks = tuples(StageRank, count(1), scores)
    return Stage(found.stage, found.took_ms, dict(zip(names, ranks, strict=True)), exhausted=found.exhausted)


def _lists(
    method: str, sources: Sequence[Source], *, limit: int, fusion: Fusion
) -> tuple[CandidateList, ...]:
    found = tuple(source(limit) for source in sources)
    if method != HYBRID:
        return found
    started = time.perf_counter()
    fulltext, vector = found
    fused = fuse(fulltext.rows, vector.rows, fusion)
    return (
        *found,
        CandidateList(FUSION, fused, fulltext.exhausted and vector.exhausted, ms_since(started)),
    )
