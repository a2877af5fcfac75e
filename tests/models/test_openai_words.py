"""What a server says is shown short, on one line, and without the key."""

import json

import pytest

from rankle.models.openai_words import SHOWN_CHARACTERS, ServerWords

KEY = "sk-p&a/nt\"ed'key"


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"", "nothing"),
        (b" \n", "nothing"),
        (b"Bad Gateway\n", '"Bad Gateway"'),
        (b'{"error": {"message": "no such model", "code": 1}}', '"no such model"'),
        (b'{"error": "no such model"}', '"no such model"'),
        (b'{"message": "no such model"}', '"no such model"'),
        (b'{"detail": [{"msg": "too many"}]}', '"{"detail": [{"msg": "too many"}]}"'),
        (b'{"error": null, "message": "no such model"}', '"no such model"'),
        (b"[1]", '"[1]"'),
        (b"\xff\xfe", '"\N{REPLACEMENT CHARACTER}\N{REPLACEMENT CHARACTER}"'),
        (b"\x1b[31mred\x07 \x00 two\r\n lines", '"[31mred two lines"'),
        (b"see http://user:pw@h/v1", '"see http://***@h/v1"'),
    ],
)
def test_the_message_is_picked_out_and_put_on_one_line(body: bytes, said: str) -> None:
    assert ServerWords(secret=KEY).said(body) == said


@pytest.mark.parametrize("n_before", [0, SHOWN_CHARACTERS - 9, SHOWN_CHARACTERS - 3, SHOWN_CHARACTERS])
def test_the_key_is_hidden_before_words_are_cut(n_before: int) -> None:
    words = "x" * n_before + KEY + "y" * 2000

    said = ServerWords(secret=KEY).clean(words)

    assert "sk" not in said
    assert len(said) == SHOWN_CHARACTERS + 1


@pytest.mark.parametrize(
    "echo",
    [
        KEY,
        f"Bearer {KEY}",
        json.dumps({"error": {"message": f"Incorrect key {KEY}"}}),
        json.dumps({"headers": {"authorization": KEY}}),
        "sk-p&amp;a/nt&quot;ed&#x27;key",
        "sk-p%26a%2Fnt%22ed%27key",
    ],
)
def test_the_key_is_hidden_however_it_is_spelt(echo: str) -> None:
    words = ServerWords(secret=KEY)

    said = words.said(echo.encode())

    assert "***" in said
    assert "sk-p" not in said
    assert "sk-p" not in repr(words)


def test_without_a_key_nothing_is_hidden() -> None:
    assert ServerWords(secret=None).said(b"plain words") == '"plain words"'
