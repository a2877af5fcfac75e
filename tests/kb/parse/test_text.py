"""Plain text and logs."""

import pytest

from rankle.kb.parse import ParsedDocument, parse_document


def parse(source: str, *, name: str = "notes.txt") -> ParsedDocument:
    return parse_document(source.encode(), name=name)


def kinds(document: ParsedDocument) -> list[tuple[str, str]]:
    return [(block.kind, document.text[block.start : block.end]) for block in document.blocks]


def test_blank_lines_part_paragraphs() -> None:
    document = parse("First one.\nstill first\n \n\t\n\nSecond.\n")
    assert kinds(document) == [("paragraph", "First one.\nstill first"), ("paragraph", "Second.")]
    assert document.title == "notes"


def test_underlined_lines_are_headings() -> None:
    document = parse(
        "Intro.\n\nPart one\n========\nBody.\n\nSub\n---\n\nMore.\n\nNot this one\n--- --- ---\n"
    )
    assert [(b.text, b.level) for b in document.blocks if b.kind == "heading"] == [
        ("Part one", 1),
        ("Sub", 2),
    ]
    assert ("paragraph", "Body.") in kinds(document)
    assert document.title == "Part one"


@pytest.mark.parametrize("first", ["Shift handover", "点検の手引き", "2024 Report (draft)"])
def test_a_short_first_line_of_its_own_is_the_title(first: str) -> None:
    document = parse(f"{first}\n\nBody.\n")
    assert document.title == first
    assert document.blocks[0].kind == "heading"


@pytest.mark.parametrize("first", ["A sentence.", "一文。", "x" * 81, "---", "two\nlines", "Dear all,"])
def test_other_first_lines_are_none(first: str) -> None:
    document = parse(f"{first}\n\nBody.\n")
    assert document.title == "notes"
    assert document.blocks[0].kind == "paragraph"


def test_a_single_line_is_text_and_no_title() -> None:
    assert kinds(parse("Just this")) == [("paragraph", "Just this")]


def test_a_log_is_verbatim() -> None:
    document = parse("start\n\n12:00 a\n12:01 b\n", name="server.log")
    assert kinds(document) == [("code", "start"), ("code", "12:00 a\n12:01 b")]
    assert document.title == "server"
