"""Ids that are derived from content, so that the same text has the same id on every machine."""

import hashlib
import re

from rankle.core.canonical import canonical_json

_CHUNK_ID = re.compile(r"chunk-[0-9a-f]{12}")
_CONTENT_ID = re.compile(r"#[0-9a-f]{6,64}")


def chunk_id(*, document: str, text: str, occurrence: int) -> str:
    """Id of a chunk: `chunk-` and 12 hex digits.

    occurrence: how often this very text stood in the document before this chunk, from 0; it tells
    repeated passages apart without tying an id to a position, so an edit changes only the chunks
    that it touches.
    """
    digest = hashlib.sha256(canonical_json([document, text, occurrence])).hexdigest()
    return f"chunk-{digest[:12]}"


def content_hash(data: bytes) -> str:
    """SHA-256 of a file's bytes, 64 hex digits."""
    return hashlib.sha256(data).hexdigest()


def short_content_id(digest: str) -> str:
    """The short form that people see and may type: `#` and the first 6 digits of the content hash."""
    return f"#{digest[:6]}"


def is_chunk_id(name: str) -> bool:
    return _CHUNK_ID.fullmatch(name) is not None


def is_content_id(name: str) -> bool:
    return _CONTENT_ID.fullmatch(name) is not None
