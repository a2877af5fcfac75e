"""Laws that hold for every chunker."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankle.core.errors import UnreadableDocumentError
from rankle.kb.chunk import ChunkSpan, parse_chunker
from rankle.kb.parse import ParsedDocument, parse_document
from rankle.kb.tokens import estimate_tokens

CHUNKERS = ["heading", "heading:20", "fixed:1", "fixed:7", "fixed:200", "sentence", "document"]

PARAGRAPHS = st.sampled_from(
    [
        "One sentence. Another one! And e.g. a third with 3.5 of them? ",
        "漢字とかなの文。次の文！「引用。」それから",
        "한국어 문장입니다. 다음 문장. ",
        "ภาษาไทยเขียนติดกันไม่มีช่องว่าง",
        "e\u0301a\u0300 combining か\u3099 ",
        "🚀👩\u200d🚀\U00020000 astral ",
        "averylongwordwithoutanyspace" * 3,
        "\u00a0\u3000 \u2028",
        "\n", "\n\n", "\r\n\r\n", "# Head\n", "## Sub *x*\n\n", "### Deep\n", "- item\n", "> quote\n",
        "```\ncode\n\ncode\n```\n",
        "| a | b |\n|---|---|\n| 1 | 2 |\n", "...", "。。。", "word " * 60,
    ]
)  # fmt: skip
SOURCES = st.one_of(st.lists(PARAGRAPHS, min_size=1, max_size=30).map("".join), st.text(min_size=1))


def parse(source: str, *, name: str = "file.md") -> ParsedDocument | None:
    try:
        return parse_document(source.encode("utf-8", errors="replace"), name=name)
    except UnreadableDocumentError:
        return None


def visible(document: ParsedDocument, spans: list[tuple[int, int]]) -> list[int]:
    return [at for start, end in spans for at in range(start, end) if not document.text[at].isspace()]


@pytest.mark.parametrize("spec", CHUNKERS)
@given(source=SOURCES)
def test_every_visible_character_lies_in_exactly_one_chunk(spec: str, source: str) -> None:
    document = parse(source)
    if document is None:
        return
    chunks = parse_chunker(spec).chunk(document)
    in_blocks = visible(document, [(block.start, block.end) for block in document.blocks])
    assert visible(document, [(chunk.start, chunk.end) for chunk in chunks]) == in_blocks


@pytest.mark.parametrize("spec", CHUNKERS)
@given(source=SOURCES)
def test_spans_are_trimmed_in_order_and_know_their_lines(spec: str, source: str) -> None:
    document = parse(source)
    if document is None:
        return
    reached = 0
    chunks = parse_chunker(spec).chunk(document)
    for chunk in chunks:
        text = document.text[chunk.start : chunk.end]
        assert text
        assert text == text.strip()
        assert chunk.start >= reached
        assert chunk.line_start == document.text.count("\n", 0, chunk.start) + 1
        assert chunk.line_end == chunk.line_start + text.count("\n")
        assert chunk.page is None
        reached = chunk.end
    assert parse_chunker(spec).chunk(document) == chunks


@pytest.mark.parametrize("spec", CHUNKERS)
@given(source=SOURCES)
def test_line_ends_of_windows_change_nothing(spec: str, source: str) -> None:
    unix = source.replace("\r\n", "\n").replace("\r", "\n")
    document, other = parse(unix), parse(unix.replace("\n", "\r\n"))
    assert document == other
    if document is not None and other is not None:
        assert parse_chunker(spec).chunk(document) == parse_chunker(spec).chunk(other)


@given(source=SOURCES, tokens=st.integers(1, 50))
def test_fixed_chunks_exceed_their_number_by_no_more_than_one_unit(source: str, tokens: int) -> None:
    document = parse(source)
    if document is None:
        return
    for chunk in parse_chunker(f"fixed:{tokens}").chunk(document):
        assert estimate_tokens(document.text[chunk.start : chunk.end]) <= max(tokens, 40)


@pytest.mark.parametrize("spec", ["heading", "sentence"])
@given(source=SOURCES)
def test_no_chunk_is_much_longer_than_the_target(spec: str, source: str) -> None:
    document = parse(source)
    if document is None:
        return
    for chunk in parse_chunker(spec).chunk(document):
        assert estimate_tokens(document.text[chunk.start : chunk.end]) <= 450


def breadcrumb_of(document: ParsedDocument, chunk: ChunkSpan) -> tuple[str, ...]:
    """The rule said in the plainest way: open headings at the start, then those that the chunk opens with."""
    opened: list[tuple[int, str]] = []
    opening = False
    for block in document.blocks:
        if block.start > chunk.start and not (
            opening and block.kind == "heading" and block.start < chunk.end
        ):
            break
        if block.kind == "heading":
            opened = [(level, text) for level, text in opened if level < block.level]
            opened.append((block.level, block.text))
        opening = block.kind == "heading" and (opening or block.start == chunk.start)
    return tuple(text for _, text in opened if text)


@pytest.mark.parametrize("spec", CHUNKERS)
@given(source=SOURCES)
def test_breadcrumbs_are_the_headings_above(spec: str, source: str) -> None:
    document = parse(source)
    if document is None:
        return
    for chunk in parse_chunker(spec).chunk(document):
        assert chunk.breadcrumb == breadcrumb_of(document, chunk)


@pytest.mark.parametrize(
    "line", ["word and some more, without end " * 50_000, "a" * 1_500_000, "." * 1_500_000,
             "漢字" * 300_000, "# " + "x " * 500_000],
    ids=["words", "letters", "dots", "han", "heading"],
)  # fmt: skip
def test_a_line_of_megabytes_is_cut_like_any_other(line: str) -> None:
    """Time that grew with the square of the length would be minutes here."""
    document = parse(line)
    assert document is not None
    for spec in ("heading", "fixed:300", "sentence"):
        chunks = parse_chunker(spec).chunk(document)
        assert sum(chunk.end - chunk.start for chunk in chunks) >= len("".join(line.split()))
        assert max(estimate_tokens(document.text[chunk.start : chunk.end]) for chunk in chunks) <= 450


def test_pages_are_told() -> None:
    document = parse("First.\n\nSecond.\n\nThird.")
    assert document is not None
    paged = ParsedDocument(
        text=document.text,
        title="",
        blocks=document.blocks,
        kind="pdf",
        pages=(0, 8, 8, document.text.index("Third")),
    )
    assert [chunk.page for chunk in parse_chunker("sentence").chunk(paged)] == [1, 3, 4]
