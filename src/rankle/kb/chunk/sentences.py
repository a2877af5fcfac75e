"""Where sentences end."""

import re
from collections.abc import Iterator
from typing import Final

_CLOSING: Final = r"[\"'”’»›)\]」』）】》〉]"
# The look-behind keeps a line of nothing but dots linear: each run is tried once.
_END: Final = re.compile(
    rf"(?<![.!?…؟۔।॥])[.!?…؟۔।॥]++{_CLOSING}*+(?=\s)|[。！？｡]++{_CLOSING}*+|．++(?!\d){_CLOSING}*+"
)
_WORD: Final = re.compile(r"[^\W_]")
_WORD_BEFORE: Final = re.compile(r"[\w.-]*\Z")
_NEXT: Final = re.compile(r"\s+[\"'“„«(\[]*(\S)")
_LOOKED_BACK: Final = 24
_LOOKED_AHEAD: Final = 80

# English, German, French, Italian, Spanish; without the last dot, lower case
_SHORTENED: Final = (
    "mr mrs ms dr prof sr jr st vs cf e.g i.e approx dept est fig figs no nos vol pp p ch sec eq al inc ltd"
    " gen gov sen rep rev hon capt col lt sgt mt ave blvd jan feb mar apr jun jul aug sep sept oct nov dec"
    " z.b d.h u.a u.u z.t bzw ca evtl ggf inkl nr abs art str tel vgl sog hr fr frl bspw usf s.o s.u i.d.r"
    " m mme mlle mm av env p.ex c.-à-d sig sigg sig.ra dott ing avv ecc pag es sra srta ud uds núm pág"
)
_ABBREVIATIONS: Final = frozenset(_SHORTENED.split())


def sentence_ends(text: str, *, start: int, end: int) -> Iterator[int]:
    """Offsets behind each sentence that ends inside the span, ascending; the span's own end is not told.

    `.`, `!`, `?` and `…` end a sentence before white space, `。`, `！` and `？` anywhere. Dots do not before
    a lower-case letter, nor a single one after common abbreviations, initials and ordinals (`3. Mai`).
    Signs alone (the ` . . . ` of a table of contents) are no sentence.
    """
    checked, has_words = start, False
    for match in _END.finditer(text, start, end):
        has_words = has_words or _WORD.search(text, checked, match.start()) is not None
        checked = match.end()
        if has_words and match.end() < end and not _goes_on(text, match, start=start):
            yield match.end()
            has_words = False


def _goes_on(text: str, match: re.Match[str], *, start: int) -> bool:
    if match.group() not in (".", "...", "…"):
        return False
    following = _NEXT.match(text, match.end(), match.end() + _LOOKED_AHEAD)
    if following and following.group(1).islower():
        return True
    return match.group() == "." and _is_shortened(
        text[max(start, match.start() - _LOOKED_BACK) : match.start()]
    )


def _is_shortened(before: str) -> bool:
    """Whether the dot belongs to the word that this text ends with."""
    found = _WORD_BEFORE.search(before)
    word = found.group().lstrip(".-").lower() if found else ""
    if len(word) == 1 and word != word.upper():
        return True
    return word in _ABBREVIATIONS or (word.isdigit() and len(word) <= 2)
