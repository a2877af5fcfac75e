# ruff: noqa: E501
"""`rankle inspect`: what files are, their faults, and how ids join."""

import gzip
import io
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from fakes.command import fail, rankle, succeed, write_files
from rankle.reports.schema import schema_of

FILES: Mapping[str, str | bytes] = {
    "judged.qrels": "q1 0 d1 1\nq1 0 d2 0\nq2 0 d1 2\nq2 0 d9 -1\nq3 0 d1 0\n",
    "bm25.run": "q1 Q0 d1 1 2.0 bm25\nq1 Q0 d1 2 2.0 bm25\nq2 Q0 d2 1 2.0 bm25\nq4 Q0 d1 1 1.0 bm25\n",
    "padded.run": "Q01 Q0 doc-d1.txt 1 2.0 t\nQ02 Q0 doc-d2.txt 1 1 t\nQ03 Q0 doc-d9.txt 1 3 t\n",
    "broken.csv": "query_id,doc_id,relevance\nq1,d1,high\nq1,d2,0.5\n",
    "two.txt": "q1 d1\nq1 d2\n",
    "queries.tsv": "q1\tone two\nq2\tthree four\n",
    "corpus.jsonl": '{"_id":"d1","title":"x","text":"y"}\n{"_id":"d2","title":"x","text":"y"}\n',
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return write_files(tmp_path, FILES)


def told(*args: str) -> dict[str, Any]:
    report = json.loads(succeed("inspect", *args, "--json"))
    assert report["schema"] == "rankle.inspect/1"
    jsonschema.validate(report, schema_of("inspect-1"))
    return dict(report)


@pytest.mark.usefixtures("folder")
def test_a_column_counts_in_the_files_that_have_it(folder: Path) -> None:
    write_files(folder, {"run.csv": "qid,docno,bm25,other\nq1,d1,2.5,7.5\nq1,d2,1.5,8.5\n"})
    judged, found = told("judged.qrels", "run.csv", "--column", "score=bm25")["files"]
    assert (judged["kind"], found["kind"]) == ("qrels", "run")
    assert judged["notices"][0] == 'has no column "bm25", named for score'
    assert not any("no column" in notice for notice in found["notices"])


@pytest.mark.usefixtures("folder")
def test_a_column_that_no_file_has_is_a_fault_of_each() -> None:
    outcome = rankle("inspect", "judged.qrels", "bm25.run", "--column", "score=dense")
    assert outcome.code == 2
    assert 'unknown column of judged.qrels for score "dense". It has: 1, 2, 3, 4' in outcome.out
    assert 'unknown column of bm25.run for score "dense"' in outcome.out


@pytest.mark.usefixtures("folder")
def test_files_and_their_joins_are_told() -> None:
    assert (
        succeed("inspect", "judged.qrels", "bm25.run")
        == """\
judged.qrels: qrels as TREC
  taken for this because of: columns of TREC qrels: query, 0, target, grade
  judged queries: 3
  judgments: 5: 1 of grade -1, 2 of grade 0, 1 of grade 1, 1 of grade 2
  note: judgments with a negative grade, taken as unjudged: 1
  note: queries without a relevant judgment, which recall, nDCG and the like
    leave out: 1

bm25.run: run as TREC
  taken for this because of: columns of a TREC run: query, Q0, target, rank,
    score, tag
  name: bm25
  queries: 3
  results: 4, 1 to 2 a query, median 1
  duplicates: 1
  note: results that stand in their query already, counted once: 1

Joins
  judged queries of judged.qrels in bm25.run: 2 of 3 (66.7%)
    not there: q3
  judged targets of judged.qrels in bm25.run: 2 of 3 (66.7%)
    not there: d9 (a run need not retrieve all that is judged)
  run queries of bm25.run in judged.qrels: 2 of 3 (66.7%)
    not there: q4
"""
    )


@pytest.mark.usefixtures("folder")
def test_ids_that_nearly_join_are_told_with_what_would_join_them() -> None:
    before = told("judged.qrels", "padded.run")["joins"]
    assert [(join["what"], join["n_joined"], join["near"]) for join in before] == [
        ("judged queries", 0, {"normalise": "queries=case,zeros", "n_joined": 3}),
        ("judged targets", 0, {"normalise": "targets=extension,prefix:doc-", "n_joined": 3}),
        ("run queries", 0, {"normalise": "queries=case,zeros", "n_joined": 3}),
    ]
    flags = [word for join in before[:2] for word in ("--normalise", join["near"]["normalise"])]
    after = told("judged.qrels", "padded.run", *flags)["joins"]
    assert [(join["n_joined"], join["n"], join["near"]) for join in after] == [(3, 3, None)] * 3
    printed = succeed("inspect", "judged.qrels", "padded.run")
    assert "    with --normalise 'queries=case,zeros': 3 of 3 (100%)\n" in printed


@pytest.mark.usefixtures("folder")
def test_texts_judgments_results_and_documents_join_each_with_each() -> None:
    joins = told("queries.tsv", "judged.qrels", "bm25.run", "corpus.jsonl")["joins"]
    assert [
        (join["what"], join["file"], join["within"], join["n_joined"], join["n"], join["expected"])
        for join in joins
    ] == [
        ("judged queries", "judged.qrels", "queries.tsv", 2, 3, True),
        ("judged queries", "judged.qrels", "bm25.run", 2, 3, True),
        ("judged targets", "judged.qrels", "bm25.run", 2, 3, False),
        ("judged targets", "judged.qrels", "corpus.jsonl", 2, 3, True),
        ("run queries", "bm25.run", "queries.tsv", 2, 3, True),
        ("run queries", "bm25.run", "judged.qrels", 2, 3, True),
        ("retrieved targets", "bm25.run", "corpus.jsonl", 2, 2, True),
    ]


@pytest.mark.usefixtures("folder")
def test_faults_are_told_with_line_value_and_fix_and_exit_2() -> None:
    outcome = rankle("inspect", "broken.csv", "judged.qrels")
    assert outcome.code == 2
    assert outcome.out.startswith(
        """\
broken.csv: cannot be read
  line 2: the grade must be an integer, got "high". Map grades with --gain
    high=1
  line 3: the grade must be an integer, got "0.5". Map grades with --gain 0.5=1

judged.qrels: qrels as TREC
"""
    )
    report = json.loads(rankle("inspect", "broken.csv", "--json").out)["files"][0]
    assert (report["kind"], [fault["line"] for fault in report["faults"]]) == (None, [2, 3])
    assert "qrels as CSV" in succeed("inspect", "broken.csv", "--gain", "high=3", "--gain", "0.5=1")


@pytest.mark.usefixtures("folder")
def test_what_a_file_is_can_be_said_for_all_or_for_one() -> None:
    outcome = rankle("inspect", "two.txt")
    assert outcome.code == 2
    assert "Say which: --as qrels (each line is a\n" in outcome.out
    assert told("two.txt", "--as", "run")["files"][0]["results"]["n_results"] == 2
    files = told("two.txt", "judged.qrels", "--as", "two.txt=run")["files"]
    assert [file["kind"] for file in files] == ["run", "qrels"]


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["two.txt", "--as", "runs"], 'unknown kind of file "runs"; did you mean "run"'),
        (["two.txt", "--as", "x=run"], "--as x=run names a file that is not inspected; the files: two.txt"),
        (["two.txt", "--column", "docs"], '--column must be ROLE=NAME, such as target=doc_id; got "docs"'),
        (["two.txt", "--column", "targets=x"], 'unknown role of a column "targets"; did you mean "target"'),
        (
            ["two.txt", "--gain", "high"],
            '--gain must be LABEL=N with an integer N, such as high=3; got "high"',
        ),
        (["two.txt", "--normalise", "ids=cse"], 'unknown normalisation "cse"; did you mean "case"'),
        (["-", "-"], "only one of the files can be -, the standard input"),
    ],
)
@pytest.mark.usefixtures("folder")
def test_wrong_usage_is_one_clear_error(args: list[str], message: str) -> None:
    assert message in fail("inspect", *args)


def test_documents_in_several_files_are_joined_as_one(folder: Path) -> None:
    write_files(folder, {"more.jsonl": '{"_id":"d9","title":"x","text":"y"}\n'})
    (join,) = told("judged.qrels", "corpus.jsonl", "more.jsonl")["joins"]
    assert (join["within"], join["n_joined"], join["n"]) == ("the documents of 2 files", 3, 3)


def test_standard_input_and_packing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    packed = gzip.compress(FILES["judged.qrels"].encode())  # type: ignore[union-attr]
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(packed)))
    assert succeed("inspect", "-").startswith("-: qrels as TREC, gzip\n")


def test_a_file_of_a_beir_folder_that_does_not_join_its_others_is_told(folder: Path) -> None:
    write_files(
        folder / "set",
        {
            "queries.jsonl": '{"_id": "1", "text": "a"}\n{"_id": "2", "text": "b"}\n',
            "qrels/test.tsv": "query-id\tcorpus-id\tscore\nq1\td1\t1\nq2\td1\t1\n",
            "corpus.jsonl": '{"_id": "d1", "title": "", "text": "x"}\n',
        },
    )
    report = told("set")
    assert (report["files"][0]["n_queries"], report["files"][0]["n_documents"]) == (2, 1)
    assert [(join["what"], join["n_joined"], join["n"]) for join in report["joins"]] == [
        ("judged queries", 0, 2),
        ("judged targets", 1, 1),
    ]
    assert report["joins"][0]["near"] == {"normalise": "queries=prefix:q", "n_joined": 2}


@pytest.mark.parametrize(
    ("name", "content", "note"),
    [
        ("x.qrels", "q 0 a 0\nr 0 b 0\n", "no judgment is above 0, so recall, nDCG and the like"),
        ("x.run", "q Q0 a 1 2 t\nq Q0 b 2 1 t\n" * 2, "every result stands twice, as in a run that was pasted twice"),
        ("x.run", "q Q0 a 1 1 t\nq Q0 b 2 1 t\n", "every score is tied, so the order within a query"),
        ("q.jsonl", '{"_id":"1","text":"a"}\n{"_id":"1","text":"b"}\n', "queries whose id stands in the file already: 1"),
        ("x.csv", "qid,docid,score\nq,a,\"0,5\"\n", "numbers with a decimal comma: 1"),
    ],
)  # fmt: skip
def test_what_must_be_known_before_measuring_is_noted(
    name: str, content: str, note: str, folder: Path
) -> None:
    write_files(folder, {name: content})
    flags = ["--as", "queries"] if name == "q.jsonl" else []
    notices = told(name, *flags)["files"][0]["notices"]
    assert any(notice.startswith(note) for notice in notices)


def test_ids_cannot_disturb_the_screen(folder: Path) -> None:
    write_files(folder, {"x.csv": "query_id,doc_id,relevance\n\x1b[2Jq,d,1\n"})
    assert "\x1b" not in succeed("inspect", "x.csv", "bm25.run")


@pytest.mark.parametrize(
    ("encoding", "note"),
    [
        ("utf-8-sig", "begins with a byte order mark, passed over"),
        ("utf-16", "encoded as UTF-16, read as it says"),
        ("\r\n", "lines end in CRLF, as on Windows"),
        ("\r", "lines end in CR, as on old Macs"),
    ],
)
@pytest.mark.usefixtures("folder")
def test_how_a_text_is_encoded_is_said(encoding: str, note: str) -> None:
    text = "q1 0 d1 1\nq1 0 d2 0\n"
    data = text.replace("\n", encoding).encode() if encoding.isspace() else text.encode(encoding)
    Path("coded.qrels").write_bytes(data)
    assert told("coded.qrels")["files"][0]["notices"] == [note]


@pytest.mark.usefixtures("folder")
def test_a_gain_below_0_is_refused() -> None:
    assert "--gain must give a grade of 0 or more, got high=-1" in fail(
        "inspect", "broken.csv", "--gain", "high=-1"
    )
