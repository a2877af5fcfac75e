"""A deterministic embedder without a model, for tests of what uses one."""

import hashlib
import re
from collections.abc import Sequence
from typing import Final

import numpy as np

from rankle.core.canonical import fingerprint
from rankle.core.embedding import EmbedderInfo, Vectors

DEFAULT_DIMENSIONS: Final = 64
MAX_DIMENSIONS: Final = 65_536
"""More than any real model has, and little enough to be held in memory."""
_WORD: Final = re.compile(r"\w+")


class FakeEmbedder:
    """Texts that share words come near each other. Implements `core.embedding.Embedder`.

    Every word has a direction of its own, drawn from its hash; a text points to the sum of its words'. The
    vectors are the same on every machine, and say nothing of meaning.
    """

    def __init__(self, dimensions: int = DEFAULT_DIMENSIONS) -> None:
        self.info = EmbedderInfo(
            name="fake" if dimensions == DEFAULT_DIMENSIONS else f"fake:{dimensions}",
            fingerprint=fingerprint(["fake", 1, dimensions]),
            dimensions=dimensions,
        )

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        return self._embed(texts)

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        return self._embed(texts)

    def _embed(self, texts: Sequence[str]) -> Vectors:
        vectors = np.zeros((len(texts), self.info.dimensions), dtype=np.float32)
        for row, text in zip(vectors, texts, strict=True):
            for word in _WORD.findall(text.casefold()) or [text]:
                row += self._direction(word)
            row /= np.linalg.norm(row)
        return vectors

    def _direction(self, word: str) -> Vectors:
        seed = int.from_bytes(hashlib.sha256(word.encode(errors="surrogatepass")).digest()[:8], "big")
        return np.random.default_rng(seed).standard_normal(self.info.dimensions, dtype=np.float32)
