"""Where a passage matches a query, in offsets of the passage as it is stored."""

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from rankle.kb.text.analyzer import document_variants, gram_tokens, normalise, runs
from rankle.kb.text.forms import word_forms
from rankle.kb.text.query import Lookup


class _Token(NamedTuple):
    forms: frozenset[str]
    """All tokens that this place answers to."""
    start: int
    end: int


class MarkedText:
    """One text of a document, cut into tokens once, for as many lookups as a query has."""

    def __init__(self, text: str, *, languages: tuple[str, ...]) -> None:
        """languages: those that the document's words were stemmed in."""
        self._tokens = list(_tokens(text, languages))
        self._places: dict[str, list[int]] = {}
        for place, token in enumerate(self._tokens):
            for form in token.forms:
                self._places.setdefault(form, []).append(place)

    def spans(self, lookups: Iterable[Lookup]) -> tuple[tuple[int, int], ...]:
        """Spans of the text that match any of the lookups, ascending, touching ones joined."""
        joined: list[tuple[int, int]] = []
        for start, end in sorted({span for look in lookups for span in self._matches(look)}):
            if joined and start <= joined[-1][1]:
                joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
            else:
                joined.append((start, end))
        return tuple(joined)

    def holds(self, lookups: Iterable[Lookup]) -> bool:
        """Whether the text matches any of the lookups."""
        return any(True for look in lookups for _span in self._matches(look))

    def _matches(self, look: Lookup) -> Iterator[tuple[int, int]]:
        size = len(look.tokens)
        for place in self._starting(look):
            window = self._tokens[place : place + size]
            if size > 1 and not look.ordered_text and window[0].forms >= set(look.tokens):
                yield window[0].start, window[0].end  # the parts of an identifier stand in one token
            if len(window) == size and all(_is(token, look, at) for at, token in enumerate(window)):
                yield window[0].start, window[-1].end

    def _starting(self, look: Lookup) -> Sequence[int]:
        """The places at which the lookup can begin."""
        first = look.tokens[0]
        if look.prefix and len(look.tokens) == 1:
            found = [places for form, places in self._places.items() if form.startswith(first)]
            return sorted({place for places in found for place in places})
        return self._places.get(first, ())


def mark(text: str, wanted: tuple[Lookup, ...], *, languages: tuple[str, ...]) -> tuple[tuple[int, int], ...]:
    """Spans of `text` that match, ascending, touching ones joined.

    wanted: the lookups of the parsed query.
    languages: those that the document's words were stemmed in.
    """
    return MarkedText(text, languages=languages).spans(wanted)


def _is(token: _Token, look: Lookup, at: int) -> bool:
    wanted = look.tokens[at]
    if look.prefix and at == len(look.tokens) - 1:
        return any(form.startswith(wanted) for form in token.forms)
    return wanted in token.forms


def _tokens(text: str, languages: tuple[str, ...]) -> Iterator[_Token]:
    normalised, origin = normalise_with_origin(text)
    for run in runs(normalised):
        if run.kind == "word":
            forms = word_forms(run.text)
            found = frozenset((forms.base, *document_variants(forms, languages)))
            yield _Token(found, origin[run.start], _behind(origin, run.end))
            continue
        size = 1 if run.kind == "pictograph" else 3 if run.kind == "unspaced" else 2
        for place, gram in enumerate(gram_tokens(run, closed=True)):
            start = min(run.start + place, run.end - 1)
            yield _Token(frozenset((gram,)), origin[start], _behind(origin, min(start + size, run.end)))


def _behind(origin: Sequence[int], end: int) -> int:
    """Where the characters that the one before `end` came from end: one may have become several (½, ㌔)."""
    while end < len(origin) - 1 and origin[end] == origin[end - 1]:
        end += 1
    return origin[end]


def normalise_with_origin(text: str) -> tuple[str, Sequence[int]]:
    """The text in NFKC, and for each of its offsets (the end included) the offset in `text` it came from."""
    if text.isascii() or unicodedata.is_normalized("NFKC", text):
        return text, range(len(text) + 1)
    parts: list[str] = []
    origin: list[int] = []
    for start, end in _clusters(text):
        piece = normalise(text[start:end])
        parts.append(piece)
        origin += [start] * len(piece)
    origin.append(len(text))
    return "".join(parts), origin


def _clusters(text: str) -> Iterator[tuple[int, int]]:
    """Pieces of the text that normalise independently of each other."""
    start = 0
    for end in range(1, len(text)):
        if not _JOINS[text[end]]:
            yield start, end
            start = end
    if text:
        yield start, len(text)


class _Joins(dict[str, bool]):
    """Whether a character can combine with, or move before, the one on its left; filled on demand."""

    def __missing__(self, char: str) -> bool:
        first = unicodedata.normalize("NFKD", char)[0]
        self[char] = (
            unicodedata.category(first).startswith("M")
            or "\u1160" <= first <= "\u11ff"  # vowels and finals of Hangul
            or first == "\U00016d67"  # a vowel of Kirat Rai, which is a letter
        )
        return self[char]


_JOINS: Final = _Joins()
