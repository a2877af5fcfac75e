"""Looks up the names that people give to documents and chunks in what a system holds."""

import os.path
import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final
from urllib.parse import unquote

from rich.cells import cell_len, set_cell_size

from rankle.core.catalog import Catalog
from rankle.core.ids import is_content_id

_SHOWN: Final = 5
_CELLS: Final = 70
"""Of a list of names, so that it fits 80 with what stands before it."""
_LONGEST: Final = 48
_SHORTEST: Final = 6
"""Digits of a content id."""
_FILE_URL: Final = "file://"


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
        self._documents = {document.id: document for document in catalog.documents}
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

    def spelling(self, document: str) -> str | None:
        """A name that fits this document and no other: its id, its path or a content id; None where all of
        them fit others too."""
        known = self._documents[document]
        digest = known.content_id
        shorter = (f"#{digest[:length]}" for length in range(_SHORTEST, len(digest) + 1))
        names = (document, *([known.path] if known.path else []), *shorter)
        return next((name for name in names if self.documents(name) == (document,)), None)

    def meant(self, name: str) -> str | None:
        """The document that a name means which says more than a document: an anchor within it, or a URL."""
        bare = name.partition("#")[0]
        if bare.startswith(_FILE_URL):
            bare = unquote(bare.removeprefix(_FILE_URL).removeprefix("localhost"))
        found = self.documents(bare) if bare and bare != name else ()
        return found[0] if len(found) == 1 else None

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
    """Names in quotes for one line of a message: the first few, the longest cut in the middle."""
    every = list(names)
    quoted: list[str] = []
    for name in every[:_SHOWN]:
        text = quoted_name(name)
        n_after = len(every) - len(quoted) - 1
        if quoted and cell_len(", ".join([*quoted, text])) + len(_more(n_after)) > _CELLS:
            break
        quoted.append(text)
    return ", ".join(quoted) + _more(len(every) - len(quoted))


def _more(n: int) -> str:
    return f" and {n} more" if n else ""


def quoted_name(name: str, *, width: int = _LONGEST) -> str:
    """A name in quotes, cut in the middle where it is longer than `width` cells: both ends tell most."""
    if cell_len(name) <= width:
        return f'"{name}"'
    head, tail = width // 3, width - width // 3 - 1
    last = set_cell_size(name[::-1], tail).rstrip()[::-1]
    return f'"{set_cell_size(name, head).rstrip()}…{last}"'


def _grouped(pairs: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    grouped: dict[str, list[str]] = {}
    for key, value in pairs:
        grouped.setdefault(key, []).append(value)
    return grouped


def _normal(name: str) -> str:
    """One spelling of a path: composed characters (macOS decomposes them), no dots, slashes forward."""
    return unicodedata.normalize("NFC", os.path.normpath(name)).replace("\\", "/")
