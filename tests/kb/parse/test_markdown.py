"""Markdown and MDX."""

import pytest

from rankle.core.errors import UnreadableDocumentError
from rankle.kb.parse import ParsedDocument, parse_document


def parse(source: str, *, name: str = "folder/guide.md") -> ParsedDocument:
    return parse_document(source.encode(), name=name)


def kinds(document: ParsedDocument) -> list[tuple[str, str]]:
    return [(block.kind, document.text[block.start : block.end]) for block in document.blocks]


def test_the_stored_text_is_the_source() -> None:
    source = "# *Hi*\n\nA [link](x.md) &amp; more\n"
    assert parse(source).text == source
    assert parse(source.replace("\n", "\r\n")).text == source


def test_each_construct_is_a_block_of_its_kind() -> None:
    document = parse(
        "Intro\nline two\n\n"
        "## Head\nbody\n\n"
        "- one\n- two\n\n  - nested\n\n1. first\n\n"
        "```py\ncode\n\nmore\n```\n\n"
        "    indented\n\n"
        "| a | b |\n|---|---|\n| 1 | 2 |\n\n"
        "> quote\n> more\n\n"
        "***\n"
        "<div>\n*html*\n</div>\n\n"
        "[ref]: http://example.org\n"
    )
    assert kinds(document) == [
        ("paragraph", "Intro\nline two"),
        ("heading", "## Head"),
        ("paragraph", "body"),
        ("list", "- one"),
        ("list", "- two\n\n  - nested"),
        ("list", "1. first"),
        ("code", "```py\ncode\n\nmore\n```"),
        ("code", "indented"),
        ("table", "| a | b |\n|---|---|\n| 1 | 2 |"),
        ("quote", "> quote\n> more"),
        ("paragraph", "***"),
        ("paragraph", "<div>\n*html*\n</div>"),
        ("paragraph", "[ref]: http://example.org"),
    ]


@pytest.mark.parametrize(
    ("source", "level", "words"),
    [
        ("# One #\n", 1, "One"),
        ("### A **bold** `code()` [link](x) ![alt](y) &amp; ~~gone~~\n", 3, "A bold code() link alt & gone"),
        ("Set\next\n===\n", 1, "Set ext"),
        ("Second\n---\n", 2, "Second"),
        ('<h1 align="center">\n  <img src="x"> The &amp; Name\n</h1>\n', 1, "The & Name"),
        ("# C# and <br> snake_case_name\n", 1, "C# and snake_case_name"),
    ],
)
def test_headings_lose_their_markup(source: str, level: int, words: str) -> None:
    (heading,) = parse(source).blocks
    assert (heading.kind, heading.level, heading.text) == ("heading", level, words)


@pytest.mark.parametrize(
    ("source", "title"),
    [
        ("---\ntitle: Front\n---\n# Head\n", "Front"),
        ("## Second\n\n# First\n", "First"),
        ("No heading at all\n", "guide"),
        ("#\n\ntext\n", "guide"),
    ],
)
def test_the_title_is_front_matter_else_the_top_heading_else_the_name(source: str, title: str) -> None:
    assert parse(source).title == title


def test_front_matter_is_stored_but_in_no_block() -> None:
    document = parse("---\ntags: [x, y]\nlang: fr\n---\n\n# Tête\n")
    assert document.text.startswith("---\ntags")
    assert kinds(document) == [("heading", "# Tête")]
    assert (document.language, document.tags) == ("fr", ("x", "y"))


def test_front_matter_alone_holds_no_text() -> None:
    with pytest.raises(UnreadableDocumentError, match="holds no text behind its front matter"):
        parse("---\ntitle: A\n---\n\n")


def test_mdx_is_kept_as_it_stands() -> None:
    source = "import X from './x'\n\n# Hi\n\n<X prop={{a: 1}}>\n\n*text* {1 + 1}\n\n</X>\n"
    document = parse(source, name="a.mdx")
    assert document.title == "Hi"
    assert "".join(text for _, text in kinds(document)) == source.replace("\n\n", "").rstrip()


def test_a_heading_of_megabytes_is_cut_short_in_words_only() -> None:
    document = parse("# " + "word " * 100_000)
    assert len(document.title) <= 300
    assert document.blocks[0].end == len(document.text.rstrip())
