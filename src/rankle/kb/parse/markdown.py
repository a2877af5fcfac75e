"""Markdown (CommonMark and tables) and MDX."""

import html
import re
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Final

from rankle.kb.frontmatter import parse_front_matter
from rankle.kb.parse.blocks import assemble
from rankle.kb.parse.decode import decode_text
from rankle.kb.parse.document import Block, BlockKind, ParsedDocument

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_LONGEST_HEADING: Final = 1000
"""Characters of a heading whose markup is read."""

_KINDS: Final[dict[str, BlockKind]] = {
    "paragraph_open": "paragraph",
    "fence": "code",
    "code_block": "code",
    "table_open": "table",
    "blockquote_open": "quote",
    "html_block": "paragraph",
}
_HTML_HEADING: Final = re.compile(
    r"\s*<h([1-6])\b[^<>]*>(.{0,2000}?)</h\1\s*>\s*\Z", re.DOTALL | re.IGNORECASE
)
_TAG: Final = re.compile(r"<[^<>]{0,1000}>")


def parse_markdown(data: bytes, *, name: str) -> ParsedDocument:
    """The stored text is the source. Lists give one block an item; front matter lies in no block.

    Inline HTML and JSX are kept as they stand. A heading written in HTML (`<h1 align="center">`) is one.
    """
    decoded = decode_text(data, name=name)
    front = parse_front_matter(decoded.text)
    blocks = list(_blocks(decoded.text, start=front.end))
    return assemble(decoded.text, blocks, name=name, kind="markdown", front=front, notices=decoded.notices)


def _blocks(text: str, *, start: int) -> Iterator[Block]:
    source = text[start:]
    lines = _line_starts(source, start=start)
    tokens = _block_parser().parse(source)
    for index, token in enumerate(tokens):
        if token.map is None:
            continue
        first, last = lines[token.map[0]], lines[min(token.map[1], len(lines) - 1)]
        if token.level == 1 and token.type == "list_item_open":
            yield Block(first, last, "list")
        elif token.level:
            continue
        elif token.type == "heading_open":
            yield Block(first, last, "heading", int(token.tag[1]), _words(tokens[index + 1].content))
        elif token.type == "html_block":
            yield _html_block(text, first, last)
        elif token.type in _KINDS:
            yield Block(first, last, _KINDS[token.type])


def _html_block(text: str, first: int, last: int) -> Block:
    heading = _HTML_HEADING.match(text, first, last)
    words = html.unescape(_TAG.sub("", heading.group(2))).strip() if heading else ""
    if not heading or not words:
        return Block(first, last, "paragraph")
    return Block(first, last, "heading", int(heading.group(1)), words)


def _line_starts(source: str, *, start: int) -> list[int]:
    """Offset of each line, and of the end, in the stored text."""
    starts = [start]
    starts.extend(start + match.end() for match in re.finditer("\n", source))
    starts.append(start + len(source))
    return starts


def _words(heading: str) -> str:
    """The words of a heading without its markup."""
    (inline,) = _inline_parser().parseInline(heading[:_LONGEST_HEADING])
    return "".join(_texts(inline.children or []))


def _texts(tokens: "list[Token]") -> Iterator[str]:
    for token in tokens:
        if token.type in ("softbreak", "hardbreak"):
            yield " "
        elif token.type != "html_inline":
            yield token.content


@cache
def _block_parser() -> "MarkdownIt":
    """Only blocks: what stands inside a line is stored as it is, and reading it would be most of the work."""
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark").enable("table")
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser


@cache
def _inline_parser() -> "MarkdownIt":
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark").enable("strikethrough")
