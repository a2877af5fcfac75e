"""A line that is being typed: its words, where the cursor stands, and what bash puts there."""

import pytest

from rankle.cli.shell_line import ShellLine, parse_line

BREAKS = " \t\n\"'><=;|&(:"
"""Those of bash."""


@pytest.mark.parametrize(
    ("text", "words", "last"),
    [
        ("", (), ""),
        ("rankle", (), "rankle"),
        ("rankle ", ("rankle",), ""),
        ("rankle  eval\tmy", ("rankle", "eval"), "my"),
        ('rankle eval "my set', ("rankle", "eval"), "my set"),
        ("rankle eval 'my set' ", ("rankle", "eval", "my set"), ""),
        ("rankle eval my\\ s", ("rankle", "eval"), "my s"),
        ("rankle eval my\\", ("rankle", "eval"), "my"),
        ('rankle eval "a\\"b\\c', ("rankle", "eval"), 'a"b\\c'),
        ("rankle eval 'a\\", ("rankle", "eval"), "a\\"),
        ("rankle search '' ", ("rankle", "search", ""), ""),
        ("rankle search ''", ("rankle", "search"), ""),
        ("rankle eval --system=kb:ha", ("rankle", "eval"), "--system=kb:ha"),
        ("LANG=C X='a b' rankle ev", ("rankle",), "ev"),
        ("rankle a=b c", ("rankle", "a=b"), "c"),
    ],
)
def test_a_line_is_taken_apart_as_a_shell_does(text: str, words: tuple[str, ...], last: str) -> None:
    line = parse_line(text, breaks=BREAKS)
    assert (line.words, line.last) == (words, last)


@pytest.mark.parametrize(
    ("text", "value", "written"),
    [
        ("rankle ev", "eval", "eval"),
        ("rankle eval --system kb:ha", "kb:handbook", "handbook"),
        ("rankle eval --system kb:", "kb:handbook", "handbook"),
        ("rankle eval --system=kb:ha", "--system=kb:handbook", "handbook"),
        ("rankle eval --system=", "--system=kb:", "kb:"),
        ('rankle eval --system "kb:ha', "kb:handbook", "kb:handbook"),
        ("rankle eval --system kb\\:ha", "kb:handbook", "kb:handbook"),
        ("rankle eval --system ''kb:ha", "kb:handbook", "handbook"),
        ("rankle eval my", "my set", "my\\ set"),
        ('rankle eval "my', 'my "$set"', 'my \\"\\$set\\"'),
        ("rankle eval 'my", "my set's", "my set'\\''s"),
        ("rankle eval a:'my", "a:my set", "my set"),
        ("rankle show lat", "latest~1", "latest\\~1"),
    ],
)
def test_bash_gets_what_follows_its_last_break_with_what_its_quotes_need(
    text: str, value: str, written: str
) -> None:
    assert parse_line(text, breaks=BREAKS).as_bash_takes(value) == written


def test_an_empty_line_has_nothing() -> None:
    assert parse_line("") == ShellLine((), "")
