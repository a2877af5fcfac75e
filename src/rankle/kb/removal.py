"""Takes documents and roots out of the index; their files stay where they are."""

from collections.abc import Callable, Sequence
from pathlib import Path

from rankle.core.errors import InputError
from rankle.kb.paths import resolved
from rankle.kb.restemming import follow_languages
from rankle.kb.store.database import Database
from rankle.kb.store.documents import DocumentInfo, delete_document, known_documents
from rankle.kb.store.roots import delete_root, list_roots


def remove_documents(
    database: Database, documents: Sequence[DocumentInfo], *, waiting: Callable[[], None] | None
) -> None:
    """What another process has dropped meanwhile is passed over."""
    with database.writing(waiting=waiting) as connection:
        known = known_documents(connection)
        for document in documents:
            if document.name in known:
                delete_document(connection, known[document.name].id)
        follow_languages(connection)


def remove_root(database: Database, path: Path, *, waiting: Callable[[], None] | None) -> int:
    """Returns how many documents it had. Raises InputError for an unknown root."""
    wanted = resolved(path)
    with database.writing(waiting=waiting) as connection:
        root = next((root for root in list_roots(connection) if root.path == wanted), None)
        if root is None:
            roots = ", ".join(str(root.path) for root in list_roots(connection)) or "none"
            raise InputError(f"{wanted} is not an indexed root. Roots: {roots}")
        own = [document for document in known_documents(connection).values() if document.root == root.id]
        for document in own:
            delete_document(connection, document.id)
        delete_root(connection, root.id)
        follow_languages(connection)
    return len(own)
