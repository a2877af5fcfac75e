"""The words of generated questions: which carry meaning, and what questions look like by language."""

import re
from collections.abc import Mapping, Sequence
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
    "está",
))  # fmt: skip
"""Articles, pronouns, prepositions, auxiliaries and question words of the languages below."""
TEMPLATES: Final[Mapping[str, Mapping[str, Sequence[str]]]] = {
    "en": {
        "heading": ("What should I know about {0}?", "Where do I read about {0}?"),
        "definition": ("What is {0}?", "What does {0} mean?"),
        "sentence": ("How does {0} relate to {1} and {2}?", "What about {0}, given {1} or {2}?"),
    },
    "de": {
        "heading": ("Was muss ich über {0} wissen?",),
        "definition": ("Was ist {0}?", "Was bedeutet {0}?"),
        "sentence": ("Was hat {0} mit {1} und {2} zu tun?",),
    },
    "fr": {
        "heading": ("Que faut-il savoir sur {0} ?",),
        "definition": ("Que signifie {0} ?",),
        "sentence": ("Quel est le lien entre {0}, {1} et {2} ?",),
    },
    "it": {
        "heading": ("Che cosa bisogna sapere di {0}?",),
        "definition": ("Che cosa significa {0}?",),
        "sentence": ("Che rapporto c'è tra {0}, {1} e {2}?",),
    },
    "es": {
        "heading": ("¿Qué hay que saber de {0}?",),
        "definition": ("¿Qué significa {0}?",),
        "sentence": ("¿Qué relación hay entre {0}, {1} y {2}?",),
    },
}
"""By language and kind; documents in other languages are passed over."""
DEFINITIONS: Final[Mapping[str, str]] = {
    "en": r"is (?:an?|the)|means|refers to|stands for",
    "de": r"ist (?:ein|eine|der|die|das)|bedeutet|bezeichnet",
    "fr": r"est (?:une?|le|la)|signifie|désigne",
    "it": r"è (?:un|uno|una|il|la)|significa|indica",
    "es": r"es (?:una?|el|la)|significa|designa",
}
"""Between what a sentence defines and what it says of it."""
OFF_TOPIC: Final = (
    "Which planet has the most moons?",
    "Who painted the ceiling of the Sistine Chapel?",
    "How long does it take to boil an ostrich egg?",
    "Which composer wrote nine symphonies and became deaf?",
    "What is the deepest trench of the Pacific ocean?",
    "Who won the first football world cup in Uruguay?",
    "How many strings does a Renaissance lute have?",
    "Which dinosaur had three horns and a bony frill?",
    "What do penguins eat in Antarctica during winter?",
    "Which mountain did Hillary and Tenzing climb?",
    "How is Parmesan cheese ripened in Emilia?",
    "Who wrote the novel about a white whale?",
    "What colour is a giraffe's tongue?",
    "Which spice comes from the crocus flower?",
    "How do bats navigate in darkness?",
    "Which emperor crowned himself at Notre-Dame?",
    "What is the offside rule in hockey?",
    "How many petals does a wild rose have?",
    "Which volcano buried Pompeii and Herculaneum?",
    "What causes the aurora near the poles?",
)
"""Questions of general knowledge, which few collections answer; taken only where no passage comes near."""


def content_words(text: str) -> list[str]:
    """The words that carry meaning, case-folded, in order."""
    words = (match.group().casefold() for match in _WORD.finditer(text))
    return [word for word in words if len(word) > 2 and word not in _EMPTY]


def shares_run(question: str, passage: str, *, length: int = 3) -> bool:
    """Whether `length` words of the question follow one another in the passage too: words as they stand,
    or content words, whatever stands between them."""
    return _have_run(content_words(question), content_words(passage), length) or _have_run(
        _words(question), _words(passage), length
    )


def _words(text: str) -> list[str]:
    """All words, case-folded; the parts of a hyphenated one are words of their own."""
    return re.findall(r"\w+", text.casefold())


def _have_run(asked: Sequence[str], held: Sequence[str], length: int) -> bool:
    runs = {tuple(held[at : at + length]) for at in range(len(held) - length + 1)}
    return any(tuple(asked[at : at + length]) in runs for at in range(len(asked) - length + 1))
