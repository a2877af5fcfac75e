"""Joins results to judgments: only judged results are looked up, ranks come from scores alone."""

import struct
from collections.abc import Mapping, Sequence
from itertools import repeat
from math import nan
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rankle.metrics.judged import UNJUDGED, UNSTATED, JudgedRanks
from rankle.metrics.qrels import Qrels, offsets_of
from rankle.metrics.ranks import ScoreOrder
from rankle.metrics.run import check_finite, scores_of
from rankle.metrics.ties import Ties, places_among_ties


class JoinOptions(NamedTuple):
    """How results are joined to judgments."""

    ties: Ties = Ties.TREC
    max_results: int | None = None
    """Results below this rank are as if not retrieved (trec_eval's -M); None keeps all."""
    ignore_self: bool = False
    """Whether a result whose id is the query's own is left out, as BEIR does for sets whose queries are
    documents. Judgments stay."""


class Joined(NamedTuple):
    """A run joined to qrels."""

    judged: JudgedRanks
    """Queries are those of the qrels, in their order."""
    missing: NDArray[np.bool_]
    """Queries that the run does not have, shape (Q,)."""
    n_extra: int
    """Queries of the run that the qrels do not have; they are in no figure."""
    n_duplicates: int
    """Results that stood in a query before and were passed over; each counts once, at its best rank."""
    n_self: int
    """Results of judged queries whose id is the query's own, left out or not."""

    @property
    def n_joined(self) -> int:
        """Judged targets that were retrieved."""
        return len(self.judged.query)

    @property
    def n_common(self) -> int:
        """Queries that the qrels and the run share."""
        return int(np.count_nonzero(~self.missing))


class Hits(NamedTuple):
    """Judged results of some queries, in any order. H results."""

    query: NDArray[np.int64]
    """Place in the qrels, shape (H,)."""
    rank: NDArray[np.int64]
    grade: NDArray[np.int64]


_PLAIN = JoinOptions()


def assemble(
    qrels: Qrels, hits: list[Hits], n_retrieved: NDArray[np.int64], *, max_results: int | None = None
) -> JudgedRanks:
    """Judged ranks from hits found in parts.

    n_retrieved: distinct results of each query of the qrels, shape (Q,).
    max_results: results below this rank are as if not retrieved (trec_eval's -M); None keeps all.
    """
    query = np.concatenate([np.zeros(0, dtype=np.int64), *(part.query for part in hits)])
    rank = np.concatenate([np.zeros(0, dtype=np.int64), *(part.rank for part in hits)])
    grade = np.concatenate([np.zeros(0, dtype=np.int64), *(part.grade for part in hits)])
    order = np.argsort(query * (int(rank.max(initial=0)) + 1) + rank)
    if max_results is not None:
        order = order[rank[order] <= max_results]
        n_retrieved = np.minimum(n_retrieved, max_results)
    offsets, ideal = qrels.ideal
    return JudgedRanks(
        query=query[order],
        rank=rank[order],
        grade=np.maximum(grade[order], UNJUDGED),
        stated=np.full(len(order), UNSTATED, dtype=np.int8),
        n_retrieved=n_retrieved,
        ideal_offsets=offsets,
        ideal_grades=ideal,
        n_stated=np.full(len(qrels.queries), UNSTATED, dtype=np.int64),
    )


def join_dicts(
    qrels: Qrels,
    results: Mapping[str, Mapping[str, float]],
    options: JoinOptions = _PLAIN,
    *,
    n_duplicates: int = 0,
) -> Joined:
    """Join `{query id: {target id: score}}`.

    n_duplicates: results that were passed over before, for the count.
    Raises InputError on a score that is not a finite number.
    """
    found = [results.get(query) for query in qrels.queries]
    itself = [place for place, query in enumerate(qrels.queries) if query in (found[place] or ())]
    if options.ignore_self:
        for place in itself:
            found[place] = _without(qrels.queries[place], found[place] or {})
    present = np.array([place for place, scores in enumerate(found) if scores is not None], dtype=np.int64)
    lists = [scores for scores in found if scores is not None]
    shared = [qrels.queries[place] for place in present.tolist()]
    try:
        looked_up = _look_up(qrels, present, lists)
    except struct.error:  # a score is no plain number: numbers as text are taken, and the rest is told
        looked_up = _look_up(qrels, present, _as_floats(shared, lists))
    check_finite(looked_up.scores, shared, lists)
    offsets = offsets_of(map(len, lists))
    n_retrieved = np.zeros(len(qrels.queries), dtype=np.int64)
    n_retrieved[present] = np.diff(offsets)
    hits = Hits(
        query=present[looked_up.at],
        rank=_ranks(qrels, lists, offsets, looked_up, options.ties),
        grade=qrels.grades[looked_up.judged],
    )
    missing = np.ones(len(qrels.queries), dtype=bool)
    missing[present] = False
    return Joined(
        judged=assemble(qrels, [hits], n_retrieved, max_results=options.max_results),
        missing=missing,
        n_extra=len(results) - len(lists),
        n_duplicates=n_duplicates,
        n_self=len(itself),
    )


def _without(query: str, scores: Mapping[str, float]) -> dict[str, float]:
    return {target: value for target, value in scores.items() if target != query}


class _LookedUp(NamedTuple):
    """All scores, and the judgments that were retrieved."""

    scores: NDArray[np.float64]
    """Of all results, in the order given."""
    judged: NDArray[np.int64]
    """Row of each judgment that was retrieved."""
    at: NDArray[np.int64]
    """Place of its query in `lists`."""
    hit_scores: NDArray[np.float64]


def _look_up(qrels: Qrels, present: NDArray[np.int64], lists: Sequence[Mapping[str, float]]) -> _LookedUp:
    """What the results of the queries hold. Raises struct.error on a score that is not a number.

    Each dict is read out and looked into at once: most of the time is waiting for memory.
    """
    bounds = qrels.offsets.tolist()
    names, absent = qrels.names, repeat(nan)  # NaN is no score
    scores: list[bytes] = []
    hits: list[bytes] = []
    for place, scored in zip(present.tolist(), lists, strict=True):
        start, end = bounds[place], bounds[place + 1]
        scores.append(struct.pack(f"{len(scored)}d", *scored.values()))
        hits.append(struct.pack(f"{end - start}d", *map(scored.get, names[start:end], absent)))
    hit_scores = np.frombuffer(b"".join(hits), dtype=np.float64)
    lengths = np.diff(qrels.offsets)[present]
    starts = np.cumsum(lengths) - lengths
    rows = np.repeat(qrels.offsets[present] - starts, lengths) + np.arange(len(hit_scores))
    retrieved = np.flatnonzero(~np.isnan(hit_scores))
    return _LookedUp(
        scores=np.frombuffer(b"".join(scores), dtype=np.float64),
        judged=rows[retrieved],
        at=np.repeat(np.arange(len(lists)), lengths)[retrieved],
        hit_scores=hit_scores[retrieved],
    )


def _ranks(
    qrels: Qrels,
    lists: Sequence[Mapping[str, float]],
    offsets: NDArray[np.int64],
    found: _LookedUp,
    ties: Ties,
) -> NDArray[np.int64]:
    """From 1, of each judgment that was retrieved. offsets: where the scores of each query begin."""
    order = ScoreOrder(found.scores, offsets)
    standing = order.standing(found.at, found.hit_scores)
    keys: dict[int, list[str]] = {}

    def names_of(query: int, rows: NDArray[np.int64]) -> list[str]:
        if query not in keys:
            keys[query] = list(lists[query])
        start = int(offsets[query])
        return [keys[query][row - start] for row in rows.tolist()]

    unsure = np.flatnonzero(standing.tied > 1)
    rank: NDArray[np.int64] = 1 + standing.above
    rank[unsure] += places_among_ties(
        order,
        found.at[unsure],
        standing.at(unsure),
        names=[qrels.names[row] for row in found.judged[unsure].tolist()],
        names_of=names_of,
        ties=ties,
    )
    return rank


def _as_floats(queries: Sequence[str], lists: Sequence[Mapping[str, float]]) -> list[Mapping[str, float]]:
    """The same with floats for scores. Raises InputError on what is no number or not finite."""
    scores = scores_of(lists)
    check_finite(scores, queries, lists)
    values = iter(scores.tolist())
    return [dict(zip(found, values, strict=False)) for found in lists]
