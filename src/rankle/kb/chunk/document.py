"""The chunker that does not cut."""

from dataclasses import dataclass

from rankle.kb.chunk.span import located
from rankle.kb.chunk_span import ChunkSpan
from rankle.kb.parse.document import ParsedDocument


@dataclass(frozen=True, slots=True)
class DocumentChunker:
    """One chunk: the whole document without its front matter."""

    @property
    def spec(self) -> str:
        return "document"

    def chunk(self, document: ParsedDocument) -> tuple[ChunkSpan, ...]:
        return located(document, [(block.start, document.blocks[-1].end) for block in document.blocks[:1]])
