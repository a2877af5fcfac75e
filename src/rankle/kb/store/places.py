"""Where every chunk of a workspace stands in its document's stored text."""

import sqlite3

from rankle.core.text_range import Range


def read_chunk_places(connection: sqlite3.Connection) -> dict[str, Range]:
    """Chunk id to its range, in the order of documents and of their texts."""
    rows = connection.execute(
        'SELECT c.name, d.name, c.start, c."end" FROM chunks c JOIN documents d ON d.id = c.document '
        "ORDER BY d.name, c.ordinal"
    )
    return {name: Range(document, start, end) for name, document, start, end in rows}
