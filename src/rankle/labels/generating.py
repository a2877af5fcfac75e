"""Questions made of the texts themselves, without a model: weak, but there before anybody has judged."""

import math
import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from rankle.core.canonical import fingerprint
from rankle.core.errors import InputError
from rankle.core.evalset import EvalQuery, Label, Level, Span
from rankle.labels.question_words import DEFINITIONS, OFF_TOPIC, TEMPLATES, content_words, shares_run

TAG: Final = "generated"
DIFFICULTY: Final = {"heading": "easy", "definition": "medium", "sentence": "hard"}
_LONGEST_TERM: Final = 2
"""Content words of what a question asks for: three would be a run."""
_MARKS: Final = re.compile(r"[|`*_\"“”«»{}<>=\[\]#\\]|\bhttps?:")
_ARTICLE: Final = re.compile(
    r"(?i)^(?:an?|the|der|die|das|ein|eine|une?|les?|la|il|lo|gli|una|uno|el|los|las) "
)
_LONGEST_NAME: Final = 4
"""Words of what a sentence defines; more are half a sentence."""
_LEAST_WORDS: Final = 6
"""Content words of a sentence that says something."""


@dataclass(frozen=True, slots=True)
class SourceChunk:
    """A chunk to ask about."""

    id: str
    document: str
    language: str | None
    collection: str
    headings: tuple[str, ...]
    text: str
    start: int
    """Offset of the text in the document's stored text."""
    sentences: tuple[tuple[int, int], ...]
    """Ranges of `text`."""


@dataclass(frozen=True, slots=True)
class _Candidate:
    kind: str
    question: str
    chunk: SourceChunk
    start: int
    end: int
    """Of the passage that answers it, in the chunk's text."""


@dataclass(frozen=True, slots=True)
class GeneratedSet:
    """Questions, of all kinds in turn, and how many there could have been."""

    queries: tuple[EvalQuery, ...]
    n_candidates: int
    n_passed_over: int
    """Chunks in languages that no question can be asked in."""


def generate_questions(
    chunks: Sequence[SourceChunk], *, n: int, unanswerable: float = 0.1, seed: int = 0
) -> GeneratedSet:
    """At most n questions; fewer where the texts give fewer. The same for the same chunks and seed.

    No question shares three words in a row with its passage, and none has the words of another.
    unanswerable: the share of questions that nothing answers, from 0 to 1.
    Raises InputError for an n below 1 or a share that is none.
    """
    if n < 1 or not 0 <= unanswerable <= 1:
        raise InputError(
            f"a set needs 1 question or more and a share from 0 to 1, got {n} and {unanswerable}"
        )
    rng = random.Random(seed)  # noqa: S311 - no secret
    rarity = _rarity(chunks)
    candidates = [found for chunk in chunks for found in _candidates(chunk, rarity, rng)]
    off_topic = _off_topic(chunks, rng)[: round(n * unanswerable)]
    chosen = _chosen(candidates, n - len(off_topic), rng)
    queries = [_query(candidate) for candidate in chosen] + [_unanswerable(text) for text in off_topic]
    n_passed_over = sum(chunk.language not in TEMPLATES for chunk in chunks)
    return GeneratedSet(tuple(queries), len(candidates), n_passed_over)


def _rarity(chunks: Sequence[SourceChunk]) -> dict[str, float]:
    """Of each word, how few chunks have it."""
    counts = Counter(word for chunk in chunks for word in set(content_words(chunk.text)))
    return {word: math.log((1 + len(chunks)) / count) for word, count in counts.items()}


def _candidates(chunk: SourceChunk, rarity: dict[str, float], rng: random.Random) -> Iterator[_Candidate]:
    templates = TEMPLATES.get(chunk.language or "")
    if templates is None:
        return
    for kind, term, (start, end) in (
        *_headings(chunk),
        *_definitions(chunk),
        *_sentences(chunk, rarity, rng),
    ):
        question = rng.choice(templates[kind]).format(*term)
        if not shares_run(question, chunk.text):
            yield _Candidate(kind, question, chunk, start, end)


_Found = tuple[str, tuple[str, ...], tuple[int, int]]
"""Kind, what is asked for, and the range of the passage that answers."""


def _headings(chunk: SourceChunk) -> Iterator[_Found]:
    if not chunk.headings:
        return
    term = _ARTICLE.sub("", chunk.headings[-1].strip().rstrip("?!.:"))
    if (
        1 <= len(content_words(term)) <= _LONGEST_TERM
        and _is_plain(term)
        and len(content_words(chunk.text)) >= _LEAST_WORDS
    ):
        yield "heading", (term,), _trimmed(chunk.text, 0, len(chunk.text))


def _definitions(chunk: SourceChunk) -> Iterator[_Found]:
    pattern = re.compile(rf"\W*(?P<term>\w[^.,;:()\n]{{2,40}}?) (?:{DEFINITIONS[chunk.language or '']})\b")
    for start, end in chunk.sentences:
        found = pattern.match(chunk.text, start, end)
        words = content_words(found["term"]) if found else []
        n_words = len(content_words(chunk.text[start:end]))
        if found and 1 <= len(words) <= _LONGEST_TERM and n_words >= _LEAST_WORDS:
            term = _ARTICLE.sub("", found["term"].strip())
            if len(term.split()) <= _LONGEST_NAME and _is_plain(chunk.text[start:end]):
                yield "definition", (term,), _trimmed(chunk.text, start, end)


def _sentences(chunk: SourceChunk, rarity: dict[str, float], rng: random.Random) -> Iterator[_Found]:
    """The sentence with the rarest words, asked for by three of them in another order."""
    rated = []
    for start, end in chunk.sentences:
        words = [word for word in dict.fromkeys(content_words(chunk.text[start:end])) if word.isalpha()]
        if len(words) >= _LEAST_WORDS and _is_plain(chunk.text[start:end]):
            rarest = sorted(words, key=lambda word: (-rarity[word], word))[:3]
            rated.append((sum(rarity[word] for word in rarest), -start, rarest, (start, end)))
    if rated:
        _, _, rarest, (start, end) = max(rated)
        rng.shuffle(rarest)
        yield "sentence", tuple(rarest), _trimmed(chunk.text, start, end)


def _is_plain(text: str) -> bool:
    """Whether it is prose: no table, code or mark-up, which nobody would ask with."""
    return not _MARKS.search(text)


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    part = text[start:end]
    return start + len(part) - len(part.lstrip()), start + len(part.rstrip())


def _chosen(candidates: Sequence[_Candidate], n: int, rng: random.Random) -> list[_Candidate]:
    """Of each kind in turn, of the document that was asked about least, none with the words of another."""
    left = {kind: [each for each in candidates if each.kind == kind] for kind in DIFFICULTY}
    for each in left.values():
        rng.shuffle(each)
    chosen: list[_Candidate] = []
    asked: set[frozenset[str]] = set()
    used: Counter[str] = Counter()
    while len(chosen) < n and any(left.values()):
        for kind in [kind for kind in DIFFICULTY if left[kind]]:
            best = min(left[kind], key=lambda each: used[each.chunk.document])
            left[kind].remove(best)
            words = frozenset(content_words(best.question))
            if words not in asked and len(chosen) < n:
                asked.add(words)
                used[best.chunk.document] += 1
                chosen.append(best)
    return chosen


def _off_topic(chunks: Sequence[SourceChunk], rng: random.Random) -> list[str]:
    """Questions of which no chunk holds half of the words."""
    held = [set(content_words(chunk.text)) for chunk in chunks]
    questions = [
        text
        for text in OFF_TOPIC
        if all(2 * len(words & found) < len(words) for words in [set(content_words(text))] for found in held)
    ]
    rng.shuffle(questions)
    return questions


def _query(found: _Candidate) -> EvalQuery:
    chunk = found.chunk
    quote = chunk.text[found.start : found.end]
    span = Span(quote, chunk.start + found.start, chunk.start + found.end)
    label = Label(chunk.document, Level.SPAN, 1, span=span, chunk=chunk.id)
    return EvalQuery(
        id=f"{TAG}-{fingerprint([found.question, chunk.id])[:8]}",
        text=found.question,
        labels=(label,),
        language=chunk.language,
        tags=(TAG, DIFFICULTY[found.kind], found.kind),
    )


def _unanswerable(text: str) -> EvalQuery:
    return EvalQuery(
        id=f"{TAG}-{fingerprint([text])[:8]}",
        text=text,
        answerable=False,
        language="en",
        tags=(TAG, "unanswerable"),
    )
