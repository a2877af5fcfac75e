"""Text without halves of characters."""

import pytest

from rankle.core.whole_text import is_whole, whole


@pytest.mark.parametrize("text", ["", "plain", "schön", "日本", "\U0001f600"])
def test_whole_text_stays_as_it_is(text: str) -> None:
    assert (is_whole(text), whole(text)) == (True, text)


def test_a_half_is_replaced_and_two_that_belong_together_are_joined() -> None:
    assert not is_whole("cut \ud83d")
    assert [whole("cut \ud83d"), whole("\ude00ü"), whole("\ud83d\ude00")] == [
        "cut \ufffd",
        "\ufffdü",
        "\U0001f600",
    ]
