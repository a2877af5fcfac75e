"""Random shuffles of every query's scores over the systems, and the largest difference of means in each."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_CHUNK_ITEMS = 1_000_000


def random_ranges(scores: Floats, *, seed: int, n_shuffles: int) -> Floats:
    """The largest difference of any two systems' means under each shuffle.

    scores: shape (n, n_systems, n_measures). Returns shape (n_measures, n_shuffles).
    All measures share the shuffles, which depend on seed, n and n_systems alone, not on chunks: places are
    shuffled in place of scores, and the sums of a chunk are matrix products of where which place went.
    """
    n, n_systems, n_measures = scores.shape
    generator = np.random.default_rng(seed)
    found = np.empty((n_measures, n_shuffles))
    rows = max(1, _CHUNK_ITEMS // (n * n_systems))
    places = np.arange(n_systems, dtype=np.min_scalar_type(n_systems))
    for start in range(0, n_shuffles, rows):
        shape = (min(rows, n_shuffles - start), n, n_systems)
        shuffled = generator.permuted(np.broadcast_to(places, shape), axis=2)
        sums = _sums(np.ascontiguousarray(np.moveaxis(shuffled, 2, 0)), scores)
        found[:, start : start + rows] = np.ptp(sums, axis=0).T / n
    return found


def _sums(shuffled: NDArray[np.unsignedinteger], scores: Floats) -> Floats:
    """What each system's scores sum up to; all sums together are that of all scores, which gives the last.

    shuffled: whose score each system gets, shape (n_systems, n_shuffles, n).
    Returns shape (n_systems, n_shuffles, n_measures).
    """
    n_systems, n_shuffles, _ = shuffled.shape
    above_first = scores - scores[:, :1]
    sums = np.zeros((n_systems, n_shuffles, scores.shape[2]))
    taken = np.empty(shuffled.shape[1:])
    for system in range(n_systems - 1):
        for place in range(1, n_systems):
            np.equal(shuffled[system], place, out=taken, casting="unsafe")
            sums[system] += taken @ above_first[:, place]
    sums[-1] = above_first.sum(axis=(0, 1)) - sums[:-1].sum(axis=0)
    return sums
