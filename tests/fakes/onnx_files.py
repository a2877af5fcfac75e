"""Tiny text encoders in ONNX: the vector of a token is its row in a table."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from onnx import ModelProto

WORDS: Final = ("[UNK]", "[CLS]", "[SEP]", "cat", "dog", "sat", "ran", "query", "passage", ":")
TABLE: Final[NDArray[np.float32]] = np.eye(len(WORDS), dtype=np.float32)
"""Each token points a way of its own, so that a vector tells which tokens were pooled, and how."""


def encoder(
    table: NDArray[np.float32] = TABLE,
    *,
    inputs: tuple[str, ...] = ("input_ids", "attention_mask", "token_type_ids"),
    output: str = "last_hidden_state",
    kind: str = "INT64",
) -> "ModelProto":
    """A model that looks up its tokens; output `sentence_embedding` is their sum."""
    from onnx import TensorProto, helper, numpy_helper

    pooled = output == "sentence_embedding"
    nodes = [helper.make_node("Gather", ["table", inputs[0]], ["tokens" if pooled else output])]
    constants = [numpy_helper.from_array(table, "table")]
    shape: list[Any] = ["batch", "sequence", table.shape[1]]
    if pooled:
        nodes.append(helper.make_node("ReduceSum", ["tokens", "axis"], [output], keepdims=0))
        constants.append(numpy_helper.from_array(np.array([1], np.int64), "axis"))
        shape = ["batch", table.shape[1]]
    graph = helper.make_graph(
        nodes,
        "encoder",
        [
            helper.make_tensor_value_info(name, getattr(TensorProto, kind), ["batch", "sequence"])
            for name in inputs
        ],
        [helper.make_tensor_value_info(output, TensorProto.FLOAT, shape)],
        constants,
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)


def write_model(folder: Path, model: "ModelProto | None" = None, *, name: str = "model.onnx") -> Path:
    """Write the model and a tokenizer of words between [CLS] and [SEP]; gives the folder."""
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes((model or encoder()).SerializeToString())
    (folder / "tokenizer.json").write_text(tokenizer_json(), encoding="utf-8")
    return folder


def write_json(path: Path, content: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content), encoding="utf-8")


def tokenizer_json() -> str:
    from tokenizers import Tokenizer, models, pre_tokenizers, processors

    vocabulary = {word: i for i, word in enumerate(WORDS)}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 1), ("[SEP]", 2)]
    )
    tokenizer.enable_padding(length=32)  # as many saved tokenizers do; padding must not reach the vectors
    return tokenizer.to_str()
