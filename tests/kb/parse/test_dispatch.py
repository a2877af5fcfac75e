"""From the name of a file to its parser, and laws that hold for every format."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankle.core.errors import UnreadableDocumentError
from rankle.kb.parse import KINDS, ParsedDocument, kind_of, parse_document

SOURCE_KINDS = [".md", ".txt", ".log", ".rst", ".py", ".yaml"]
"""Suffixes of formats whose stored text is the source."""

PIECES = st.sampled_from(
    [
        "# ", "## ", "- ", "1. ", "> ", "```", "~~~\n", "| a | b |\n|---|---|\n", "    ", "\t", "\n",
        "\n\n", "\r\n", "\r",
        "---\n", "===\n", "<div>", "</div>", "<h2>x</h2>\n", "<!-- ", "-->", "<table><tr><td>", "<pre>",
        "<li>", "[a]: b\n",
        "*", "`", "\\", "word ", "Sentence one. And two! ", "def f(x):\n", ".. note::\n", "::\n", "+---+\n",
        "=== ===\n",
        "漢字。かな", "한국어 ", "ภาษา", "e\u0301", "🚀", "\u00a0", "\u2028", "\x0c", "title: x\n", "+++\n",
        "&amp;", "&#0;",
    ]
)  # fmt: skip
SOURCES = st.one_of(st.text(), st.lists(PIECES, max_size=40).map("".join))


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("a.md", "markdown"), ("dir.x/A.MARKDOWN", "markdown"), ("a.mdx", "markdown"), ("a.htm", "html"),
        ("a.xhtml", "html"),
        ("a.TXT", "text"), ("a.log", "text"), ("a.rst", "rst"), ("a.pdf", "pdf"), ("a.tsx", "code"),
        ("a.yml", "code"),
        ("a.json", None), ("a.jsonl", None), ("a.csv", None), ("a.png", None), ("README", None),
        (".md", None), ("md", None),
    ],
)  # fmt: skip
def test_the_suffix_names_the_kind(name: str, kind: str | None) -> None:
    assert kind_of(name) == kind


def test_a_suffix_that_is_not_read_is_refused() -> None:
    with pytest.raises(UnreadableDocumentError, match=r"a\.docx: no parser for \.docx; known are .*\.md"):
        parse_document(b"x", name="a.docx")


@pytest.mark.parametrize("suffix", sorted(KINDS))
def test_every_kind_refuses_what_is_empty_and_what_is_binary(suffix: str) -> None:
    for data in (b"", b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00"):
        with pytest.raises(UnreadableDocumentError, match=r"^file"):
            parse_document(data, name=f"file{suffix}")


def parse_or_refusal(data: bytes, *, name: str) -> tuple[ParsedDocument | None, str]:
    try:
        return parse_document(data, name=name), ""
    except UnreadableDocumentError as error:
        return None, str(error)


@pytest.mark.parametrize("suffix", [*SOURCE_KINDS, ".html"])
@given(source=SOURCES)
def test_blocks_are_in_order_and_lose_nothing(suffix: str, source: str) -> None:
    data = source.encode("utf-8", errors="replace")
    document, refusal = parse_or_refusal(data, name=f"file{suffix}")
    if document is None:
        assert re.search("holds no text|is not text", refusal)  # and no parser failed
        return
    reached, outside = 0, ""
    for block in document.blocks:
        assert reached <= block.start < block.end
        piece = document.text[block.start : block.end]
        assert piece == piece.strip()
        outside += document.text[reached : block.start]
        reached = block.end
    outside += document.text[reached:]
    assert document.title
    assert not outside.strip() or outside.lstrip("\ufeff").startswith(("---", "+++"))
    if suffix in SOURCE_KINDS:
        assert document.text == data.decode().removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


@pytest.mark.parametrize(
    ("name", "source", "prose"),
    [
        ("a.md", "# Head\n\nText\n\n```\ncode\n```\n\n|a|\n|-|\n\n- item", "# Head\nText\n- item"),
        ("a.py", "# Comment\n\nx = 1", "# Comment\nx = 1"),
        ("a.log", "12:00 GET /", ""),
    ],
)
def test_prose_is_what_tells_the_language(name: str, source: str, prose: str) -> None:
    document = parse_document(source.encode(), name=name)
    assert document.prose() == prose
    assert document.prose(limit=5) == prose[:5]
