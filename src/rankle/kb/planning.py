"""Which roots an indexing covers: refused where they are missing, empty, overlapping or colliding."""

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from rankle.core.errors import InputError
from rankle.core.product import NAME
from rankle.kb.chunk import DEFAULT_CHUNKER, parse_chunker
from rankle.kb.files import FoundFile, Listing, list_files
from rankle.kb.index_request import IndexRequest
from rankle.kb.paths import resolved
from rankle.kb.prepare import Preparation
from rankle.kb.store.documents import KnownDocument, known_documents
from rankle.kb.store.roots import Root, list_roots

DEFAULT_COLLECTION: Final = "default"
_SHOWN: Final = 10


@dataclass(frozen=True, slots=True)
class PlannedRoot:
    """One root with what it holds."""

    path: Path
    name: str | None
    collection: str
    preparation: Preparation
    listing: Listing

    def document_name(self, found: FoundFile) -> str:
        return f"{self.name}/{found.relative}" if self.name else found.relative


def plan_roots(request: IndexRequest, connection: sqlite3.Connection) -> list[PlannedRoot]:
    """The roots of a request, each once. Raises InputError where one of them cannot be indexed."""
    known = list_roots(connection)
    paths = [resolved(path) for path in request.paths] or [root.path for root in known]
    if not paths:
        raise InputError(f"nothing was indexed yet. Name a folder: {NAME} index PATH")
    if request.name is not None and len(paths) > 1:
        raise InputError("--as names one root; index the others by calls of their own")
    if request.name is not None and not _is_prefix(request.name):
        raise InputError(f'--as needs a name such as handbook or team/handbook, got "{request.name}"')
    if request.collection is not None and not request.collection.isprintable():
        raise InputError(f"a collection needs a printable name, got {request.collection!a}")
    _refuse_overlaps(paths, [root.path for root in known])
    by_path = {root.path: root for root in known}
    roots = [_planned(path, request, by_path.get(path)) for path in dict.fromkeys(paths)]
    _refuse_collisions(roots, known_documents(connection), known)
    return roots


def _planned(path: Path, request: IndexRequest, old: Root | None) -> PlannedRoot:
    if old is not None and not path.exists():
        raise InputError(
            f"{path}, which was indexed, is gone. If it is gone for good or was moved, drop its documents: "
            f"{NAME} docs remove --root {path}"
        )
    listing = list_files(path)
    if not listing.files and not listing.unreadable:
        raise InputError(_nothing_found(path, listing))
    return PlannedRoot(
        path=path,
        name=request.name or (old.name if old else None),
        collection=request.collection or (old.collection if old else DEFAULT_COLLECTION),
        preparation=Preparation(parse_chunker(request.chunker or (old.chunker if old else DEFAULT_CHUNKER))),
        listing=listing,
    )


def _nothing_found(path: Path, listing: Listing) -> str:
    message = f"{path} holds no documents"
    if listing.unknown:
        kinds = ", ".join(f"{count} {suffix}" for suffix, count in listing.unknown.most_common(5))
        message += f"; files of no known kind: {kinds}"
    if listing.n_ignored:
        message += f"; ignored or hidden: {listing.n_ignored}"
    return (
        f"{message}. Known are Markdown, HTML, text, reStructuredText, PDF and source code. "
        f"The workspace is as it was; to drop documents: {NAME} docs remove"
    )


def _is_prefix(name: str) -> bool:
    parts = name.split("/")
    return (
        name.isprintable()
        and "\\" not in name
        and all(part == part.strip() and part not in {"", ".", ".."} for part in parts)
    )


def _refuse_overlaps(paths: Sequence[Path], known: Sequence[Path]) -> None:
    for path in paths:
        outer = next((other for other in known if other in path.parents), None)
        if outer is not None:
            raise InputError(
                f"{path} lies inside {outer}, which is indexed as a whole. "
                f"Index it from there: {NAME} index {outer}"
            )
        inner = next((other for other in known if path in other.parents), None)
        if inner is not None:
            raise InputError(
                f"{path} contains {inner}, which is indexed by itself. Drop that first: "
                f"{NAME} docs remove --root {inner}"
            )
        twice = next((other for other in paths if path in other.parents), None)
        if twice is not None:
            raise InputError(f"{path} contains {twice}. Name only the outer one: {NAME} index {path}")


def _refuse_collisions(
    roots: Sequence[PlannedRoot], documents: Mapping[str, KnownDocument], known: Sequence[Root]
) -> None:
    """Two roots must not claim one document id."""
    owner = {name: document.root for name, document in documents.items()}
    known_roots = {root.path: root.id for root in known}
    gone = {root.id: root.path for root in known if not root.path.exists()}
    collisions: list[str] = []
    for place, root in enumerate(roots):
        own = known_roots.get(root.path, -1 - place)
        for found in root.listing.files:
            name = root.document_name(found)
            if owner.setdefault(name, own) != own:
                collisions.append(name)
        moved = next((gone[owner[name]] for name in collisions if owner[name] in gone), None)
        if moved is not None:
            raise InputError(
                f"{root.path} holds documents of the same ids as {moved}, which is gone. If it was moved, "
                f"drop the old one first: {NAME} docs remove --root {moved}"
            )
        if collisions:
            shown = ", ".join(collisions[:_SHOWN])
            more = f" and {len(collisions) - _SHOWN} more" if len(collisions) > _SHOWN else ""
            raise InputError(
                f"{root.path}: another root has documents of the same id: {shown}{more}. "
                f"Give this root a name, which becomes a prefix: {NAME} index {root.path} --as NAME"
            )
