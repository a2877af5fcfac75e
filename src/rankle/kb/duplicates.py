"""Texts that are nearly the same, found among those that came before."""

from collections import defaultdict
from dataclasses import dataclass
from math import ceil
from typing import Final

from rankle.kb.text.analyzer import normalise

OVERLAP: Final = 0.9
"""Two texts are nearly the same where they share this part of all their shingles (Jaccard)."""
_SHINGLE: Final = 5
"""Characters; of any script, so no words have to be told apart."""
_LONGEST: Final = 20_000
"""Characters. Of longer texts, only those with the very same letters and digits are the same."""


@dataclass(frozen=True, slots=True)
class Shingled:
    """A text as it is compared: its letters and digits, without case, white space and punctuation."""

    letters: str
    shingles: frozenset[str]
    """All runs of five; empty where the text is too long for that."""
    first: tuple[str, ...]
    """The part of them, in alphabetical order, of which a text that is nearly the same shares at least one
    with this one's (Chaudhuri, Ganti, Kaushik 2006, prefix filter)."""


def shingled(text: str) -> Shingled:
    letters = "".join(char for char in normalise(text).casefold() if char.isalnum())
    if len(letters) > _LONGEST:
        return Shingled(letters, frozenset(), ())
    found = frozenset(letters[at : at + _SHINGLE] for at in range(max(1, len(letters) - _SHINGLE + 1)))
    n_first = len(found) - ceil(OVERLAP * len(found)) + 1
    return Shingled(letters, found, tuple(sorted(found)[:n_first]))


class NearDuplicates:
    """Remembers texts, and finds the first that a further one nearly repeats.

    Source: Broder 1997, On the Resemblance and Containment of Documents.
    """

    def __init__(self) -> None:
        self._texts: list[Shingled] = []
        self._whole: dict[str, int] = {}
        self._holding: defaultdict[str, list[int]] = defaultdict(list)

    def find(self, text: Shingled) -> int | None:
        """Which of the remembered texts, counted from 0, this one nearly repeats; None where it is new."""
        same = self._whole.get(text.letters)
        if same is not None:
            return same
        candidates = sorted({place for shingle in text.first for place in self._holding.get(shingle, ())})
        return next((place for place in candidates if self._is_near(text, self._texts[place])), None)

    def remember(self, text: Shingled) -> None:
        """Text number `n`, where n texts were remembered before."""
        place = len(self._texts)
        self._texts.append(text)
        self._whole.setdefault(text.letters, place)
        for shingle in text.first:
            self._holding[shingle].append(place)

    def _is_near(self, one: Shingled, other: Shingled) -> bool:
        shared = len(one.shingles & other.shingles)
        return shared >= OVERLAP * (len(one.shingles) + len(other.shingles) - shared)
