"""Documents of a workspace, in lines for people and members for programs."""

import sys
from collections.abc import Sequence
from typing import Any, Final

from rich.cells import cell_len

from rankle.app.documents import DocumentView, Removal
from rankle.cli.options import count, shown_path, size
from rankle.core.ids import short_content_id
from rankle.core.product import NAME
from rankle.kb.store.documents import DocumentInfo, StoredChunk
from rankle.kb.store.roots import Failure
from rankle.kb.tokens import estimate_tokens
from rankle.reports.layout import disturbs, one_line, pad, wrapped
from rankle.reports.shortening import shortened

_SHOWN: Final = 10
_COLLECTION: Final = 20
"""Cells of a collection's name, at most,"""
_DOCUMENT: Final = 12
"""and of a document's id, at least."""


def table_lines(found: Sequence[DocumentInfo], *, width: int) -> list[str]:
    """One line a document, its id last, shortened in the middle where it would leave the screen.

    A collection that all of them share stands below, and not in every row.
    """
    if not found:
        return [f"No documents. Index some: {NAME} index PATH"]
    names = {info.collection for info in found}
    cells = max(len("Collection"), *(cell_len(one_line(name)) for name in names))
    cells = min(cells, _COLLECTION) if len(names) > 1 else 0
    begins = [_row_begin("Content", "Kind", "Lang", "Chunks", "Size", "Collection", cells)]
    begins += [
        _row_begin(
            short_content_id(info.content_hash),
            info.kind,
            info.language or "—",
            f"{info.n_chunks:,}",
            size(info.n_bytes),
            info.collection,
            cells,
        )
        for info in found
    ]
    room = max(_DOCUMENT, width - max(map(cell_len, begins)))
    documents = ["Document", *(shortened(info.name, room) for info in found)]
    lines = [begin + document for begin, document in zip(begins, documents, strict=True)]
    shared = "" if len(names) > 1 else f", collection {one_line(found[0].collection)}"
    return [
        *lines,
        "",
        f"{count(len(found), 'document')}, {size(sum(info.n_bytes for info in found))}{shared}",
    ]


def _row_begin(
    content: str, kind: str, language: str, chunks: str, n_bytes: str, collection: str, cells: int
) -> str:
    """All columns of a row but the last; `cells` is the width of the collection, 0 to leave it out."""
    shared = f"{pad(shortened(collection, cells), cells)}  " if cells else ""
    return f"{content:<9}{kind:<10}{language:<4}{chunks:>8}{n_bytes:>10}  {shared}"


def failure_lines(failures: Sequence[Failure]) -> list[str]:
    if not failures:
        return ["No failures: the last index could read every file."]
    lines = [f"Failed ({count(len(failures), 'file')}):"]
    for failure in failures:
        lines += wrapped(
            f"{one_line(shown_path(failure.path))}: {one_line(failure.message)}", first="  ", rest="    "
        )
    return lines


def failures_json(failures: Sequence[Failure]) -> dict[str, Any]:
    return {"failures": [{"path": failure.path, "message": failure.message} for failure in failures]}


def document_json(info: DocumentInfo) -> dict[str, Any]:
    """One document of `rankle.documents/1`."""
    return {
        "id": info.name,
        "content_id": f"#{info.content_hash}",
        "path": info.path,
        "collection": info.collection,
        "kind": info.kind,
        "title": info.title,
        "language": info.language,
        "tags": list(info.tags),
        "n_bytes": info.n_bytes,
        "n_chunks": info.n_chunks,
        "indexed_at": info.indexed_at,
        "notices": list(info.notices),
    }


def view_json(view: DocumentView, *, chunks: bool, text: bool) -> dict[str, Any]:
    """The members of `rankle.document/1`; text and chunks where they were asked for."""
    value = {"document": document_json(view.info)}
    if text:
        value["text"] = view.text  # type: ignore[assignment]
    if chunks:
        value["chunks"] = [_chunk_json(chunk) for chunk in view.chunks]  # type: ignore[assignment]
    return value


def view_lines(view: DocumentView, *, chunks: bool, width: int) -> list[str]:
    """What is known of a document; its id and path uncut, to be copied."""
    info = view.info
    rows = [
        ("Document", info.name),
        ("Title", info.title),
        ("Path", info.path),
        ("Content id", short_content_id(info.content_hash)),
        ("Collection", info.collection),
        ("Kind", info.kind),
        ("Language", info.language or "—"),
        ("Tags", ", ".join(info.tags)),
        ("Size", f"{size(info.n_bytes)}; {len(view.text):,} characters of text"),
        ("Chunks", f"{info.n_chunks:,}"),
        ("Indexed", info.indexed_at),
        *(("Note", notice) for notice in info.notices),
    ]
    lines = [
        line
        for name, value in rows
        if value
        for line in wrapped(one_line(value), first=f"{name + ':':<12}", rest=" " * 12, width=width)
    ]
    if chunks:
        for chunk in view.chunks:
            lines += ["", *_chunk_lines(chunk, width=width)]
    return lines


def safe_text(text: str) -> str:
    """As it is for a pipe; on a terminal, without the characters that could steer it."""
    if not sys.stdout.isatty():
        return text
    return "".join("?" if disturbs(char) and char not in "\n\t" else char for char in text)


def removal_question(removal: Removal, *, workspace: str) -> str:
    names = [one_line(info.name) for info in removal.documents[:_SHOWN]]
    more = len(removal.documents) - _SHOWN
    listed = ", ".join(names) + (f" and {more:,} more" if more > 0 else "")
    what = f"{count(len(removal.documents), 'document')} from workspace {workspace}"
    return f"Remove {what}{f' ({listed})' if listed else ''}?"


def removal_lines(removal: Removal) -> list[str]:
    lines = [f"Removed: {count(len(removal.documents), 'document')}. The files are where they were."]
    if removal.roots:
        paths = ", ".join(one_line(shown_path(root.path)) for root in removal.roots)
        return lines + wrapped(f"No longer indexed: {paths}")
    return lines + wrapped(
        "The next index of the folder brings them back, unless a .rankleignore there names them."
    )


def _chunk_json(chunk: StoredChunk) -> dict[str, Any]:
    span = chunk.span
    return {
        "id": chunk.name,
        "lines": [span.line_start, span.line_end],
        "span": [span.start, span.end],
        "page": span.page,
        "breadcrumb": list(span.breadcrumb),
        "n_tokens": estimate_tokens(chunk.text),
        "text": chunk.text,
    }


def _chunk_lines(chunk: StoredChunk, *, width: int) -> list[str]:
    span = chunk.span
    page = "" if span.page is None else f"  page {span.page}"
    tokens = count(estimate_tokens(chunk.text), "token")
    lines = [f"{chunk.name}  lines {span.line_start}-{span.line_end}{page}  about {tokens}"]
    if span.breadcrumb:
        lines.append("  " + one_line(" › ".join(span.breadcrumb), width=width - 2))
    return [*lines, "  " + one_line(chunk.text, width=width - 2)]
