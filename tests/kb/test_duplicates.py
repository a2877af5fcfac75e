"""Near-duplicates: what is nearly the same, in any script, and the prefix filter that finds it."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankle.kb.duplicates import OVERLAP, NearDuplicates, shingled

_WORDS = " ".join(f"word{n} of the passage that stands here" for n in range(30))


def place_of(text: str, *before: str) -> int | None:
    seen = NearDuplicates()
    for one in before:
        seen.remember(shingled(one))
    return seen.find(shingled(text))


@pytest.mark.parametrize(
    ("text", "before", "is_near"),
    [
        ("An apple.", "an  APPLE", True),
        ("An apple.", "An apricot.", False),
        (_WORDS, _WORDS.replace("word7 ", "other "), True),
        (_WORDS, _WORDS[: len(_WORDS) // 2], False),
        (_WORDS, " ".join(reversed(_WORDS.split())), False),
        ("電池の電圧が低いときは充電してください。" * 9, "電池の電圧が低いときは充電してください" * 9, True),
        ("電池の電圧が低いときは充電してください。", "フィルターの交換は毎年秋に行います。", False),
        ("ﬁlter", "filter", True),
        ("?!", "...", True),
        ("abc", "abd", False),
    ],
    ids=["case", "other word", "one word", "half", "order", "cjk", "cjk other", "ligature", "signs", "short"],
)
def test_what_is_nearly_the_same(text: str, before: str, is_near: bool) -> None:
    assert place_of(text, "Something else.", before) == (1 if is_near else None)


def test_the_first_that_fits_is_named() -> None:
    assert place_of("An apple", "Another", "an apple", "AN APPLE!") == 1


def test_long_texts_are_the_same_only_letter_by_letter() -> None:
    long = "".join(random.Random(0).choices("abcdefghij ", k=50_000))
    assert place_of(long.upper(), long) == 0
    assert place_of(long + "x", long) is None


def overlap(one: str, other: str) -> float:
    first, second = ({text[at : at + 5] for at in range(max(1, len(text) - 4))} for text in (one, other))
    return len(first & second) / len(first | second)


@given(
    st.lists(st.sampled_from("ab"), min_size=1, max_size=120).map("".join),
    st.lists(st.tuples(st.integers(0, 119), st.sampled_from("abc")), max_size=3),
)
def test_the_filter_misses_no_pair_that_overlaps_enough(text: str, edits: list[tuple[int, str]]) -> None:
    other = list(text)
    for at, letter in edits:
        if at < len(other):
            other[at] = letter
    edited = "".join(other)
    assert (place_of(edited, text) == 0) == (overlap(edited, text) >= OVERLAP)
