"""A small search of the handbook, for pages that measure a search of one's own."""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

_WORD: Final = re.compile(r"\w+")
_DIMENSIONS: Final = 40
Ranked = list[tuple[str, float]]


class Search:
    """Files of text by their passages, which stand between blank lines.

    folder: what ends in `.pdf` is left out; ids are paths below it, of a passage with `#` and its number.
    """

    def __init__(self, folder: Path) -> None:
        self.passages: dict[str, tuple[str, str]] = {}
        """Ids to file and text."""
        for path in sorted(path for path in folder.rglob("*.*") if path.suffix != ".pdf"):
            name = path.relative_to(folder).as_posix()
            for number, text in enumerate(path.read_text(encoding="utf-8").split("\n\n")):
                self.passages[f"{name}#{number}"] = name, text
        self._lengths = {passage: len(words(text)) for passage, (_, text) in self.passages.items()}
        self._usual = sum(self._lengths.values()) / len(self._lengths)
        self._places: dict[str, Counter[str]] = {}
        for passage, (_, text) in self.passages.items():
            for word in words(text):
                self._places.setdefault(word, Counter())[passage] += 1

    def bm25(self, query: str) -> Ranked:
        """Passages, best first."""
        scores = defaultdict[str, float](float)
        for word in sorted(set(words(query)) & self._places.keys()):
            places = self._places[word]
            rarity = math.log(1 + (len(self._lengths) - len(places) + 0.5) / (len(places) + 0.5))
            for passage, count in places.items():
                length = 0.6 + 0.4 * self._lengths[passage] / self._usual
                scores[passage] += rarity * count * 1.9 / (count + 0.9 * length)
        return best_first(scores)

    def reranked(self, query: str, found: Ranked) -> Ranked:
        """The same passages; those come first that hold more of the words of a query."""
        held = Counter(passage for word in set(words(query)) for passage in self._places.get(word, ()))
        return best_first({passage: score * held[passage] for passage, score in found})

    def documents(self, query: str) -> Ranked:
        """Files with the scores of their best passages, best first."""
        best: dict[str, float] = {}
        for passage, score in self.bm25(query):
            best.setdefault(self.passages[passage][0], score)
        return list(best.items())

    def dense(self, queries: Sequence[str]) -> list[Ranked]:
        """For each query, files by how near they lie in the space of latent semantic indexing.

        Source: Deerwester et al. 1990.
        """
        names = sorted({name for name, _ in self.passages.values()})
        texts = ["\n".join(text for of, text in self.passages.values() if of == name) for name in names]
        counts, asked = (self._counts(each) for each in (texts, queries))
        rarity = np.log(len(names) / (counts > 0).sum(axis=0))
        weights = np.log1p(counts) * rarity
        axes = np.linalg.svd(weights, full_matrices=False)[2][:_DIMENSIONS].T
        near = _unit(asked * rarity @ axes) @ _unit(weights @ axes).T
        return [best_first(dict(zip(names, map(float, row), strict=True))) for row in near]

    def _counts(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """How often each known word stands in each text, shape (n_texts, n_words)."""
        columns = {word: column for column, word in enumerate(self._places)}
        counts = np.zeros((len(texts), len(columns)))
        for row, text in zip(counts, texts, strict=True):
            for word in words(text):
                if word in columns:
                    row[columns[word]] += 1
        return counts


def words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def best_first(scores: Mapping[str, float]) -> Ranked:
    """Those above 0; of equal ones that whose id comes first."""
    found = ((name, score) for name, score in scores.items() if score > 0)
    return sorted(found, key=lambda pair: (-pair[1], pair[0]))


def _unit(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    unit: NDArray[np.float64] = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)
    return unit
