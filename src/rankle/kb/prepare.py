"""One file to what the workspace stores of it: parsed, cut, analysed."""

from collections import Counter
from dataclasses import dataclass
from typing import Final

from rankle.core.ids import chunk_id, content_hash
from rankle.kb.chunk import Chunker, ChunkSpan
from rankle.kb.language import detect_language
from rankle.kb.parse import ParsedDocument, parse_document
from rankle.kb.store.documents import FullTextRow, PreparedChunk, PreparedDocument
from rankle.kb.text.analyzer import ANALYZER_VERSION, index_text

_PREPARE_VERSION: Final = 1
"""Raised by every change of parsing or chunking that makes other rows from the same file."""
ROWS_VERSION: Final = f"prepare/{_PREPARE_VERSION} analysis/{ANALYZER_VERSION}"
"""Rows of another version answer other queries than this version asks."""

_CODE_LANGUAGE: Final = "en"


@dataclass(frozen=True, slots=True)
class Preparation:
    """How files become rows; the same for all files of one indexing."""

    chunker: Chunker

    @property
    def pipeline(self) -> str:
        """Names all that shapes the rows; a document with another one is prepared anew."""
        return f"{ROWS_VERSION} chunker/{self.chunker.spec}"

    def prepare(self, data: bytes, *, name: str, path: str, collection: str) -> PreparedDocument:
        """Raises UnreadableDocumentError where the bytes are not what the name claims."""
        parsed = parse_document(data, name=name)
        language = parsed.language or self._detected(parsed)
        return PreparedDocument(
            name=name,
            path=path,
            collection=collection,
            kind=parsed.kind,
            title=parsed.title,
            language=language,
            tags=parsed.tags,
            n_bytes=len(data),
            content_hash=content_hash(data),
            pipeline=self.pipeline,
            text=parsed.text,
            notices=parsed.notices,
            chunks=tuple(_chunks(parsed, self.chunker.chunk(parsed), name=name, language=language)),
        )

    def _detected(self, parsed: ParsedDocument) -> str | None:
        if parsed.kind == "code":
            return _CODE_LANGUAGE  # of identifiers and comments, by far the most likely
        return detect_language(parsed.prose())


def _chunks(
    parsed: ParsedDocument, spans: tuple[ChunkSpan, ...], *, name: str, language: str | None
) -> list[PreparedChunk]:
    seen: Counter[str] = Counter()
    title = index_text(parsed.title, language=language)
    path = index_text(name, language=language)  # its words have the document's language, mostly
    chunks = []
    for span in spans:
        text = parsed.text[span.start : span.end]
        breadcrumb = index_text("\n".join(span.breadcrumb), language=language)
        body = index_text(text, language=language)
        row = FullTextRow(
            title=title.base,
            breadcrumb=breadcrumb.base,
            path=path.base,
            body=body.base,
            variants=f"{title.variants} {breadcrumb.variants} {path.variants} {body.variants}",
        )
        chunks.append(PreparedChunk(chunk_id(document=name, text=text, occurrence=seen[text]), span, row))
        seen[text] += 1
    return chunks
