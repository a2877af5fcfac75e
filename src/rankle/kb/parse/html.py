"""HTML and XHTML: what a reader of the page would see, block by block."""

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from rankle.kb.frontmatter import parse_front_matter
from rankle.kb.language import language_code
from rankle.kb.parse.blocks import assemble
from rankle.kb.parse.decode import decode_text
from rankle.kb.parse.document import Block, BlockKind, ParsedDocument

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

_NEVER_SHOWN: Final = (
    "head script style nav template noscript iframe object embed svg canvas audio video map button select"
    " input textarea datalist dialog"
)
_SHOWN_AS_BLOCKS: Final = (
    "html body main article section header footer aside div p blockquote figure figcaption details summary"
    " address form fieldset legend hr center dl dt dd ul ol menu li table thead tbody tfoot tr td th caption"
    " pre h1 h2 h3 h4 h5 h6 hgroup search"
)
_DROPPED: Final = frozenset(_NEVER_SHOWN.split())
_BLOCKS: Final = frozenset(_SHOWN_AS_BLOCKS.split())
_LEVELS: Final = {f"h{level}": level for level in range(1, 7)}
_KINDS: Final[dict[str, BlockKind]] = {"li": "list", "dt": "list", "dd": "list", "blockquote": "quote"}
_IN_A_LAYOUT: Final = "table, pre, ul, ol, h1, h2, h3, h4, h5, h6"
"""What no table of data has in its cells: a table with one of these only arranges the page."""
_INVISIBLE: Final = re.compile(r"(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.IGNORECASE)
_HEADING_LINK: Final = re.compile(r"\s*[¶#§🔗]\s*\Z")
_CJK: Final = "\u3000-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff00-\uffef"
_WRAPPED_CJK: Final = re.compile(rf"(?<=[{_CJK}])[^\S\n]*\n\s*(?=[{_CJK}])")
_BREAK: Final = "\x00"
"""Stands for `<br>` until white space is collapsed; HTML text never holds it."""


def parse_html(data: bytes, *, name: str) -> ParsedDocument:
    """The stored text is extracted: blocks on lines of their own, white space collapsed but in `<pre>`,
    cells of a row parted by ` | `. Scripts, styles, navigation, templates and hidden parts are left out.
    """
    from selectolax.lexbor import LexborHTMLParser

    decoded = decode_text(data, name=name, declared=True)
    front = parse_front_matter(decoded.text)
    page = LexborHTMLParser(decoded.text[front.end :])
    writer = _Writer()
    if page.body is not None:
        _write(page.body, writer)
    return assemble(
        "".join(writer.parts),
        writer.blocks,
        name=name,
        kind="html",
        title=_title(page),
        front=replace(front, end=0),
        language=_language(page),
        notices=decoded.notices,
    )


def _title(page: "LexborHTMLParser") -> str | None:
    title = page.head.css_first("title") if page.head is not None else None
    return " ".join(title.text().split()) or None if title is not None else None


def _language(page: "LexborHTMLParser") -> str | None:
    for node in (page.root, page.body):
        attributes = node.attributes if node is not None else {}
        tag = attributes.get("lang") or attributes.get("xml:lang")
        if tag:
            return language_code(tag)
    return None


@dataclass(slots=True)
class _Writer:
    """Collects text between the borders of blocks, and writes each block where its border comes."""

    parts: list[str] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    length: int = 0
    kinds: list[tuple[BlockKind, int]] = field(default_factory=lambda: [("paragraph", 0)])
    """Kind and level of the elements around, innermost last."""
    inline: list[str] = field(default_factory=list)
    cells: list[str] = field(default_factory=list)
    rows: list[str] = field(default_factory=list)
    verbatim: int = 0
    """How many `<pre>` are open: they nest where the markup is broken."""
    in_table: bool = False

    def enter(self, node: "LexborNode", tag: str) -> None:
        if tag == "br":
            self.inline.append("\n" if self.verbatim else _BREAK)
        elif tag not in _BLOCKS:
            return
        elif self.verbatim:
            self._start_line()
            self.verbatim += tag == "pre"
        elif self.in_table:
            self.inline.append(" ")
        else:
            self._flush()
            self.verbatim = int(tag == "pre")
            self.in_table = tag == "table" and not _is_layout(node)
            outer = self.kinds[-1][0]
            heading: tuple[BlockKind, int] = ("heading", _LEVELS.get(tag, 0))
            self.kinds.append(heading if tag in _LEVELS else (_KINDS.get(tag, outer), 0))

    def leave(self, tag: str) -> None:
        if tag not in _BLOCKS:
            return
        if self.verbatim:
            self._leave_verbatim(tag)
        elif self.in_table:
            self._leave_in_table(tag)
        else:
            self._flush()
            self.kinds.pop()

    def _leave_verbatim(self, tag: str) -> None:
        self.verbatim -= tag == "pre"
        if self.verbatim:
            self._start_line()
            return
        self._write("".join(self.inline).replace("\r", "\n").strip("\n").rstrip(), "code")
        self.inline.clear()
        self.kinds.pop()

    def _leave_in_table(self, tag: str) -> None:
        if tag in ("td", "th", "caption"):
            self.cells.append(_collapsed(self.inline).replace("\n", " "))
            self.inline.clear()
        if tag in ("tr", "caption"):
            self.rows.append(" | ".join(cell for cell in self.cells if cell))
            self.cells.clear()
        if tag == "table":
            self.in_table = False
            self._write("\n".join(row for row in self.rows if row), "table")
            self.rows.clear()
            self.inline.clear()
            self.kinds.pop()

    def _start_line(self) -> None:
        if self.inline and not self.inline[-1].endswith("\n"):
            self.inline.append("\n")

    def _flush(self) -> None:
        if self.inline:
            text = _collapsed(self.inline)
            self.inline.clear()
            self._write(text, *self.kinds[-1])

    def _write(self, text: str, kind: BlockKind, level: int = 0) -> None:
        if kind == "heading":
            text = _HEADING_LINK.sub("", text)
        if not text.strip():
            return
        if self.blocks:
            tight = kind == "list" and self.blocks[-1].kind == "list"
            self._append("\n" if tight else "\n\n")
        start = self.length
        self._append(text)
        self.blocks.append(Block(start, self.length, kind, level, text if kind == "heading" else ""))

    def _append(self, text: str) -> None:
        self.parts.append(text)
        self.length += len(text)


def _write(body: "LexborNode", writer: _Writer) -> None:
    """Walks the tree without recursion: pages nest as deep as they like."""
    open_nodes: list[tuple[LexborNode, str, bool]] = [(body, "body", False)]
    while open_nodes:
        node, tag, left = open_nodes.pop()
        if left:
            writer.leave(tag)
        elif node.is_text_node:
            writer.inline.append(node.text_content or "")
        elif node.is_element_node and not _is_dropped(node, tag):
            writer.enter(node, tag)
            open_nodes.append((node, tag, True))
            child = node.last_child
            while child is not None:
                open_nodes.append((child, child.tag or "", False))
                child = child.prev


def _is_dropped(node: "LexborNode", tag: str) -> bool:
    if tag in _DROPPED:
        return True
    attributes = node.attributes
    return bool(attributes) and (
        "hidden" in attributes
        or attributes.get("aria-hidden") == "true"
        or attributes.get("role") == "navigation"
        or "headerlink" in (attributes.get("class") or "").split()
        or _INVISIBLE.search(attributes.get("style") or "") is not None
    )


def _is_layout(table: "LexborNode") -> bool:
    """css_first may give the table itself."""
    return any(node != table for node in table.css(_IN_A_LAYOUT))


def _collapsed(inline: list[str]) -> str:
    """One space for each run of white space; none where a line of Chinese or Japanese was wrapped."""
    text = _WRAPPED_CJK.sub("", "".join(inline))
    return "\n".join(" ".join(line.split()) for line in text.split(_BREAK)).strip()
