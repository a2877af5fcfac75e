"""Chunks of one size, and the chunker that does not cut."""

from rankle.kb.chunk import parse_chunker
from rankle.kb.parse import parse_document
from rankle.kb.tokens import estimate_tokens


def texts(source: str, spec: str) -> list[str]:
    document = parse_document(source.encode(), name="file.md")
    return [document.text[chunk.start : chunk.end] for chunk in parse_chunker(spec).chunk(document)]


def test_each_has_the_number_of_tokens() -> None:
    chunks = texts("word " * 1000, "fixed:300")
    assert [estimate_tokens(chunk) for chunk in chunks] == [300, 300, 300, 100]


def test_a_chunk_reaches_over_the_borders_of_blocks() -> None:
    assert texts("# Head\n\none two\n\nthree four", "fixed:4") == ["# Head\n\none two", "three four"]


def test_words_are_not_cut() -> None:
    source = "don't under_score Straßenbahn v1.2.3 (brackets) e-mail@example.org"
    chunks = texts(source, "fixed:12")
    assert " ".join(chunks) == source


def test_text_without_spaces_is_cut_between_its_units() -> None:
    chunks = texts("漢字かな。" * 20, "fixed:10")
    assert "".join(chunks) == "漢字かな。" * 20
    assert not [chunk for chunk in chunks if chunk.startswith("。")]
    assert max(map(estimate_tokens, chunks)) <= 10


def test_a_word_longer_than_a_chunk_is_cut_where_units_end() -> None:
    assert texts("a" * 130, "fixed:10") == ["a" * 60, "a" * 60, "a" * 10]
    assert texts("a" * 130, "fixed:2") == ["a" * 60, "a" * 60, "a" * 10]


def test_a_document_is_one_chunk_without_its_front_matter() -> None:
    assert texts("---\ntitle: T\n---\n# Head\n\n" + "word " * 2000, "document") == [
        "# Head\n\n" + "word " * 1999 + "word"
    ]
