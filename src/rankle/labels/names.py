"""Looks up the names that people give to documents and chunks in what a system holds."""

import os.path
import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from rankle.core.catalog import Catalog
from rankle.core.ids import is_content_id

_SHOWN: Final = 5


class Names:
    """Every name of every document and chunk of a catalog; built once, then each look-up is one of a few
    dictionary accesses."""

    def __init__(self, catalog: Catalog, *, folder: str | None) -> None:
        """folder: absolute folder of the set, where relative names may start; None where there is none."""
        self._exact = {document.id for document in catalog.documents}
        self._ids = _grouped((_normal(document.id), document.id) for document in catalog.documents)
        self._paths = _grouped(
            (_normal(document.path), document.id) for document in catalog.documents if document.path
        )
        self._contents = sorted((document.content_id, document.id) for document in catalog.documents)
        self._chunks = catalog.chunks
        # A system may have resolved links in its paths, where the set's folder was named through one.
        self._folders = dict.fromkeys([folder, str(Path(folder).resolve())]) if folder else {}

    def documents(self, name: str) -> tuple[str, ...]:
        """Ids of the documents that the name fits, sorted: by id, content id, path; empty where none does."""
        found = {name} if name in self._exact else set(self._ids.get(_normal(name), ()))
        for path in self._as_paths(name):
            found.update(self._paths.get(path, ()))
        if is_content_id(name):
            found.update(self._by_content(name.removeprefix("#")))
        return tuple(sorted(found))

    def chunk_documents(self, name: str) -> tuple[str, ...]:
        """Ids of the documents that hold the chunk of this id; empty where no chunk has it."""
        return self._chunks.get(name, ())

    def _as_paths(self, name: str) -> Iterator[str]:
        if os.path.isabs(name):  # noqa: PTH117  (called for every label, and pathlib is ten times slower)
            yield _normal(name)
            return
        for folder in self._folders:
            yield _normal(os.path.join(folder, name))  # noqa: PTH118  (pathlib would keep the dots)

    def _by_content(self, prefix: str) -> Iterator[str]:
        for digest, document in self._contents[bisect_left(self._contents, (prefix, "")) :]:
            if not digest.startswith(prefix):
                return
            yield document


def listed(names: Iterable[str]) -> str:
    """Names in quotes for a message, cut to the first few."""
    every = list(names)
    quoted = ", ".join(f'"{name}"' for name in every[:_SHOWN])
    return quoted if len(every) <= _SHOWN else f"{quoted} and {len(every) - _SHOWN} more"


def _grouped(pairs: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    grouped: dict[str, list[str]] = {}
    for key, value in pairs:
        grouped.setdefault(key, []).append(value)
    return grouped


def _normal(name: str) -> str:
    """One spelling of a path: composed characters (macOS decomposes them), no dots, slashes forward."""
    return unicodedata.normalize("NFC", os.path.normpath(name)).replace("\\", "/")
