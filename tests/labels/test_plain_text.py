"""One spelling for a text: what becomes alike, what stays apart, and where each character stood."""

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rankle.labels.plain_text import _FOLDED, PlainText

ALIKE = [
    ("a  b\n\tc", "a b c"),
    (" a\u00a0b\u3000", "a b"),
    ("cafe\u0301", "caf\u00e9"),
    ("\ufb01ne", "fine"),
    ("\u201cno\u201d, it\u2019s \u00abyes\u00bb", '"no", it\'s "yes"'),
    ("1939\u20131945 \u2014 a\u2011b", "1939-1945 - a-b"),
    ("in\u00addex\u200bed", "indexed"),
    ("\u2026", "..."),
    ("\uff76\uff9e", "\u30ac"),
    ("\u1112\u1161\u11ab", "\ud55c"),
    ("\uff21\uff22\u3231", "AB(\u682a)"),
    ("e\u200d\u0301", "\u00e9"),
    ("\u00a0\u0301x", "\u0301x"),
]


@pytest.mark.parametrize(("spelled", "plain"), ALIKE, ids=range(len(ALIKE)))
def test_spellings_of_one_text_become_one(spelled: str, plain: str) -> None:
    assert PlainText(spelled).text == plain


@pytest.mark.parametrize(
    ("one", "other"), [("Setup", "setup"), ("a b", "ab"), ("\u00e9", "e"), ("a-b", "a b"), ("1,5", "1.5")]
)
def test_what_reads_differently_stays_apart(one: str, other: str) -> None:
    assert PlainText(one).text != PlainText(other).text


def plainly(text: str) -> str:
    """The same of the whole text at once, without the places."""
    composed = unicodedata.normalize("NFKC", text.translate(_FOLDED)).translate(_FOLDED)
    return " ".join(composed.split())


texts = st.text() | st.text(
    "ae\u0301\u0323\u200d \n\u00a0\u201c\uff76\uff9e\u1112\u1161\u11ab<\u0338`\u2026\u0e33\u00a8"
)


@given(texts)
@example("e\u0301")
@example("<\u0338")
def test_piece_by_piece_gives_what_the_whole_text_gives(text: str) -> None:
    assert PlainText(text).text == plainly(text)


@given(texts)
def test_a_plain_text_is_plain(text: str) -> None:
    assert PlainText(PlainText(text).text).text == PlainText(text).text


@given(texts, st.data())
def test_what_stood_at_the_place_of_a_part_is_that_part_in_one_spelling(
    text: str, data: st.DataObject
) -> None:
    plain = PlainText(text)
    words = [
        (start, start + len(word))
        for start, word in zip(starts_of(plain.text), plain.text.split(" "), strict=True)
        if word
    ]
    if not words:
        return
    first = data.draw(st.integers(0, len(words) - 1))
    last = data.draw(st.integers(first, len(words) - 1))
    start, end = plain.range_of(words[first][0], words[last][1])
    assert plainly(plain.text[words[first][0] : words[last][1]]) in plainly(text[start:end])
    assert 0 <= start < end <= len(text)


def starts_of(text: str) -> list[int]:
    starts, at = [], 0
    for word in text.split(" "):
        starts.append(at)
        at += len(word) + 1
    return starts


@given(
    st.text(st.characters(max_codepoint=0x7E, min_codepoint=0x21), min_size=1).filter(
        lambda text: "`" not in text
    )
)
def test_plain_characters_keep_their_places(text: str) -> None:
    plain = PlainText(f"  {text}\n\n{text}")
    assert plain.range_of(0, len(text)) == (2, 2 + len(text))
    assert plain.range_of(len(text) + 1, len(plain.text)) == (len(text) + 4, 2 * len(text) + 4)
