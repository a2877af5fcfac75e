"""The default chunker: what is packed together and where it cuts."""

import pytest

from rankle.kb.chunk import parse_chunker
from rankle.kb.parse import ParsedDocument, parse_document
from rankle.kb.tokens import estimate_tokens


def parse(source: str, *, name: str = "file.md") -> ParsedDocument:
    return parse_document(source.encode(), name=name)


def texts(source: str, *, spec: str = "heading", name: str = "file.md") -> list[str]:
    document = parse(source, name=name)
    return [document.text[chunk.start : chunk.end] for chunk in parse_chunker(spec).chunk(document)]


def words(n_tokens: int, word: str = "word") -> str:
    """One sentence-less paragraph of that many tokens."""
    return " ".join([word] * n_tokens)


def sentences(n: int, n_tokens: int) -> str:
    """n sentences of n_tokens tokens each, their full stop included."""
    return " ".join(f"{words(n_tokens - 1, 'Word')}." for _ in range(n))


def sizes(chunks: list[str]) -> list[int]:
    return [estimate_tokens(chunk) for chunk in chunks]


def test_a_short_document_is_one_chunk() -> None:
    source = "# Title\n\nText.\n\n## Sub\n\nMore.\n\n## Other\n\n- a\n- b"
    assert texts(source) == [source]


def test_paragraphs_are_packed_up_to_the_target() -> None:
    assert sizes(texts("\n\n".join([words(90)] * 9))) == [270, 270, 270]


def test_a_main_heading_starts_a_chunk_once_half_the_target_is_reached() -> None:
    sections = [f"## S{number}\n\n{words(100)}" for number in range(4)]
    assert [chunk.count("##") for chunk in texts("\n\n".join(sections))] == [2, 2]


def test_a_lower_heading_starts_none() -> None:
    sections = [f"### S{number}\n\n{words(60)}" for number in range(4)]
    assert len(texts("\n\n".join(sections))) == 1


def test_a_heading_goes_with_what_follows_it() -> None:
    chunks = texts(f"{words(290)}\n\n### Head\n\n{words(100)}\n\n### Last")
    assert [chunk.split("\n")[0][:8] for chunk in chunks] == ["word wor", "### Head"]
    assert chunks[1].endswith("### Last")


def test_headings_above_each_other_stay_together() -> None:
    chunks = texts(f"# A\n\n{words(290)}\n\n# B\n\n## C\n\n{words(100)}")
    assert chunks[1].startswith("# B\n\n## C\n\nword")


def test_a_short_rest_joins_the_chunk_before_it() -> None:
    assert sizes(texts(f"{words(290)}\n\n{words(60)}")) == [350]
    assert sizes(texts(f"{words(290)}\n\n{words(90)}")) == [290, 90]
    chunks = texts(f"{words(290)}\n\n{words(60)}\n\n## Next\n\n{words(100)}")
    assert sizes(chunks)[0] == 350
    assert chunks[1].startswith("## Next")


def test_a_paragraph_a_little_over_the_target_stays_whole() -> None:
    assert sizes(texts(sentences(37, 10))) == [370]


@pytest.mark.parametrize(
    ("n", "expected"), [(44, [440]), (46, [230, 230]), (62, [210, 210, 200]), (100, [250, 250, 250, 250])]
)
def test_a_long_paragraph_is_cut_evenly_at_sentences(n: int, expected: list[int]) -> None:
    chunks = texts(sentences(n, 10))
    assert sorted(sizes(chunks)) == sorted(expected)
    assert all(chunk.endswith(".") for chunk in chunks)


def test_a_very_long_sentence_is_cut_between_words() -> None:
    chunks = texts(words(640, "sixsix"))
    assert max(sizes(chunks)) - min(sizes(chunks)) <= 2
    assert {word for chunk in chunks for word in chunk.split()} == {"sixsix"}


def test_a_normal_sentence_beside_a_long_one_stays_whole() -> None:
    source = f"{sentences(1, 200)} {words(500, 'Word')} end. {sentences(1, 200)}"
    chunks = texts(source)
    assert chunks[0] == sentences(1, 200)
    assert chunks[-1].endswith(sentences(1, 200))


@pytest.mark.parametrize(("open_", "close"), [("```\n", "\n```"), ("| a |\n|---|\n", "")])
def test_code_and_tables_are_whole_unless_they_are_too_long(open_: str, close: str) -> None:
    def block(n_lines: int) -> str:
        return open_ + "\n".join(["| one two three |"] * n_lines) + close

    assert texts(f"{words(200)}\n\n{block(50)}") == [words(200), block(50)]
    pieces = texts(block(150))
    assert len(pieces) > 1
    assert all(
        line in ("| one two three |", *block(1).split("\n")) for piece in pieces for line in piece.split("\n")
    )


def test_list_items_are_packed_like_paragraphs() -> None:
    items = "\n".join(f"- {words(98)}" for _ in range(6))
    assert sizes(texts(items)) == [297, 297]


def test_a_run_of_headings_without_text_is_still_cut() -> None:
    chunks = texts("\n".join(f"## Heading number {number}" for number in range(300)))
    assert max(sizes(chunks)) <= 450


def test_the_breadcrumb_has_the_heading_the_chunk_opens_with() -> None:
    text = words(200)
    document = parse(f"# Book\n\n{text}\n\n## Part *one*\n\n### Deep\n\n{text}\n\n{text}\n\n# End\n\n{text}")
    found = [chunk.breadcrumb for chunk in parse_chunker("heading").chunk(document)]
    assert found == [("Book",), ("Book", "Part one", "Deep"), ("Book", "Part one", "Deep"), ("End",)]


def test_the_target_can_be_set() -> None:
    assert sizes(texts("\n\n".join([words(40)] * 6), spec="heading:80")) == [80, 80, 80]


def test_front_matter_is_in_no_chunk() -> None:
    assert texts("---\ntitle: T\n---\n\nBody") == ["Body"]


def test_a_definition_of_code_starts_a_chunk_with_its_comment() -> None:
    source = "\n\n\n".join(
        f"# about {name}\ndef {name}():\n    return '{words(160)}'" for name in ("one", "two")
    )
    chunks = texts(source, name="file.py")
    assert [chunk.split("\n")[0] for chunk in chunks] == ["# about one", "# about two"]
