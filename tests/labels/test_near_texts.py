"""Something like a quote, found among many texts; a phrase that many use is nobody's."""

import random

import pytest

from rankle.core.text_range import Range
from rankle.labels.near_texts import Near, NearTexts, most_like
from rankle.labels.quotes import ALIKE_ENOUGH, StoredText

QUOTE = "Employees may take parental leave of up to fourteen weeks."
EDITED = "Employees can take parental leave of up to sixteen weeks."
OTHER = "Employees can take parental leave of up to fifty weeks."
FAR = "Dogs are welcome in the office on Fridays, cats are not."


def near(**texts: str) -> Near | None:
    return most_like(QUOTE, ((name, StoredText(text)) for name, text in texts.items()))


def test_the_one_text_that_is_like_the_quote_is_found_with_its_likeness() -> None:
    found = near(a=FAR, b=f"New.\n\n{EDITED} {FAR}", c=FAR)
    assert found is not None
    assert found.place == Range("b", 6, 6 + len(EDITED))
    assert ALIKE_ENOUGH <= found.likeness < 100
    assert found.n_places == 1


def test_texts_that_are_about_as_much_alike_and_differ_are_nobodys() -> None:
    assert near(a=FAR) is None
    assert near(a=EDITED, b=OTHER) is None
    assert near(a=f"{EDITED} Or so. {OTHER}") is None


def test_copies_of_one_text_are_one_passage_in_several_places() -> None:
    assert near(b=f"{FAR} {EDITED}", a=EDITED) == near(a=EDITED, b=EDITED)
    found = near(b=EDITED, a=EDITED)
    assert found is not None
    assert (found.place.document, found.n_places) == ("a", 2)


@pytest.mark.parametrize("n_words", [8, 40, 2_000])
def test_the_text_that_holds_an_edited_quote_is_among_the_nearest_of_many(n_words: int) -> None:
    rng = random.Random(5)
    words = ["".join(rng.choices("abcdefghijklmnop", k=rng.randint(2, 9))) for _ in range(3_000)]
    texts = {f"{n}.md": rng.choices(words, k=3_000) for n in range(60)}
    index = NearTexts((name, "\n".join(text)) for name, text in texts.items())
    for name in list(texts)[::7]:
        first = rng.randrange(3_000 - n_words)
        quoted = texts[name][first : first + n_words]
        edited = [word if place % 10 else word.upper() + "s" for place, word in enumerate(quoted)]
        assert name in index.nearest(" ".join(edited))


def test_a_quote_that_shares_nothing_is_near_to_nothing() -> None:
    assert NearTexts([("a", FAR)]).nearest("zzzz qqqq zzzz qqqq") == []
    assert NearTexts([]).nearest(QUOTE) == []
    assert NearTexts([("a", "")]).nearest("short") == []
