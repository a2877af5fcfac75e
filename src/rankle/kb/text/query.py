"""A user's words to terms. Every text is a valid query; what is not syntax is text.

red apple       either word
"red apple"     both, next to each other, in this order
apple -pie      not where "pie" stands; only after a space, so `DEC-0054` is one term
conf*           words that begin with "conf"; two characters at least
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from rankle.kb.text.analyzer import (
    Run,
    gram_tokens,
    is_short,
    normalise,
    runs,
    stem_tokens,
)
from rankle.kb.text.forms import WordForms, encode, fold, word_forms

Phrase = tuple[str, ...]
"""Tokens that stand next to each other; one token is a phrase too."""

_QUOTES: Final = str.maketrans({"“": '"', "”": '"', "„": '"', "‟": '"', "«": '"', "»": '"'})
_PIECE: Final = re.compile(r'(?P<minus>(?<=\s)-(?=[^\s-]))?(?:"(?P<phrase>[^"]*)"|(?P<word>[^\s"]+|"))')


@dataclass(frozen=True, slots=True)
class Lookup:
    """One thing to look up in the index."""

    tokens: Phrase
    prefix: bool = False
    """Whether the last token is only the beginning of one."""
    ordered_text: bool = False
    """Whether only the columns that keep the order of the text count."""


@dataclass(frozen=True, slots=True)
class QueryTerm:
    """One term of a query, with all the forms that match it."""

    text: str
    """As the user wrote it, after compatibility composition."""
    kind: str
    """`term`, `phrase`, `prefix` or `exclude`."""
    lookups: tuple[Lookup, ...]


@dataclass(frozen=True, slots=True)
class ParsedQuery:
    """The terms of a query, in the order in which they were written."""

    terms: tuple[QueryTerm, ...]
    text: str
    """What the query asks for in plain language, for models that read: without exclusions, quotes around
    phrases and the stars of prefixes. Exactly as the user wrote it where it holds none of these."""

    @property
    def wanted(self) -> tuple[Lookup, ...]:
        """What makes a match, each once; empty where the text holds nothing to search for."""
        return _distinct(term for term in self.terms if term.kind != "exclude")

    @property
    def excluded(self) -> tuple[Lookup, ...]:
        return _distinct(term for term in self.terms if term.kind == "exclude")


def _distinct(terms: Iterable[QueryTerm]) -> tuple[Lookup, ...]:
    return tuple(dict.fromkeys(look for term in terms for look in term.lookups))


def parse_query(text: str, *, languages: tuple[str, ...]) -> ParsedQuery:
    """The terms of a query; no text is an error, and one without letters or digits has no terms.

    languages: those of the workspace. A query's own language is not guessed: a word stands for its stems in
        all of them.

    An identifier that is the whole query is looked up as a whole; among other words its parts count as well.
    """
    plain = normalise(text).translate(_QUOTES)
    terms = _all_terms(plain, languages, alone=True)
    if sum(term.kind != "exclude" for term in terms) > 1:
        terms = _all_terms(plain, languages, alone=False)
    return ParsedQuery(tuple(terms), _without_operators(text, plain, terms))


def _without_operators(text: str, plain: str, terms: list[QueryTerm]) -> str:
    """plain: `text` as it was parsed."""
    excludes = any(term.kind == "exclude" for term in terms)

    def left(match: re.Match[str]) -> str:
        if match["minus"]:
            return "" if excludes else match[0]
        if match["phrase"] is not None:
            return f" {match['phrase']} "
        word = match["word"]
        return word.rstrip("*") if _is_prefix(word) else word

    kept = _PIECE.sub(left, plain)
    return text if kept == plain else " ".join(kept.split())


def _all_terms(plain: str, languages: tuple[str, ...], *, alone: bool) -> list[QueryTerm]:
    terms = [term for match in _PIECE.finditer(plain) for term in _terms(match, languages, alone=alone)]
    if all(term.kind == "exclude" for term in terms):
        # Nothing is left to search in, so the minus was punctuation.
        return [term for piece in plain.split() for term in _word_terms(piece, languages, alone=alone)]
    return terms


def _terms(match: re.Match[str], languages: tuple[str, ...], *, alone: bool) -> list[QueryTerm]:
    quoted, word = match["phrase"], match["word"]
    if match["minus"]:
        return _exclusion(match[0], quoted) if quoted is not None else _excluded_word(match[0], word)
    if quoted is not None:
        tokens = _ordered(quoted)
        look = Lookup(tokens, prefix=_ends_short(quoted), ordered_text=True)
        return [QueryTerm(match[0], "phrase", (look,))] if tokens else []
    return _word_terms(word, languages, alone=alone)


def _word_terms(word: str, languages: tuple[str, ...], *, alone: bool) -> list[QueryTerm]:
    if _is_prefix(word):
        prefix = _prefix(word.rstrip("*"))
        if prefix:
            return [QueryTerm(word, "prefix", (prefix,))]
    return [QueryTerm(run.text, "term", _lookups(run, languages, alone=alone)) for run in runs(word)]


def _lookups(run: Run, languages: tuple[str, ...], *, alone: bool) -> tuple[Lookup, ...]:
    if run.kind == "word":
        forms = word_forms(run.text)
        words = forms.loose if alone else forms.words
        loose = [Lookup((encode(fold(word)),)) for word in words if forms.parts]
        stems = [Lookup((token,)) for token in stem_tokens(words, languages)]
        return tuple(dict.fromkeys((*_spellings(forms), *loose, *stems)))
    if is_short(run):
        return (Lookup((encode(fold(run.text)),), prefix=True),)
    return tuple(dict.fromkeys(Lookup((gram,)) for gram in gram_tokens(run, closed=False)))


def _spellings(forms: WordForms) -> tuple[Lookup, ...]:
    """All spellings of the very same word: whole, without connectors, as separate words, with ae for ä."""
    single = [forms.base, *((forms.joined,) if forms.joined else ()), *forms.respelled]
    apart = [Lookup(forms.parts)] if forms.parts else []
    return (*(Lookup((token,)) for token in dict.fromkeys(single)), *apart)


def _prefix(word: str) -> Lookup | None:
    """The beginning of the word's base form; a run of grams is a phrase, whose last gram is complete."""
    tokens = _ordered(word)
    spaced = [run.kind == "word" for run in runs(word)]
    return Lookup(tokens, prefix=spaced[-1] or _ends_short(word)) if tokens else None


def _is_prefix(word: str) -> bool:
    return word.endswith("*") and len(word.rstrip("*")) > 1


def _excluded_word(raw: str, word: str) -> list[QueryTerm]:
    prefix = _prefix(word.rstrip("*")) if _is_prefix(word) else None
    return [QueryTerm(raw, "exclude", (prefix,))] if prefix else _exclusion(raw, word)


def _exclusion(raw: str, text: str) -> list[QueryTerm]:
    """What must not stand in a chunk: the word in any spelling, but no relative; a run of grams whole."""
    found = list(runs(text))
    if len(found) == 1 and found[0].kind == "word":
        return [QueryTerm(raw, "exclude", _spellings(word_forms(found[0].text)))]
    tokens = _ordered(text)
    look = Lookup(tokens, prefix=_ends_short(text), ordered_text=True)
    return [QueryTerm(raw, "exclude", (look,))] if tokens else []


def _ordered(text: str) -> Phrase:
    """The base tokens of a text, as they follow each other in a document; the last run is open."""
    found = list(runs(text))
    tokens: list[str] = []
    for place, run in enumerate(found):
        if run.kind == "word":
            tokens.append(word_forms(run.text).base)
        else:
            tokens += gram_tokens(run, closed=place < len(found) - 1)
    return tuple(tokens)


def _ends_short(text: str) -> bool:
    found = list(runs(text))
    return bool(found) and is_short(found[-1])
