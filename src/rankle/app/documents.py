"""List, show and remove the documents of a workspace."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from rankle.app.wiring.knowledge_base import open_knowledge_base
from rankle.app.wiring.settings import Settings
from rankle.core.errors import InputError, UnknownNameError
from rankle.core.product import NAME
from rankle.kb.knowledge_base import KnowledgeBase
from rankle.kb.store.documents import DocumentInfo, StoredChunk
from rankle.kb.store.roots import Failure, Root


@dataclass(frozen=True, slots=True)
class DocumentView:
    """One document in full."""

    info: DocumentInfo
    text: str
    chunks: tuple[StoredChunk, ...]


@dataclass(frozen=True, slots=True)
class Removal:
    """What is to be removed: single documents, and roots with all theirs."""

    documents: tuple[DocumentInfo, ...]
    """All that go, those of the roots too."""
    roots: tuple[Root, ...] = ()


def list_documents(settings: Settings, *, collection: str | None) -> list[DocumentInfo]:
    """By id. Raises UnknownNameError for an unknown collection."""
    with open_knowledge_base(settings) as kb:
        return kb.documents(collection=collection)


def list_failures(settings: Settings) -> list[Failure]:
    """The files that the last index of each root could not read."""
    with open_knowledge_base(settings) as kb:
        return kb.failures()


def show_document(settings: Settings, name: str) -> DocumentView:
    """Raises InputError where no document, or several, have this id, path or content id."""
    with open_knowledge_base(settings) as kb:
        info = kb.document(name)
        return DocumentView(info, kb.text(info), tuple(kb.chunks(info)))


def plan_removal(
    settings: Settings, names: Sequence[str], *, root: Path | None, collection: str | None
) -> Removal:
    """What would go, before anyone is asked. Raises InputError unless one of the three ways is named."""
    if (bool(names), root is not None, collection is not None).count(True) != 1:
        raise InputError(
            "name what to remove: documents, or --root PATH, or --collection NAME; one of them. "
            f"Such as: {NAME} docs remove guide/setup.md"
        )
    with open_knowledge_base(settings) as kb:
        if root is not None:
            return _of_roots(kb, [_root(kb, root)])
        if collection is not None:
            own = tuple(kb.documents(collection=collection))
            return Removal(own, tuple(each for each in kb.roots() if each.collection == collection))
        return Removal(tuple({name: kb.document(name) for name in names}.values()))


def remove(settings: Settings, removal: Removal, *, waiting: Callable[[], None] | None = None) -> None:
    """Drop them. The files stay where they are. `waiting` is called where another process writes."""
    with open_knowledge_base(settings) as kb:
        of_roots = {info.name for root in removal.roots for info in _below(kb, root)}
        kb.remove([info for info in removal.documents if info.name not in of_roots], waiting=waiting)
        for root in removal.roots:
            kb.remove_root(root.path, waiting=waiting)


def _root(kb: KnowledgeBase, path: Path) -> Root:
    wanted = path.resolve()
    roots = kb.roots()
    for root in roots:
        if root.path == wanted:
            return root
    known = [str(root.path) for root in roots]
    raise UnknownNameError(
        what="root", name=str(wanted), known=known, hint=f"Roots: {', '.join(known) or 'none'}"
    )


def _of_roots(kb: KnowledgeBase, roots: Sequence[Root]) -> Removal:
    return Removal(tuple(info for root in roots for info in _below(kb, root)), tuple(roots))


def _below(kb: KnowledgeBase, root: Root) -> list[DocumentInfo]:
    return [
        info
        for info in kb.documents()
        if root.path == Path(info.path) or root.path in Path(info.path).parents
    ]
