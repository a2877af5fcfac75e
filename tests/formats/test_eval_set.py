# ruff: noqa: E501  (messages stand as they are printed)
"""Eval sets: what is read, and what is said about a file that cannot be read."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes.unprivileged import unprivileged
from rankle.core.errors import BadLinesError, InputError
from rankle.core.evalset import EvalQuery, EvalSet, Label, Level
from rankle.formats.eval_record import Relevance
from rankle.formats.eval_set import read_eval_set
from rankle.formats.kinds import ReadOptions
from rankle.formats.trec import Conflicts

CHUNK = "chunk-0a1b2c3d4e5f"


def write(folder: Path, content: str | bytes, name: str = "set.jsonl") -> Path:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def lines(*records: object) -> str:
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


def read(folder: Path, *records: object, relevance: Relevance = Relevance.RELEVANT_DOCS) -> EvalSet:
    return read_eval_set(write(folder, lines(*records)), relevance=relevance)


def faults(folder: Path, content: str) -> list[tuple[int | None, str]]:
    with pytest.raises(BadLinesError) as caught:
        read_eval_set(write(folder, content))
    return [(fault.line, fault.message) for fault in caught.value.faults]


def test_a_jsonl_line_with_every_member_becomes_a_query(tmp_path: Path) -> None:
    record = {
        "id": "q1",
        "query": "how do I reset it",
        "relevant": ["a.md", CHUNK, {"document": "b.md", "relevance": 2}, {"chunk": "p7"}],
        "collection": "guides",
        "language": "en",
        "tags": ["easy", "reset"],
        "answer": "Hold the button.",
        "topics": ["button"],
        "note": "from support",
    }
    eval_set = read(tmp_path, record)
    assert eval_set.name == "set.jsonl"
    assert eval_set.folder == str(tmp_path)
    assert eval_set.notices == ()
    assert eval_set.queries == (
        EvalQuery(
            id="q1",
            text="how do I reset it",
            labels=(
                Label("a.md", None, 1),
                Label(CHUNK, Level.CHUNK, 1),
                Label("b.md", Level.DOCUMENT, 2),
                Label("p7", Level.CHUNK, 1),
            ),
            collection="guides",
            language="en",
            tags=("easy", "reset"),
            answer="Hold the button.",
            topics=("button",),
            note="from support",
            line=1,
        ),
    )


def test_a_json_array_becomes_queries_that_know_their_lines(tmp_path: Path) -> None:
    content = """
[
  {"id": 7, "query": "one", "collection": "c", "language": "de", "relevantDocs": ["a.md"], "note": "n"},
  {
    "query": "two",
    "judgments": [{"docid": "a.md", "relevance": 3}, {"docid": 12, "relevance": 0}]
  }
]
"""
    eval_set = read_eval_set(write(tmp_path, content, "set.txt"))
    assert eval_set.queries == (
        EvalQuery("7", "one", (Label("a.md"),), collection="c", language="de", note="n", line=3),
        EvalQuery("item-2", "two", (Label("a.md", None, 3), Label("12", None, 0)), line=4),
    )


@pytest.mark.parametrize(
    "encode",
    [
        pytest.param(lambda text: b"\xef\xbb\xbf" + text.encode(), id="byte order mark"),
        pytest.param(lambda text: text.replace("\n", "\r\n").encode(), id="CRLF"),
        pytest.param(lambda text: text.replace("\n", "\r").encode(), id="CR"),
        pytest.param(lambda text: text.replace("\n", "\n\n  \n").encode(), id="blank lines"),
        pytest.param(lambda text: text.rstrip("\n").encode(), id="no last line break"),
        pytest.param(lambda text: text.encode("utf-16"), id="UTF-16 with a mark"),
    ],
)
@pytest.mark.parametrize("array", [False, True])
def test_encodings_and_line_ends_do_not_matter(tmp_path: Path, encode: Any, array: bool) -> None:
    records = [
        {"id": "1", "query": "früh", "relevant": ["a.md"]},
        {"id": "2", "query": "早い", "relevant": []},
    ]
    text = json.dumps(records, ensure_ascii=False, indent=1) + "\n" if array else lines(*records)
    eval_set = read_eval_set(write(tmp_path, encode(text)))
    assert [(query.id, query.text) for query in eval_set.queries] == [("1", "früh"), ("2", "早い")]


def test_a_line_separator_inside_a_text_ends_no_line(tmp_path: Path) -> None:
    assert read(tmp_path, {"query": "a\u2028b\u0085c", "relevant": []}).queries[0].text == "a\u2028b\u0085c"


def test_a_missing_id_is_the_line_in_jsonl_and_the_place_in_an_array(tmp_path: Path) -> None:
    record = {"query": "x", "relevant": ["a"]}
    jsonl = read_eval_set(write(tmp_path, f"\n{lines(record, {**record, 'id': None})}"))
    array = read_eval_set(write(tmp_path, json.dumps([record, record])))
    assert [query.id for query in jsonl.queries] == ["line-2", "line-3"]
    assert [query.id for query in array.queries] == ["item-1", "item-2"]


BAD = [
    ('{"query": "x"', 'is not valid JSON: Expecting \',\' delimiter at column 14'),
    ("[1, 2]", 'must be an object such as {"query": …, "relevant": […]}, got [1, 2]'),
    ('{"relevant": ["a"]}', 'has no "query"; write what the user searches for'),
    ('{"query": "  ", "relevant": ["a"]}', '"query" must be text that is not blank, got "  "'),
    ('{"query": 3, "relevant": ["a"]}', '"query" must be text that is not blank, got 3'),
    ('{"query": "x"}', 'has no "relevant"; list its targets, [] if nothing is known to be relevant'),
    ('{"query": "x", "relevant": "a"}', '"relevant" must be a list, got "a"'),
    ('{"query": "x", "relevant": [3.5]}', "a label must be the name of a document or chunk, got 3.5"),
    ('{"query": "x", "relevant": [""]}', 'a label must be the name of a document or chunk, got ""'),
    (
        '{"query": "x", "relevent": ["a"], "relevant": ["a"]}',
        ('unknown key "relevent"; did you mean "relevant" or "relevantDocs"? Allowed: id, query, relevant, '
        "relevantDocs, judgments, answerable, collection, language, tags, answer, topics, note"),
    ),
    (
        '{"query": "x", "relevant": [{"documnt": "a"}]}',
        'unknown key in "relevant" "documnt"; did you mean "document"? Allowed: document, chunk, quote, start, end, occurrence, relevance',
    ),
    ('{"query": "x", "relevant": [{"relevance": 1}]}', 'a label needs either "document" or "chunk", got {"relevance": 1}'),
    ('{"query": "x", "relevant": [{"document": 1}]}', '"document" must be text that is not blank, got 1'),
    (
        '{"query": "x", "relevant": [{"document": "a", "relevance": "high"}]}',
        '"relevance" must be an integer >= 0, got "high". Write 0 for not relevant, 1 for relevant, more for better, or map it: --gain high=1',
    ),
    (
        '{"query": "x", "relevant": [{"document": "a", "relevance": true}]}',
        '"relevance" must be an integer >= 0, got true. Write 0 for not relevant, 1 for relevant, more for better',
    ),
    (
        '{"query": "x", "relevant": [{"document": "a", "relevance": 0.5}]}',
        ('"relevance" must be an integer >= 0, got 0.5. Fractions have no agreed grade; map them: '
        "--gain 0.5=1"),
    ),
    (
        '{"query": "x", "relevant": [{"document": "a", "relevance": 99999999999}]}',
        '"relevance" must be an integer from 0 to 2147483647, got 99999999999',
    ),
    (
        '{"query": "x", "relevant": [{"document": "a", "relevance": 1e30}]}',
        '"relevance" must be an integer from 0 to 2147483647, got 1e+30',
    ),
    (
        '{"query": "x", "relevant": [{"document": "a", "relevance": 2147483648.0}]}',
        '"relevance" must be an integer from 0 to 2147483647, got 2147483648.0',
    ),
    (
        '{"query": "x", "relevant": [{"document": "a", "relevance": -2147483648}]}',
        '"relevance" must be an integer from 0 to 2147483647, got -2147483648',
    ),
    (
        '{"query": "x", "judgments": [{"docid": "a", "relevance": 1e999}]}',
        '"relevance" must be an integer from 0 to 2147483647, got Infinity',
    ),
    (
        '{"query": "x", "relevant": [{"docid": "a"}]}',
        'unknown key in "relevant" "docid"; did you mean "document"? Allowed: document, chunk, quote, start, end, occurrence, relevance',
    ),
    (
        '{"query": "x", "relevant": [{"path": "a"}]}',
        'unknown key in "relevant" "path"; did you mean "document"? Allowed: document, chunk, quote, start, end, occurrence, relevance',
    ),
    (
        '{"query": "x", "relevant": [{"document": "a", "grade": 2}]}',
        'unknown key in "relevant" "grade"; did you mean "relevance"? Allowed: document, chunk, quote, start, end, occurrence, relevance',
    ),
    (
        '{"query": "x", "relevant": [{"document": "a", "Score": 2}]}',
        'unknown key in "relevant" "Score"; did you mean "relevance"? Allowed: document, chunk, quote, start, end, occurrence, relevance',
    ),
    ('{"query": "x", "relevant": [{"quote": "b"}]}', 'a quote or range needs its "document", got {"quote": "b"}'),
    (
        '{"query": "x", "relevant": [{"chunk": "c", "start": 0, "end": 9}]}',
        'a quote or range needs its "document", got {"chunk": "c", "start": 0, "end": 9}',
    ),
    (
        '{"query": "x", "relevant": [{"document": "a", "chunk": "c"}]}',
        ('a label with both "document" and "chunk" needs the "quote", or "start" and "end", of the passage; '
        'got {"document": "a", "chunk": "c"}'),
    ),
    ('{"query": "x", "relevant": [{"document": "a", "quote": " "}]}', 'a span needs a "quote" that is not blank, got \' \''),
    ('{"query": "x", "relevant": [{"document": "a", "quote": 3}]}', '"quote" must be text, got 3'),
    ('{"query": "x", "relevant": [{"document": "a", "start": 3}]}', 'a span needs both "start" and "end", got only "start"'),
    ('{"query": "x", "relevant": [{"document": "a", "end": 3}]}', 'a span needs both "start" and "end", got only "end"'),
    (
        '{"query": "x", "relevant": [{"document": "a", "start": 3, "end": 3}]}',
        'a span needs 0 <= "start" < "end", got start 3 and end 3',
    ),
    (
        '{"query": "x", "relevant": [{"document": "a", "start": "3", "end": 9}]}',
        '"start" must be a whole number of characters, got "3"',
    ),
    (
        '{"query": "x", "relevant": [{"document": "a", "start": 0, "end": 9, "occurrence": 1}]}',
        'a span has an "occurrence" of no quote; add the "quote" that it counts',
    ),
    (
        '{"query": "x", "relevant": [{"document": "a", "quote": "b", "occurrence": 0}]}',
        'a span counts its "occurrence" from 1, got 0',
    ),
    (
        '{"query": "x", "relevant": [{"document": "a", "quote": "b", "occurrence": true}]}',
        '"occurrence" must be a whole number from 1, got true',
    ),
    (
        '{"query": "x", "relevant": [{"document": "a", "text": "b"}]}',
        'unknown key in "relevant" "text"; did you mean "quote"? Allowed: document, chunk, quote, start, end, occurrence, relevance',
    ),
    (
        '{"query": "x", "relevant": [{"document": "a", "quote": "b"}, {"document": "a", "quote": "b", "relevance": 2}]}',
        ('{"document": "a", "quote": "b"} is labelled twice, with relevance 1 and 2; keep one, or choose: '
        "--conflicts highest, first or last"),
    ),
    (
        '{"query": "x", "relevantDocs": ["a"], "judgments": [{"docid": "a", "relevance": 1, "quote": "b"}]}',
        ('has "relevantDocs" beside judgments of passages, whose grades say what is relevant; '
        'drop "relevantDocs", or take --relevance judgments'),
    ),
    (
        '{"query": "x", "judgments": [{"docid": "a", "relevance": 1, "chunk": "c"}]}',
        '"chunk" stands beside a quote or range; without one, make it the "docid"',
    ),
    (
        '{"query": "x", "relevant": [{"document": "a", "relevance": 1}, {"document": "a", "relevance": 2}]}',
        '"a" is labelled twice, with relevance 1 and 2; keep one, or choose: --conflicts highest, first or last',
    ),
    (
        '{"query": "x", "relevant": [{"document": "a"}, {"chunk": "a"}]}',
        '"a" is labelled both as a document and as a chunk',
    ),
    (
        '{"query": "x", "relevant": ["a"], "relevantDocs": ["b"]}',
        'has both "relevant" and "relevantDocs"; keep one',
    ),
    (
        '{"query": "x", "judgments": [{"docid": "a"}]}',
        'a judgment must be {"docid": …, "relevance": …}, got {"docid": "a"}',
    ),
    (
        '{"query": "x", "judgments": [{"docid": "a", "relevance": 1, "grade": 2}]}',
        'unknown key in "judgments" "grade"; did you mean "relevance"? Allowed: docid, chunk, quote, start, end, occurrence, relevance',
    ),
    ('{"query": "x", "relevant": ["a"], "id": 1.5}', '"id" must be text or a whole number, got 1.5'),
    ('{"query": "x", "relevant": ["a"], "id": ""}', '"id" must be text or a whole number, got ""'),
    ('{"query": "x", "relevant": ["a"], "tags": "t"}', '"tags" must be a list of texts, got "t"'),
    ('{"query": "x", "relevant": ["a"], "topics": [1]}', '"topics" must be a list of texts, got [1]'),
    ('{"query": "x", "relevant": ["a"], "language": 1}', '"language" must be text, got 1'),
    ('{"query": "x", "relevant": ["a"], "answerable": "no"}', '"answerable" must be true or false, got "no"'),
    (
        '{"query": "x", "relevant": ["a"], "answerable": false}',
        'is marked "answerable": false, yet names relevant targets; drop one of the two',
    ),
    ('{"query": "x", "query": "y", "relevant": []}', 'has the key "query" twice in one object; keep one'),
    ('{"query": "x", "relevant": [{"document": "a", "relevance": NaN}]}', "is not valid JSON: NaN is no JSON number"),
    ('{"query": "\\ud800", "relevant": []}', r"holds half of a character (a lone \ud800 to \udfff); write it whole"),
    ('{"query": "x", "relevant": []} {}', 'has text behind the JSON value, got "{}"; write one query a line'),
    ('{"query": ' + "[" * 100_000, "is nested too deeply"),
]  # fmt: skip


@pytest.mark.parametrize(("line", "message"), BAD, ids=[message[:40] for _, message in BAD])
def test_a_bad_line_is_reported_by_its_number(tmp_path: Path, line: str, message: str) -> None:
    good = lines({"query": "good", "relevant": ["a"]})
    assert faults(tmp_path, f"{good}\n{line}\n") == [(3, message)]


def test_all_bad_lines_stand_in_one_report(tmp_path: Path) -> None:
    content = "".join(f"{line}\n" for line, _ in BAD[:10])
    assert faults(tmp_path, content) == [(at, message) for at, (_, message) in enumerate(BAD[:10], start=1)]


def test_a_line_can_have_several_faults(tmp_path: Path) -> None:
    assert [message for _, message in faults(tmp_path, '{"tags": 1}\n')] == [
        'has no "relevant"; list its targets, [] if nothing is known to be relevant',
        'has no "query"; write what the user searches for',
        '"tags" must be a list of texts, got 1',
    ]


def test_the_report_names_file_and_line_and_stops_after_twenty(tmp_path: Path) -> None:
    path = write(tmp_path, "{}\n" * 15)
    with pytest.raises(BadLinesError) as caught:
        read_eval_set(path)
    printed = str(caught.value).splitlines()
    assert (
        printed[0] == f'{path}:1: has no "relevant"; list its targets, [] if nothing is known to be relevant'
    )
    assert printed[-1] == f"… and 10 more faults in {path}"
    assert len(printed) == 21


def test_duplicate_ids_name_both_lines(tmp_path: Path) -> None:
    content = lines(
        {"id": "a", "query": "x", "relevant": ["d"]},
        {"id": "b", "query": "y", "relevant": ["d"]},
        {"id": "a", "query": "z", "relevant": ["d"]},
        {"id": "b", "query": "", "relevant": ["d"]},
    )
    assert faults(tmp_path, content) == [
        (3, 'the id "a" stands on line 1 already; give each query its own'),
        (4, '"query" must be text that is not blank, got ""'),
        (4, 'the id "b" stands on line 2 already; give each query its own'),
    ]


ARRAYS = [
    ('[{"query": "x", "relevant": ["a"]},\n{"query": 1, "relevant": []}]',
     [(2, '"query" must be text that is not blank, got 1')]),
    ('[{"query": 1, "relevant": []},\n{"query": "x" "relevant": []},\n{}]',
     [(1, '"query" must be text that is not blank, got 1'),
      (2, "item 2 is not valid JSON: Expecting ',' delimiter at column 15")]),
    ('[{"query": "x",\n"query": "y"},\n3]',
     [(1, 'item 1 has the key "query" twice in one object; keep one'),
      (3, 'must be an object such as {"query": …, "relevant": […]}, got 3')]),
    ('[{"query": "x", "relevant": []}\n{"query": "y", "relevant": []}]',
     [(2, 'the array needs "," or "]" behind item 1, got "{"query": "y", "rele"')]),
    ('[{"query": "x", "relevant": []}',
     [(1, 'the array needs "," or "]" behind item 1, got the end of the file')]),
    ('[{"query": "x", "relevant": []},\n]', [(1, 'the array has a comma before its closing "]"')]),
    ('[{"query": "x", "relevant": []}]\n\nmore', [(3, 'the array has text behind its closing "]", got "more"')]),
]  # fmt: skip


@pytest.mark.parametrize(("content", "expected"), ARRAYS)
def test_faults_of_an_array_name_the_line_of_their_item(
    tmp_path: Path, content: str, expected: list[tuple[int, str]]
) -> None:
    assert faults(tmp_path, content) == expected


def test_empty_relevant_says_that_nothing_is_known(tmp_path: Path) -> None:
    (query,) = read(tmp_path, {"query": "x", "relevant": []}).queries
    assert (query.labels, query.answerable) == ((), True)


@pytest.mark.parametrize(
    ("record", "answerable"),
    [
        ({"relevant": []}, False),
        ({"relevantDocs": [], "judgments": []}, False),
        ({"relevant": [], "answerable": True}, True),  # what the query says counts
        ({"relevant": ["a"]}, True),
        ({"relevant": [{"document": "a", "relevance": 0}]}, True),  # grades of 0 alone are undefined
        ({"relevantDocs": [], "judgments": [{"docid": "a", "relevance": 0}]}, True),
    ],
)
def test_empty_relevant_means_that_nothing_is_right_where_told(
    tmp_path: Path, record: dict[str, Any], answerable: bool
) -> None:
    path = write(tmp_path, lines({"query": "x", **record}))
    (query,) = read_eval_set(path, options=ReadOptions(empty_means_nothing=True)).queries
    assert query.answerable is answerable


def test_a_query_without_targets_is_a_fault_whatever_empty_means(tmp_path: Path) -> None:
    with pytest.raises(BadLinesError, match='has no "relevant"'):
        read_eval_set(write(tmp_path, lines({"query": "x"})), options=ReadOptions(empty_means_nothing=True))


def test_answerable_false_needs_no_relevant(tmp_path: Path) -> None:
    (query,) = read(tmp_path, {"query": "x", "answerable": False}).queries
    assert (query.labels, query.answerable) == ((), False)


def test_a_whole_number_written_as_a_fraction_is_a_grade(tmp_path: Path) -> None:
    (query,) = read(tmp_path, {"query": "x", "relevant": [{"document": "a", "relevance": 2.0}]}).queries
    assert query.labels == (Label("a", Level.DOCUMENT, 2),)


def test_negative_grades_are_kept_and_counted_aloud(tmp_path: Path) -> None:
    judgments = [{"docid": "a", "relevance": -1}, {"docid": "b", "relevance": 1}]
    eval_set = read(tmp_path, {"query": "x", "judgments": judgments})
    assert [label.grade for label in eval_set.queries[0].labels] == [-1, 1]
    assert eval_set.notices == ("judgments with a negative grade, taken as unjudged: 1",)


def test_repeated_labels_of_one_grade_count_once_aloud(tmp_path: Path) -> None:
    eval_set = read(tmp_path, {"query": "x", "relevant": ["a", "b", "a"]})
    assert [label.name for label in eval_set.queries[0].labels] == ["a", "b"]
    assert eval_set.notices == (
        "labels that stand twice in their query with the same grade, counted once: 1",
    )


def test_equal_texts_under_different_ids_are_separate_queries(tmp_path: Path) -> None:
    texts = ["same", "same", "other", "twice", "twice"]
    eval_set = read(tmp_path, *({"query": text, "relevant": ["a"]} for text in texts))
    assert [query.text for query in eval_set.queries] == texts
    assert len({query.id for query in eval_set.queries}) == 5


BOTH = {
    "query": "x",
    "relevantDocs": ["a", "b", "c"],
    "judgments": [
        {"docid": "a", "relevance": 3},
        {"docid": "b", "relevance": 0},
        {"docid": "d", "relevance": 1},
        {"docid": "e", "relevance": 0},
    ],
}


def test_relevant_docs_are_the_relevant_set_and_judgments_the_grades(tmp_path: Path) -> None:
    """b is named but graded 0, c is named but not graded, d is graded but not named: three disagree."""
    eval_set = read(tmp_path, BOTH)
    assert eval_set.queries[0].labels == (
        Label("a", None, 3, relevant=True),
        Label("b", None, 0, relevant=True),
        Label("d", None, 1, relevant=False),
        Label("e", None, 0, relevant=False),
        Label("c", None, 0, relevant=True),
    )
    assert eval_set.notices == (
        (
            'targets on which "relevantDocs" and "judgments" disagree: 3; binary measures take the first, '
            "graded ones the second (--relevance judgments takes the second for all)"
        ),
    )


def test_relevance_judgments_takes_the_grades_for_all(tmp_path: Path) -> None:
    eval_set = read(tmp_path, BOTH, relevance=Relevance.JUDGMENTS)
    assert eval_set.queries[0].labels == (
        Label("a", None, 3), Label("b", None, 0), Label("d", None, 1), Label("e", None, 0),
    )  # fmt: skip
    assert eval_set.notices == ()


@pytest.mark.parametrize("relevance", list(Relevance))
def test_one_of_the_two_members_is_enough(tmp_path: Path, relevance: Relevance) -> None:
    named = read(tmp_path, {"query": "x", "relevantDocs": ["a"], "judgments": []}, relevance=relevance)
    assert named.queries[0].labels == (Label("a"),)
    graded = read(
        tmp_path,
        {"query": "x", "relevantDocs": [], "judgments": [{"docid": "a", "relevance": 2}]},
        relevance=relevance,
    )
    assert graded.queries[0].labels == (Label("a", None, 2),)


KINDS = [
    ("", "is empty; expected an eval set (queries with judgments)"),
    (" \n\n", "is empty; expected an eval set (queries with judgments)"),
    ("[]", "holds no query; expected an eval set (queries with judgments). See: rankle eval --help"),
    (b"%PDF-1.7\n", "is a PDF; to search its text: rankle index {path}"),
    (b"{\x00}", "is a binary file; expected an eval set (queries with judgments), which is text"),
    (
        "q1 0 doc1 1\nq1 0 doc2 0\n",
        ("is a TREC qrels file: judgments without query texts. To score a run: rankle score QRELS RUN; "
        "expected an eval set (queries with judgments). See: rankle eval --help"),
    ),
    (
        "q1 Q0 doc1 1 12.5 tag\nq1 Q0 doc2 2 1e-3 tag\n",
        ("is a TREC run file: results, not queries. To score it against judgments: rankle score QRELS RUN; "
        "expected an eval set (queries with judgments). See: rankle eval --help"),
    ),
    (
        "words,more words\nx,a\n",
        ('is neither JSONL, a JSON array nor a table whose header names a query; its first line is "words,more words"; '
        "expected an eval set (queries with judgments). See: rankle eval --help"),
    ),
    (
        '{\n "queries": []\n}\n',
        ("is one JSON object over several lines, where a list of queries is expected; "
        "expected an eval set (queries with judgments). See: rankle eval --help"),
    ),
]  # fmt: skip


@pytest.mark.parametrize(("content", "message"), KINDS)
def test_other_kinds_of_file_are_named(tmp_path: Path, content: str | bytes, message: str) -> None:
    path = write(tmp_path, content)
    with pytest.raises(InputError) as caught:
        read_eval_set(path)
    assert str(caught.value) == f"{path} {message.replace('{path}', str(path))}"


def test_a_missing_file_suggests_its_neighbour(tmp_path: Path) -> None:
    write(tmp_path, "", "queries.jsonl")
    with pytest.raises(InputError) as caught:
        read_eval_set(tmp_path / "querys.jsonl")
    assert str(caught.value) == (
        f"no such file: {tmp_path / 'querys.jsonl'}; did you mean {tmp_path / 'queries.jsonl'}?"
    )
    with pytest.raises(InputError, match=r"^no such file: .*nowhere/set\.jsonl$"):
        read_eval_set(tmp_path / "nowhere" / "set.jsonl")


def test_a_missing_file_suggests_one_of_its_name_in_a_folder_beside_it(tmp_path: Path) -> None:
    write(tmp_path, "", "querys.jsonl")
    (tmp_path / "evals").mkdir()
    write(tmp_path / "evals", "", "queries.jsonl")
    with pytest.raises(InputError, match=r"; did you mean .*evals/queries\.jsonl\?$"):
        read_eval_set(tmp_path / "queries.jsonl")


def test_a_folder_is_no_set_and_its_sets_are_named(tmp_path: Path) -> None:
    write(tmp_path, "", "b.jsonl")
    write(tmp_path, "", "a.json")
    with pytest.raises(InputError) as caught:
        read_eval_set(tmp_path)
    assert str(caught.value) == (
        f"{tmp_path} is a folder; expected one file of queries with judgments, or a BEIR folder (queries.jsonl, qrels/). It holds a.json, b.jsonl"
    )


def test_a_forbidden_file_says_how_to_allow_it(tmp_path: Path) -> None:
    path = write(tmp_path, "{}")
    path.chmod(0)
    with unprivileged(tmp_path), pytest.raises(InputError) as caught:
        read_eval_set(path)
    assert str(caught.value) == f"no permission to read {path}; allow it, for example: chmod u+r {path}"


def test_bytes_that_are_no_utf_8_are_located(tmp_path: Path) -> None:
    path = write(tmp_path, b'{"query": "x", "relevant": ["a"]}\n{"query": "caf\xe9"}\n')
    with pytest.raises(BadLinesError) as caught:
        read_eval_set(path)
    assert str(caught.value) == f"{path}:2: is not UTF-8, got byte 0xe9; save the file as UTF-8"


def test_a_line_of_fifty_megabytes_is_refused_unparsed(tmp_path: Path) -> None:
    path = write(tmp_path, b'{"query": "' + b"x" * 50_000_000 + b'", "relevant": []}\n{"query": 1}')
    with pytest.raises(BadLinesError) as caught:
        read_eval_set(path)
    assert caught.value.faults[0].line == 1
    assert caught.value.faults[0].message == ("is 50,000,029 characters long, at most 10,000,000 are allowed")


def test_the_fingerprint_is_of_queries_and_labels_only(tmp_path: Path) -> None:
    record = {"id": "1", "query": "x", "relevant": ["a"]}
    plain = read(tmp_path, record)
    noted = read_eval_set(write(tmp_path, json.dumps([{**record, "note": "n"}], indent=4), "other.json"))
    graded = read(tmp_path, {**record, "relevant": [{"document": "a", "relevance": 2}]})
    assert plain.fingerprint == noted.fingerprint
    assert plain.fingerprint != graded.fingerprint


_TEXT = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20).filter(lambda s: s.strip())
_LABELS = st.dictionaries(_TEXT, st.integers(-1, 4), max_size=4)
_QUERIES = st.lists(
    st.tuples(_TEXT, _LABELS, st.lists(_TEXT, max_size=2), st.none() | _TEXT), min_size=1, max_size=5
)


@given(queries=_QUERIES, array=st.booleans(), ascii_only=st.booleans())
def test_what_is_written_is_read_back(
    tmp_path_factory: pytest.TempPathFactory, queries: Any, array: bool, ascii_only: bool
) -> None:
    records = [
        {
            "id": str(number),
            "query": text,
            "judgments": [{"docid": name, "relevance": grade} for name, grade in labels.items()],
            "tags": tags,
            "language": language,
        }
        for number, (text, labels, tags, language) in enumerate(queries)
    ]
    written = [json.dumps(record, ensure_ascii=ascii_only) for record in records]
    content = f"[{', '.join(written)}]" if array else "\n".join(written)
    folder = tmp_path_factory.mktemp("round")
    eval_set = read_eval_set(write(folder, content))
    assert [
        (query.text, {label.name: label.grade for label in query.labels}, list(query.tags), query.language)
        for query in eval_set.queries
    ] == queries


@pytest.mark.parametrize(("how", "grade"), [("highest", 3), ("first", 0), ("last", 1)])
def test_grades_in_words_and_contradictions_are_settled_by_the_flags_that_the_messages_name(
    how: str, grade: int, tmp_path: Path
) -> None:
    judgments = [{"docid": "a", "relevance": word} for word in ("none", 0.5, 1)]
    path = write(tmp_path, lines({"query": "x", "judgments": judgments}))
    options = ReadOptions(gains={"none": 0, "0.5": 3}, conflicts=Conflicts(how))
    eval_set = read_eval_set(path, options=options)
    assert eval_set.queries[0].labels == (Label("a", None, grade),)
    assert eval_set.notices == ("labels that contradict an earlier one, settled as --conflicts says: 2",)


def test_a_question_that_lists_no_targets_at_all_means_nothing_by_that(tmp_path: Path) -> None:
    path = write(
        tmp_path, lines({"question": "x", "expectedTopics": ["t"]}, {"question": "y", "relevant": []})
    )
    silent, empty = read_eval_set(path, options=ReadOptions(empty_means_nothing=True)).queries
    assert (silent.answerable, empty.answerable) == (True, False)
