"""Cuts text into the tokens of a SentencePiece unigram model, as multilingual-e5-small was trained with.

The package `tokenizers` gives the same tokens, and tests hold the two together; it takes 1 s to load this
vocabulary of 250,000 pieces, which every search from a shell would pay, and this 0.1 s. Source: Kudo 2018,
"Subword Regularization".
"""

import unicodedata
from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import inf
from pathlib import Path
from typing import Final

import msgspec

from rankle.core.errors import ModelError

_WORD_START: Final = "▁"
_UNKNOWN_PENALTY: Final = 10.0
"""Below the least likely piece, as SentencePiece has it."""
_WORDS_KEPT: Final = 32_768

_KEPT: Final = "～"
_STAND_IN: Final = "\ufdd0"
"""Keeps a character from NFKC for a while; Unicode reserves it for use inside a program."""


def _exceptions() -> Mapping[int, str]:
    dropped = [code for code in range(0x20) if chr(code) not in "\t\n\f\r"]
    dropped += [0x7F, 0x8F, 0x9F, ord(_STAND_IN)]
    spaces = [0x9, 0xA, 0xC, 0xD, 0x1680, *range(0x200B, 0x2010), 0x2028, 0x2029, 0x2581, 0xFEFF, 0xFFFD]
    table = dict.fromkeys(dropped, "") | dict.fromkeys(spaces, " ")
    return table | {ord(_KEPT): _STAND_IN} | dict.fromkeys(range(0xD800, 0xE000), "?")


_EXCEPTIONS: Final = _exceptions()
"""Where SentencePiece's `nmt_nfkc` is not NFKC: control characters vanish, further kinds of space are
spaces, and the full-width tilde stays, a word of its own in Japanese and Chinese. Lone surrogates, which no
file can hold, are "?"."""


class UnigramVocabulary(msgspec.Struct, frozen=True):
    """What a unigram tokenizer knows."""

    pieces: list[str]
    """By token id. "▁" begins a word."""
    scores: list[float]
    """Log probability of each piece."""
    begin: int
    """Id of the token before every text."""
    end: int
    """Id of the token after it."""
    unknown: int


class UnigramTokenizer:
    """Text to token ids. Safe to use from several threads."""

    def __init__(self, vocabulary: UnigramVocabulary) -> None:
        self._vocabulary = vocabulary
        self._ids = dict(zip(vocabulary.pieces, range(len(vocabulary.pieces)), strict=True))
        del self._ids[vocabulary.pieces[vocabulary.unknown]]
        self._longest = max(map(len, vocabulary.pieces))
        self._unknown_score = min(vocabulary.scores) - _UNKNOWN_PENALTY
        # text repeats its words; those of writing without spaces are whole sentences and do not stay long
        self._cut_word = lru_cache(_WORDS_KEPT)(self._cut)

    def encode(self, text: str, *, max_tokens: int) -> Sequence[int]:
        """Ids with begin and end, at most `max_tokens`; what is more is cut off before the end token."""
        ids: list[int] = [self._vocabulary.begin]
        for word in filter(None, normalise(text).split(" ")):
            ids.extend(self._cut_word(_WORD_START + word))
            if len(ids) >= max_tokens:
                break
        return [*ids[: max_tokens - 1], self._vocabulary.end]

    def _cut(self, word: str) -> tuple[int, ...]:
        """The most likely pieces of a word; a run of characters that no piece has is one unknown token."""
        ids, scores, unknown = self._ids, self._vocabulary.scores, self._vocabulary.unknown
        n = len(word)
        # of the best way to reach each place: its score, where its last piece began, and that piece
        best = [0.0, *[-inf] * n]
        begun = [0] * (n + 1)
        token_at = [unknown] * (n + 1)
        for start in range(n):
            here = best[start]
            if word[start] not in ids and here + self._unknown_score > best[start + 1]:
                best[start + 1], begun[start + 1] = here + self._unknown_score, start
            for stop in range(start + 1, min(start + self._longest, n) + 1):
                token = ids.get(word[start:stop])
                if token is not None and here + scores[token] > best[stop]:
                    best[stop], begun[stop], token_at[stop] = here + scores[token], start, token
        return _walked_back(begun, token_at, unknown=unknown)


def _walked_back(begun: Sequence[int], token_at: Sequence[int], *, unknown: int) -> tuple[int, ...]:
    tokens: list[int] = []
    at = len(begun) - 1
    while at > 0:
        if not (token_at[at] == unknown and tokens[-1:] == [unknown]):
            tokens.append(token_at[at])
        at = begun[at]
    return tuple(reversed(tokens))


def normalise(text: str) -> str:
    """NFKC with SentencePiece's exceptions. White space is not yet joined."""
    plain = text.translate(_EXCEPTIONS)
    return unicodedata.normalize("NFKC", plain).replace(_STAND_IN, _KEPT)


def read_vocabulary(path: Path) -> UnigramVocabulary:
    """Read what `write_vocabulary` wrote. Raises ModelError where it is something else."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=UnigramVocabulary)
    except (OSError, msgspec.DecodeError) as error:
        raise ModelError(f"{path} is no vocabulary, or is damaged: {error}") from error


def write_vocabulary(path: Path, vocabulary: UnigramVocabulary) -> None:
    """Write a vocabulary as JSON, which is read ten times faster than it would be built."""
    path.write_bytes(msgspec.json.encode(vocabulary))
