"""Text to index tokens: normalised, cut into runs by script, each run in the tokens that suit its script."""

import functools
import re
import threading
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from rankle.kb.text.forms import WordForms, encode, fold, stem_token, word_forms
from rankle.kb.text.scripts import run_pattern

ANALYZER_VERSION: Final = 3
"""Raised by every change that gives other tokens for the same text; workspaces are then indexed anew."""

# Language (ISO 639-1) to the name of its Snowball stemmer.
STEMMERS: Final = {
    "ar": "arabic", "ca": "catalan", "da": "danish", "de": "german", "el": "greek", "en": "english",
    "es": "spanish", "et": "estonian", "eu": "basque", "fi": "finnish", "fr": "french",
    "ga": "irish", "hi": "hindi", "hu": "hungarian", "hy": "armenian", "id": "indonesian",
    "it": "italian", "lt": "lithuanian", "ne": "nepali", "nl": "dutch", "no": "norwegian",
    "pt": "portuguese", "ro": "romanian", "ru": "russian", "sr": "serbian", "sv": "swedish",
    "ta": "tamil", "tr": "turkish", "yi": "yiddish",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Run:
    """One run of a text."""

    kind: str
    """`word`, `han`, `hangul`, `unspaced` or `pictograph`."""
    text: str
    """The run in NFKC, case kept."""
    start: int
    """Offset in the normalised text."""
    end: int


@dataclass(frozen=True, slots=True)
class IndexText:
    """What is written into the index for one text: tokens, joined by spaces."""

    base: str
    """Base tokens in order; phrases search them."""
    variants: str
    """Stems, parts of identifiers, other spellings."""


def normalise(text: str) -> str:
    """Compatibility composition (NFKC): full width, ligatures, decomposed letters become the usual ones."""
    return text if text.isascii() else unicodedata.normalize("NFKC", text)


def runs(text: str) -> Iterator[Run]:
    """The runs of a text that is in NFKC."""
    return map(_run, run_pattern(text).finditer(text))


def _run(match: re.Match[str]) -> Run:
    kind = match.lastgroup
    assert kind is not None
    return Run(kind, match[0], match.start(), match.end())


def index_text(text: str, *, languages: tuple[str, ...]) -> IndexText:
    """The tokens of a document's text, with the stems of its words in each of the languages.

    languages: ones that have a stemmer, as `stemming.document_languages` gives them.
    """
    base: list[str] = []
    variants: list[str] = []
    normal = normalise(text)
    for match in run_pattern(normal).finditer(normal):
        if match.lastgroup == "word":
            token, others = _indexed(match[0], languages)
            base.append(token)
            if others:
                variants.append(others)
        else:
            base += gram_tokens(_run(match), closed=True)
    return IndexText(" ".join(base), " ".join(variants))


@functools.lru_cache(maxsize=200_000)
def _indexed(raw: str, languages: tuple[str, ...]) -> tuple[str, str]:
    """Base token and variants of one word; most words of a text are words that were met before."""
    forms = word_forms(raw)
    return forms.base, " ".join(document_variants(forms, languages))


def document_variants(forms: WordForms, languages: tuple[str, ...]) -> tuple[str, ...]:
    """What stands in the variants of a document for one word. Parts come first, adjacent and in order."""
    joined = (forms.joined,) if forms.joined else ()
    return (*forms.parts, *joined, *forms.respelled, *stem_tokens(forms.plain, languages))


def stem_tokens(words: tuple[str, ...], languages: tuple[str, ...]) -> tuple[str, ...]:
    """The tokens of the words' stems, each once."""
    return tuple(dict.fromkeys(stem_token(stem(word, language)) for language in languages for word in words))


def gram_tokens(run: Run, *, closed: bool) -> list[str]:
    """Overlapping grams of a run without spaces between words: pairs, for Thai and its like triples.

    closed: also the shorter grams at the end of the run. A document's runs are closed, so that a term of
        fewer characters than a gram is found by prefix wherever it stands. A query's last run is open.
    """
    if run.kind == "pictograph":
        return [encode(run.text)]
    text = fold(run.text)
    size = 3 if run.kind == "unspaced" else 2
    if len(text) <= size and not closed:
        return [encode(text)]
    last = len(text) if closed else len(text) - size + 1
    return [encode(text[place : place + size]) for place in range(last)]


def is_short(run: Run) -> bool:
    """Whether a run is shorter than its grams, so that it must be looked up by prefix."""
    return (run.kind in {"han", "hangul"} and len(run.text) < 2) or (
        run.kind == "unspaced" and len(run.text) < 3
    )


def stem(word: str, language: str) -> str:
    """The Snowball stem of a case-folded word."""
    return _stem(word, language)


@functools.lru_cache(maxsize=200_000)
def _stem(word: str, language: str) -> str:
    with _STEMMER_LOCK:  # a Snowball stemmer holds state while it runs
        stemmed: str = _stemmer(language).stemWord(word)
    return stemmed


@functools.cache
def _stemmer(language: str) -> Any:
    import Stemmer

    return Stemmer.Stemmer(STEMMERS[language])


_STEMMER_LOCK: Final = threading.Lock()
