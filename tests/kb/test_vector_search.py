"""Exact search: the same as sorting all products, alone and in batches, ties and filters included."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from rankle.core.embedding import Vectors
from rankle.core.errors import WorkspaceError
from rankle.kb.vector_search import Mask, best_rows, best_rows_of_many


def unit_vectors(n: int, *, dimensions: int = 48, seed: int = 0) -> Vectors:
    vectors = np.random.default_rng(seed).standard_normal((n, dimensions), dtype=np.float32)
    units: Vectors = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)
    return units


def exact(vectors: Vectors, query: Vectors, *, limit: int, allowed: Mask | None) -> set[tuple[int, float]]:
    """All rows that reach the score of place `limit`, by one product after the other."""
    scores = [float((row.astype(np.float64) * query.astype(np.float64)).sum()) for row in vectors]
    kept = [place for place in range(len(vectors)) if allowed is None or allowed[place]]
    last = sorted((scores[place] for place in kept), reverse=True)[:limit]
    return {(place, scores[place]) for place in kept if scores[place] >= last[-1]} if last else set()


def masks(n: int) -> list[Mask | None]:
    rng = np.random.default_rng(5)
    every: NDArray[np.bool_] = np.ones(n, dtype=bool)
    return [None, every, ~every, rng.random(n) < 0.5, rng.random(n) < 0.02]


@pytest.mark.parametrize("place", range(5), ids=["none", "all", "no row", "half", "few"])
@pytest.mark.parametrize("limit", [1, 7, 100, 599, 600, 10**30])
def test_the_best_rows_are_those_of_all_products(place: int, limit: int) -> None:
    vectors, queries = unit_vectors(600), unit_vectors(3, seed=1)
    allowed = masks(len(vectors))[place]
    for query, many in zip(
        queries, best_rows_of_many(vectors, queries, limit=limit, allowed=allowed), strict=True
    ):
        best = best_rows(vectors, query, limit=limit, allowed=allowed)
        assert set(zip(best.rows.tolist(), best.scores.tolist(), strict=True)) == exact(
            vectors, query, limit=limit, allowed=allowed
        )
        assert best.scores.tolist() == sorted(best.scores.tolist(), reverse=True)
        assert best.rows.tolist() == many.rows.tolist()
        assert best.scores.tolist() == many.scores.tolist()


def test_many_queries_over_several_blocks_give_what_each_gives_alone() -> None:
    """40,000 rows and 300 queries are three blocks of rows and two of queries."""
    vectors, queries = unit_vectors(40_000, dimensions=24), unit_vectors(300, dimensions=24, seed=1)
    vectors[20_000:20_500] = vectors[:500]  # equal vectors in different blocks
    allowed = np.random.default_rng(2).random(len(vectors)) < 0.7
    for mask in (None, allowed):
        together = list(best_rows_of_many(vectors, queries, limit=50, allowed=mask))
        assert len(together) == len(queries)
        for query, many in list(zip(queries, together, strict=True))[::9]:
            alone = best_rows(vectors, query, limit=50, allowed=mask)
            assert alone.rows.tolist() == many.rows.tolist()
            assert alone.scores.tolist() == many.scores.tolist()


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 2**32 - 1), st.integers(1, 60), st.integers(1, 12))
def test_ties_are_all_there_whatever_stands_beside_them(seed: int, limit: int, n_different: int) -> None:
    """Vectors of few kinds: products of equal ones are equal, in any block and at any place."""
    rng = np.random.default_rng(seed)
    kinds = unit_vectors(n_different, dimensions=33, seed=seed)
    vectors = kinds[rng.integers(0, n_different, size=200)]
    query = unit_vectors(1, dimensions=33, seed=seed + 1)[0]
    best = best_rows(vectors, query, limit=limit)
    assert set(zip(best.rows.tolist(), best.scores.tolist(), strict=True)) == exact(
        vectors, query, limit=limit, allowed=None
    )


def test_what_differs_beyond_single_precision_is_told_apart() -> None:
    """Rows whose products round to the same float32 are still ranked by their exact products."""
    query = np.zeros(64, dtype=np.float32)
    query[:2] = np.float32(np.sqrt(0.5))
    vectors = np.zeros((3_000, 64), dtype=np.float32)
    angles = np.linspace(0.5, 0.5 + 3e-5, len(vectors))
    vectors[:, 0], vectors[:, 1] = np.cos(angles), np.sin(angles)
    best = best_rows(vectors, query, limit=10)
    assert set(zip(best.rows.tolist(), best.scores.tolist(), strict=True)) == exact(
        vectors, query, limit=10, allowed=None
    )


@pytest.mark.parametrize("n_queries", [1, 5])
def test_a_product_that_is_no_number_is_an_error_and_no_result(n_queries: int) -> None:
    vectors = unit_vectors(2_000)
    vectors[1_234, 3] = np.nan
    with pytest.raises(WorkspaceError, match=r"vectors that are no numbers.*Delete vectors\.mat"):
        list(best_rows_of_many(vectors, unit_vectors(n_queries, seed=1), limit=5))


def test_nothing_is_found_among_nothing() -> None:
    nothing = np.empty((0, 8), dtype=np.float32)
    query = unit_vectors(2, dimensions=8)
    assert best_rows(nothing, query[0], limit=5).rows.tolist() == []
    assert [best.rows.tolist() for best in best_rows_of_many(nothing, query, limit=5)] == [[], []]
    assert list(best_rows_of_many(unit_vectors(9), np.empty((0, 48), dtype=np.float32), limit=5)) == []
