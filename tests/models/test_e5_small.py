"""The real model, made from the weights of the installed package, against vectors of another engine."""

import base64
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rankle.core.embedding import Embedder, Vectors
from rankle.models.catalog import open_embedder

pytestmark = pytest.mark.needs_local

INT8_COSINE = 0.993
"""The least found over the reference texts is 0.9934 (0.9993 with float32); a wrong layer, prefix, position
or pooling gives less than 0.98."""

_REFERENCE = json.loads((Path(__file__).parent / "e5_reference.json").read_text(encoding="utf-8"))["vectors"]

TEXTS = (
    "How do I reset my password?",
    "Um das Passwort zurückzusetzen, öffnen Sie die Einstellungen.",
    "パスワードをリセットするには、設定を開きます。",
    "The cat sat on the mat. " * 30,
    "x",
)


@pytest.fixture(scope="module")
def embedder(model_cache: Path) -> Embedder:
    return open_embedder("e5-small", cache=model_cache, threads=2)


@pytest.mark.parametrize(
    "entry", _REFERENCE, ids=[f"{entry['name']}-{entry['kind']}" for entry in _REFERENCE]
)
def test_vectors_are_those_of_the_reference_engine(embedder: Embedder, entry: dict[str, Any]) -> None:
    embed = embedder.embed_queries if entry["kind"] == "query" else embedder.embed_passages
    expected = np.frombuffer(base64.b64decode(entry["float16"]), dtype="<f2").astype(np.float32)
    (vector,) = embed([entry["text"]])
    assert vector @ expected >= INT8_COSINE


def test_a_vector_depends_on_its_text_alone(embedder: Embedder) -> None:
    alone = np.concatenate([embedder.embed_passages([text]) for text in TEXTS])
    together = embedder.embed_passages(TEXTS)
    backwards = embedder.embed_passages(TEXTS[::-1])[::-1]
    assert alone.tobytes() == together.tobytes() == backwards.tobytes()


def test_a_vector_is_the_same_whatever_the_number_of_threads(model_cache: Path, embedder: Embedder) -> None:
    one = open_embedder("e5-small", cache=model_cache, threads=1)
    assert one.embed_queries(TEXTS).tobytes() == embedder.embed_queries(TEXTS).tobytes()
    assert one.info == embedder.info


@pytest.mark.parametrize("text", ["", "   \n\t", "\0", "\ud800", "​", "🙂" * 700])
def test_text_without_words_has_a_unit_vector_too(embedder: Embedder, text: str) -> None:
    for vectors in (embedder.embed_queries([text]), embedder.embed_passages([text])):
        _assert_unit(vectors, n=1)


def test_no_text_gives_no_vector(embedder: Embedder) -> None:
    assert embedder.embed_queries([]).shape == (0, 384)
    assert embedder.info.dimensions == 384


def test_queries_and_passages_differ(embedder: Embedder) -> None:
    query, passage = embedder.embed_queries(["parental leave"]), embedder.embed_passages(["parental leave"])
    assert 0.8 < float(query[0] @ passage[0]) < 0.99


def test_what_exceeds_512_tokens_is_cut_off_at_the_end(embedder: Embedder) -> None:
    text = "one two three four five six seven eight nine ten " * 60
    vectors = embedder.embed_passages([text, text + "something else entirely"])
    assert vectors[0].tobytes() == vectors[1].tobytes()


def test_a_question_finds_its_answer_in_another_language(embedder: Embedder) -> None:
    answers = [
        "Die Elternzeit dauert bis zu drei Jahre.",
        "El reembolso se paga en treinta días.",
        "パスワードは設定画面で変更できます。",
    ]
    questions = ["How long is parental leave?", "When is a refund paid?", "Where can I change my password?"]
    similarities = embedder.embed_queries(questions) @ embedder.embed_passages(answers).T
    assert similarities.argmax(axis=1).tolist() == [0, 1, 2]


def _assert_unit(vectors: Vectors, *, n: int) -> None:
    assert vectors.shape == (n, 384)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, rtol=1e-6)
