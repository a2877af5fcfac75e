"""Laying blocks over a text so that nothing of it is lost."""

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePath
from typing import Final

from rankle.core.errors import EmptyDocumentError
from rankle.kb.frontmatter import FrontMatter
from rankle.kb.parse.document import Block, BlockKind, ParsedDocument

_BLANK_LINES: Final = re.compile(r"\n(?:[^\S\n]*\n)+")
_LONGEST_HEADING: Final = 300


def trimmed(text: str, *, start: int, end: int) -> tuple[int, int]:
    """The span without its outer white space; empty where it holds nothing else."""
    piece = text[start:end]
    start += len(piece) - len(piece.lstrip())
    return start, max(start, end - (len(piece) - len(piece.rstrip())))


def paragraphs(text: str, *, start: int, end: int, kind: BlockKind = "paragraph") -> Iterator[Block]:
    """The pieces of a span that blank lines part."""
    for gap in _BLANK_LINES.finditer(text, start, end):
        yield from _block(text, start=start, end=gap.start(), kind=kind)
        start = gap.end()
    yield from _block(text, start=start, end=end, kind=kind)


def heading_words(text: str) -> str:
    """A heading on one line, without more than 300 characters of it."""
    words = " ".join(text[: 4 * _LONGEST_HEADING].split())
    return words if len(words) <= _LONGEST_HEADING else words[: _LONGEST_HEADING - 1].rstrip() + "…"


def assemble(
    text: str,
    blocks: Sequence[Block],
    *,
    name: str,
    kind: str,
    title: str | None = None,
    front: FrontMatter | None = None,
    pages: tuple[int, ...] = (),
    language: str | None = None,
    notices: tuple[str, ...] = (),
) -> ParsedDocument:
    """The document, with blocks trimmed and every gap between them filled by paragraphs.

    blocks: ascending, not overlapping. title: what the format states; front matter goes before it.
    Raises EmptyDocumentError where no block is left.
    """
    front = front or FrontMatter()
    complete = tuple(_complete(text, blocks, start=front.end))
    if not complete:
        raise EmptyDocumentError(f"{name}: holds no text{' behind its front matter' if front.end else ''}")
    return ParsedDocument(
        text=text,
        title=front.title or title or top_heading(complete) or PurePath(name).stem,
        blocks=complete,
        kind=kind,
        pages=pages,
        language=front.language or language,
        tags=front.tags,
        notices=notices + front.notices,
    )


def top_heading(blocks: Sequence[Block]) -> str | None:
    """The first heading of the highest level that occurs."""
    headings = [block for block in blocks if block.kind == "heading" and block.text]
    return min(headings, key=lambda block: block.level).text if headings else None


def _complete(text: str, blocks: Sequence[Block], *, start: int) -> Iterator[Block]:
    for block in blocks:
        yield from paragraphs(text, start=start, end=block.start)
        yield from _block(
            text,
            start=max(start, block.start),
            end=block.end,
            kind=block.kind,
            level=block.level,
            words=heading_words(block.text),
        )
        start = max(start, block.end)
    yield from paragraphs(text, start=start, end=len(text))


def _block(
    text: str, *, start: int, end: int, kind: BlockKind, level: int = 0, words: str = ""
) -> Iterator[Block]:
    start, end = trimmed(text, start=start, end=end)
    if start < end:
        yield Block(start, end, kind, level, words)
