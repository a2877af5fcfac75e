"""Documents of a workspace, in lines for people and members for programs."""

import sys
from collections.abc import Sequence
from typing import Any, Final

from rankle.app.documents import DocumentView, Removal
from rankle.cli.options import count, shown_path, size
from rankle.core.ids import short_content_id
from rankle.core.product import NAME
from rankle.kb.store.documents import DocumentInfo, StoredChunk
from rankle.kb.store.roots import Failure
from rankle.kb.tokens import estimate_tokens
from rankle.reports.layout import WIDTH, disturbs, one_line, pad, wrapped

_SHOWN: Final = 10


def table_lines(found: Sequence[DocumentInfo]) -> list[str]:
    """One line a document, its id last and uncut."""
    if not found:
        return [f"No documents. Index some: {NAME} index PATH"]
    collection = max(10, *(len(one_line(info.collection)) for info in found)) + 2
    lines = [
        f"Content  {'Kind':<10}{'Lang':<6}{'Chunks':>6}{'Size':>10}  {pad('Collection', collection)}Document"
    ]
    lines += [
        f"{short_content_id(info.content_hash):<9}{info.kind:<10}{info.language or '—':<6}"
        f"{info.n_chunks:>6,}{size(info.n_bytes):>10}  {pad(one_line(info.collection), collection)}"
        f"{one_line(info.name)}"
        for info in found
    ]
    total = sum(info.n_bytes for info in found)
    return [*lines, "", f"{count(len(found), 'document')}, {size(total)}"]


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


def view_lines(view: DocumentView, *, chunks: bool) -> list[str]:
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
    lines = [f"{name + ':':<12}{one_line(value)}" for name, value in rows if value]
    if chunks:
        for chunk in view.chunks:
            lines += ["", *_chunk_lines(chunk)]
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


def _chunk_lines(chunk: StoredChunk) -> list[str]:
    span = chunk.span
    page = "" if span.page is None else f"  page {span.page}"
    tokens = count(estimate_tokens(chunk.text), "token")
    lines = [f"{chunk.name}  lines {span.line_start}-{span.line_end}{page}  about {tokens}"]
    if span.breadcrumb:
        lines.append("  " + one_line(" › ".join(span.breadcrumb), width=WIDTH - 2))
    return [*lines, "  " + one_line(chunk.text, width=WIDTH - 2)]
