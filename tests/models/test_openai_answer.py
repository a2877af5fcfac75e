"""The body of an embeddings answer becomes unit vectors in the order of the texts, or is refused."""

import base64
import json
import struct
from typing import Any

import numpy as np
import pytest

from rankle.models.openai_answer import BadAnswerError, parse_answer


def body(*items: dict[str, Any], **more: Any) -> bytes:
    return json.dumps({"data": list(items), **more}).encode()


def packed(*numbers: float) -> str:
    return base64.b64encode(struct.pack(f"<{len(numbers)}f", *numbers)).decode()


def test_vectors_have_length_one_whatever_their_scale() -> None:
    scales = [1e-300, 1e-20, 1.0, 1e20, 1e300]
    items = [{"index": place, "embedding": [3 * scale, 4 * scale]} for place, scale in enumerate(scales)]

    answer = parse_answer(body(*items, model="served"), n_texts=5)

    assert answer.model == "served"
    assert answer.vectors.dtype == np.float32
    np.testing.assert_allclose(answer.vectors, np.tile([[0.6, 0.8]], (5, 1)), rtol=1e-6)


def test_base64_and_numbers_give_the_same_vectors() -> None:
    numbers = parse_answer(body({"index": 0, "embedding": [0.25, -2, 1]}), n_texts=1)
    text = parse_answer(body({"index": 0, "embedding": packed(0.25, -2, 1)}), n_texts=1)

    np.testing.assert_array_equal(numbers.vectors, text.vectors)


def test_vectors_stand_in_the_order_of_their_index() -> None:
    shuffled = body(
        {"index": 2, "embedding": [0, 0, 1]},
        {"index": 0, "embedding": [1, 0, 0]},
        {"index": 1, "embedding": [0, 1, 0]},
    )

    np.testing.assert_array_equal(parse_answer(shuffled, n_texts=3).vectors, np.eye(3))


@pytest.mark.parametrize("first", [{}, {"index": 0}, {"index": None}])
def test_an_item_without_index_stands_where_it_stands(first: dict[str, Any]) -> None:
    answer = parse_answer(
        body({"embedding": [1, 0], **first}, {"embedding": [0, 1], "index": 1}, model=None), n_texts=2
    )

    assert answer.model is None
    np.testing.assert_array_equal(answer.vectors, np.eye(2))


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        (body(), "gave 0 vectors for 2 texts"),
        (body({"index": 0, "embedding": [1]}), "gave 1 vectors for 2 texts"),
        (body(*[{"index": place, "embedding": [1]} for place in range(3)]), "gave 3 vectors for 2 texts"),
        (body({"index": 0, "embedding": [1]}, {"index": 0, "embedding": [1]}), "0 to 1 once each: 0, 0"),
        (body({"index": 1, "embedding": [1]}, {"index": 2, "embedding": [1]}), "0 to 1 once each: 1, 2"),
        (body({"index": 1, "embedding": [1]}, {"embedding": [1]}), "0 to 1 once each: 1, 1"),
        (body({"index": 0, "embedding": [1, 0]}, {"index": 1, "embedding": [1]}), "several dimensions: 1, 2"),
        (body({"index": 0, "embedding": []}, {"index": 1, "embedding": ""}), "empty vectors"),
        (body({"index": 0, "embedding": [1]}, {"index": 1, "embedding": [0.0]}), "only zeros"),
        (body({"index": 0, "embedding": [1]}, {"index": 1, "embedding": [float("nan")]}), "NaN or infinity"),
        (body({"index": 0, "embedding": [1]}, {"index": 1, "embedding": [float("inf")]}), "NaN or infinity"),
        (b'{"data": [{"embedding": [1]}, {"embedding": [1e999]}]}', "NaN or infinity"),
        (body({"index": 0, "embedding": [1]}, {"index": 1, "embedding": packed(float("nan"))}), "of text 2"),
        (
            body({"index": 0, "embedding": [1]}, {"index": 1, "embedding": packed(0)}),
            "zeros as the vector",
        ),
        (body({"index": 0, "embedding": "AAA*"}, {"index": 1, "embedding": [1]}), "no base64"),
        (body({"index": 0, "embedding": [1]}, {"index": 1, "embedding": "AAAAAAA="}), "vector of text 2"),
        (body({"index": 0, "embedding": "é"}, {"index": 1, "embedding": [1]}), "no base64"),
    ],
)
def test_vectors_that_cannot_be_searched_are_refused(answer: bytes, fault: str) -> None:
    with pytest.raises(BadAnswerError, match=fault) as refused:
        parse_answer(answer, n_texts=2)

    assert not refused.value.is_foreign


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"<html><title>Welcome</title></html>",
        b'{"data": [{"index": 0, "embedding": [0.1, 0.',
        b"\xff\xfe",
        b"[" * 100_000,
        b"null",
        b"[]",
        b'{"error": {"message": "no such model"}}',
        b'{"data": [{"index": 0}]}',
        b'{"data": [{"index": 0, "embedding": [null]}]}',
        b'{"data": [{"index": 0, "embedding": [[1.0, 2.0]]}]}',
        b'{"data": [{"index": 0, "embedding": ["1.0"]}]}',
        b'{"data": [{"index": "0", "embedding": [1.0]}]}',
        b'{"data": [{"index": 0, "embedding": [1' + b"0" * 400 + b"]}]}",
        b'{"data": [{"index": 0, "embedding": [1' + b"0" * 5000 + b"]}]}",
    ],
    ids=range(15),
)
def test_what_is_no_embeddings_answer_is_told_from_bad_vectors(answer: bytes) -> None:
    with pytest.raises(BadAnswerError, match="gave no") as refused:
        parse_answer(answer, n_texts=1)

    assert refused.value.is_foreign
