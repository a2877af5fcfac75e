"""Documents in: bytes of a file to text, title and blocks. One format a file."""

from rankle.kb.parse.dispatch import KINDS, kind_of, parse_document
from rankle.kb.parse.document import Block, BlockKind, ParsedDocument

__all__ = ["KINDS", "Block", "BlockKind", "ParsedDocument", "kind_of", "parse_document"]
