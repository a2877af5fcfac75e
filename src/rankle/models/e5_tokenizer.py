"""Builds the tokenizer of multilingual-e5-small for the `tokenizers` package from its vocabulary.

The normalisation is NFKC with the exceptions that SentencePiece makes (`nmt_nfkc`): most control characters
vanish, other kinds of space become spaces, and the full-width tilde stays, since it is a word of its own in
Japanese and Chinese. Composed sequences (an "e" and a combining acute) become one character, as in the
model's training.
"""

import re
import unicodedata
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from rankle.models.e5_weights import UnigramVocabulary

if TYPE_CHECKING:
    from tokenizers import Tokenizer
    from tokenizers.normalizers import Normalizer

_WORD_START: Final = "▁"
_STAND_IN: Final = "\ufdd0"
"""Keeps a character from NFKC for a while; Unicode reserves it for use inside a program."""
_KEPT: Final = "～"
_NUL: Final = "\0"


def build_tokenizer(vocabulary: UnigramVocabulary) -> "Tokenizer":
    """A unigram tokenizer that puts <s> and </s> around each text and gives the same ids as the model was
    trained on.
    """
    from tokenizers import Tokenizer, models, pre_tokenizers, processors

    scored = list(zip(vocabulary.pieces, vocabulary.scores.tolist(), strict=True))
    tokenizer = Tokenizer(models.Unigram(scored, unk_id=vocabulary.unknown, byte_fallback=False))
    tokenizer.normalizer = _normaliser(vocabulary.normalisation)
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(replacement=_WORD_START, prepend_scheme="always")
    begin, end = vocabulary.pieces[vocabulary.begin], vocabulary.pieces[vocabulary.end]
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{begin} $A {end}", special_tokens=[(begin, vocabulary.begin), (end, vocabulary.end)]
    )
    return tokenizer


def _normaliser(table: Mapping[str, str]) -> "Normalizer":
    from tokenizers import Regex, normalizers

    exceptions = {
        char: to for char, to in table.items() if unicodedata.normalize("NFKC", char) != to and char != _KEPT
    }
    dropped = [char for char, to in exceptions.items() if not to] + [_NUL, _STAND_IN]
    spaces = [char for char, to in exceptions.items() if to == " "]
    return normalizers.Sequence(
        [
            normalizers.Replace(Regex(_one_of(dropped)), ""),
            normalizers.Replace(Regex(_one_of(spaces)), " "),
            normalizers.Replace(_KEPT, _STAND_IN),
            normalizers.NFKC(),
            normalizers.Replace(_STAND_IN, _KEPT),
            normalizers.Replace(Regex(" {2,}"), " "),
            normalizers.Strip(),
        ]
    )


def _one_of(chars: list[str]) -> str:
    return "[" + "".join(re.escape(char) for char in sorted(chars)) + "]"
