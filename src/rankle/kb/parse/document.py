"""What parsing makes of a file, whatever its format."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

BlockKind: TypeAlias = Literal["heading", "paragraph", "code", "table", "list", "quote"]


@dataclass(frozen=True, slots=True)
class Block:
    """A contiguous piece of a document's text that belongs together."""

    start: int
    end: int
    """Offset behind the last character. A block neither starts nor ends with white space."""
    kind: BlockKind
    """`list` is one item of a list, with everything nested in it; `code` is anything verbatim."""
    level: int = 0
    """Of a heading, 1 is the highest; 0 for the rest."""
    text: str = ""
    """A heading's words without markup; empty for the rest."""


@dataclass(frozen=True, slots=True)
class ParsedDocument:
    """A document's stored text, and what stands where in it."""

    text: str
    """The stored text. For Markdown, text, reStructuredText and code it is the decoded source with
    newlines as `\\n`, so that offsets are offsets of the source; for HTML and PDF what was extracted."""
    title: str
    """As the document states it, else its first top heading, else the name of the file."""
    blocks: tuple[Block, ...]
    """Ascending, not overlapping. All but white space and front matter lies in one of them."""
    kind: str
    """The format: markdown, html, text, rst, code, pdf."""
    pages: tuple[int, ...] = ()
    """Offset at which each page starts; empty where the format has no pages."""
    language: str | None = None
    """ISO 639-1, where the document states it."""
    tags: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()
    """What was guessed or lost in reading."""

    def prose(self, *, limit: int = 20_000) -> str:
        """The first characters outside code and tables: what tells the language. All of a source file,
        since its comments are its prose."""
        return "\n".join(self._prose(limit))[:limit]

    def _prose(self, limit: int) -> Iterator[str]:
        for block in self.blocks:
            if limit <= 0:
                return
            if self.kind == "code" or block.kind not in ("code", "table"):
                yield self.text[block.start : min(block.end, block.start + limit)]
                limit -= block.end - block.start
