"""PDF, by pypdfium2: text in reading order of the file, page by page."""

import re
import threading
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from rankle.core.errors import EmptyDocumentError, UnreadableDocumentError
from rankle.kb.parse.blocks import assemble, paragraphs
from rankle.kb.parse.document import Block, ParsedDocument

if TYPE_CHECKING:
    from pypdfium2 import PdfDocument, PdfTextPage

_PDFIUM = threading.Lock()
"""PDFium is not safe to use from two threads at once, not even on two documents."""

_BETWEEN_PAGES: Final = "\n\f"
_BROKEN_WORD: Final = re.compile(r"[\x02\ufffe]\n?")
"""What PDFium writes for a hyphen that only broke a word at the end of a line."""
_UNPRINTABLE: Final = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f\ufffe\uffff]")
_LINE_ENDS: Final = (10, 13)
_TWO_LETTERS: Final = re.compile(r"[^\W\d_]{2}")

_LARGER: Final = 1.15
"""How much larger than most of the text a heading is set."""
_LONGEST_HEADING: Final = 120
_RUNNING_TITLE: Final = 3
"""A line that stands on this many pages is the head or foot of a page."""

_EMPTY_TITLE: Final = re.compile(
    r"(?:untitled|microsoft word - .*|.*\.(?:docx?|pptx?|xlsx?|indd|tex|pdf|odt))?", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of a page as it was printed."""

    words: str
    """On one line, casefolded."""
    size: float
    """The smallest font size at its start, middle and end, to half a point: a large numeral is no heading."""
    length: int


@dataclass(frozen=True, slots=True)
class _Read:
    """What PDFium tells of a file."""

    pages: tuple[str, ...]
    lines: tuple[tuple[_Line, ...], ...]
    """By page."""
    title: str | None
    bookmarks: Mapping[int, Mapping[str, int]]
    """By page, from 0: the words of each bookmark and its level."""
    notices: tuple[str, ...]


def parse_pdf(data: bytes, *, name: str) -> ParsedDocument:
    """The stored text joins the pages by a line end and a form feed; `pages` says where each starts.

    Words hyphenated at a line's end are joined. Headings are the lines that a bookmark points to; in a file
    without bookmarks, short lines in a larger type than most of the text.
    Raises UnreadableDocumentError for a broken or encrypted file, and where no page holds text.
    """
    if not data:
        raise EmptyDocumentError(f"{name}: holds no text; the file is empty")
    with _PDFIUM:
        read = _read(data, name=name)
    if not any(page.strip() for page in read.pages):
        raise UnreadableDocumentError(
            f"{name}: none of its {len(read.pages)} pages holds text; it looks scanned."
            " Add a text layer first, such as with ocrmypdf"
        )
    text = _BETWEEN_PAGES.join(read.pages)
    starts = _page_starts(read.pages)
    blocks = list(_blocks(text, starts=starts, levels=read.bookmarks or _levels_by_size(read.lines)))
    return assemble(text, blocks, name=name, kind="pdf", title=read.title, pages=starts, notices=read.notices)


def _read(data: bytes, *, name: str) -> _Read:
    import pypdfium2

    try:
        pdf = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        raise UnreadableDocumentError(_why_not(str(error), name=name)) from error
    pages: list[tuple[str, tuple[_Line, ...]]] = []
    notices = []
    try:
        for number in range(len(pdf)):
            try:
                pages.append(_read_page(pdf, number))
            except pypdfium2.PdfiumError as error:
                pages.append(("", ()))
                notices.append(f"page {number + 1} cannot be read ({error}); left out")
        return _Read(
            pages=tuple(text for text, _ in pages),
            lines=tuple(lines for _, lines in pages),
            title=_title(pdf),
            bookmarks=_bookmarks(pdf),
            notices=tuple(notices),
        )
    finally:
        pdf.close()


def _why_not(error: str, *, name: str) -> str:
    if "password" in error.lower() or "security" in error.lower():
        return f"{name}: is encrypted and asks for a password. Save a copy without it, as with qpdf --decrypt"
    return (
        f"{name}: is no readable PDF ({error.rstrip('.')}). Open it in a viewer to check, and save it again"
    )


def _read_page(pdf: "PdfDocument", number: int) -> tuple[str, tuple[_Line, ...]]:
    page = pdf[number]
    try:
        textpage = page.get_textpage()
        try:
            raw: str = textpage.get_text_bounded()
            lines = tuple(_lines(textpage))
        finally:
            textpage.close()
    finally:
        page.close()
    text = _BROKEN_WORD.sub("", raw.replace("\r\n", "\n").replace("\r", "\n"))
    return _UNPRINTABLE.sub(" ", text.replace("\f", "\n")).rstrip(), lines


def _lines(textpage: "PdfTextPage") -> Iterator[_Line]:
    from pypdfium2 import raw

    n = textpage.count_chars()
    start = 0
    for at in range(n + 1):
        if at < n and raw.FPDFText_GetUnicode(textpage, at) not in _LINE_ENDS:
            continue
        if start < at:
            words = "".join(chr(raw.FPDFText_GetUnicode(textpage, index)) for index in range(start, at))
            sizes = [
                raw.FPDFText_GetFontSize(textpage, index) for index in (start, (start + at) // 2, at - 1)
            ]
            yield _Line(_plain(words), round(2 * min(sizes)) / 2, at - start)
        start = at + 1


def _levels_by_size(pages: Sequence[Sequence[_Line]]) -> Mapping[int, Mapping[str, int]]:
    """By page, from 0: the words of lines in large type, the largest of all being level 1."""
    by_size: Counter[float] = Counter()
    repeated: Counter[str] = Counter()
    for lines in pages:
        repeated.update({line.words for line in lines})
        for line in lines:
            by_size[line.size] += line.length
    if not by_size:
        return {}
    body = by_size.most_common(1)[0][0]

    def is_heading(line: _Line) -> bool:
        large = line.size >= body * _LARGER and line.length <= _LONGEST_HEADING
        return large and _TWO_LETTERS.search(line.words) is not None and repeated[line.words] < _RUNNING_TITLE

    sizes = sorted({line.size for lines in pages for line in lines if is_heading(line)}, reverse=True)
    return {
        number: {line.words: min(sizes.index(line.size) + 1, 6) for line in lines if is_heading(line)}
        for number, lines in enumerate(pages)
    }


def _title(pdf: "PdfDocument") -> str | None:
    """The title in the metadata, unless it is only what a program puts there by itself."""
    title = " ".join(pdf.get_metadata_value("Title").split())
    return None if _EMPTY_TITLE.fullmatch(title) else title


def _bookmarks(pdf: "PdfDocument") -> Mapping[int, Mapping[str, int]]:
    found: dict[int, dict[str, int]] = {}
    for bookmark in pdf.get_toc():
        destination = bookmark.get_dest()
        words = _plain(bookmark.get_title())
        if destination is not None and destination.get_index() is not None and words:
            found.setdefault(destination.get_index(), {}).setdefault(words, bookmark.level + 1)
    return found


def _page_starts(pages: Sequence[str]) -> tuple[int, ...]:
    starts, at = [], 0
    for page in pages:
        starts.append(at)
        at += len(page) + len(_BETWEEN_PAGES)
    return tuple(starts)


def _blocks(text: str, *, starts: Sequence[int], levels: Mapping[int, Mapping[str, int]]) -> Iterator[Block]:
    for number, start in enumerate(starts):
        end = starts[number + 1] - len(_BETWEEN_PAGES) if number + 1 < len(starts) else len(text)
        done = start
        for heading in _headings(text, start=start, end=end, levels=levels.get(number, {})):
            yield from paragraphs(text, start=done, end=heading.start)
            yield heading
            done = heading.end
        yield from paragraphs(text, start=done, end=end)


def _headings(text: str, *, start: int, end: int, levels: Mapping[str, int]) -> Iterator[Block]:
    """The lines of a page that have a level. A heading that goes on in the next line is one."""
    heading: Block | None = None
    for line in text[start:end].split("\n") if levels else ():
        level = levels.get(_plain(line), 0)
        if heading and (level != heading.level or line[:1].isdigit()):
            yield heading
            heading = None
        if level:
            first = heading.start if heading else start
            heading = Block(first, start + len(line), "heading", level, text[first : start + len(line)])
        start += len(line) + 1
    if heading:
        yield heading


def _plain(words: str) -> str:
    return " ".join(words.split()).casefold()
