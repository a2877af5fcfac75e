"""Which language a document is written in."""

import re
import threading
from functools import cache
from typing import Any, Final

_SAMPLE: Final = 20_000
"""Characters that are looked at; more does not change the answer."""
_FEWEST_LETTERS: Final = 20
_FEWEST_LETTERS_OF_A_SCRIPT: Final = 4
_LEAST_CONFIDENCE: Final = 0.3
"""Below it the model's best guess is mostly wrong: names, commands, numbers."""

_loading = threading.Lock()

_THREE_LETTERS: Final = {
    "ara": "ar", "chi": "zh", "zho": "zh", "cze": "cs", "ces": "cs", "dan": "da", "dut": "nl", "nld": "nl",
    "eng": "en", "fin": "fi", "fra": "fr", "fre": "fr", "deu": "de", "ger": "de", "gre": "el", "ell": "el",
    "heb": "he", "hin": "hi", "hun": "hu", "ita": "it", "jpn": "ja", "kor": "ko", "nor": "no", "pol": "pl",
    "por": "pt", "ron": "ro", "rum": "ro", "rus": "ru", "spa": "es", "swe": "sv", "tha": "th", "tur": "tr",
    "ukr": "uk", "vie": "vi",
}  # fmt: skip


def detect_language(text: str) -> str | None:
    """The ISO 639-1 code of the language of `text`; None where there is too little to tell.

    Meant for documents: a query is too short to be guessed at. Safe to call from several threads.
    """
    sample = text[:_SAMPLE]
    letters = sum(map(str.isalpha, sample))
    by_script = _language_of_script(sample, letters=letters)
    if by_script or letters < _FEWEST_LETTERS:
        return by_script
    with _loading:
        identifier = _identifier()
    language, confidence = identifier.classify(sample)
    return str(language) if confidence >= _LEAST_CONFIDENCE else None


def language_code(tag: str) -> str | None:
    """The ISO 639-1 code that a language tag begins with (`de-CH`, `zh_TW`, `eng`); None if it has none."""
    primary = tag.strip().replace("_", "-").split("-")[0].lower()
    if primary in _THREE_LETTERS:
        return _THREE_LETTERS[primary]
    return primary if len(primary) == 2 and primary.isascii() and primary.isalpha() else None


_SCRIPTS: Final = {
    "kana": re.compile(r"[\u3041-\u30ff\uff66-\uff9f]"),
    "hangul": re.compile(r"[\u1100-\u11ff\uac00-\ud7a3]"),
    "thai": re.compile(r"[\u0e01-\u0e5b]"),
    "han": re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]"),
}


def _language_of_script(sample: str, *, letters: int) -> str | None:
    """Scripts that tell the language by themselves: Kana, Hangul, Thai, and Han without any Kana."""
    if sample.isascii():
        return None
    n = {script: len(pattern.findall(sample)) for script, pattern in _SCRIPTS.items()}
    if n["thai"] >= max(_FEWEST_LETTERS_OF_A_SCRIPT, letters / 2):
        return "th"
    if n["hangul"] >= max(_FEWEST_LETTERS_OF_A_SCRIPT, letters / 3):
        return "ko"
    if n["kana"] + n["han"] < max(_FEWEST_LETTERS_OF_A_SCRIPT, letters / 2):
        return None
    if n["kana"] >= (n["kana"] + n["han"]) / 10:  # a Chinese text may quote a little Japanese
        return "ja"
    return None if n["kana"] else "zh"


@cache
def _identifier() -> Any:
    """The model of py3langid, restricted to the languages that have a two-letter code."""
    from py3langid.langid import MODEL_FILE, LanguageIdentifier  # 0.5 s, and numpy

    identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    identifier.set_languages([label for label in identifier.labels if len(label) == 2])
    return identifier
