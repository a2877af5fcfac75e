"""Runs an ONNX text encoder with ONNX Runtime and makes unit vectors of what it says."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from rankle.core.embedding import EmbedderInfo, Vectors
from rankle.core.errors import ModelError

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

Encode = Callable[[str], Sequence[int]]
"""Text to token ids with the special ones, no longer than the model takes."""
Pooling = Literal["mean", "cls", "max", "last"]

_MOST_THREADS: Final = 8
_POOLED: Final = "sentence_embedding"
_PER_TOKEN: Final = ("last_hidden_state", "token_embeddings")
_FED: Final = ("input_ids", "attention_mask", "token_type_ids")

_POOL: Final[Mapping[Pooling, Callable[[NDArray[np.float32]], NDArray[np.float32]]]] = {
    "mean": lambda tokens: tokens.mean(axis=0, dtype=np.float64),
    "cls": lambda tokens: tokens[0],
    "max": lambda tokens: tokens.max(axis=0),
    "last": lambda tokens: tokens[-1],
}


@dataclass(frozen=True, slots=True)
class TextSettings:
    """What is put before texts, and how the vectors of their tokens become one."""

    query_prefix: str = ""
    passage_prefix: str = ""
    pooling: Pooling = "mean"


class OnnxEmbedder:
    """An ONNX encoder as an embedding model. Implements `core.embedding.Embedder`.

    Each text is run alone: int8 activations are scaled over the whole input, so that in a batch a text's
    vector would depend on its neighbours (and padding would cost time). Several texts run side by side,
    each on one thread. Empty text has a vector too, that of the prefix. What is longer than the model takes
    is cut off by `encode`.
    """

    def __init__(
        self,
        session: "InferenceSession",
        encode: Encode,
        *,
        name: str,
        fingerprint: str,
        settings: TextSettings,
        dimensions: int | None = None,
        threads: int | None = None,
    ) -> None:
        """dimensions: that are expected; None to learn them by running the model once.
        threads: how many texts run at once; None for as many as there are processors, at most 8.
        Raises ModelError where the model is no text encoder, or cannot be run.
        """
        self._name = name
        self._session = session
        self._settings = settings
        self._threads = threads or default_threads()
        self._encode = encode
        self._inputs = {
            wanted.name: np.int32 if wanted.type == "tensor(int32)" else np.int64
            for wanted in session.get_inputs()
        }
        self._output = output_of(session)
        n = dimensions or len(self._pooled("a"))
        self.info = EmbedderInfo(name=name, fingerprint=fingerprint, dimensions=n)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        return self._embed(texts, prefix=self._settings.query_prefix)

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        return self._embed(texts, prefix=self._settings.passage_prefix)

    def _embed(self, texts: Sequence[str], *, prefix: str) -> Vectors:
        vectors = np.empty((len(texts), self.info.dimensions), dtype=np.float32)
        prefixed = [prefix + text for text in texts]
        for row, vector in zip(vectors, _side_by_side(self._vector, prefixed, self._threads), strict=True):
            row[:] = vector
        return vectors

    def _vector(self, text: str) -> Vectors:
        return self._unit(self._pooled(text), text=text)

    def _pooled(self, text: str) -> NDArray[np.float64]:
        ids = np.array([self._encode(text)], dtype=np.int64)
        fed = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        output = self._run({name: fed[name].astype(kind) for name, kind in self._inputs.items()})
        pooled = output if output.ndim == 1 else _POOL[self._settings.pooling](output)
        return np.asarray(pooled, dtype=np.float64)

    def _run(self, feed: Mapping[str, NDArray[Any]]) -> NDArray[np.float32]:
        try:
            (output,) = self._session.run([self._output], dict(feed))
        except Exception as error:  # the runtime has no base class of its own for what it raises
            raise ModelError(f"the model {self._name} failed: {error}") from error
        found: NDArray[np.float32] = output[0]
        return found

    def _unit(self, vector: NDArray[np.float64], *, text: str) -> Vectors:
        if vector.shape != (self.info.dimensions,):
            raise ModelError(
                f"the model {self._name} gave a vector of shape {vector.shape}, "
                f"{self.info.dimensions} dimensions are expected"
            )
        length = float(np.linalg.norm(vector))
        if not np.isfinite(length) or length == 0:
            what = "only zeros" if length == 0 else "a value that is not a number"
            raise ModelError(f"the model {self._name} gave {what} for the text {_excerpt(text)}")
        return (vector / length).astype(np.float32)


def open_session(path: Path) -> "InferenceSession":
    """Load an ONNX file on one thread a run. Raises ModelError where the runtime refuses it."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1  # threads go over texts, which needs no waiting for each other
    options.inter_op_num_threads = 1
    options.enable_mem_pattern = False  # a plan of memory for each length of text would be kept
    options.log_severity_level = 4
    try:
        return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # the runtime has no base class of its own for what it raises
        raise ModelError(f"{path} cannot be loaded by ONNX Runtime: {error}") from error


def output_of(session: "InferenceSession") -> str:
    """The output to read: one vector a text where the model pools itself, else one a token.

    Raises ModelError where the model wants inputs that are not text, or gives no such output.
    """
    unknown = [wanted.name for wanted in session.get_inputs() if wanted.name not in _FED]
    if unknown or "input_ids" not in {wanted.name for wanted in session.get_inputs()}:
        names = ", ".join(wanted.name for wanted in session.get_inputs())
        raise ModelError(f"the model takes the inputs {names}; a text encoder takes {', '.join(_FED)}")
    ranks: dict[str, Any] = {given.name: len(given.shape) for given in session.get_outputs()}
    wanted = [name for name in (_POOLED,) if ranks.get(name) == 2]
    wanted += [name for name in (*_PER_TOKEN, *ranks) if ranks.get(name) == 3]
    if not wanted:
        names = ", ".join(ranks)
        raise ModelError(
            f"the model gives {names}; expected {_POOLED} of shape (1, dimensions), "
            f"or {_PER_TOKEN[0]} of shape (1, tokens, dimensions)"
        )
    return wanted[0]


def default_threads() -> int:
    """As many as the machine has processors for this process, at most 8: each costs memory of its own."""
    try:
        available = len(os.sched_getaffinity(0))
    except AttributeError:  # not on Linux
        available = os.cpu_count() or 1
    return max(1, min(_MOST_THREADS, available))


def _side_by_side(
    function: Callable[[str], Vectors], texts: Sequence[str], threads: int
) -> Iterator[Vectors]:
    """`function` of each text, in the order of the texts."""
    if len(texts) < 2 or threads == 1:
        yield from map(function, texts)
        return
    pool = ThreadPoolExecutor(min(threads, len(texts)), thread_name_prefix="embed")
    try:
        yield from pool.map(function, texts)
    finally:
        pool.shutdown(cancel_futures=True)  # an interrupt must not wait for what is still queued


def _excerpt(text: str, *, length: int = 60) -> str:
    return repr(text if len(text) <= length else text[: length - 1] + "…")
