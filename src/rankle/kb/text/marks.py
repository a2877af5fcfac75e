"""Where a passage matches a query, in offsets of the passage as it is stored."""

import unicodedata
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from rankle.kb.text.analyzer import document_variants, gram_tokens, normalise, runs, stemmable
from rankle.kb.text.forms import word_forms
from rankle.kb.text.query import Lookup


class _Token(NamedTuple):
    forms: frozenset[str]
    """All tokens that this place answers to."""
    start: int
    end: int


def mark(text: str, wanted: tuple[Lookup, ...], *, language: str | None) -> tuple[tuple[int, int], ...]:
    """Spans of `text` that match, ascending, touching ones joined.

    wanted: the lookups of the parsed query.
    language: the document's own, whose stems were indexed.
    """
    tokens = list(_tokens(text, language))
    spans = sorted({span for look in wanted for span in _matches(tokens, look)})
    joined: list[tuple[int, int]] = []
    for start, end in spans:
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return tuple(joined)


def holds(texts: Iterable[str], lookups: tuple[Lookup, ...], *, language: str | None) -> bool:
    """Whether any of the texts matches any of the lookups."""
    return any(mark(text, lookups, language=language) for text in texts)


def _matches(tokens: list[_Token], look: Lookup) -> Iterator[tuple[int, int]]:
    size = len(look.tokens)
    if size > 1:  # the parts of an identifier stand in one token
        yield from ((t.start, t.end) for t in tokens if not look.ordered_text and t.forms >= set(look.tokens))
    for place in range(len(tokens) - size + 1):
        window = tokens[place : place + size]
        if all(_is(token, look, at) for at, token in enumerate(window)):
            yield window[0].start, window[-1].end


def _is(token: _Token, look: Lookup, at: int) -> bool:
    wanted = look.tokens[at]
    if look.prefix and at == len(look.tokens) - 1:
        return any(form.startswith(wanted) for form in token.forms)
    return wanted in token.forms


def _tokens(text: str, language: str | None) -> Iterator[_Token]:
    normalised, origin = normalise_with_origin(text)
    languages = stemmable(language)
    for run in runs(normalised):
        if run.kind == "word":
            forms = word_forms(run.text)
            found = frozenset((forms.base, *document_variants(forms, languages)))
            yield _Token(found, origin[run.start], origin[run.end])
            continue
        size = 1 if run.kind == "pictograph" else 3 if run.kind == "unspaced" else 2
        for place, gram in enumerate(gram_tokens(run, closed=True)):
            start = min(run.start + place, run.end - 1)
            yield _Token(frozenset((gram,)), origin[start], origin[min(start + size, run.end)])


def normalise_with_origin(text: str) -> tuple[str, list[int]]:
    """The text in NFKC, and for each of its offsets (the end included) the offset in `text` it came from."""
    if text.isascii() or unicodedata.is_normalized("NFKC", text):
        return text, list(range(len(text) + 1))
    parts: list[str] = []
    origin: list[int] = []
    for start, cluster in _clusters(text):
        piece = normalise(cluster)
        parts.append(piece)
        origin += [start] * len(piece)
    origin.append(len(text))
    return "".join(parts), origin


def _clusters(text: str) -> Iterator[tuple[int, str]]:
    """Pieces of the text that normalise independently of each other."""
    start = 0
    for end in range(1, len(text) + 1):
        if end < len(text) and _interact(text[start:end], text[end]):
            continue
        yield start, text[start:end]
        start = end


def _interact(left: str, right: str) -> bool:
    if left.isascii() and right.isascii():
        return False
    return bool(unicodedata.combining(right)) or normalise(left + right) != normalise(left) + normalise(right)
