"""What questions look like, by language: those that are made of texts."""

from collections.abc import Mapping, Sequence
from typing import Final

_KEYWORDS: Final = ("{0} {1} {2}",)
TEMPLATES: Final[Mapping[str, Mapping[str, Sequence[str]]]] = {
    "en": {
        "heading": (
            "What should I know about {0}?",
            "Where do I read about {0}?",
            "What does it say on {0}?",
        ),
        "section": ("In {1}, what holds for {0}?", "When it comes to {1}, what about {0}?"),
        "definition": ("What is {1}{0}?", "What does {0} mean?"),
        "keywords": _KEYWORDS,
        "sentence": ("Where do {0}, {1} and {2} come together?", "Which passage speaks of {0}, {1} and {2}?"),
        "pair": ("What do {0} and {1} have to do with {2}?", "How do {0} and {1} go with {2}?"),
    },
    "de": {
        "heading": ("Was muss ich über {0} wissen?", "Wo steht etwas zu {0}?"),
        "section": ("Was gilt bei {1} für {0}?",),
        "definition": ("Was ist {1}{0}?", "Was bedeutet {0}?"),
        "keywords": _KEYWORDS,
        "sentence": ("Wo geht es zugleich um {0}, {1} und {2}?",),
        "pair": ("Was haben {0} und {1} mit {2} zu tun?",),
    },
    "fr": {
        "heading": ("Que faut-il savoir sur {0} ?", "Où parle-t-on de {0} ?"),
        "section": ("Dans {1}, qu'en est-il de {0} ?",),
        "definition": ("Que signifie {0} ?", "Que désigne {0} ?"),
        "keywords": _KEYWORDS,
        "sentence": ("Où est-il question de {0}, {1} et {2} ?",),
        "pair": ("Quel est le lien entre {0}, {1} et {2} ?",),
    },
    "it": {
        "heading": ("Che cosa bisogna sapere di {0}?", "Dove si parla di {0}?"),
        "section": ("In {1}, che cosa vale per {0}?",),
        "definition": ("Che cosa significa {0}?", "Che cosa si intende per {0}?"),
        "keywords": _KEYWORDS,
        "sentence": ("Dove si parla insieme di {0}, {1} e {2}?",),
        "pair": ("Che rapporto c'è tra {0}, {1} e {2}?",),
    },
    "es": {
        "heading": ("¿Qué hay que saber de {0}?", "¿Dónde se habla de {0}?"),
        "section": ("En {1}, ¿qué se aplica a {0}?",),
        "definition": ("¿Qué significa {0}?", "¿Qué se entiende por {0}?"),
        "keywords": _KEYWORDS,
        "sentence": ("¿Dónde se habla a la vez de {0}, {1} y {2}?",),
        "pair": ("¿Qué relación hay entre {0}, {1} y {2}?",),
    },
    "ja": {
        "heading": ("{0}について教えてください。", "{0}について知っておくべきことは何ですか？"),
        "definition": ("{0}とは何ですか？", "{0}の意味を教えてください。"),
    },
    "zh": {
        "heading": ("关于{0}，需要知道什么？", "请介绍一下{0}。"),
        "definition": ("什么是{0}？", "{0}是什么意思？"),
    },
    "ko": {"heading": ("{0}에 대해 무엇을 알아야 합니까?", "{0}에 대해 알려 주세요.")},
    "ar": {"heading": ("ماذا يجب أن أعرف عن {0}؟", "أين أقرأ عن {0}؟")},
    "th": {"heading": ("ควรรู้อะไรเกี่ยวกับ{0}", "อธิบายเรื่อง{0}")},
}
"""By language and kind. {0} is what is asked for, {1} the heading above it or the article before it; of the
last three kinds they are three words. Documents in other languages are passed over."""
DEFINITIONS: Final[Mapping[str, str]] = {
    "en": r" (?:is (?:an?|the)|means|refers to|stands for)\b",
    "de": r" (?:ist (?:ein|eine|der|die|das)|bedeutet|bezeichnet)\b",
    "fr": r" (?:est (?:une?|le|la)|signifie|désigne)\b",
    "it": r" (?:è (?:un|uno|una|il|la)|significa|indica)\b",
    "es": r" (?:es (?:una?|el|la)|significa|designa)\b",
    "ja": "とは",
    "zh": "(?:是指|是一种|是一个|是一種|是一個)",
}
"""Between what a sentence defines and what it says of it."""
