"""What the name in a label turns out to be in what a system holds."""

from dataclasses import dataclass, replace

from rankle.core.evalset import Label, Level
from rankle.core.ids import is_chunk_id
from rankle.core.text_range import Range
from rankle.labels.names import Names


@dataclass(frozen=True, slots=True)
class Named:
    """A label with what its name fits."""

    label: Label
    level: Level | None
    """None where nobody can say what the name is."""
    documents: tuple[str, ...]
    """Documents that the target is or is part of; the name itself where none fits it, and none for a chunk
    that nobody knows."""
    indexed: bool
    """Whether the system holds it; True where the system cannot tell."""
    nested: bool = False
    """Whether the label is of a part of what it is scored as, so that several with other grades may meet."""
    place: Range | None = None
    """Where the passage stands, once it was looked for; None where it stands nowhere."""
    is_document_known: bool = True
    """Of a passage: whether its document is there, so that only the passage is missing."""


def find_label(label: Label, names: Names | None) -> Named:
    """names: None where the system cannot list what it holds: then every name is an id as it stands."""
    if label.span is not None:
        documents = (label.name,) if names is None else names.documents(label.name)
        known = bool(documents)
        return Named(label, Level.SPAN, documents or (label.name,), indexed=known, is_document_known=known)
    stated = label.level or (Level.CHUNK if is_chunk_id(label.name) else None)
    itself = () if stated is Level.CHUNK else (label.name,)
    if names is None:
        return Named(label, stated or Level.DOCUMENT, itself, indexed=True)
    if stated is not Level.DOCUMENT:
        holders = names.chunk_documents(label.name)
        if holders:
            return Named(label, Level.CHUNK, holders, indexed=True)
    if stated is not Level.CHUNK:
        documents = names.documents(label.name)
        if documents:
            return Named(label, Level.DOCUMENT, documents, indexed=True)
    return Named(label, stated, itself, indexed=False)


def as_chunk(named: Named, names: Names | None) -> Named:
    """A passage as the chunk beside it; everything else as it is."""
    label = named.label
    if label.chunk is None:
        return named
    chunk = Label(label.chunk, Level.CHUNK, label.grade)
    return replace(find_label(chunk, names), nested=True)
