"""Documents without a stemmer of their own follow the languages of the workspace, as these come and go."""

import sqlite3

from rankle.kb.prepare import RowMaker
from rankle.kb.stemming import document_languages, workspace_languages
from rankle.kb.store.documents import chunks_of_document, replace_rows, stems_by_document
from rankle.kb.store.holdings import languages


def follow_languages(connection: sqlite3.Connection) -> None:
    """Stems anew, from the stored text, the documents whose rows are stemmed in other languages than now due.

    Called at the end of an indexing, so that a workspace that grew has the same rows as one made afresh.
    """
    workspace = workspace_languages(languages(connection))
    for name, own, stems in list(stems_by_document(connection)):
        due = document_languages(own, workspace=workspace)
        if stems != due:
            _restem(connection, name, due)


def _restem(connection: sqlite3.Connection, name: str, due: tuple[str, ...]) -> None:
    chunks = chunks_of_document(connection, name)
    rows = {}
    if chunks:
        maker = RowMaker(title=chunks[0].title, name=name, languages=due)
        rows = {chunk.id: maker.row(chunk.text, breadcrumb=chunk.span.breadcrumb) for chunk in chunks}
    replace_rows(connection, name, rows, stems=due)
