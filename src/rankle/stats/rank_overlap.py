"""How alike are two rankings of the same query? Rank-biased overlap, which weighs the top most."""

from collections.abc import Hashable, Sequence

import numpy as np
from numpy.typing import NDArray

from rankle.core.errors import InputError

Floats = NDArray[np.float64]

_CHUNK = 2_000


def rank_biased_overlap(
    a: Sequence[Sequence[Hashable]], b: Sequence[Sequence[Hashable]], *, p: float = 0.9
) -> Floats:
    """Extrapolated rank-biased overlap of two rankings, for every query.

    a, b: the ids of each query's results, best first, queries in the same order; of any lengths. An id that
        occurs twice counts once, at its best rank.
    p: how likely a reader goes on to the next rank; at 0.9 the first ten ranks have 86 % of the weight.
    Returns shape (n_queries,), in [0, 1]: 1 for equal rankings, 0 for disjoint ones. What lies below the end
    of a list is supposed to agree as much as what is above it. Two empty rankings are equal; an empty one
    and another are disjoint.
    Raises InputError unless 0 < p < 1 and both have the same number of queries.
    Source: Webber, Moffat and Zobel 2010, ACM TOIS 28(4), equation 32.
    """
    if not 0.0 < p < 1.0:
        raise InputError(f"p must be between 0 and 1, got {p:g}")
    if len(a) != len(b):
        raise InputError(f"a and b must rank the same queries, got {len(a)} and {len(b)}")
    starts = range(0, len(a), _CHUNK)
    parts = [_overlaps(a[start : start + _CHUNK], b[start : start + _CHUNK], p) for start in starts]
    return np.concatenate(parts) if parts else np.zeros(0)


def _overlaps(a: Sequence[Sequence[Hashable]], b: Sequence[Sequence[Hashable]], p: float) -> Floats:
    met, short, long = _meetings(a, b)
    depth = met.shape[1]
    if not depth:
        return np.ones(len(met))
    shared = np.cumsum(met, axis=1)
    ranks = np.arange(1.0, depth + 1)
    at_short = np.where(short > 0, np.take_along_axis(shared, np.maximum(short - 1, 0), axis=1), 0.0)
    at_long = np.take_along_axis(shared, np.maximum(long - 1, 0), axis=1)
    agreement_of_short = at_short / np.maximum(short, 1)
    # Below its end, the shorter list is supposed to agree as much as it did at its end.
    agreements = (shared + agreement_of_short * np.maximum(ranks - short, 0.0)) / ranks
    seen = (1.0 - p) / p * ((agreements * p**ranks) * (ranks <= long)).sum(axis=1, keepdims=True)
    beyond = ((at_long - at_short) / np.maximum(long, 1) + agreement_of_short) * p**long
    found = np.where(long > 0, seen + beyond, 1.0)[:, 0]
    return np.clip(found, 0.0, 1.0)


def _meetings(
    a: Sequence[Sequence[Hashable]], b: Sequence[Sequence[Hashable]]
) -> tuple[Floats, NDArray[np.int64], NDArray[np.int64]]:
    """How many ids become shared at each depth, shape (n_queries, depth); lengths, each (n_queries, 1)."""
    queries: list[int] = []
    depths: list[int] = []
    lengths = np.zeros((len(a), 2), dtype=np.int64)
    for query, (first, second) in enumerate(zip(a, b, strict=True)):
        place = {name: rank for rank, name in enumerate(dict.fromkeys(first))}
        others = dict.fromkeys(second)
        lengths[query] = len(place), len(others)
        for rank, name in enumerate(others):
            other = place.get(name)
            if other is not None:
                queries.append(query)
                depths.append(max(rank, other))
    depth = int(lengths.max(initial=0))
    met = np.zeros((len(a), depth))
    np.add.at(met, (np.array(queries, dtype=np.int64), np.array(depths, dtype=np.int64)), 1.0)
    return met, lengths.min(axis=1, keepdims=True), lengths.max(axis=1, keepdims=True)
