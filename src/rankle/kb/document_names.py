"""Which document a name means: its id, its path, or its short content id."""

import os
from collections.abc import Sequence
from pathlib import Path

from rankle.core.errors import InputError, UnknownNameError
from rankle.kb.paths import resolved
from rankle.kb.store.documents import DocumentInfo


def document_named(name: str, documents: Sequence[DocumentInfo]) -> DocumentInfo:
    """Raises InputError where several fit, UnknownNameError where none does."""
    found = _fitting(name, documents)
    if len(found) == 1:
        return found[0]
    if found:
        fits = ", ".join(document.name for document in found)
        raise InputError(f'"{name}" fits several documents: {fits}. Use the full id')
    known = [document.name for document in documents]
    raise UnknownNameError(what="document", name=name, known=known, hint="See: rankle docs list")


def _fitting(name: str, documents: Sequence[DocumentInfo]) -> list[DocumentInfo]:
    by_id = [document for document in documents if document.name == name]
    if by_id:
        return by_id
    paths = paths_of(name)
    prefix = name[1:].lower() if name.startswith("#") and len(name) > 6 else None
    return [
        document
        for document in documents
        if document.path in paths or (prefix and document.content_hash.startswith(prefix))
    ]


def paths_of(name: str) -> set[str]:
    """The absolute paths that a name may mean: with links kept, and with links followed."""
    try:
        return {os.path.abspath(name), str(resolved(Path(name)))}  # noqa: PTH100 - `absolute` would keep ".."
    except InputError:
        return set()
