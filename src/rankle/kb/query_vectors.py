"""Vectors of queries, checked: those of one search, and those of many at once."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from rankle.core.embedding import Embedder, Vectors
from rankle.core.errors import ModelError

_AT_ONCE: Final = 64
"""Queries in one request to the model; what a failure puts in doubt."""
_IN_A_ROW: Final = 3
"""Failures of single queries after which the model is taken to be down, and not asked again."""


def embed_query(embedder: Embedder, text: str) -> Vectors:
    """Its unit vector, shape (dimensions,). Raises ModelError where the model fails or gives no vector."""
    vector: Vectors = _embed(embedder, [text])[0]
    return vector


def embed_queries(embedder: Embedder, texts: Sequence[str]) -> "list[Vectors | ModelError]":
    """For each query its vector, or why there is none.

    Where a request fails, its queries are asked one by one, so that one that the model cannot take costs only
    itself; a model that fails on several in a row is not asked again.
    """
    answers: list[Vectors | ModelError] = []
    for start in range(0, len(texts), _AT_ONCE):
        block = texts[start : start + _AT_ONCE]
        last = answers[-_IN_A_ROW:]
        if len(last) == _IN_A_ROW and all(isinstance(answer, ModelError) for answer in last):
            answers += [last[-1]] * len(block)
            continue
        try:
            answers += list(_embed(embedder, block))
        except ModelError as error:
            answers += [error] if len(block) == 1 else _one_by_one(embedder, block)
    return answers


def _one_by_one(embedder: Embedder, texts: Sequence[str]) -> "list[Vectors | ModelError]":
    answers: list[Vectors | ModelError] = []
    failed: list[ModelError] = []
    for text in texts:
        if len(failed) == _IN_A_ROW:
            answers.append(failed[-1])
            continue
        try:
            answers.append(embed_query(embedder, text))
            failed = []
        except ModelError as error:
            answers.append(error)
            failed.append(error)
    return answers


def _embed(embedder: Embedder, texts: Sequence[str]) -> Vectors:
    vectors = embedder.embed_queries(texts)
    info = embedder.info
    expected = (len(texts), info.dimensions)
    if np.shape(vectors) != expected:
        raise ModelError(
            f"{info.name} gave vectors of shape {np.shape(vectors)} for {len(texts)} queries, "
            f"not {expected}. Check the model"
        )
    if not np.isfinite(vectors).all():
        raise ModelError(f"{info.name} gave a query's vector a value that is no number. Check the model")
    return vectors
