"""What an opened workspace holds: its documents, their text and chunks, and the roots they come from."""

from rankle.core.canonical import fingerprint
from rankle.core.catalog import Catalog
from rankle.core.errors import UnknownNameError
from rankle.core.text_range import Range
from rankle.kb.document_names import document_named
from rankle.kb.opened_workspace import OpenedWorkspace
from rankle.kb.rows_version import ROWS_VERSION
from rankle.kb.store.documents import (
    DocumentInfo,
    StoredChunk,
    chunk_named,
    chunks_of_document,
    document_text,
    list_documents,
)
from rankle.kb.store.holdings import collections, content_rows, read_catalog
from rankle.kb.store.places import read_chunk_places
from rankle.kb.store.roots import Failure, Root, list_failures, list_roots
from rankle.kb.vectors.store import vector_fingerprint


class Contents(OpenedWorkspace):
    """The part of a knowledge base that reads what is indexed."""

    def catalog(self) -> Catalog:
        """Every document and chunk that a search could return."""
        with self._database.reading() as connection:
            return read_catalog(connection)

    def fingerprint(self) -> str:
        """SHA-256 over what is indexed and how; the same on every machine for the same content."""
        with self._database.reading() as connection:
            rows = [ROWS_VERSION, [list(row) for row in content_rows(connection)]]
            vectors = vector_fingerprint(connection)
            return fingerprint(rows if vectors is None else [*rows, vectors])

    def documents(self, *, collection: str | None = None) -> list[DocumentInfo]:
        """All documents by id, or those of one collection. Raises UnknownNameError for an unknown one."""
        with self._database.reading() as connection:
            known = collections(connection)
            if collection is not None and collection not in known:
                hint = f"Known: {', '.join(known)}."
                raise UnknownNameError(what="collection", name=collection, known=known, hint=hint)
            return list_documents(connection, collection=collection)

    def document(self, name: str) -> DocumentInfo:
        """One document by its id, path, or short content id. Raises InputError where none or several fit."""
        return document_named(name, self.documents())

    def text(self, document: DocumentInfo) -> str:
        """The stored text, which all offsets point into."""
        with self._database.reading() as connection:
            return document_text(connection, document.name)

    def stored_text(self, document: str) -> str:
        """The same, by the document's id. Raises UnknownNameError where no document has it."""
        with self._database.reading() as connection:
            return document_text(connection, document)

    def chunk_places(self) -> dict[str, Range]:
        """Where every chunk stands, by its id."""
        with self._database.reading() as connection:
            return read_chunk_places(connection)

    def chunks(self, document: DocumentInfo) -> list[StoredChunk]:
        """A document's chunks in order."""
        with self._database.reading() as connection:
            return chunks_of_document(connection, document.name)

    def chunk(self, name: str) -> StoredChunk:
        """One chunk by its id. Raises UnknownNameError where no chunk has it."""
        with self._database.reading() as connection:
            return chunk_named(connection, name)

    def roots(self) -> list[Root]:
        with self._database.reading() as connection:
            return list_roots(connection)

    def failures(self) -> list[Failure]:
        """The files that the last index of each root could not read."""
        with self._database.reading() as connection:
            return list_failures(connection)
