# ruff: noqa: E501
"""Quotes found in stored texts, and the place that a label means where there are several."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankle.core.evalset import Span
from rankle.labels.placing import Placed, Unplaced, Why, ambiguity, place_span
from rankle.labels.quotes import ALIKE_ENOUGH, Found, How, Place, StoredText, find_quote

TEXT = (
    "# Leave\n\nEmployees may take \u201cparental leave\u201d of up to\nfourteen weeks\u2014paid in full.\n\n"
    "Ask the office. \n\n## Sick leave\n\nCall before nine.  Ask the office.\n"
)
PAID = "Employees may take \u201cparental leave\u201d of up to\nfourteen weeks\u2014paid in full."


def found(quote: str, text: str = TEXT) -> tuple[How, list[str]] | None:
    result = find_quote(StoredText(text), quote)
    if result is None:
        return None
    return result.how, [text[place.start : place.end] for place in result.places]


@pytest.mark.parametrize(
    ("quote", "how", "passages"),
    [
        ("Call before nine.", How.EXACT, ["Call before nine."]),
        ("Ask the office.", How.EXACT, ["Ask the office."] * 2),
        ("nine. Ask the office.", How.SPELLING, ["nine.  Ask the office."]),
        ('may take "parental leave" of up to fourteen weeks-paid', How.SPELLING, [PAID[PAID.index("may") : PAID.index(" in full")]]),
        (f"  {' '.join(PAID.split())}\n", How.SPELLING, [PAID]),
        ("Employees can take parental leave of up to sixteen weeks, paid in full.", How.ALIKE, [PAID]),
        ("Call us before nine in the morning.", None, []),
        ("call before NINE!!", None, []),
        ("Dogs are welcome in the office on Fridays.", None, []),
        ("Ask", How.EXACT, ["Ask"] * 2),
        ("Asks", None, []),
    ],
    ids=["exact", "twice", "white space", "typography", "ends", "edited", "too different", "case", "absent", "short", "short and absent"],
)  # fmt: skip
def test_a_quote_is_found_as_it_stands_then_in_other_spelling_then_by_likeness(
    quote: str, how: How | None, passages: list[str]
) -> None:
    result = found(quote)
    assert result == (None if how is None else (how, passages))


@pytest.mark.parametrize(
    ("now", "then"),
    [
        ("hold the red button for ten seconds.", "Hold the red button for ten seconds."),
        ("Hold the red button for ten seconds.", "hold the red button for ten seconds."),
        ("ÜBER the red button is a lamp for seconds.", "über the red button is a lamp for seconds."),
        ("A red button is held for ten seconds.", "The red button is held for ten seconds."),
        ("He may take three weeks of unpaid leave.", "She may take three weeks of unpaid leave."),
        ("The red button is held for ten minutes.", "The red button is held for ten seconds."),
        ("The red button is held for ten seconds!", "The red button is held for ten seconds."),
        ("The red button is held for ten second.", "The red button is held for ten seconds."),
        ("赤いボタンを十秒間押し続けてください。", "青いボタンを十秒間押し続けてください。"),
    ],
)  # fmt: skip
def test_a_passage_whose_first_or_last_word_was_edited_is_found_whole(now: str, then: str) -> None:
    assert found(then, f"Read this first. {now} Then wait.") == (How.ALIKE, [now])
    assert found(then, now) == (How.ALIKE, [now])


def test_what_stands_before_a_passage_is_not_taken_for_words_that_it_lost() -> None:
    kept = "## Parental leave Employees may take leave of up to sixteen weeks. Ask four weeks ahead."
    then = f"# Leave {kept}"
    assert found(then, f"# Leave and absence This page was revised. {kept}") == (How.ALIKE, [kept])


def test_likeness_is_told_and_the_threshold_is_an_option() -> None:
    stored = StoredText(TEXT)
    edited = "Employees can take parental leave of up to sixteen weeks, paid in full."
    result = find_quote(stored, edited)
    assert result is not None
    assert ALIKE_ENOUGH <= result.likeness < 100
    assert find_quote(stored, edited, threshold=result.likeness + 0.01) is None
    assert find_quote(stored, edited, threshold=None) is None


def test_places_that_are_about_as_much_alike_are_all_told() -> None:
    text = "Set the timeout of the reader to 30 seconds. Then set the timeout of the writer to 30 seconds."
    result = find_quote(StoredText(text), "set the timeout of the loader to 30 seconds.")
    assert result is not None
    assert (result.how, len(result.places)) == (How.ALIKE, 2)


words = st.lists(
    st.sampled_from(["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta"]),
    min_size=1,
    max_size=40,
)


@given(words, st.data())
def test_every_part_of_a_text_is_found_in_it_where_it_stands(
    text_words: list[str], data: st.DataObject
) -> None:
    text = data.draw(st.sampled_from([" ", "\n", "  "])).join(text_words)
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    result = find_quote(StoredText(text), text[start:end])
    assert result is not None
    assert result.how is How.EXACT
    assert all(text[place.start : place.end] == text[start:end] for place in result.places)
    assert any(place.start <= start < place.end for place in result.places)


@given(words, words, words)
def test_a_passage_in_other_white_space_is_found_at_its_place(
    before: list[str], quoted: list[str], after: list[str]
) -> None:
    passage = " ,".join(quoted)
    text = f"{' '.join(before)} !{' '.join(passage.split())}! {' '.join(after)}"
    result = find_quote(StoredText(text), "\n\t".join(f"!{passage}!".split()))
    assert result is not None
    assert [text[place.start : place.end] for place in result.places] == [f"!{' '.join(passage.split())}!"]


@pytest.mark.parametrize("share", [0.0, 0.03, 0.1])
def test_an_edited_passage_of_any_length_is_found_within_a_few_words(share: float) -> None:
    rng = random.Random(7)
    vocabulary = ["".join(rng.choices("abcdefghijklmnop", k=rng.randint(2, 9))) for _ in range(3_000)]
    text_words = rng.choices(vocabulary, k=30_000)
    text = " ".join(text_words)
    for n in (20, 100, 1_000, 8_000):
        first = rng.randrange(len(text_words) - n)
        edited = [word if rng.random() > share else "edited" for word in text_words[first : first + n]]
        start = len(" ".join(text_words[:first])) + (first > 0)
        end = start + len(" ".join(text_words[first : first + n]))
        result = find_quote(StoredText(text), " ".join(edited))
        assert result is not None
        (place,) = result.places
        assert abs(place.start - start) <= 30
        assert abs(place.end - end) <= 30


def test_an_edited_quote_of_fifty_thousand_characters_is_found() -> None:
    """In half a second; a search that compares every window would still be at it tomorrow."""
    rng = random.Random(3)
    text = " ".join("".join(rng.choices("abcdefgh", k=6)) for _ in range(60_000))
    quote = text[100_000:150_000].replace("aa", "b")
    result = find_quote(StoredText(text), quote)
    assert result is not None
    assert result.how is How.ALIKE
    assert find_quote(StoredText(text), "z" * 50_000) is None


AGAIN = "one. again. two. again. three. again."
FIRST, SECOND, THIRD = Place(5, 11), Place(17, 23), Place(31, 37)


@pytest.mark.parametrize(
    ("span", "expected"),
    [
        (Span("two."), Placed(Place(12, 16), How.EXACT, 100.0, moved=False, certain=True)),
        (Span("two.", occurrence=1), Placed(Place(12, 16), How.EXACT, 100.0, moved=False, certain=True)),
        (Span("two.", occurrence=2), Unplaced(Why.ABSENT)),
        (Span("two.", 12, 16), Placed(Place(12, 16), How.EXACT, 100.0, moved=False, certain=True)),
        (Span("two.", 11, 17), Placed(Place(12, 16), How.EXACT, 100.0, moved=False, certain=True)),
        (Span("two.", 10, 14), Placed(Place(12, 16), How.EXACT, 100.0, moved=True, certain=True)),
        (Span("two.", 90, 94), Placed(Place(12, 16), How.EXACT, 100.0, moved=True, certain=True)),
        (Span("again."), Unplaced(Why.AMBIGUOUS, (FIRST, SECOND, THIRD))),
        (Span("again.", occurrence=3), Placed(THIRD, How.EXACT, 100.0, moved=False, certain=True)),
        (Span("again.", occurrence=4), Unplaced(Why.ABSENT)),
        (Span("again.", 17, 23), Placed(SECOND, How.EXACT, 100.0, moved=False, certain=True)),
        (Span("again.", 15, 21), Placed(SECOND, How.EXACT, 100.0, moved=True, certain=False)),
        (Span("again.", 15, 21, 3), Placed(THIRD, How.EXACT, 100.0, moved=True, certain=True)),
        (Span("again.", 17, 23, 3), Placed(SECOND, How.EXACT, 100.0, moved=False, certain=True)),
        (Span(start=5, end=11), Placed(FIRST, None, 100.0, moved=False, certain=True)),
        (Span(start=4, end=12), Placed(FIRST, None, 100.0, moved=False, certain=True)),
        (Span(start=30, end=38), Unplaced(Why.ABSENT)),
        (Span("never said"), Unplaced(Why.ABSENT)),
        (Span("never said", 5, 11), Unplaced(Why.ABSENT)),
    ],
    ids=lambda value: str(value)[:60] if isinstance(value, Span) else "",
)  # fmt: skip
def test_the_place_that_a_label_means(span: Span, expected: Placed | Unplaced) -> None:
    assert place_span(span, StoredText(AGAIN)) == expected


def test_a_passage_whose_text_was_edited_in_place_has_not_moved() -> None:
    then = "Employees may take parental leave of fourteen weeks."
    text = "Intro.\n\nEmployees may take parental leave of sixteen weeks.\n\nOutro."
    placed = place_span(Span(then, 8, 8 + len(then)), StoredText(text))
    assert isinstance(placed, Placed)
    assert (placed.how, placed.moved, placed.certain) == (How.ALIKE, False, True)
    assert (
        text[placed.place.start : placed.place.end] == "Employees may take parental leave of sixteen weeks."
    )
    shifted = place_span(Span(then, 8, 8 + len(then)), StoredText(f"New. {text}"))
    assert isinstance(shifted, Placed)
    assert (shifted.how, shifted.moved, shifted.certain) == (How.ALIKE, True, True)


def test_a_passage_at_the_end_of_a_text_that_was_shortened_in_place_has_not_moved() -> None:
    then = "Employees may take parental leave of fourteen weeks, in full."
    text = "Intro.\n\nEmployees may take parental leave of fourteen weeks."
    placed = place_span(Span(then, 8, 8 + len(then)), StoredText(text))
    assert isinstance(placed, Placed)
    assert (placed.how, placed.moved) == (How.ALIKE, False)


def test_among_places_that_are_only_alike_none_is_chosen() -> None:
    text = "Set the timeout of the reader to 30 seconds. Then set the timeout of the writer to 30 seconds."
    for span in (
        Span("set the timeout of the loader to 30 seconds."),
        Span("set the timeout of the loader to 30 seconds.", occurrence=2),
        Span("set the timeout of the loader to 30 seconds.", 3, 40),
    ):
        assert place_span(span, StoredText(text)) == Unplaced(Why.ABSENT)


def test_what_is_said_of_an_ambiguous_quote_tells_where_and_what_decides() -> None:
    stored = StoredText("again\n" * 8)
    result = find_quote(stored, "again")
    assert isinstance(result, Found)
    assert ambiguity("a.md", Span("again"), result.places, stored) == (
        'the quote "again" stands 8 times in a.md, at lines 1, 2, 3, 4, 5, …; '
        'say which: "occurrence": 1 to 8, or "start" and "end"'
    )
