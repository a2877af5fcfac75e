"""The forms under which one word is indexed and looked up: folded, in parts, respelled."""

import functools
import re
import unicodedata
from dataclasses import dataclass
from typing import Final

from rankle.kb.text.scripts import ACCENTED, CONNECTORS, SOFT_HYPHEN

# FTS5's tokenizer must not split our tokens, so what it would split on is moved to private use (category Co):
# a connector to one character, any other character that SQLite's Unicode tables may not know as part of a
# word (signs, the planes above the first, letters newer than its tables) to a mark and six hex digits.
_CONNECTOR_CODES: Final = {ord(char): chr(0xE001 + place) for place, char in enumerate(CONNECTORS)}
_CONNECTOR_NAMES: Final = {ord(coded): chr(code) for code, coded in _CONNECTOR_CODES.items()}
_SPELLED_OUT_MARK: Final = "\ue010"
_UMLAUTS: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})
_STROKES: Final = {
    "ø": "o",
    "ł": "l",
    "đ": "d",
    "ð": "d",
    "ħ": "h",
    "ŧ": "t",
    "ı": "i",
    "æ": "ae",
    "œ": "oe",
    "þ": "th",
}
_LOOSE_MARKS: Final = re.compile(f"([{ACCENTED}])[\u0300-\u036f]+")
_ACCENTED: Final = re.compile(f"[{ACCENTED}]")
_PIECES: Final = re.compile("[" + re.escape(CONNECTORS) + "]+")
_WORD_LENGTH: Final = 2
_LOOSE_LENGTH: Final = 4  # shorter parts are prefixes of codes more often than words: GPT-4, DEC-0054
_MOST_PARTS: Final = 100  # what has more is data, such as an image in base64: found whole only
_STEM_MARK: Final = "\ue020"
_PARTS: Final = re.compile(r"\d+|[A-Z]{2,}(?![^\dA-Z])|[A-Z]?[^\dA-Z]+|[A-Z]+")


@dataclass(frozen=True, slots=True)
class WordForms:
    """One word of a spaced script, or one identifier."""

    base: str
    """Folded, connectors kept (encoded): the form that phrases search."""
    plain: tuple[str, ...]
    """The words to stem, case folded, accents kept: the word itself, or an identifier's parts."""
    words: tuple[str, ...]
    """Of these, the ones that tell something by themselves: all but digits and single letters of an
    identifier."""
    loose: tuple[str, ...]
    """Of these, the words of ordinary text: the simple word, or what a hyphen or slash joins
    (`multi-agent`). Other identifiers have none: where they stand alone, they are meant as a whole."""
    parts: tuple[str, ...]
    """Folded parts of an identifier in order; empty for a simple word."""
    joined: str | None
    """The parts without anything between, where that differs from the base."""
    respelled: tuple[str, ...]
    """`ae`, `oe`, `ue` for umlauts, of the whole and of the parts."""


def fold(text: str) -> str:
    """Case folded, accents of Latin, Greek and Cyrillic removed, composed (NFC).

    Marks of other scripts stay: removing them turns が into か, breaks Hangul apart and changes Thai words.
    """
    if text.isascii():
        return text.lower()
    folded, before = _without_accents(text.casefold()), text
    while (
        folded != before
    ):  # composing may bring a new accented letter about, behind a mark of another script
        folded, before = _without_accents(folded), folded
    return folded


def _without_accents(text: str) -> str:
    return unicodedata.normalize("NFC", _LOOSE_MARKS.sub(r"\1", text.translate(_FOLDING)))


def encode(token: str) -> str:
    """The token as FTS5 stores it: in characters that its tokenizer takes for parts of a word."""
    return token if token.isascii() and token.isalnum() else token.translate(_CODES)


def stem_token(stem: str) -> str:
    """The token of a stem, kept apart from the words that happen to be spelled like it.

    Every word then weighs the same: once by its own form and once by its stem, whether or not the two differ.
    """
    return _STEM_MARK + encode(fold(stem))


def readable(token: str) -> str:
    """The inverse of `encode`, for people; a stem is shown with a leading `≈`."""
    plain = token.translate(_CONNECTOR_NAMES).replace(_STEM_MARK, "≈")
    return re.sub(f"{_SPELLED_OUT_MARK}([0-9a-f]{{6}})", lambda match: chr(int(match[1], 16)), plain)


@functools.lru_cache(maxsize=200_000)
def word_forms(raw: str) -> WordForms:
    """All forms of one `word` run of `scripts.run_pattern`, given in compatibility composition (NFKC)."""
    raw = raw.replace(SOFT_HYPHEN, "")
    base = fold(raw)
    cut = _cut(raw)
    if len(cut) > _MOST_PARTS:
        return WordForms(encode(base), (), (), (), (), None, ())
    if len(cut) < 2:
        # C++, C# and .NET are no forms of "c" and "net".
        plain = tuple(part.casefold() for part in cut if part == raw)
        return WordForms(encode(base), plain, plain, plain, (), None, _respelled(raw))
    parts = tuple(fold(part) for part in cut)
    joined = encode("".join(parts))
    plain = tuple(part.casefold() for part in cut)
    hyphenated = set("".join(_PIECES.findall(raw))) <= {"-", "/"} and len(_PIECES.split(raw)) > 1
    words = tuple(part for part in plain if part.isalpha() and len(part) >= _WORD_LENGTH)
    return WordForms(
        base=encode(base),
        plain=plain,
        words=words,
        loose=tuple(word for word in words if hyphenated and len(word) >= _LOOSE_LENGTH),
        parts=tuple(encode(part) for part in parts),
        joined=joined if joined != encode(base) else None,
        respelled=tuple(dict.fromkeys(form for word in (raw, *cut) for form in _respelled(word))),
    )


def _cut(raw: str) -> list[str]:
    """Parts of an identifier: at connectors, at changes of case, between letters and digits."""
    pieces = [piece for piece in _PIECES.split(raw) if piece]
    if len(pieces) == 1 and (pieces[0].islower() or pieces[0].istitle()) and pieces[0].isalpha():
        return pieces
    return [part for piece in pieces for part in _PARTS.findall(piece)]


def _respelled(word: str) -> tuple[str, ...]:
    spelled = word.casefold()
    other = spelled.translate(_UMLAUTS)
    return () if other == spelled else (encode(fold(other)),)


class _Folding(dict[int, str]):
    """Code point to folded text, filled on demand: 'é' to 'e', but 'が' to itself."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        folded = _STROKES.get(char, char)
        if folded == char and _ACCENTED.match(char):
            bare = [part for part in unicodedata.normalize("NFD", char) if not unicodedata.combining(part)]
            folded = "".join(bare) or char
        self[code] = folded
        return folded


_FOLDING: Final = _Folding()


class _Codes(dict[int, str]):
    """Code point to what stands for it in the index, filled on demand."""

    def __missing__(self, code: int) -> str:
        # Unicode 3.2 is older than any table of SQLite, and the same in every Python.
        known = unicodedata.ucd_3_2_0.category(chr(code))
        kept = code <= 0xFFFF and (known[0] in "LNM" or known == "Co")
        self[code] = chr(code) if kept else f"{_SPELLED_OUT_MARK}{code:06x}"
        return self[code]


_CODES: Final = _Codes(_CONNECTOR_CODES)
