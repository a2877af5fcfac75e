"""Any value of an eval is packed and read again, but for what must not be stored."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankle.core.errors import RecordError
from rankle.records.json_packing import JsonPacker, unpack_bytes, unpack_json

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), inner),
)  # fmt: skip


@given(VALUES)
def test_any_json_is_read_as_it_was_packed(value: Any) -> None:
    assert unpack_json(JsonPacker().pack(value), Any) == value


def test_what_is_large_is_packed() -> None:
    value = "ab" * 5_000_000
    blob = JsonPacker().pack(value)
    assert len(blob) < 10_000
    assert unpack_bytes(blob) == msgspec.json.encode(value)


@pytest.mark.parametrize(
    ("value", "stored"),
    [
        ("a\ud83d", "a\\ud83d"),
        ({"\udc00": ["\ud83d", 1]}, {"\\udc00": ["\\ud83d", 1]}),
        ("\U0001f50e", "\U0001f50e"),
    ],
    ids=["half", "within", "whole"],
)
def test_half_a_surrogate_pair_stands_as_its_escape(value: Any, stored: Any) -> None:
    assert unpack_json(JsonPacker().pack(value), Any) == stored


def test_what_is_withheld_stands_nowhere() -> None:
    packer = JsonPacker(['sk-"quoted"\n', "sk", "Schlüssel-ü"])
    text = packer.encode({"a": ['header: sk-"quoted"\n!', "Schlüssel-ü"], "sk": 1}).decode()
    assert text == '{"a":["header: [withheld]!","[withheld]"],"[withheld]":1}'


def test_nothing_is_withheld_for_an_empty_text() -> None:
    assert JsonPacker([""]).encode("abc") == b'"abc"'


@pytest.mark.parametrize(
    "blob", [b"", b"{", b"\x28\xb5\x2f\xfdxx", b'"text"'], ids=["empty", "cut", "frame", "kind"]
)
def test_a_blob_that_holds_something_else_is_told(blob: bytes) -> None:
    with pytest.raises(RecordError, match="a stored value cannot be"):
        unpack_json(blob, int)
