"""Builds the ONNX graph of multilingual-e5-small from its weights.

One text a run: `input_ids` of shape (1, n_tokens) in, `last_hidden_state` of shape (1, n_tokens, hidden)
out. There is no attention mask, since a text alone has nothing to hide; and a batch would make a text's
vector depend on its neighbours, since activations are quantised over the whole input.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from rankle.models.e5_weights import E5Weights, EncoderShape

if TYPE_CHECKING:
    from onnx import ModelProto

Precision = Literal["int8", "float32"]

_OPSET: Final = 20
_IR_VERSION: Final = 9
"""The oldest that has this opset, so that older runtimes read the file too."""
_ROWS_AT_ONCE: Final = 16_384
"""Of the word table, so that it never stands in memory as float32 (384 MB)."""
_LEVELS: Final = 127
_WORD_TABLE: Final = "word_table"
WORDS_FILE: Final = "words.bin"


def write_graph(weights: E5Weights, path: Path, *, precision: Precision = "int8") -> None:
    """Write the encoder as an ONNX model at `path`, its word table beside it in `words.bin`.

    A table in a file of its own is mapped into memory: the model opens three times as fast and a process
    takes 100 MB less, since only the rows of words that occur are ever read.
    """
    from onnx import TensorProto, external_data_helper

    model = build_graph(weights, precision=precision)
    table = next(constant for constant in model.graph.initializer if constant.name == _WORD_TABLE)
    (path.parent / WORDS_FILE).write_bytes(table.raw_data)
    external_data_helper.set_external_data(table, location=WORDS_FILE, offset=0, length=len(table.raw_data))
    table.ClearField("raw_data")
    table.data_location = TensorProto.EXTERNAL
    path.write_bytes(model.SerializeToString())


def build_graph(weights: E5Weights, *, precision: Precision = "int8") -> "ModelProto":
    """The encoder as an ONNX model, whole.

    precision: `int8` quantises the weights of every product by output channel and its activations while it
        runs; `float32` is the reference that int8 is measured by. The word table is int8 by row in both,
        which the 4-bit weights lose less than a thousandth by.
    """
    from onnx import TensorProto, helper

    graph = _Graph(precision)
    _encoder(graph, weights)
    hidden = weights.shape.hidden
    return helper.make_model(
        helper.make_graph(
            graph.nodes,
            "multilingual-e5-small",
            [helper.make_tensor_value_info("input_ids", TensorProto.INT64, [1, "n_tokens"])],
            [helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, [1, "n_tokens", hidden])],
            graph.constants,
        ),
        opset_imports=[helper.make_opsetid("", _OPSET)],
        ir_version=_IR_VERSION,
        producer_name="rankle",
    )


@dataclass(frozen=True, slots=True)
class QuantisedRows:
    """A matrix in int8."""

    codes: NDArray[np.int8]
    """In [-127, 127], shape (n_rows, n_columns)."""
    scales: NDArray[np.float32]
    """One a row, shape (n_rows,), above 0; 1 for a row of zeros."""


class _Graph:
    """Collects nodes and constants; every method gives the name of what it adds."""

    def __init__(self, precision: Precision) -> None:
        self.precision = precision
        self.nodes: list[Any] = []
        self.constants: list[Any] = []
        self._quantised: dict[str, str] = {}

    def constant(self, value: NDArray[Any], *, name: str = "") -> str:
        from onnx import numpy_helper

        name = name or f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def add(self, operator: str, *inputs: str, name: str = "", outputs: int = 1, **attributes: Any) -> str:
        from onnx import helper

        first = name or f"n{len(self.nodes)}"
        names = [first, *(f"{first}.{extra}" for extra in range(1, outputs))]
        self.nodes.append(helper.make_node(operator, inputs, names, **attributes))
        return first

    def linear(self, x: str, weight: NDArray[np.float32], bias: NDArray[np.float32]) -> str:
        """x @ weight.T + bias; weight has shape (n_out, n_in)."""
        product = self._product_int8(x, weight) if self.precision == "int8" else self._product(x, weight)
        return self.add("Add", product, self.constant(bias))

    def _product(self, x: str, weight: NDArray[np.float32]) -> str:
        return self.add("MatMul", x, self.constant(weight.T))

    def _product_int8(self, x: str, weight: NDArray[np.float32]) -> str:
        from onnx import TensorProto

        int8 = quantise_rows(weight)
        quantised = self._quantise(x)
        summed = self.add(
            "MatMulInteger",
            quantised,
            self.constant(int8.codes.T),
            f"{quantised}.2",
            self.constant(np.array(0, dtype=np.int8)),
        )
        scale = self.add("Mul", f"{quantised}.1", self.constant(int8.scales))
        return self.add("Mul", self.add("Cast", summed, to=TensorProto.FLOAT), scale)

    def _quantise(self, x: str) -> str:
        """The int8 form of x, made once however many products read it; its scale and zero point follow."""
        if x not in self._quantised:
            self._quantised[x] = self.add("DynamicQuantizeLinear", x, outputs=3)
        return self._quantised[x]

    def layer_norm(self, x: str, weights: E5Weights, name: str, *, output: str = "") -> str:
        scale, bias = (self.constant(weights.vector(f"{name}.{part}")) for part in ("w", "b"))
        return self.add(
            "LayerNormalization", x, scale, bias, name=output, axis=-1, epsilon=weights.shape.epsilon
        )


def _encoder(graph: _Graph, weights: E5Weights) -> None:
    x = graph.layer_norm(_embeddings(graph, weights), weights, "emb.ln")
    for layer in range(weights.shape.layers):
        last = layer == weights.shape.layers - 1
        attended = graph.add("Add", x, _attention(graph, x, weights, f"l{layer}"))
        x = graph.layer_norm(attended, weights, f"l{layer}.aln")
        fed = graph.add("Add", x, _feed_forward(graph, x, weights, f"l{layer}"))
        x = graph.layer_norm(fed, weights, f"l{layer}.oln", output="last_hidden_state" if last else "")


def _embeddings(graph: _Graph, weights: E5Weights) -> str:
    """Word, position from 0, and the first token type, added."""
    from onnx import TensorProto

    shape = weights.shape
    int8 = _word_table(weights)
    table = graph.constant(int8.codes, name=_WORD_TABLE)
    picked = graph.add("Cast", graph.add("Gather", table, "input_ids"), to=TensorProto.FLOAT)
    scale = graph.add("Gather", graph.constant(int8.scales.reshape(-1, 1)), "input_ids")
    words = graph.add("Mul", picked, scale)
    # position and type are the same for all texts, so that one table holds their sum
    positions = weights.vector("emb.pos").reshape(-1, shape.hidden)[: shape.positions]
    places = graph.constant(positions + weights.vector("emb.type")[: shape.hidden])
    n_tokens = graph.add("Shape", "input_ids", start=1, end=2)
    zero, one = graph.constant(np.zeros(1, np.int64)), graph.constant(np.ones(1, np.int64))
    placed = graph.add("Slice", places, zero, n_tokens, zero, one)
    return graph.add("Add", words, placed)


def _word_table(weights: E5Weights) -> QuantisedRows:
    n_rows = len(weights.vocabulary.pieces)  # the file has rows beyond the vocabulary that no token reaches
    parts = []
    for start in range(0, n_rows, _ROWS_AT_ONCE):
        rows = slice(start, min(start + _ROWS_AT_ONCE, n_rows))
        parts.append(quantise_rows(weights.matrix("emb.word", columns=weights.shape.hidden, rows=rows)))
    return QuantisedRows(
        np.concatenate([part.codes for part in parts]), np.concatenate([part.scales for part in parts])
    )


def _attention(graph: _Graph, x: str, weights: E5Weights, layer: str) -> str:
    shape = weights.shape
    size = shape.hidden // shape.heads
    split = graph.constant(np.array([0, 0, shape.heads, size], np.int64))

    def heads(part: str, order: Sequence[int], *, factor: float = 1.0) -> str:
        weight = weights.matrix(f"{layer}.{part}.w", columns=shape.hidden) * np.float32(factor)
        projected = graph.linear(x, weight, weights.vector(f"{layer}.{part}.b") * np.float32(factor))
        return graph.add("Transpose", graph.add("Reshape", projected, split), perm=order)

    # the scale of the scores is folded into the queries' weights
    queries = heads("q", [0, 2, 1, 3], factor=size**-0.5)
    keys, values = heads("k", [0, 2, 3, 1]), heads("v", [0, 2, 1, 3])
    shares = graph.add("Softmax", graph.add("MatMul", queries, keys), axis=-1)
    mixed = graph.add("Transpose", graph.add("MatMul", shares, values), perm=[0, 2, 1, 3])
    joined = graph.add("Reshape", mixed, graph.constant(np.array([0, 0, shape.hidden], np.int64)))
    return _dense(graph, joined, weights, f"{layer}.ao", columns=shape.hidden)


def _feed_forward(graph: _Graph, x: str, weights: E5Weights, layer: str) -> str:
    shape: EncoderShape = weights.shape
    inner = graph.add("Gelu", _dense(graph, x, weights, f"{layer}.fi", columns=shape.hidden))
    return _dense(graph, inner, weights, f"{layer}.fo", columns=shape.feed_forward)


def _dense(graph: _Graph, x: str, weights: E5Weights, name: str, *, columns: int) -> str:
    return graph.linear(x, weights.matrix(f"{name}.w", columns=columns), weights.vector(f"{name}.b"))


def quantise_rows(matrix: NDArray[np.float32]) -> QuantisedRows:
    """The codes and scales by which each value is within half a scale of code x scale.

    matrix: shape (n_rows, n_columns).
    """
    largest = np.abs(matrix).max(axis=1)
    scales = np.where(largest > 0, largest / _LEVELS, 1).astype(np.float32)
    return QuantisedRows(np.rint(matrix / scales[:, None]).astype(np.int8), scales)
