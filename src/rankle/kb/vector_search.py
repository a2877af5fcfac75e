"""Nearest vectors: the rows of a matrix that have the largest products with a query, exactly.

Products are made in float32, where the same two vectors give other last digits in another block. So what
could be among the best is scored again in float64, one chunk at a time: scores and ties then depend on the
two vectors alone, and one query gives the same list as many at once.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rankle.core.embedding import Vectors
from rankle.core.errors import WorkspaceError
from rankle.core.product import NAME

Rows = NDArray[np.int64]
"""Rows of the matrix."""
Mask = NDArray[np.bool_]
"""For each row of the matrix whether it may be found."""

_FEW: Final = 0.1
"""Where a filter leaves a smaller share of the rows, copying them out costs less than a product over all."""
_QUERIES: Final = 256
"""In one product."""
_ROWS: Final = 16_384
"""In one product of many queries; with _QUERIES, the products take 16 MB."""
_RESCORED: Final = 4_096
"""Rows scored again at once; as many as fit the processor's cache."""
_WORST: Final = -np.inf


class Best(NamedTuple):
    """The best rows for one query, best first; all of those that share the last score."""

    rows: Rows
    scores: NDArray[np.float64]


def best_rows(vectors: Vectors, query: Vectors, *, limit: int, allowed: Mask | None = None) -> Best:
    """The rows that come nearest to one query.

    vectors: unit vectors, shape (n, d). query: a unit vector, shape (d,). limit: >= 1.
    allowed: only these rows, shape (n,); None for all. Empty where no row is allowed.
    Raises WorkspaceError where a product is no number.
    """
    rows = None if allowed is None else np.flatnonzero(allowed)
    if rows is not None and len(rows) < _FEW * len(vectors):
        found = _candidates(_products(vectors[rows], query), limit=limit, slack=_slack(vectors))
        return _rescored(vectors, query, rows[found], limit=limit)
    products = _products(vectors, query)
    if allowed is not None:
        products = np.where(allowed, products, np.float32(_WORST))
    return _rescored(vectors, query, _candidates(products, limit=limit, slack=_slack(vectors)), limit=limit)


def best_rows_of_many(
    vectors: Vectors, queries: Vectors, *, limit: int, allowed: Mask | None = None
) -> Iterator[Best]:
    """For each query exactly what `best_rows` gives, in its order.

    queries: unit vectors, shape (n_queries, d).
    """
    n_allowed = len(vectors) if allowed is None else int(np.count_nonzero(allowed))
    if len(queries) == 1 or 4 * limit > len(vectors) or n_allowed < _FEW * len(vectors):
        # Nothing to share, or hardly a row would be left out, or hardly one is looked at.
        yield from (best_rows(vectors, query, limit=limit, allowed=allowed) for query in queries)
        return
    for start in range(0, len(queries), _QUERIES):
        block = queries[start : start + _QUERIES]
        pools = _pools(vectors, block, limit=limit, allowed=allowed)
        for query, pool in zip(block, pools, strict=True):
            yield _rescored(vectors, query, pool.rows, limit=limit)


class _Pool:
    """The rows that may still be among one query's best, while blocks of rows go by."""

    def __init__(self, limit: int, slack: float) -> None:
        self._limit = limit
        self._slack = slack
        self.rows: Rows = np.empty(0, dtype=np.int64)
        self._products: Vectors = np.empty(0, dtype=np.float32)
        self.cut: float = _WORST
        """Rows below it cannot be among the best."""

    def add(self, rows: Rows, products: Vectors) -> None:
        self.rows = np.concatenate((self.rows, rows))
        self._products = np.concatenate((self._products, products))
        kept = _candidates(self._products, limit=self._limit, slack=self._slack)
        self.rows, self._products = self.rows[kept], self._products[kept]
        if len(kept) >= self._limit:
            self.cut = float(self._products.min())


def _products(vectors: Vectors, query: Vectors) -> Vectors:
    """One query with all rows. As fast as memory gives them; BLAS, made for many queries, took twice that."""
    products: Vectors = np.einsum("ij,j->i", vectors, query)
    return _checked(products)


def _pools(vectors: Vectors, block: Vectors, *, limit: int, allowed: Mask | None) -> list[_Pool]:
    pools = [_Pool(limit, _slack(vectors)) for _query in block]
    for start in range(0, len(vectors), _ROWS):
        products = _checked(block @ vectors[start : start + _ROWS].T)
        if allowed is not None:
            products[:, ~allowed[start : start + _ROWS]] = _WORST
        cuts = np.array([pool.cut for pool in pools], dtype=np.float32)
        for pool, row, passing in zip(pools, products, products >= cuts[:, np.newaxis], strict=True):
            found = np.flatnonzero(passing)
            if len(found):
                pool.add(found + start, row[found])
    return pools


def _slack(vectors: Vectors) -> float:
    """Twice the most by which a float32 product of two unit vectors can be off (Higham 2002, 3.1).

    Unit vectors are of a length within 1 % of 1.
    """
    return 1.03 * int(vectors.shape[1]) * float(np.finfo(np.float32).eps)


def _candidates(products: Vectors, *, limit: int, slack: float) -> Rows:
    """The places of all products that may be among the best `limit` once they are exact."""
    if limit < len(products):
        last = np.partition(products, len(products) - limit)[len(products) - limit]
        return np.flatnonzero((products >= last - np.float32(slack)) & (products > _WORST))
    return np.flatnonzero(products > _WORST)


def _rescored(vectors: Vectors, query: Vectors, rows: Rows, *, limit: int) -> Best:
    exact = query.astype(np.float64)
    scores = np.concatenate(
        [
            (vectors[rows[start : start + _RESCORED]] * exact).sum(axis=1)
            for start in range(0, max(len(rows), 1), _RESCORED)
        ]
    )
    if limit < len(rows):
        last = np.partition(scores, len(rows) - limit)[len(rows) - limit]
        kept = scores >= last
        rows, scores = rows[kept], scores[kept]
    order = np.argsort(-scores, kind="stable")
    return Best(rows[order], scores[order])


def _checked(products: Vectors) -> Vectors:
    if not np.isfinite(products).all():
        raise WorkspaceError(
            "the workspace holds vectors that are no numbers, so its files are damaged. Delete vectors.mat "
            f"in its folder, which is made anew. If that does not help, delete the workspace and "
            f"index again: {NAME} workspace delete NAME"
        )
    return products
