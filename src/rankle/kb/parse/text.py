"""Plain text and logs."""

import re
from collections.abc import Iterator
from typing import Final

from rankle.kb.frontmatter import FrontMatter, parse_front_matter
from rankle.kb.parse.blocks import assemble, paragraphs
from rankle.kb.parse.decode import decode_text
from rankle.kb.parse.document import Block, ParsedDocument

_LONGEST_TITLE: Final = 80
_UNDERLINED: Final = re.compile(r"([^\n]{1,200})\n(={3,}|-{3,}|~{3,})[^\S\n]*(?:\n|\Z)")
_ENDS_A_SENTENCE: Final = ".!?,;:…。！？，、；："


def parse_text(data: bytes, *, name: str) -> ParsedDocument:
    """Paragraphs are what blank lines part. Headings are underlined lines, and a short first line alone.

    The lines of a `.log` are verbatim: they are kept whole, and none of them is a title.
    """
    decoded = decode_text(data, name=name)
    text = decoded.text
    if name.lower().endswith(".log"):
        blocks = list(paragraphs(text, start=0, end=len(text), kind="code"))
        return assemble(text, blocks, name=name, kind="text", notices=decoded.notices)
    front = parse_front_matter(text)
    return assemble(
        text, list(_blocks(text, front=front)), name=name, kind="text", front=front, notices=decoded.notices
    )


def _blocks(text: str, *, front: FrontMatter) -> Iterator[Block]:
    first = True
    for block in paragraphs(text, start=front.end, end=len(text)):
        underlined = _UNDERLINED.match(text, block.start, block.end)
        if underlined and abs(len(underlined.group(1).strip()) - len(underlined.group(2))) <= 2:
            level = "=-~".index(underlined.group(2)[0]) + 1
            yield Block(block.start, underlined.end(), "heading", level, underlined.group(1))
            yield Block(underlined.end(), block.end, "paragraph")
        elif first and block.end < len(text.rstrip()) and _is_title(text, block):
            yield Block(block.start, block.end, "heading", 1, text[block.start : block.end])
        else:
            yield block
        first = False


def _is_title(text: str, block: Block) -> bool:
    if block.end - block.start > _LONGEST_TITLE:
        return False
    words = text[block.start : block.end]
    return "\n" not in words and words[-1] not in _ENDS_A_SENTENCE and any(map(str.isalpha, words))
