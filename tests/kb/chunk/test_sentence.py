"""Sentences, and the chunker of them."""

import pytest

from rankle.kb.chunk import parse_chunker
from rankle.kb.chunk.sentences import sentence_ends
from rankle.kb.parse import parse_document


def texts(source: str, *, name: str = "file.md") -> list[str]:
    document = parse_document(source.encode(), name=name)
    return [document.text[chunk.start : chunk.end] for chunk in parse_chunker("sentence").chunk(document)]


@pytest.mark.parametrize(
    "sentences",
    [
        ["One is here.", "Two is here!", "Is three?", "Four…", "Five"],
        ["He said “stop.”", "Then (he left.)", "End"],
        ["Dr. Smith met J. R. Miller, e.g. at approx. 5 p.m. on Fig. 3 of it.", "Next one."],
        ["Das gilt z. B. für Nr. 5 am 3. Mai, d.h. sofort.", "Weiter."],
        ["The value is 3.5 and v1.18.0 at example.org/a.b.", "Next."],
        ["It ended in 2020.", "Then it began."],
        ["Wait... what is it?", "Nothing."],
        ["一文目です。", "二文目！", "「三文目？」", "終わり"],
        ["這是第一句。", "第二句"],
        ["첫 문장이다.", "둘째 문장이다."],
        ["هل هذا سؤال؟", "نعم."],
        ["यह पहला है।", "दूसरा।"],
        ["Really?!", "Yes!!!"],
        ["It ends.", ". . . and goes on."],
    ],
)
def test_sentences_end_where_a_reader_ends_them(sentences: list[str]) -> None:
    glue = "" if sentences[0].endswith("。") else " "
    assert texts(glue.join(sentences), name="file.txt") == sentences


def test_ends_are_told_inside_the_span_only() -> None:
    text = "A one. B two. C three. "
    assert list(sentence_ends(text, start=0, end=len(text))) == [6, 13, 22]
    assert list(sentence_ends(text, start=7, end=13)) == []


def test_blocks_are_borders_too() -> None:
    assert texts("no stop\n\nnext\n\n- item one. Still\n- item two") == [
        "no stop", "next", "- item one.", "Still", "- item two",
    ]  # fmt: skip


def test_a_heading_goes_with_the_first_sentence_below_it() -> None:
    assert texts("# A\n\n## B\n\nFirst one. Second one.\n\n## C") == [
        "# A\n\n## B\n\nFirst one.",
        "Second one.",
        "## C",
    ]


def test_code_is_one_chunk_and_a_table_one_each_row() -> None:
    assert texts("```\na. b. c.\n\nd\n```\n\n| a. B |\n|---|\n| c. D |") == [
        "```\na. b. c.\n\nd\n```", "| a. B |", "|---|", "| c. D |",
    ]  # fmt: skip
