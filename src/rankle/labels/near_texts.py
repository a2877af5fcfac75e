"""Finds something like a quote among many texts: what is compared closely is chosen by shared n-grams.

A sample of all n-grams is kept, the same of every text, so that those of a quote and of its edited copy meet.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rankle.core.text_range import Range
from rankle.labels.likeness import grams_of, most_alike
from rankle.labels.plain_text import PlainText
from rankle.labels.quotes import ALIKE_ENOUGH, AS_GOOD, StoredText

_LENGTH: Final = 5
"""Characters of an n-gram: shorter ones stand everywhere, and of longer ones few outlast an edit."""
_SCATTER: Final = np.uint64(0x9E3779B97F4A7C15)
_SAMPLED: Final = np.uint64(62)
"""Bits by which a scattered number is shifted: one n-gram in four is left as 0, and kept."""
_CANDIDATES: Final = 8


class NearTexts:
    """Texts by their n-grams."""

    def __init__(self, texts: Iterable[tuple[str, str]]) -> None:
        """texts: id and text. Linear in their length; keeps three bytes a character."""
        self._names: list[str] = []
        grams, owners = [np.empty(0, np.uint64)], [np.empty(0, np.int32)]
        for place, (name, text) in enumerate(texts):
            self._names.append(name)
            found = _sample(text)
            grams.append(found)
            owners.append(np.full(len(found), place, dtype=np.int32))
        every, owned = np.concatenate(grams), np.concatenate(owners)
        order = np.argsort(every, kind="stable")
        self._grams, self._owners = every[order], owned[order]

    def nearest(self, quote: str) -> list[str]:
        """Ids of the few texts that have most of the quote's n-grams, best first; a rare one weighs more."""
        wanted = _sample(quote)
        first = np.searchsorted(self._grams, wanted, side="left")
        counts = np.searchsorted(self._grams, wanted, side="right") - first
        weights = np.log1p(len(self._names) / np.maximum(counts, 1))
        offsets = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        owners = self._owners[np.repeat(first, counts) + offsets]
        scores = np.bincount(owners, weights=np.repeat(weights, counts), minlength=len(self._names))
        best = np.argsort(-scores, kind="stable")[:_CANDIDATES]
        return [self._names[place] for place in best if scores[place] > 0]


def _sample(text: str) -> NDArray[np.uint64]:
    """A fixed quarter of the n-grams, each once; case and white space do not count."""
    grams = grams_of(" ".join(text.casefold().split()), _LENGTH)
    return np.unique(grams[(grams * _SCATTER) >> _SAMPLED == 0])


@dataclass(frozen=True, slots=True)
class Near:
    """The text that is most like a quote."""

    place: Range
    likeness: float
    n_places: int
    """How often it stands so; `place` is the first of them."""


def most_like(quote: str, texts: Iterable[tuple[str, StoredText]]) -> Near | None:
    """None where no text holds anything like the quote, or several hold what is about as much like it and
    differs: then it is a phrase that many use, and nobody can say that one of them is the quoted passage.

    texts: id and text of those to compare.
    """
    found = sorted(_alike(quote, texts), key=lambda one: (-one[1], one[0].document, one[0].start))
    close = [one for one in found if one[1] >= found[0][1] - AS_GOOD]
    if len({text for _, _, text in close}) != 1:
        return None
    place, likeness, _ = close[0]
    return Near(place, likeness, len(close))


def _alike(quote: str, texts: Iterable[tuple[str, StoredText]]) -> Iterator[tuple[Range, float, str]]:
    wanted = PlainText(quote).text
    for name, stored in texts:
        plain = stored.plain
        for one in most_alike(plain.text, wanted, threshold=ALIKE_ENOUGH):
            place = Range(name, *plain.range_of(one.start, one.end))
            yield place, one.score, plain.text[one.start : one.end]
