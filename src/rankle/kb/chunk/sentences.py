"""Where sentences end."""

import re
from collections.abc import Iterator
from typing import Final

_CLOSING: Final = r"[\"'”’»›)\]」』）】》〉]"
# The look-behind keeps a line of nothing but dots linear: each run is tried once.
_END: Final = re.compile(
    rf"(?<![.!?…؟۔।॥])[.!?…؟۔।॥]++{_CLOSING}*+(?=\s)|[。！？｡]++{_CLOSING}*+|．++(?!\d){_CLOSING}*+"
)
_WORD_BEFORE: Final = re.compile(r"[\w.-]*\Z")
_NEXT: Final = re.compile(r"\s+[\"'“„«(\[]*(\S)")
_LOOKED_BACK: Final = 24

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

    `.`, `!`, `?` and `…` end a sentence before white space, `。`, `！` and `？` anywhere. A single dot does
    not after common abbreviations, initials and ordinals (`3. Mai`), nor before a lower-case letter.
    """
    for match in _END.finditer(text, start, end):
        if match.end() < end and not (match.group() == "." and _goes_on(text, match.start(), start=start)):
            yield match.end()


def _goes_on(text: str, dot: int, *, start: int) -> bool:
    following = _NEXT.match(text, dot + 1, dot + 80)
    if following and following.group(1).islower():
        return True
    before = _WORD_BEFORE.search(text[max(start, dot - _LOOKED_BACK) : dot])
    word = before.group().lstrip(".-") if before else ""
    if len(word) == 1:
        return word.isalpha() and word.isupper()
    return word.lower() in _ABBREVIATIONS or (word.isdigit() and len(word) <= 2)
