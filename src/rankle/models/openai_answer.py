"""From the body of an embeddings answer to unit vectors, in the order of the texts."""

import base64
import binascii
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from rankle.core.embedding import Vectors

_BASE64_NUMBER: Final = np.dtype("<f4")


class BadAnswerError(Exception):
    """What is wrong with an answer, to be completed by whoever knows which endpoint gave it."""

    def __init__(self, message: str, *, is_foreign: bool = False) -> None:
        """is_foreign: whether it is no answer of an embeddings endpoint at all, so that its words matter."""
        super().__init__(message)
        self.is_foreign = is_foreign


@dataclass(frozen=True, slots=True)
class Answer:
    """What a server gave for some texts."""

    model: str | None
    """The model that the server says it used; None where it says nothing."""
    vectors: Vectors
    """Unit vectors in the order of the texts, shape (n_texts, dimensions), dimensions > 0."""


class _Item(msgspec.Struct):
    embedding: list[float] | str
    index: int | None = None


class _Body(msgspec.Struct):
    data: list[_Item]
    model: str | None = None


def parse_answer(body: bytes, *, n_texts: int) -> Answer:
    """Read an answer of `/v1/embeddings`, with vectors as lists of numbers or as base64 of 32-bit floats.

    Items are placed by their `index`; one without an index stands where it stands in the list.
    Raises BadAnswerError where it is no such answer: no JSON, a wrong number of vectors or order, vectors of
    several dimensions, or a vector that is not finite or has no direction.
    """
    items = _in_order(_body(body), n_texts=n_texts)
    rows = [_numbers(item.embedding, place=place) for place, item in enumerate(items.data)]
    dimensions = {len(row) for row in rows}
    if len(dimensions) > 1:
        raise BadAnswerError(f"gave vectors of several dimensions: {_listed(sorted(dimensions))}")
    if dimensions == {0}:
        raise BadAnswerError("gave empty vectors")
    return Answer(model=items.model, vectors=unit_vectors(np.stack(rows)))


def unit_vectors(vectors: NDArray[np.float64]) -> Vectors:
    """The rows of `vectors`, shape (n, dimensions), at length 1. Raises BadAnswerError where one has none."""
    finite = np.isfinite(vectors).all(axis=1)
    if not finite.all():
        raise BadAnswerError(f"gave NaN or infinity in the vector of text {int(np.argmin(finite)) + 1}")
    largest = np.abs(vectors).max(axis=1, keepdims=True)
    if not largest.all():
        raise BadAnswerError(f"gave only zeros as the vector of text {int(np.argmin(largest)) + 1}")
    scaled = vectors / largest  # so that no square overflows or vanishes
    unit: Vectors = (scaled / np.linalg.norm(scaled, axis=1, keepdims=True)).astype(np.float32)
    return unit


def _body(body: bytes) -> _Body:
    try:
        # The standard library's parser, since servers written in Python send NaN, which is no JSON.
        return msgspec.convert(json.loads(body), _Body)
    except msgspec.ValidationError as error:
        raise BadAnswerError(f"gave no embeddings ({error})", is_foreign=True) from None
    except (ValueError, RecursionError):
        raise BadAnswerError("gave no JSON", is_foreign=True) from None


def _in_order(body: _Body, *, n_texts: int) -> _Body:
    if len(body.data) != n_texts:
        raise BadAnswerError(f"gave {len(body.data)} vectors for {n_texts} texts")
    places = [place if item.index is None else item.index for place, item in enumerate(body.data)]
    if sorted(places) != list(range(n_texts)):
        raise BadAnswerError(
            f'gave "index" values that are not 0 to {n_texts - 1} once each: {_listed(places)}'
        )
    ordered = sorted(zip(places, body.data, strict=True), key=lambda pair: pair[0])
    return _Body(data=[item for _place, item in ordered], model=body.model)


def _numbers(embedding: list[float] | str, *, place: int) -> NDArray[np.float64]:
    if not isinstance(embedding, str):
        return np.asarray(embedding, dtype=np.float64)
    try:
        packed = np.frombuffer(base64.b64decode(embedding, validate=True), dtype=_BASE64_NUMBER)
    except (binascii.Error, ValueError):
        raise BadAnswerError(f"gave no base64 of 32-bit floats as the vector of text {place + 1}") from None
    return packed.astype(np.float64)


def _listed(numbers: Sequence[int], *, shown: int = 10) -> str:
    text = ", ".join(map(str, numbers[:shown]))
    return f"{text}, …" if len(numbers) > shown else text
