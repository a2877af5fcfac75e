"""Bytes to text."""

import codecs
import random

import pytest

from rankle.core.errors import UnreadableDocumentError
from rankle.kb.parse.decode import decode_text


@pytest.mark.parametrize(
    "data",
    [
        "Grüße, 世界 🚀".encode(),
        codecs.BOM_UTF8 + "Grüße, 世界 🚀".encode(),
        codecs.BOM_UTF16_LE + "Grüße, 世界 🚀".encode("utf-16-le"),
        codecs.BOM_UTF16_BE + "Grüße, 世界 🚀".encode("utf-16-be"),
        codecs.BOM_UTF32_LE + "Grüße, 世界 🚀".encode("utf-32-le"),
    ],
)
def test_unicode_is_read_with_and_without_a_mark(data: bytes) -> None:
    decoded = decode_text(data, name="a.txt")
    assert decoded.text == "Grüße, 世界 🚀"
    assert not decoded.notices


def test_other_bytes_are_read_as_windows_1252_and_that_is_told() -> None:
    decoded = decode_text("Größe – „gut“, 5 €".encode("windows-1252"), name="a.txt")
    assert decoded.text == "Größe – „gut“, 5 €"
    assert "Windows-1252" in decoded.notices[0]


def test_a_declared_encoding_is_believed_where_asked_for() -> None:
    data = '<meta charset="shift_jis"><p>日本語の文書'.encode("shift_jis")
    assert "日本語の文書" in decode_text(data, name="a.html", declared=True).text
    assert "日本語" not in decode_text(data, name="a.md").text


@pytest.mark.parametrize("declared", ["no-such-codec", "rot13", "hex", "utf-8"])
def test_a_declaration_that_does_not_fit_is_ignored(declared: str) -> None:
    decoded = decode_text(f"charset={declared} Größe".encode("latin-1"), name="a.html", declared=True)
    assert decoded.text.endswith("Größe")


def test_one_broken_byte_does_not_spoil_a_text_in_utf_8() -> None:
    data = "日本語の文書です。".encode() + b"\xff" + "続き".encode()
    decoded = decode_text(data, name="a.txt")
    assert decoded.text == "日本語の文書です。\ufffd続き"
    assert "1 broken" in decoded.notices[0]


def test_all_line_ends_become_one() -> None:
    assert decode_text(b"a\r\nb\rc\nd\r\r\n", name="a.txt").text == "a\nb\nc\nd\n\n"


@pytest.mark.parametrize("data", [b"", b"  \n\r\n\t"])
def test_an_empty_file_holds_no_text(data: bytes) -> None:
    with pytest.raises(UnreadableDocumentError, match=r"a\.txt: holds no text"):
        decode_text(data, name="a.txt")


@pytest.mark.parametrize(
    "data",
    [
        b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR",
        b"PK\x03\x04\x14\x00\x06\x00",
        "utf-16 without a mark".encode("utf-16-le"),
        codecs.BOM_UTF16_LE + "a\0b".encode("utf-16-le"),
        bytes(byte for byte in random.Random(0).randbytes(4000) if byte),
        b"\x01\x02\x03\x04\x05 text",
    ],
)
def test_what_is_no_text_is_refused_with_the_next_step(data: bytes) -> None:
    with pytest.raises(UnreadableDocumentError, match=r"^a\.md: is not text .*(\.rankleignore|UTF-8)"):
        decode_text(data, name="a.md")


def test_colours_of_a_terminal_are_text() -> None:
    assert decode_text(b"\x1b[31merror\x1b[0m\n", name="a.log").text == "\x1b[31merror\x1b[0m\n"
