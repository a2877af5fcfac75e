"""How hard a question is to answer: how many chunks have as many of its words as the one that answers it."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Final

from rankle.labels.asking import Candidate, SourceChunk
from rankle.labels.question_words import units

EASY, MEDIUM, HARD = "easy", "medium", "hard"
DIFFICULTIES: Final = (EASY, MEDIUM, HARD)
_MANY: Final = 5
"""Rivals from which on a question is hard; as many that have all of its words answer it as well, perhaps."""


class Rivals:
    """The chunks of a collection by their words."""

    def __init__(self, chunks: Sequence[SourceChunk]) -> None:
        self._holders: dict[str, set[int]] = defaultdict(set)
        self._places: dict[str, int] = {}
        for place, chunk in enumerate(chunks):
            self._places[chunk.id] = place
            for word in units(" ".join([*chunk.headings, chunk.text])):
                self._holders[word].add(place)

    def difficulty(self, candidate: Candidate) -> str | None:
        """EASY where no other chunk has all words that are asked for but one, HARD where five or more have.

        None where five others have all of them: then the label would be one answer of many. A definition is
        the answer also where many use the word.
        """
        counts = Counter(place for word in candidate.asked for place in self._holders.get(word, ()))
        counts.pop(self._places[candidate.chunk.id], None)
        n_asked = len(candidate.asked)
        n_equal = sum(n_held == n_asked for n_held in counts.values())
        if n_equal >= _MANY and candidate.kind != "definition":
            return None
        n_rivals = sum(n_held >= max(1, n_asked - 1) for n_held in counts.values())
        return EASY if not n_rivals else HARD if n_rivals >= _MANY else MEDIUM
