"""Runs by script: the short pattern of plain texts against the one for all."""

import sys
from unicodedata import category

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankle.kb.text import scripts
from rankle.kb.text.scripts import run_pattern

EVERY = run_pattern("วันนี้")
PLAIN = "".join(
    char
    for low, high in ((0x20, 0x2FF), (0x370, 0x482), (0x48A, 0x590), (0x1E00, 0x1FFF), (0x2000, 0x20CF))
    for char in map(chr, range(low, high + 1))
)
WORDS = [
    "C++",
    "C#/.NET",
    ".NET",
    "C/C++",
    "a_b",
    "x-y",
    "it’s",
    "naïve",
    "co\u00adop",
    "ΑΒΓ",
    "ёлка",
    "10 °C",
    "№5",
]


def found(pattern: object, text: str) -> list[tuple[str | None, str, int]]:
    assert hasattr(pattern, "finditer")
    return [(match.lastgroup, match[0], match.start()) for match in pattern.finditer(text)]


@given(
    st.lists(st.one_of(st.sampled_from(WORDS), st.text(PLAIN + "+#-/:@._ ", max_size=8)), max_size=8).map(
        "".join
    )
)
def test_plain_texts_have_the_same_runs_by_either_pattern(text: str) -> None:
    assert run_pattern(text) is not EVERY
    assert found(run_pattern(text), text) == found(EVERY, text)


@pytest.mark.parametrize(
    "text", ["a 漢", "カナ", "한국", "ไทย", "✅", "q\u0307", "क्षि", "\U0001f600", "\u20e3"], ids=ascii
)
def test_a_single_other_character_asks_for_the_whole_pattern(text: str) -> None:
    assert run_pattern(text) is EVERY


def test_no_plain_character_is_a_mark_or_of_a_script_of_its_own() -> None:
    """Of all Unicode, as this Python knows it: each, alone, is a run by both patterns, or by neither."""
    plain = scripts._NOT_PLAIN.sub("", "".join(map(chr, range(sys.maxunicode + 1))))
    assert len(plain) > 2_000
    assert not [char for char in plain if category(char).startswith("M")]
    text = " ".join(plain)
    assert found(run_pattern(text), text) == found(EVERY, text)
