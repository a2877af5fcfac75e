"""The documents and chunks that a system can return, so that labels can be joined to them."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CatalogDocument:
    """One document of a system."""

    id: str
    path: str | None
    """Absolute path of the source file; None where there is none."""
    content_id: str
    """Content hash, 64 hex digits without the leading `#`."""
    collection: str


@dataclass(frozen=True, slots=True)
class Catalog:
    """All that can be found in a system."""

    documents: tuple[CatalogDocument, ...]
    chunks: Mapping[str, tuple[str, ...]]
    """Chunk id to the ids of the documents that hold it: one, short of a hash collision."""
