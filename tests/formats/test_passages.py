# ruff: noqa: E501  (records stand as they are written)
"""Labels of passages: read from every form of set, written back, folded where a form knows none."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankle.core.errors import BadLinesError, InputError
from rankle.core.evalset import EvalQuery, EvalSet, Label, Level, Span
from rankle.formats.content import judgments_of, read_content
from rankle.formats.eval_set import eval_set_of_records, read_eval_set
from rankle.formats.kinds import FileKind
from rankle.formats.writing import write_beir, write_eval_set

CHUNK = "chunk-0a1b2c3d4e5f"
QUOTED = Label("a.md", Level.SPAN, 1, span=Span("hold the button"))
RANGED = Label("a.md", Level.SPAN, 3, span=Span(start=10, end=25))
BOTH = Label("b.md", Level.SPAN, 0, span=Span("again,\nand again", 4, 20), chunk=CHUNK)
NTH = Label("b.md", Level.SPAN, 2, span=Span("again", occurrence=2))
SET = EvalSet(
    "set.jsonl",
    (
        EvalQuery("1", "how do I reset it", (QUOTED, RANGED, BOTH)),
        EvalQuery("2", "and again?", (NTH, Label("c.md"), Label(CHUNK, Level.CHUNK))),
    ),
)


def labels(eval_set: EvalSet) -> list[tuple[Label, ...]]:
    return [query.labels for query in eval_set.queries]


def without_chunks(eval_set: EvalSet) -> list[list[tuple[str, int, Span | None]]]:
    return [[(label.name, label.grade, label.span) for label in query.labels] for query in eval_set.queries]


def test_every_way_to_name_a_passage_is_read() -> None:
    relevant = [
        {"document": "a.md", "quote": "hold the button"},
        {"document": "a.md", "start": 10, "end": 25, "relevance": 3},
        {"document": "b.md", "quote": "again,\nand again", "start": 4, "end": 20, "chunk": CHUNK, "relevance": 0},
    ]  # fmt: skip
    judgments = [
        {"docid": "b.md", "quote": "again", "occurrence": 2, "relevance": 2},
        {"docid": "c.md", "relevance": 1},
        {"docid": CHUNK, "relevance": 1},
    ]
    read = eval_set_of_records(
        [
            {"query": "how do I reset it", "relevant": relevant},
            {"query": "and again?", "judgments": judgments},
        ]
    )
    assert labels(read) == labels(SET)


@pytest.mark.parametrize("name", ["set.jsonl", "set.json", "set.jsonl.gz"])
def test_json_carries_passages_whole(tmp_path: Path, name: str) -> None:
    assert write_eval_set(SET, tmp_path / name) == ()
    read = read_eval_set(tmp_path / name)
    assert labels(read) == labels(SET)
    assert read.fingerprint == SET.fingerprint


@pytest.mark.parametrize("name", ["set.csv", "set.tsv", "set.parquet"])
def test_tables_carry_passages_but_no_chunk_beside_them(tmp_path: Path, name: str) -> None:
    assert write_eval_set(SET, tmp_path / name) == ("not written: chunk ids beside passages: 1",)
    assert without_chunks(read_eval_set(tmp_path / name)) == without_chunks(SET)


texts = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20).filter(str.strip)
ranges = st.tuples(st.integers(0, 2**40), st.integers(1, 2**20)).map(lambda pair: (pair[0], sum(pair)))
spans = st.one_of(
    st.builds(Span, texts, occurrence=st.none() | st.integers(1, 99)),
    st.builds(lambda quote, pair: Span(quote, *pair), st.none() | texts, ranges),
)
span_labels = st.builds(
    lambda name, grade, span, chunk: Label(name, Level.SPAN, grade, span=span, chunk=chunk),
    texts, st.integers(0, 9), spans, st.none() | st.just(CHUNK),
)  # fmt: skip


@given(st.lists(span_labels, max_size=4, unique_by=lambda label: label.target))
def test_what_is_written_as_json_is_read_as_it_was(tmp_path_factory: pytest.TempPathFactory, found: list[Label]) -> None:  # fmt: skip
    written = EvalSet("s", (EvalQuery("1", "x", tuple(found)),))
    path = tmp_path_factory.mktemp("set") / "set.jsonl"
    write_eval_set(written, path)
    assert labels(read_eval_set(path)) == labels(written)


def test_numbers_of_a_parquet_table_are_offsets_in_full(tmp_path: Path) -> None:
    import polars as pl

    frame = pl.DataFrame(
        {"query": ["x", "x"], "doc_id": ["a", "b"], "quote": [None, "q"], "start": [1234567.0, None],
         "end": [1234577.0, None]}
    )  # fmt: skip
    frame.write_parquet(tmp_path / "set.parquet")
    read = read_eval_set(tmp_path / "set.parquet")
    assert without_chunks(read) == [[("a", 1, Span(start=1234567, end=1234577)), ("b", 1, Span("q"))]]


def test_a_bad_offset_in_a_table_is_told_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "set.csv").write_text("query,doc_id,start,end\nhow is it,a,ten,12\n")
    with pytest.raises(BadLinesError) as caught:
        read_eval_set(tmp_path / "set.csv")
    assert [fault.message for fault in caught.value.faults] == [
        '"start" must be a whole number of characters, got "ten"'
    ]
    assert caught.value.faults[0].line == 2


def test_passages_of_one_document_may_have_different_grades_in_a_table(tmp_path: Path) -> None:
    (tmp_path / "set.csv").write_text(
        "query,doc_id,quote,relevance\nhow is it,a,one,1\nhow is it,a,two,2\nhow is it,a,two,3\n"
    )
    with pytest.raises(BadLinesError) as caught:
        read_eval_set(tmp_path / "set.csv")
    assert [fault.line for fault in caught.value.faults] == [4]


def test_labels_without_passages_have_the_fingerprint_that_they_always_had() -> None:
    plain = EvalSet("s", (EvalQuery("1", "x", (Label("a.md", None, 2),)),))
    assert plain.queries[0].labels[0].to_json() == {
        "name": "a.md", "level": None, "grade": 2, "relevant": None,
    }  # fmt: skip


@pytest.mark.parametrize(
    "other",
    [
        Label("a.md", Level.SPAN, 1, span=Span("Hold the button")),
        Label("a.md", Level.SPAN, 1, span=Span("hold the button", 0, 15)),
        Label("a.md", Level.SPAN, 1, span=Span("hold the button", occurrence=1)),
        Label("a.md", Level.SPAN, 1, span=Span("hold the button"), chunk=CHUNK),
    ],
    ids=["quote", "range", "occurrence", "chunk"],
)
def test_every_part_of_a_passage_is_in_the_fingerprint(other: Label) -> None:
    sets = [EvalSet("s", (EvalQuery("1", "x", (label,)),)) for label in (QUOTED, other)]
    assert sets[0].fingerprint != sets[1].fingerprint


def test_as_judgments_passages_count_for_their_document_with_the_highest_grade(tmp_path: Path) -> None:
    qrels = judgments_of(SET)
    assert qrels.by_query == [{"a.md": 3, "b.md": 0}, {"b.md": 2, "c.md": 1, CHUNK: 1}]
    assert qrels.notices == ("judgments of passages, counted for their documents: 4",)
    write_eval_set(SET, tmp_path / "set.jsonl")
    assert read_content(tmp_path / "set.jsonl").notices == qrels.notices
    assert "not written: passages, of which the document is kept: 4" in write_beir(SET, tmp_path / "beir")
    assert read_content(tmp_path / "beir").found.kind is FileKind.SET
    assert without_chunks(read_eval_set(tmp_path / "beir"))[0] == [("a.md", 3, None), ("b.md", 0, None)]


@pytest.mark.parametrize(
    "make",
    [
        lambda: Label("a.md", Level.SPAN),
        lambda: Label("a.md", Level.DOCUMENT, span=Span("x")),
        lambda: Label("a.md", Level.DOCUMENT, chunk=CHUNK),
        lambda: Label("a.md", Level.SPAN, 1, True, span=Span("x")),
        lambda: Span(),
        lambda: Span("x", start=3),
    ],
    ids=["no span", "other level", "chunk without a span", "relevant beside", "nowhere", "half a range"],
)  # fmt: skip
def test_a_label_that_contradicts_itself_cannot_be_made(make: object) -> None:
    assert callable(make)
    with pytest.raises(InputError):
        make()


def test_a_span_makes_the_level() -> None:
    assert Label("a.md", grade=2, span=Span("x")) == Label("a.md", Level.SPAN, 2, span=Span("x"))


def test_a_quote_of_fifty_thousand_characters_is_read_and_its_faults_stay_short(tmp_path: Path) -> None:
    quote = "lorem ipsum " * 4_200
    record = {"query": "x", "relevant": [{"document": "a", "quote": quote}]}
    assert labels(eval_set_of_records([record])) == [(Label("a", Level.SPAN, 1, span=Span(quote)),)]
    (tmp_path / "set.jsonl").write_text(json.dumps({"query": "x", "relevant": [{"quote": quote}]}))
    with pytest.raises(BadLinesError) as caught:
        read_eval_set(tmp_path / "set.jsonl")
    assert len(str(caught.value)) < 300
