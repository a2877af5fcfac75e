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
    if value is None:
        return None
    if type(value) is dict or isinstance(value, Mapping):  # asked first since it is ten times quicker
        for name in names:
            found = value.get(name)
            if found is not None and not callable(found):
                return found
        return None
    for name in names:
        found = getattr(value, name, None)
        if found is not None and not callable(found):
            return found
    return None


def id_among(value: object, names: tuple[str, ...]) -> str | None:
    """The first of the members that can be an id. A text of several lines is none, whatever it is called."""
    if value is None:
        return None
    is_mapping = type(value) is dict or isinstance(value, Mapping)
    for name in names:
        found = value.get(name) if is_mapping else member(value, (name,))  # type: ignore[attr-defined]
        if found is not None and (told := as_id(found)) is not None:
            return told
    return None


def as_id(value: object) -> str | None:
    """The id that a value is; None where it can be none. Whole numbers, those of NumPy too, UUIDs and paths
    are ids as they are written."""
    if type(value) is not str and not _is_id(value):
        return None
    text = value.as_posix() if isinstance(value, PurePath) else str(value)
    return text if text.strip() and len(text) <= _LONGEST_ID and "\n" not in text else None


def _is_id(value: object) -> bool:
    return not isinstance(value, bool) and isinstance(value, str | Integral | UUID | PurePath)


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
