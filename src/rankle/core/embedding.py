"""The port of embedding models: texts in, unit vectors out."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeAlias

if TYPE_CHECKING:  # a search by words alone does without
    import numpy as np
    from numpy.typing import NDArray

Vectors: TypeAlias = "NDArray[np.float32]"
"""One unit vector a text, shape (n_texts, dimensions); `dot` is the cosine."""


@dataclass(frozen=True, slots=True)
class EmbedderInfo:
    """What tells one embedding model from another."""

    name: str
    """As a user names it, such as `e5-small` or `openai:bge-m3@http://localhost/v1`; holds no credential."""
    fingerprint: str
    """SHA-256 hex over weights, runtime and precision: vectors of two fingerprints must not be compared."""
    dimensions: int


class Embedder(Protocol):
    """A model that places queries and passages in one space. Safe to use from several threads."""

    @property
    def info(self) -> EmbedderInfo: ...

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Vectors of what people ask. Shape (0, dimensions) for no text.

        A text's vector depends on that text alone, not on its neighbours or their order.
        Raises ModelError where the model fails or gives what is no vector.
        """
        ...

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of what is found, otherwise as `embed_queries`."""
        ...


class OpenEmbedder(Protocol):
    """Opens a model by the name that users give it; the factory that the knowledge base is handed."""

    def __call__(self, name: str) -> Embedder:
        """Raises UnknownNameError, MissingExtraError, or ModelError where it cannot be loaded."""
        ...
