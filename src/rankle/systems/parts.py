"""Where results of all kinds have their id, document, score and text: by the names that are usual."""

from collections.abc import Mapping
from numbers import Integral
from pathlib import PurePath
from typing import Any, Final
from uuid import UUID

DOCUMENT: Final = ("document", "docid", "doc_id", "document_id", "docno", "ref_doc_id")
CHUNK: Final = ("chunk", "chunk_id", "passage_id")
ID: Final = ("id", "_id", "node_id", "key", "uuid", "path", "url")
SOURCE: Final = ("source", "file_path", "file_name")
SCORE: Final = ("score", "_score", "@search.score", "similarity", "relevance_score", "relevance")
TEXT: Final = ("text", "content", "page_content", "snippet", "passage", "body")
METADATA: Final = ("metadata", "meta", "_source", "fields", "payload")
NODE: Final = ("node",)
"""What a result of LlamaIndex is made of: the document is told there alone."""
LISTS: Final = (
    "results",
    "hits",
    "documents",
    "docs",
    "nodes",
    "items",
    "matches",
    "data",
    "docids",
    "value",
)
"""Members of an answer that hold the list; the first that is there is taken."""
_LONGEST_ID: Final = 512


def member(value: object, names: tuple[str, ...]) -> Any:
    """The first of the members that is there and is not None; None where none is."""
    for name in names:
        found = value.get(name) if isinstance(value, Mapping) else getattr(value, name, None)
        if found is not None and not callable(found):
            return found
    return None


def id_among(value: object, names: tuple[str, ...]) -> str | None:
    """The first of the members that can be an id. A text of several lines is none, whatever it is called."""
    for name in names:
        found = as_id(member(value, (name,)))
        if found is not None:
            return found
    return None


def as_id(value: object) -> str | None:
    """The id that a value is; None where it can be none. Whole numbers, those of NumPy too, UUIDs and paths
    are ids as they are written."""
    if isinstance(value, bool) or not isinstance(value, str | Integral | UUID | PurePath):
        return None
    text = value.as_posix() if isinstance(value, PurePath) else str(value)
    return text if text.strip() and len(text) <= _LONGEST_ID and "\n" not in text else None


def document_of(entry: object) -> str | None:
    """The document that a result says it is of; None where it only has an id."""
    inner = (member(entry, METADATA), member(entry, NODE))
    return next(filter(None, (id_among(each, DOCUMENT) for each in (entry, *inner))), None)


def chunk_of(entry: object) -> str | None:
    """The chunk that a result is, else its id."""
    metadata = member(entry, METADATA)
    return id_among(entry, CHUNK) or id_among(metadata, CHUNK) or id_of(entry)


def id_of(entry: object) -> str | None:
    """The id of a result, else where its text is from."""
    metadata = member(entry, METADATA)
    own, inner = id_among(entry, ID), id_among(metadata, ID)
    return own or inner or id_among(metadata, SOURCE) or id_among(entry, SOURCE)
