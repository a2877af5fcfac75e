"""An embedder that notes what it is asked, and goes wrong where a test wants it to."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from rankle.core.embedding import Embedder, EmbedderInfo, Vectors
from rankle.core.errors import UnknownNameError
from rankle.models.fake import DEFAULT_DIMENSIONS, FakeEmbedder


class RecordingEmbedder:
    """The fake embedder, with a memory. Implements `core.embedding.Embedder`."""

    def __init__(
        self,
        *,
        dimensions: int = DEFAULT_DIMENSIONS,
        fingerprint: str | None = None,
        spoil: Callable[[Vectors], Vectors] = lambda vectors: vectors,
    ) -> None:
        """spoil: what becomes of the vectors of each call."""
        self._fake = FakeEmbedder(dimensions)
        info = self._fake.info
        self.info: EmbedderInfo = info if fingerprint is None else replace(info, fingerprint=fingerprint)
        self.passages: list[str] = []
        self.spoil = spoil

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        return self._fake.embed_queries(texts)

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        self.passages += texts
        return self.spoil(self._fake.embed_passages(texts))


@dataclass
class Models:
    """Embedders by name, with a memory of what was opened. Implements `core.embedding.OpenEmbedder`."""

    embedders: dict[str, Embedder] = field(default_factory=dict)
    opened: list[str] = field(default_factory=list)

    def __call__(self, name: str) -> Embedder:
        self.opened.append(name)
        if name not in self.embedders:
            raise UnknownNameError(what="model", name=name, known=self.embedders)
        return self.embedders[name]


def with_nan(vectors: Vectors) -> Vectors:
    """The last vector of a call holds what is no number."""
    spoilt = vectors.copy()
    spoilt[-1, 0] = np.nan
    return spoilt
