"""PDF, by pypdfium2: text in reading order of the file, page by page."""

import re
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from rankle.core.errors import UnreadableDocumentError
from rankle.kb.parse.blocks import assemble, paragraphs
from rankle.kb.parse.document import Block, ParsedDocument

if TYPE_CHECKING:
    from pypdfium2 import PdfDocument

_PDFIUM = threading.Lock()
"""PDFium is not safe to use from two threads at once, not even on two documents."""

_BETWEEN_PAGES: Final = "\n\f"
_BROKEN_WORD: Final = re.compile(r"[\x02\ufffe]\n?")
"""What PDFium writes for a hyphen that only broke a word at the end of a line."""
_UNPRINTABLE: Final = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f\ufffe\uffff]")
_EMPTY_TITLE: Final = re.compile(
    r"(?:untitled|microsoft word - .*|.*\.(?:docx?|pptx?|xlsx?|indd|tex|pdf|odt))?", re.IGNORECASE
)


def parse_pdf(data: bytes, *, name: str) -> ParsedDocument:
    """The stored text joins the pages by a line end and a form feed; `pages` says where each starts.

    Words hyphenated at a line's end are joined. Bookmarks that stand as a line on their page become headings.
    Raises UnreadableDocumentError for a broken or encrypted file, and where no page holds text.
    """
    if not data:
        raise UnreadableDocumentError(f"{name}: holds no text; the file is empty")
    with _PDFIUM:
        pages, title, bookmarks, notices = _read(data, name=name)
    if not any(page.strip() for page in pages):
        raise UnreadableDocumentError(
            f"{name}: none of its {len(pages)} pages holds text; it looks scanned."
            " Add a text layer first, such as with ocrmypdf"
        )
    text = _BETWEEN_PAGES.join(pages)
    starts = _page_starts(pages)
    blocks = list(_blocks(text, starts=starts, bookmarks=bookmarks))
    return assemble(text, blocks, name=name, kind="pdf", title=title, pages=starts, notices=notices)


def _read(
    data: bytes, *, name: str
) -> tuple[list[str], str | None, dict[int, dict[str, int]], tuple[str, ...]]:
    import pypdfium2

    try:
        pdf = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        raise UnreadableDocumentError(_why_not(str(error), name=name)) from error
    try:
        pages, notices = [], []
        for number in range(len(pdf)):
            try:
                pages.append(_page_text(pdf, number))
            except pypdfium2.PdfiumError as error:
                pages.append("")
                notices.append(f"page {number + 1} cannot be read ({error}); left out")
        return pages, _title(pdf), _bookmarks(pdf), tuple(notices)
    finally:
        pdf.close()


def _why_not(error: str, *, name: str) -> str:
    if "password" in error.lower() or "security" in error.lower():
        return f"{name}: is encrypted and asks for a password. Save a copy without it, as with qpdf --decrypt"
    return (
        f"{name}: is no readable PDF ({error.rstrip('.')}). Open it in a viewer to check, and save it again"
    )


def _page_text(pdf: "PdfDocument", number: int) -> str:
    page = pdf[number]
    try:
        textpage = page.get_textpage()
        try:
            raw: str = textpage.get_text_bounded()
        finally:
            textpage.close()
    finally:
        page.close()
    text = _BROKEN_WORD.sub("", raw.replace("\r\n", "\n").replace("\r", "\n"))
    return _UNPRINTABLE.sub(" ", text.replace("\f", "\n")).rstrip()


def _title(pdf: "PdfDocument") -> str | None:
    """The title in the metadata, unless it is only what a program puts there by itself."""
    title = " ".join(pdf.get_metadata_value("Title").split())
    return None if _EMPTY_TITLE.fullmatch(title) else title


def _bookmarks(pdf: "PdfDocument") -> dict[int, dict[str, int]]:
    """By page, from 0: the words of each bookmark and its level."""
    found: dict[int, dict[str, int]] = {}
    for bookmark in pdf.get_toc():
        destination = bookmark.get_dest()
        words = _plain(bookmark.get_title())
        if destination is not None and destination.get_index() is not None and words:
            found.setdefault(destination.get_index(), {}).setdefault(words, bookmark.level + 1)
    return found


def _page_starts(pages: list[str]) -> tuple[int, ...]:
    starts, at = [], 0
    for page in pages:
        starts.append(at)
        at += len(page) + len(_BETWEEN_PAGES)
    return tuple(starts)


def _blocks(text: str, *, starts: tuple[int, ...], bookmarks: dict[int, dict[str, int]]) -> Iterator[Block]:
    for number, start in enumerate(starts):
        end = starts[number + 1] - len(_BETWEEN_PAGES) if number + 1 < len(starts) else len(text)
        done = start
        for heading in _headings(text, start=start, end=end, levels=bookmarks.get(number, {})):
            yield from paragraphs(text, start=done, end=heading.start)
            yield heading
            done = heading.end
        yield from paragraphs(text, start=done, end=end)


def _headings(text: str, *, start: int, end: int, levels: dict[str, int]) -> Iterator[Block]:
    """The lines of a page that say what a bookmark says."""
    for line in text[start:end].split("\n") if levels else ():
        level = levels.get(_plain(line))
        if level and line.strip():
            yield Block(start, start + len(line), "heading", level, line)
        start += len(line) + 1


def _plain(words: str) -> str:
    return " ".join(words.split()).casefold()
