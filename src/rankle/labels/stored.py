"""The texts and chunks that a system stores, as labels look at them: read once, when a label needs them."""

import re
from collections.abc import Iterator
from functools import cached_property

from rankle.core.catalog import Catalog
from rankle.core.errors import nearest
from rankle.core.evalset import Span
from rankle.core.ports import PassageSource
from rankle.core.text_range import Range
from rankle.labels.names import Names
from rankle.labels.near_texts import Near, NearTexts, most_like
from rankle.labels.quotes import How, StoredText, find_quote

_PLAIN = re.compile(r"[0-9A-Za-z]{2,}|[\u4e00-\u9fff]{2,}")
"""Letters and digits that have one spelling only, wherever they stand."""
_SUGGESTED = 20
_TELLING = 20
"""Characters that a quote needs to be looked for in other documents: shorter ones stand there by chance."""


class Stored:
    """What a system stores, with the names of its documents."""

    def __init__(self, catalog: Catalog, source: PassageSource, *, folder: str | None) -> None:
        """folder: of the set, where relative names may start; None where there is none."""
        self.catalog = catalog
        self.names = Names(catalog, folder=folder)
        self._source = source
        self._texts: dict[str, StoredText] = {}
        self._nearest: dict[str, str | None] = {}

    def text(self, document: str) -> StoredText:
        """The text of a document that the catalog has."""
        if document not in self._texts:
            self._texts[document] = StoredText(self._source.text(document))
        return self._texts[document]

    @cached_property
    def places(self) -> dict[str, Range]:
        """Chunk id to where it stands."""
        return dict(self._source.chunk_places())

    def chunks_over(self, place: Range) -> list[tuple[str, Range]]:
        """The chunks that share a character with a place, in order."""
        return [
            (name, chunk)
            for name, chunk in self._chunks.get(place.document, ())
            if chunk.start < place.end and place.start < chunk.end
        ]

    @cached_property
    def _chunks(self) -> dict[str, list[tuple[str, Range]]]:
        found: dict[str, list[tuple[str, Range]]] = {}
        for name, place in sorted(self.places.items(), key=lambda item: (item[1].start, item[1].end)):
            found.setdefault(place.document, []).append((name, place))
        return found

    def nearest_document(self, name: str) -> str | None:
        """The document that was probably meant by a name that fits none; of the first names asked for only,
        since each costs a pass over all documents."""
        if name not in self._nearest and len(self._nearest) < _SUGGESTED:
            known = [document.id for document in self.catalog.documents]
            meant = self.names.meant(name)
            self._nearest[name] = meant or next(iter(nearest(name, known, limit=1)), None)
        return self._nearest.get(name)

    def elsewhere(self, span: Span, *, apart_from: str | None) -> Iterator[Range]:
        """The places in other documents that hold the quote, as it stands or in another spelling."""
        quote = span.quote
        if quote is None or len(quote.strip()) < _TELLING:
            return
        telling = _telling(quote)
        for document in self.catalog.documents:
            if document.id == apart_from or telling not in self.text(document.id).text:
                continue
            found = find_quote(self.text(document.id), quote, threshold=None)
            if found is not None and found.how is not How.ALIKE:
                for place in found.places:
                    yield Range(document.id, place.start, place.end)

    def near(self, span: Span) -> Near | None:
        """The place, in any document, that is more like the quote than all others; nothing says for certain
        that it is the passage which was meant."""
        quote = span.quote
        if quote is None or len(quote.strip()) < _TELLING:
            return None
        return most_like(quote, ((name, self.text(name)) for name in self._near_texts.nearest(quote)))

    @cached_property
    def _near_texts(self) -> NearTexts:
        names = (document.id for document in self.catalog.documents)
        return NearTexts((name, self.text(name).text) for name in names)


def _telling(quote: str) -> str:
    """The longest part of a quote that its usual spellings share, so that most texts need no closer look;
    empty where it has none. The last character is left out, since an accent may join it."""
    parts = (part[:-1] for part in _PLAIN.findall(quote))
    return max(parts, key=len, default="")
