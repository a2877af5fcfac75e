"""Questions made of the texts themselves, without a model: weak, but there before anybody has judged."""

import heapq
import math
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from rankle.core.canonical import fingerprint
from rankle.core.errors import InputError
from rankle.core.evalset import EvalQuery, Label, Level, Span
from rankle.labels.asking import Candidate, SourceChunk, candidates
from rankle.labels.difficulty import DIFFICULTIES, Rivals
from rankle.labels.off_topic import OffTopic, off_topic
from rankle.labels.question_templates import TEMPLATES
from rankle.labels.question_words import content_words

TAG: Final = "generated"
UNANSWERABLE: Final = "unanswerable"


@dataclass(frozen=True, slots=True)
class GeneratedSet:
    """Questions, of all difficulties and kinds in turn, and how many there could have been."""

    queries: tuple[EvalQuery, ...]
    """Tagged with TAG, the difficulty and the kind; those that nothing answers with TAG and UNANSWERABLE."""
    n_candidates: int
    n_passed_over: int
    """Chunks in languages that no question can be asked in."""


class _Rated(NamedTuple):
    candidate: Candidate
    difficulty: str


def generate_questions(
    chunks: Sequence[SourceChunk], *, n: int, unanswerable: float = 0.1, seed: int = 0
) -> GeneratedSet:
    """At most n questions; fewer where the texts give fewer. The same for the same chunks and seed.

    No question shares three words in a row with its passage, and none asks for what another asks for.
    unanswerable: the share of questions that nothing answers, from 0 to 1.
    Raises InputError for an n below 1 or a share that is none.
    """
    if n < 1 or not 0 <= unanswerable <= 1:
        raise InputError(
            f"a set needs 1 question or more and a share from 0 to 1, got {n} and {unanswerable}"
        )
    rng = random.Random(seed)  # noqa: S311 - no secret
    rarity, rivals = _rarity(chunks), Rivals(chunks)
    found = [candidate for chunk in chunks for candidate in candidates(chunk, rarity, rng)]
    rated = [_Rated(each, level) for each in found if (level := rivals.difficulty(each)) is not None]
    texts, languages = [chunk.text for chunk in chunks], [chunk.language for chunk in chunks]
    nothing = off_topic(texts, languages, rng)[: round(n * unanswerable)]
    chosen = _chosen(rated, n - len(nothing), rng)
    queries = [_query(each) for each in chosen] + [_unanswerable(each) for each in nothing]
    n_passed_over = sum(language not in TEMPLATES for language in languages)
    return GeneratedSet(tuple(queries), len(rated), n_passed_over)


def _rarity(chunks: Sequence[SourceChunk]) -> dict[str, float]:
    """Of each word, how few chunks have it."""
    counts = Counter(word for chunk in chunks for word in set(content_words(chunk.text)))
    return {word: math.log((1 + len(chunks)) / count) for word, count in counts.items()}


def _chosen(rated: Sequence[_Rated], n: int, rng: random.Random) -> list[_Rated]:
    """Of each difficulty in turn; of the kind, then of the document that was asked about least; none that
    asks for what another asks for."""
    left = _Left(rated, rng)
    chosen: list[_Rated] = []
    while len(chosen) < n:
        of_all = [found for level in DIFFICULTIES if (found := left.take(level)) is not None]
        if not of_all:
            break
        chosen += of_all
    return chosen[:n]


class _Left:
    """What can still be asked, by difficulty and kind, in an order of chance."""

    def __init__(self, rated: Sequence[_Rated], rng: random.Random) -> None:
        self._heaps: dict[tuple[str, str], list[tuple[int, int, _Rated]]] = {}
        for order, each in enumerate(rng.sample(rated, len(rated))):
            place = each.difficulty, each.candidate.kind
            self._heaps.setdefault(place, []).append((0, order, each))  # ascending, and so a heap
        self._asked: set[frozenset[str]] = set()
        self._of_kind: Counter[str] = Counter()
        self._of_document: Counter[str] = Counter()

    def take(self, difficulty: str) -> _Rated | None:
        """None where nothing of this difficulty is left."""
        kinds = [kind for level, kind in self._heaps if level == difficulty]
        for kind in sorted(kinds, key=lambda kind: (self._of_kind[kind], kind)):
            found = self._first(self._heaps[difficulty, kind])
            if found is not None:
                self._asked.add(found.candidate.asked)
                self._of_kind[kind] += 1
                self._of_document[found.candidate.chunk.document] += 1
                return found
        return None

    def _first(self, heap: list[tuple[int, int, _Rated]]) -> _Rated | None:
        while heap:
            used, order, each = heapq.heappop(heap)
            now = self._of_document[each.candidate.chunk.document]
            if each.candidate.asked in self._asked:
                continue
            if used == now:
                return each
            heapq.heappush(heap, (now, order, each))  # its document was asked about meanwhile
        return None


def _query(rated: _Rated) -> EvalQuery:
    found = rated.candidate
    chunk = found.chunk
    quote = chunk.text[found.start : found.end]
    span = Span(quote, chunk.start + found.start, chunk.start + found.end)
    label = Label(chunk.document, Level.SPAN, 1, span=span, chunk=chunk.id)
    return EvalQuery(
        id=f"{TAG}-{fingerprint([found.question, chunk.id])[:8]}",
        text=found.question,
        labels=(label,),
        language=chunk.language,
        tags=(TAG, rated.difficulty, found.kind),
    )


def _unanswerable(question: OffTopic) -> EvalQuery:
    return EvalQuery(
        id=f"{TAG}-{fingerprint([question.text])[:8]}",
        text=question.text,
        answerable=False,
        language=question.language,
        tags=(TAG, UNANSWERABLE),
    )
