"""The estimate of tokens: what it counts, that it adds up, that it loses nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankle.kb.tokens import estimate_tokens, token_ends, token_map

MIXED = st.text(
    alphabet=st.one_of(
        st.sampled_from(list("abcXYZ019_ .,-–\n\t\u00a0\u3000'\"。、漢字かなカナ한국어ภาษาไทยहिन्दी")),
        st.sampled_from(
            ["\u0301", "\u200d", "\ufe0f", "👩", "🚀", "\U0001f3fd", "\U00020000", "\u1112", "\u3099"]
        ),
        st.characters(exclude_categories=["Cs"]),
    ),
    max_size=200,
)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        (" \n\t\u3000", 0),
        ("word", 1),
        ("sixsix", 1),
        ("sevenss", 2),
        ("Straßenbahnhaltestelle", 4),
        ("two words", 2),
        ("don't", 3),
        ("2024", 2),
        ("v18", 1),
        ("snake_case_name", 5),
        ("漢", 1),
        ("漢字", 2),
        ("漢字漢字漢字", 4),
        ("カタカナ", 3),
        ("한국어", 2),
        ("대한민국의 수도", 6),
        ("ภาษา", 2),
        ("cafe\u0301", 1),
        ("हिन्दी", 1),
        ("Москва", 1),
        (".,;", 3),
        ("-----", 1),
        ("🚀", 1),
        ("👩\u200d🚀", 1),
        ("。」", 2),
    ],
)
def test_counts_follow_the_script(text: str, tokens: int) -> None:
    assert estimate_tokens(text) == tokens


@given(MIXED)
def test_units_cover_everything_but_white_space(text: str) -> None:
    covered = 0
    for end in token_ends(text):
        piece = text[covered:end]
        assert piece.strip()
        covered = end
    assert not text[covered:].strip()


@given(MIXED, st.data())
def test_counts_of_pieces_cut_where_units_end_add_up(text: str, data: st.DataObject) -> None:
    ends = list(token_ends(text))
    cut = data.draw(st.sampled_from([0, *ends, len(text)]))
    assert estimate_tokens(text[:cut]) + estimate_tokens(text[cut:]) == estimate_tokens(text)
    assert token_map(text).before(cut) == estimate_tokens(text[:cut])


@given(MIXED)
def test_the_map_and_the_estimate_agree(text: str) -> None:
    units = token_map(text)
    assert units.total == estimate_tokens(text)
    assert units.between(0, len(text)) == units.total
    assert len(units.ends) == len(units.totals) == len(units.kinds)


def test_a_long_word_has_places_to_cut() -> None:
    assert list(token_ends("a" * 150)) == [60, 120, 150]


def test_no_cut_falls_before_a_combining_mark() -> None:
    text = "か\u3099" * 10 + "กิ่" * 10 + "e\u0301" * 100
    assert not [
        end for end in token_ends(text) if end < len(text) and text[end] in "\u3099\u0301\u0e34\u0e48"
    ]
