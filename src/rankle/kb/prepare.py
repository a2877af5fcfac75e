"""One file to what the workspace stores of it: parsed, cut, analysed."""

from collections import Counter
from dataclasses import dataclass
from typing import Final

from rankle.core.ids import chunk_id, content_hash
from rankle.kb.chunk import Chunker
from rankle.kb.chunk_span import ChunkSpan
from rankle.kb.language import detect_language
from rankle.kb.parse import ParsedDocument, parse_document
from rankle.kb.rows_version import ROWS_VERSION
from rankle.kb.stemming import document_languages
from rankle.kb.store.documents import FullTextRow, PreparedChunk, PreparedDocument
from rankle.kb.text.analyzer import index_text

_CODE_LANGUAGE: Final = "en"


@dataclass(frozen=True, slots=True)
class Preparation:
    """How files become rows; the same for all files of one indexing."""

    chunker: Chunker

    @property
    def pipeline(self) -> str:
        """Names all that shapes the rows; a document with another one is prepared anew."""
        return f"{ROWS_VERSION} chunker/{self.chunker.spec}"

    def prepare(
        self, data: bytes, *, name: str, path: str, collection: str, workspace: tuple[str, ...]
    ) -> PreparedDocument:
        """Raises UnreadableDocumentError where the bytes are not what the name claims.

        workspace: the languages of the workspace's queries, for documents that have no stemmer of their own.
        """
        parsed = parse_document(data, name=name)
        language = parsed.language or self._detected(parsed)
        languages = document_languages(language, workspace=workspace)
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
            stems=languages,
            text=parsed.text,
            notices=parsed.notices,
            chunks=tuple(_chunks(parsed, self.chunker.chunk(parsed), name=name, languages=languages)),
        )

    def _detected(self, parsed: ParsedDocument) -> str | None:
        if parsed.kind == "code":
            return _CODE_LANGUAGE  # of identifiers and comments, by far the most likely
        return detect_language(parsed.prose())


def _chunks(
    parsed: ParsedDocument, spans: tuple[ChunkSpan, ...], *, name: str, languages: tuple[str, ...]
) -> list[PreparedChunk]:
    seen: Counter[str] = Counter()
    rows = RowMaker(title=parsed.title, name=name, languages=languages)
    chunks = []
    for span in spans:
        text = parsed.text[span.start : span.end]
        row = rows.row(text, breadcrumb=span.breadcrumb)
        chunks.append(PreparedChunk(chunk_id(document=name, text=text, occurrence=seen[text]), span, row))
        seen[text] += 1
    return chunks


class RowMaker:
    """Makes the full-text rows of one document's chunks."""

    def __init__(self, *, title: str, name: str, languages: tuple[str, ...]) -> None:
        """languages: those that the document's words are stemmed in."""
        self._languages = languages
        self._title = index_text(title, languages=languages)
        self._path = index_text(name, languages=languages)  # its words have the document's language, mostly

    def row(self, text: str, *, breadcrumb: tuple[str, ...]) -> FullTextRow:
        title, path = self._title, self._path
        headings = index_text("\n".join(breadcrumb), languages=self._languages)
        body = index_text(text, languages=self._languages)
        return FullTextRow(
            title=title.base,
            breadcrumb=headings.base,
            path=path.base,
            body=body.base,
            variants=f"{title.variants} {headings.variants} {path.variants} {body.variants}",
        )
