"""The words of generated questions: which carry meaning, and what is copied."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

_WORD: Final = re.compile(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*|\d+(?:[.,]\d+)*")
_EMPTY: Final = frozenset((
    "the", "and", "for", "are", "but", "not", "you", "all", "any", "can", "her", "was", "one", "our", "out",
    "has", "him", "his", "how", "its", "may", "new", "now", "see", "two", "who", "did", "from", "with",
    "that", "this", "they", "have", "will", "your", "what", "when", "where", "which", "while", "would",
    "there", "their", "then", "than", "these", "those", "been", "before", "after", "about", "into", "over",
    "under", "also", "only", "such", "each", "other", "some", "more", "most", "very", "does", "don",
    "should", "could", "must", "just", "like", "being", "were", "because", "between", "through", "without",
    "within", "every", "both", "same", "here", "upon", "der", "die", "das", "den", "dem", "des", "ein",
    "eine", "einen", "einem", "einer", "eines", "und", "oder", "aber", "nicht", "ist", "sind", "war",
    "wird", "werden", "wurde", "mit", "von", "für", "auf", "aus", "bei", "nach", "zum", "zur", "über",
    "unter", "vor", "wie", "wer", "wenn", "dann", "auch", "nur", "noch", "sich", "sie", "wir", "ihr",
    "kann", "les", "une", "est", "sont", "dans", "pour", "par", "sur", "avec", "qui", "que", "quoi", "dont",
    "mais", "pas", "plus", "vous", "nous", "ils", "elle", "elles", "ses", "son", "leur", "cette", "ces",
    "aux", "être", "avoir", "comme", "tout", "tous", "peut", "il", "lo", "gli", "una", "uno", "dei", "del",
    "della", "delle", "degli", "che", "chi", "con", "non", "per", "più", "sono", "come", "anche", "nel",
    "nella", "alla", "alle", "dal", "dalla", "questo", "questa", "quando", "dove", "los", "las", "unos",
    "para", "por", "sin", "como", "más", "pero", "sus", "este", "esta", "estos", "cuando", "donde", "ser",
    "está", "too", "off", "else", "way", "ways", "say", "says", "said", "come", "comes", "came", "give",
    "given", "gives", "better", "least", "otherwise", "therefore", "twice", "anyone", "someone", "nobody",
    "nothing", "something", "everything", "enough", "never", "always", "often", "still", "again", "already",
    "yet", "even", "ever", "rather", "since", "until", "unless", "whether", "though", "although", "however",
    "thus", "instead", "together", "own", "many", "much", "few", "fewer", "less", "several", "immer", "schon",
    "sehr", "dass", "weil", "damit", "dabei", "hier", "dort", "mehr", "ohne", "durch", "gegen", "als", "bis",
    "toujours", "aussi", "très", "sans", "sous", "entre", "leurs", "sempre", "anche", "senza", "molto", "tra",
    "fra", "siempre", "también", "muy", "entre", "sobre", "hasta", "desde",
))  # fmt: skip
"""Articles, pronouns, prepositions, auxiliaries and question words of the languages below."""
_SPACELESS: Final = re.compile("[\u0e01-\u0e5b\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff]+")
"""Runs of Thai, Kana and Han, which put no space between words."""
_DENSE: Final = re.compile(
    "[\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3]{2}|[\u3400-\u4dbf\u4e00-\u9fff]"
)
"""Scripts in which two characters, or one, are a word that means something."""
_THAI: Final = {chr(code) for code in range(0x0E01, 0x0E5C)}
_LONGEST_COPY: Final = 5
"""Characters of such a run that a question may share with a passage: about two words."""


def content_words(text: str) -> list[str]:
    """The words that carry meaning, case-folded, in order; a run without spaces is one."""
    words = (match.group().casefold() for match in _WORD.finditer(text))
    return [word for word in words if (len(word) > 2 or _DENSE.match(word)) and word not in _EMPTY]


def units(text: str) -> frozenset[str]:
    """What tells texts apart: their content words, and where words have no spaces the runs of two characters,
    of Thai four, which has letters where the others have syllables and words."""
    return frozenset([*content_words(_SPACELESS.sub(" ", text)), *_runs(text)])


def _runs(text: str) -> Iterator[str]:
    for run in _SPACELESS.findall(text):
        length = 4 if run[0] in _THAI else 2
        yield from (run[at : at + length] for at in range(max(1, len(run) - length + 1)))


def shares_run(question: str, passage: str, *, length: int = 3) -> bool:
    """Whether `length` words of the question follow one another in the passage too: words as they stand,
    or content words, whatever stands between them; where words have no spaces, six characters."""
    if _copies_characters(question, passage):
        return True
    words = _have_run(_words(question), _words(passage), length)
    return words or _have_run(content_words(question), content_words(passage), length)


def _copies_characters(question: str, passage: str) -> bool:
    return any(
        run[at : at + _LONGEST_COPY + 1] in passage
        for run in _SPACELESS.findall(question)
        for at in range(len(run) - _LONGEST_COPY)
    )


def _words(text: str) -> list[str]:
    """All words, case-folded; the parts of a hyphenated one are words of their own."""
    return re.findall(r"\w+", text.casefold())


def _have_run(asked: Sequence[str], held: Sequence[str], length: int) -> bool:
    runs = {tuple(held[at : at + length]) for at in range(len(held) - length + 1)}
    return any(tuple(asked[at : at + length]) in runs for at in range(len(asked) - length + 1))
