"""What can be asked about one chunk: its heading, what it defines, the rare words of its sentences."""

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, NamedTuple

from rankle.labels.question_templates import DEFINITIONS, TEMPLATES
from rankle.labels.question_words import content_words, shares_run, units

_LONGEST_TERM: Final = 2
"""Content words of what a question asks for: three would be a run."""
_MARKS: Final = re.compile(r"[|`*_\"“”«»{}<>=\[\]#\\]|\bhttps?:|--")
_ARTICLE: Final = re.compile(
    r"(?i)^(?:an?|the|der|die|das|ein|eine|une?|les?|la|il|lo|gli|una|uno|el|los|las) "
)
_VAGUE: Final = re.compile(
    r"(?i)^(?:all|any|both|each|every\w*|he|here|how|if|it|its|no|nobody|none|nothing|now|one|other|our|she|"
    r"some\w*|such|that|their|there|these|they|this|those|today|we|what\w*|when\w*|where\w*|which\w*|who\w*|"
    r"why|you\w*|alle\w*|dies\w*|es|etwas|heute|jede\w*|jetzt|man|nichts|sie|was|wer|wie|wo|ce|cela|ceci|"
    r"cette|ces|chaque|elle|il|ils|on|tout\w*|ciò|ogni\w*|oggi|ora|quest\w*|ahora|esto|este|esta|ello|cada|"
    r"hoy|todo\w*) "
)
"""With these a sentence points at something that is not named."""
_CLAUSE: Final = re.compile(
    r"(?i)\b(?:is|are|was|were|do|does|did|can|how|what|when|where|which|who|why|"
    r"ist|sind|wird|wie|was|wer|wann|wo|warum|est|sont|comment|pourquoi|quoi|è|sono|come|perché|cosa|"
    r"es|son|cómo|qué|por qué)\b"
)
"""A verb or a question word: what has one is half a sentence."""
_LONGEST_NAME: Final = 4
"""Words of what a sentence defines; more are half a sentence."""
_LEAST_WORDS: Final = 6
"""Content words of a sentence that says something, or pairs of characters."""


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
class Candidate:
    """A question, and what answers it."""

    kind: str
    """Of those in TEMPLATES."""
    question: str
    asked: frozenset[str]
    """What it asks for, as `units`; the words of its form left out."""
    chunk: SourceChunk
    start: int
    end: int
    """Of the passage that answers it, in the chunk's text."""


class _Found(NamedTuple):
    kind: str
    terms: tuple[str, ...]
    """What is asked for, and the words that stand with it."""
    start: int
    end: int


def candidates(chunk: SourceChunk, rarity: Mapping[str, float], rng: random.Random) -> Iterator[Candidate]:
    """Every question about a chunk that copies no run of words from it; none in a language without templates.

    rarity: of each content word of the collection.
    """
    templates = TEMPLATES.get(chunk.language or "", {})
    found = [*_headings(chunk), *_definitions(chunk), *_of_sentences(chunk, rarity, rng)]
    for kind, terms, start, end in found:
        if kind not in templates:
            continue
        question = rng.choice(templates[kind]).format(*terms)
        if not shares_run(question, chunk.text):
            asked = units(" ".join(terms))
            yield Candidate(kind, question, asked, chunk, *_trimmed(chunk.text, start, end))


def _headings(chunk: SourceChunk) -> Iterator[_Found]:
    """The last heading, alone and with the one above."""
    terms = [_name(heading) for heading in chunk.headings]
    if not terms or terms[-1] is None or len(units(chunk.text)) < _LEAST_WORDS or not _says(chunk.text):
        return
    yield _Found("heading", (terms[-1],), 0, len(chunk.text))
    above = next((term for term in reversed(terms[:-1]) if term and term != terms[-1]), None)
    if above is not None:
        yield _Found("section", (terms[-1], above), 0, len(chunk.text))


def _name(heading: str) -> str | None:
    """What a heading names; None where it is a question or half a sentence, or too long to ask for."""
    bare = heading.strip()
    term = _ARTICLE.sub("", bare.rstrip("!.:"))
    if bare.endswith(("?", "？", "؟")) or not _is_name(term) or _MARKS.search(term) or _CLAUSE.search(term):
        return None
    return term


def _is_name(term: str) -> bool:
    if _VAGUE.match(f"{term} ") or not 1 <= len(content_words(term)) <= _LONGEST_TERM:
        return False
    return len(term.split()) <= _LONGEST_NAME


def _says(text: str) -> bool:
    """Whether most of a chunk is prose: of code and tables nobody asks by their heading."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    plain = sum(len(line) for line in lines if not line.startswith(("|", "```", "$", ">>>", "-- ", "{", "}")))
    return "```" not in text and 2 * plain > sum(map(len, lines))


def _definitions(chunk: SourceChunk) -> Iterator[_Found]:
    between = DEFINITIONS.get(chunk.language or "")
    if between is None:
        return
    pattern = re.compile(rf"\W*(?P<term>\w[^.,;:()、。，；：\n]{{1,40}}?){between}")
    for start, end in chunk.sentences:
        found = pattern.match(chunk.text, start, end)
        if not found or _VAGUE.match(f"{found['term']} ") or not _is_plain(chunk.text[start:end]):
            continue
        term = found["term"].strip()
        article = _ARTICLE.match(term)
        name = term[article.end() :] if article else term
        if _is_name(name) and len(units(chunk.text[start:end])) >= _LEAST_WORDS:
            yield _Found("definition", (name, article.group().lower() if article else ""), start, end)


def _of_sentences(chunk: SourceChunk, rarity: Mapping[str, float], rng: random.Random) -> Iterator[_Found]:
    """The sentences with the rarest words: asked for by three of them in another order, as keywords, as a
    question, and by words of one and of the next."""
    rare = {place: _rarest(chunk.text[place[0] : place[1]], rarity) for place in chunk.sentences}
    told = [(place, words) for place, words in rare.items() if len(words) == 3]
    ranked = sorted(told, key=lambda item: (-sum(rarity[word] for word in item[1]), item[0]))
    for kind, (place, words) in zip(("sentence", "keywords"), ranked, strict=False):
        yield _Found(kind, _shuffled(words, rng), *place)
    neighbours = [
        (one, other) for one, other in pairwise(told) if one[0][1] == other[0][0] and one[1][0] != other[1][0]
    ]
    if neighbours:
        (first, words), (second, more) = rng.choice(neighbours)
        of_first, of_second = [word for word in words if word not in more][:2], more[0]
        if len(of_first) == 2:
            yield _Found("pair", (*_shuffled(of_first, rng), of_second), first[0], second[1])


def _shuffled(words: Sequence[str], rng: random.Random) -> tuple[str, ...]:
    return tuple(rng.sample(list(words), len(words)))


def _rarest(sentence: str, rarity: Mapping[str, float]) -> list[str]:
    """Three words, the rarest first; none of a sentence that says too little or is no prose."""
    words = [word for word in dict.fromkeys(content_words(sentence)) if word.isalpha()]
    if len(words) < _LEAST_WORDS or not _is_plain(sentence):
        return []
    return sorted(words, key=lambda word: (-rarity[word], word))[:3]


def _is_plain(text: str) -> bool:
    """Whether it is prose: no table, code or mark-up, which nobody would ask with."""
    return not _MARKS.search(text)


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    part = text[start:end]
    return start + len(part) - len(part.lstrip()), start + len(part.rstrip())
