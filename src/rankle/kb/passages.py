"""The text of results, with what matches the query in it."""

import sqlite3
from collections.abc import Sequence
from typing import Final

from rankle.core.search import Passage
from rankle.kb.fulltext import FullText, chunk_holds, telling_lookups
from rankle.kb.picking import Target
from rankle.kb.store.documents import StoredChunk, chunks_by_id
from rankle.kb.text.marks import MarkedText
from rankle.kb.text.query import Lookup, ParsedQuery

_MARKED: Final = 200_000
"""Characters of a passage in which matches are marked; only the `document` chunker makes longer ones."""
_FEW: Final = 100
"""With as many chunks, a word in more than half of them is `the` rather than what the reader asked for."""


def read_passages(fulltext: FullText, targets: Sequence[Target], query: ParsedQuery) -> dict[str, Passage]:
    """The best chunk of each result, by the result's id."""
    stored = chunks_by_id(fulltext.connection, [target.rows[0].chunk for target in targets])
    marked = tuple(telling_lookups(fulltext.words, query.wanted, small=_FEW)) if targets else ()
    return {
        target.id: _passage(fulltext.connection, stored[target.rows[0].chunk], query, marked)
        for target in targets
    }


def _passage(
    connection: sqlite3.Connection, chunk: StoredChunk, query: ParsedQuery, marked: tuple[Lookup, ...]
) -> Passage:
    span = chunk.span
    body = MarkedText(chunk.text[:_MARKED], languages=chunk.stems)
    around = (chunk.title, *span.breadcrumb, chunk.document)
    fields = [body, *(MarkedText(text, languages=chunk.stems) for text in around)]
    wanted = [term for term in query.terms if term.kind != "exclude"]
    return Passage(
        chunk=chunk.name,
        title=chunk.title,
        breadcrumb=span.breadcrumb,
        text=chunk.text,
        start=span.start,
        end=span.end,
        line_start=span.line_start,
        line_end=span.line_end,
        page=span.page,
        marks=body.spans(marked),
        terms=tuple(
            term.text
            for term in wanted
            if any(field.holds(term.lookups) for field in fields)
            or (len(chunk.text) > _MARKED and chunk_holds(connection, chunk.id, term.lookups))
        ),
    )
