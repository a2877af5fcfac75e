"""Chunkers by name."""

import pytest

from rankle.core.errors import InputError, UnknownNameError
from rankle.kb.chunk import DEFAULT_CHUNKER, parse_chunker


@pytest.mark.parametrize(
    ("spec", "canonical"),
    [
        ("heading", "heading"), ("heading:300", "heading"), ("heading:120", "heading:120"),
        ("fixed:200", "fixed:200"),
        (" Fixed:0200 ", "fixed:200"), ("sentence", "sentence"), ("DOCUMENT", "document"),
    ],
)  # fmt: skip
def test_a_chunker_has_one_spelling(spec: str, canonical: str) -> None:
    chunker = parse_chunker(spec)
    assert chunker.spec == canonical
    assert parse_chunker(chunker.spec) == chunker


def test_the_default_is_a_chunker() -> None:
    assert parse_chunker(DEFAULT_CHUNKER).spec == DEFAULT_CHUNKER


@pytest.mark.parametrize(
    ("spec", "nearest"), [("headings", "heading"), ("sentences", "sentence"), ("fix:200", "fixed")]
)
def test_an_unknown_name_suggests_the_nearest(spec: str, nearest: str) -> None:
    with pytest.raises(UnknownNameError) as caught:
        parse_chunker(spec)
    assert nearest in caught.value.nearest
    assert "fixed:N" in str(caught.value)


@pytest.mark.parametrize(
    "spec", ["fixed", "fixed:", "fixed:0", "fixed:-1", "fixed:x", "fixed:1.5", "fixed:99999999999",
             "heading:", "heading:3",
             "heading:x", "sentence:2", "document:1", "fixed:٣"],
)  # fmt: skip
def test_a_number_that_does_not_fit_is_refused(spec: str) -> None:
    with pytest.raises(InputError, match=r'^chunker ".*": .*; write '):
        parse_chunker(spec)


@pytest.mark.parametrize("spec", ["", "semantic"])
def test_what_resembles_nothing_lists_what_there_is(spec: str) -> None:
    with pytest.raises(UnknownNameError, match="heading, fixed:N, sentence, document"):
        parse_chunker(spec)
