# ruff: noqa: E501  (messages stand as they are printed)
"""Messy files: what can be read safely is read and said; what is ambiguous lists the choices with their flags."""

import gzip
import io
import json
import os
import sys
import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from rankle.core.errors import BadLinesError, InputError, UnknownNameError
from rankle.formats.column_names import Role
from rankle.formats.content import Content, read_content, read_qrels
from rankle.formats.decimal_sign import Decimal
from rankle.formats.eval_set import read_eval_set
from rankle.formats.figures import result_figures, result_notices
from rankle.formats.kinds import FileKind, Form, Order, Quotes, ReadOptions
from rankle.formats.table import run_from_table
from rankle.formats.trec import Conflicts
from rankle.formats.trec_lines import Hash
from rankle.metrics.qrels import Qrels

AUTO = ReadOptions()


def write(folder: Path, content: str | bytes, name: str = "file") -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def as_dict(qrels: Qrels | None) -> dict[str, dict[str, int]]:
    assert qrels is not None
    return dict(zip(qrels.queries, map(dict, qrels.by_query), strict=True))


def run_dict(content: Content) -> Mapping[str, Mapping[str, float]]:
    assert content.run is not None
    return content.run.distinct().results


def refusal(path: Path, options: ReadOptions = AUTO) -> str:
    with pytest.raises(InputError) as caught:
        read_content(path, options)
    return str(caught.value).removeprefix(str(path))


JUDGED = {"q1": {"d1": 2, "d2": 0}, "q2": {"d1": 1}}


# --- one content, many spellings ----------------------------------------------------------------

QRELS = {
    "trec.txt": "q1 0 d1 2\nq1 0 d2 0\nq2 0 d1 1\n",
    "three.qrels": "q1 d1 2\nq1 d2 0\nq2 d1 1\n",
    "commas.csv": "query_id,doc_id,relevance\nq1,d1,2\nq1,d2,0\nq2,d1,1\n",
    "tabs.csv": "qid\tdocno\tgrade\nq1\td1\t2\nq1\td2\t0\nq2\td1\t1\n",
    "semicolons.csv": "Topic ID;Document;Rating\nq1;d1;2\nq1;d2;0\nq2;d1;1\n",
    "excel.csv": "sep=;\ntopicId;document-id;judgement\nq1;d1;2\nq1;d2;0\nq2;d1;1\n",
    "bars.txt": "queryId|docId|rel\nq1|d1|2\nq1|d2|0\nq2|d1|1\n",
    "order.csv": "relevance,corpus-id,query-id\n2,d1,q1\n0,d2,q1\n1,d1,q2\n",
    "beir.tsv": "query-id\tcorpus-id\tscore\nq1\td1\t2\nq1\td2\t0\nq2\td1\t1\n",
    "headless.csv": "q1,0,d1,2\nq1,0,d2,0\nq2,0,d1,1\n",
    "quoted.csv": '"query_id","doc_id","relevance"\n"q1","d1","2"\n"q1","d2","0"\n"q2","d1","1"\n',
    "extra.csv": "query_id,annotator,doc_id,relevance,when\nq1,me,d1,2,x\nq1,me,d2,0,x\nq2,me,d1,1,x\n",
    "pandas.csv": ",query_id,0,doc_id,relevance\n0,q1,Q0,d1,2\n1,q1,Q0,d2,0\n2,q2,Q0,d1,1\n",
    "floats.csv": "query_id,doc_id,relevance\nq1,d1,2.0\nq1,d2,0.0\nq2,d1,1.0\n",
    "nested.json": json.dumps(JUDGED),
    "nested-indented.json": json.dumps(JUDGED, indent=4),
    "rows.jsonl": '{"query_id":"q1","doc_id":"d1","relevance":2}\n{"query_id":"q1","doc_id":"d2","relevance":0}\n{"query_id":"q2","doc_id":"d1","relevance":1}\n',
    "rows.json": '[{"query_id":"q1","doc_id":"d1","relevance":2},{"query_id":"q1","doc_id":"d2","relevance":0},\n{"query_id":"q2","doc_id":"d1","relevance":1}]',
    "set.jsonl": '{"id":"q1","query":"a b","judgments":[{"docid":"d1","relevance":2},{"docid":"d2","relevance":0}]}\n{"id":"q2","query":"c","relevant":["d1"]}\n',
    "set.csv": "query_id,query,doc_id,relevance\nq1,a b,d1,2\nq1,a b,d2,0\nq2,c,d1,1\n",
}


@pytest.mark.parametrize("name", QRELS)
def test_the_same_judgments_come_out_of_every_spelling(name: str, tmp_path: Path) -> None:
    assert as_dict(read_qrels(write(tmp_path, QRELS[name], name))) == JUDGED


ENCODE: dict[str, Callable[[str], bytes]] = {
    "bom": lambda text: b"\xef\xbb\xbf" + text.encode(),
    "utf-16": lambda text: text.encode("utf-16"),
    "utf-16-be": lambda text: b"\xfe\xff" + text.encode("utf-16-be"),
    "crlf": lambda text: text.replace("\n", "\r\n").encode(),
    "cr": lambda text: text.replace("\n", "\r").encode(),
    "no end": lambda text: text.rstrip("\n").encode(),
    "gzip": lambda text: gzip.compress(text.encode()),
    "zstd": lambda text: zstandard.compress(text.encode()),
    "gzip of bom": lambda text: gzip.compress(b"\xef\xbb\xbf" + text.encode()),
}


@pytest.mark.parametrize("encode", ENCODE)
@pytest.mark.parametrize(
    "name", ["tabs.csv", "commas.csv", "nested.json", "rows.jsonl", "set.jsonl", "headless.csv"]
)
def test_encodings_line_ends_and_packing_do_not_matter(name: str, encode: str, tmp_path: Path) -> None:
    assert as_dict(read_qrels(write(tmp_path, ENCODE[encode](QRELS[name]), name))) == JUDGED


@pytest.mark.parametrize("name", ["tabs.csv", "nested.json", "rows.jsonl", "trec.txt"])
def test_standard_input_is_looked_at_and_then_read(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(gzip.compress(QRELS[name].encode()))))
    assert as_dict(read_qrels("-", ReadOptions(kind=FileKind.QRELS))) == JUDGED


def test_parquet_on_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    data = io.BytesIO()
    pl.DataFrame({"q_id": ["q1"], "doc_id": ["d1"], "score": [0.5]}).write_parquet(data)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data.getvalue())))
    assert run_dict(read_content("-")) == {"q1": {"d1": 0.5}}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="has no named pipes")
def test_a_pipe_is_looked_at_and_then_read(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_text(QRELS["tabs.csv"]))
    writer.start()
    assert as_dict(read_qrels(pipe)) == JUDGED
    writer.join()


def test_blank_and_comment_lines_are_passed_over_and_said(tmp_path: Path) -> None:
    text = (
        "# made by hand\n\nquery_id,doc_id,relevance\n#q9 is missing\nq1,d1,2\n   \nq1,d#2,0\n# end, of it\n"
    )
    content = read_content(write(tmp_path, text))
    assert as_dict(content.qrels) == {"q1": {"d1": 2, "d#2": 0}}
    assert content.notices == ("comment lines, passed over: 3", "blank lines, passed over: 2")


def test_a_comment_above_the_header_needs_no_space(tmp_path: Path) -> None:
    content = read_content(write(tmp_path, "#made by hand\nquery_id,doc_id,relevance\nq,a,1\n"))
    assert (as_dict(content.qrels), content.notices) == ({"q": {"a": 1}}, ("comment lines, passed over: 1",))


def test_a_comment_within_a_quoted_cell_is_none(tmp_path: Path) -> None:
    text = 'query,relevant\n"first\n# second",a.md\n'
    eval_set = read_eval_set(write(tmp_path, text))
    assert [query.text for query in eval_set.queries] == ["first\n# second"]


@pytest.mark.parametrize("form", ["qid\tdocid\trelevance\n", ""])
def test_lines_that_begin_with_a_hash_and_look_like_data_are_a_question(tmp_path: Path, form: str) -> None:
    path = write(tmp_path, f"{form}#1\ta\t1\nq2\tb\t1\n", "x.qrels")
    message = refusal(path)
    assert "lines" in message
    assert "--hash-lines comment" in message
    assert "--hash-lines data" in message
    comment, data = (replace(AUTO, hash_lines=Hash(how)) for how in ("comment", "data"))
    assert as_dict(read_content(path, comment).qrels) == {"q2": {"b": 1}}
    assert as_dict(read_content(path, data).qrels) == {"#1": {"a": 1}, "q2": {"b": 1}}


def test_where_all_lines_begin_with_a_hash_they_are_data(tmp_path: Path) -> None:
    assert as_dict(read_qrels(write(tmp_path, "query_id,doc_id,grade\n#1,a,1\n#2,b,0\n"))) == {
        "#1": {"a": 1},
        "#2": {"b": 0},
    }


# --- ids ----------------------------------------------------------------------------------------

IDS = [
    "0704.1394",
    "007",
    "1e5",
    "NA",
    "null",
    "nan",
    "True",
    "a b",
    "a/b#c.md",
    "größe",
    "日本",
    "-",
    "1.0",
    "+3",
    "#7",
]


@pytest.mark.parametrize("name", IDS)
def test_ids_stay_as_they_are_written(name: str, tmp_path: Path) -> None:
    files = {
        "x.csv": f'query_id,doc_id,relevance\nq,"{name}",1\nq,other,0\n',
        "x.tsv": f"query_id\tdoc_id\trelevance\nq\t{name}\t1\nq\tother\t0\n",
        "headless.tsv": f"q\t0\t{name}\t1\nq\t0\tother\t0\n",
        "x.json": json.dumps({"q": {name: 1, "other": 0}}),
        "x.jsonl": json.dumps({"query_id": "q", "doc_id": name, "relevance": 1}),
    }
    for file, text in files.items():
        assert as_dict(read_qrels(write(tmp_path, text, file)))["q"][name] == 1
    pl.DataFrame({"query_id": ["q"], "doc_id": [name], "relevance": [1]}).write_parquet(
        tmp_path / "x.parquet"
    )
    assert as_dict(read_qrels(tmp_path / "x.parquet")) == {"q": {name: 1}}


def test_whole_numbers_are_ids_and_fractions_are_none(tmp_path: Path) -> None:
    pl.DataFrame({"qid": [7], "docid": [12], "relevance": [1]}).write_parquet(tmp_path / "whole.parquet")
    assert as_dict(read_qrels(tmp_path / "whole.parquet")) == {"7": {"12": 1}}
    pl.DataFrame({"qid": [7.0], "docid": ["d"], "relevance": [1]}).write_parquet(tmp_path / "float.parquet")
    assert refusal(tmp_path / "float.parquet") == (
        ': column "qid" holds fractions, which are no ids: 7.0 may have been "7" or "07". Write the ids as text'
    )


def test_an_empty_id_is_located(tmp_path: Path) -> None:
    with pytest.raises(BadLinesError) as caught:
        read_content(write(tmp_path, "query_id,doc_id,relevance\nq,a,1\nq, ,1\n,b,1\n"))
    assert [fault.line for fault in caught.value.faults] == [3, 4]
    assert refusal(write(tmp_path, "query_id,doc_id,relevance\nq,a,1\nq, ,1\n")) == (
        ':3: the target is empty, in column "doc_id"; write it, or drop the row'
    )


# --- numbers ------------------------------------------------------------------------------------


def scores(folder: Path, *cells: str, decimal: Decimal = Decimal.AUTO) -> tuple[list[float], tuple[str, ...]]:
    rows = "".join(f"q\td{n}\t{cell}\n" for n, cell in enumerate(cells))
    path = write(folder, f"query_id\tdoc_id\tscore\n{rows}", "x.run")
    content = read_content(path, ReadOptions(decimal=decimal))
    assert content.run is not None
    return content.run.scores.tolist(), content.notices


@pytest.mark.parametrize(
    ("cells", "values", "notices"),
    [
        (("1.5", "2"), [1.5, 2.0], ()),
        (("1e-3", "-2.5E+2", ".5", "7."), [0.001, -250.0, 0.5, 7.0], ()),
        (("0,5", "1,25", "3"), [0.5, 1.25, 3.0], ("numbers with a decimal comma: 2",)),
        (("0,123", "1,234"), [0.123, 1.234], ("numbers with a decimal comma: 2",)),
        (("1,5e-3", "2"), [0.0015, 2.0], ("numbers with a decimal comma: 1",)),
        (("1,234.5", "2,000"), [1234.5, 2000.0], ("numbers with a comma between thousands: 2",)),
        (("1,234,567", "2"), [1234567.0, 2.0], ("numbers with a comma between thousands: 1",)),
        ((".92226214537", ".92226214"), [0.92226214537, 0.92226214], ()),
    ],
)  # fmt: skip
def test_numbers_are_read_as_people_write_them(
    cells: tuple[str, ...], values: list[float], notices: tuple[str, ...], tmp_path: Path
) -> None:
    assert scores(tmp_path, *cells) == (values, notices)


def trec_scores(
    folder: Path, *cells: str, decimal: Decimal = Decimal.AUTO
) -> tuple[list[float], tuple[str, ...]]:
    rows = "".join(f"q Q0 d{n} {n} {cell} t\n" for n, cell in enumerate(cells))
    content = read_content(write(folder, rows), ReadOptions(decimal=decimal))
    assert content.run is not None
    return content.run.scores.tolist(), content.notices


def test_the_commas_of_trec_runs_are_read_the_same_way(tmp_path: Path) -> None:
    assert trec_scores(tmp_path, "0,5", "1,234", "2") == (
        [0.5, 1.234, 2.0],
        ("numbers with a decimal comma: 2",),
    )
    with pytest.raises(
        InputError, match=r'the comma in "1,234" could be .* --decimal comma .*, --decimal point'
    ):
        trec_scores(tmp_path, "1,234", "2,500")
    assert trec_scores(tmp_path, "1,234", "2,500", decimal=Decimal.COMMA)[0] == [1.234, 2.5]
    assert trec_scores(tmp_path, "1,234", "2,500", decimal=Decimal.POINT)[0] == [1234.0, 2500.0]
    with pytest.raises(BadLinesError, match=r':2: the score must be a number, got "0,5"'):
        trec_scores(tmp_path, "1,234", "0,5", decimal=Decimal.POINT)


def test_a_comma_that_could_be_either_is_a_question(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        scores(tmp_path, "1,234", "2,500")
    assert str(caught.value).endswith(
        ': the comma in "1,234" could be a decimal sign or group thousands. '
        "Say which: --decimal comma (1,234 is 1.234), --decimal point (1,234 is 1234)"
    )
    assert scores(tmp_path, "1,234", decimal=Decimal.COMMA)[0] == [1.234]
    assert scores(tmp_path, "1,234", decimal=Decimal.POINT)[0] == [1234.0]


@pytest.mark.parametrize(
    ("cell", "message"),
    [
        ("nan", 'the score must be a finite number, got "nan"; drop or repair the result'),
        ("-Inf", 'the score must be a finite number, got "-Inf"; drop or repair the result'),
        ("1e999", 'the score must be a finite number, got "1e999"; drop or repair the result'),
        ("high", 'the score must be a number, got "high"'),
        ("1_000", 'the score must be a number, got "1_000"'),
        ("", "the score is empty; write it, or drop the row"),
    ],
)  # fmt: skip
def test_a_score_that_is_no_number_is_located(cell: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(BadLinesError) as caught:
        scores(tmp_path, "1.5", cell, "0.5", cell)
    assert [(fault.line, fault.message) for fault in caught.value.faults] == [(3, message), (5, message)]


def test_a_nan_in_parquet_is_no_missing_result(tmp_path: Path) -> None:
    frame = pl.DataFrame({"q_id": ["q", "q"], "doc_id": ["a", "b"], "score": [0.5, float("nan")]})
    frame.write_parquet(tmp_path / "x.parquet")
    assert (
        refusal(tmp_path / "x.parquet")
        == ':2: the score must be a finite number, got "nan"; drop or repair the result'
    )


@pytest.mark.parametrize("name", ["x.csv", "x.jsonl", "x.json", "x.parquet"])
def test_fractional_grades_are_refused_and_mapped(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    if name == "x.csv":
        path.write_text("query_id,doc_id,relevance\nq,a,1.7\nq,b,0.6\n")
    elif name == "x.jsonl":
        path.write_text(
            '{"query_id":"q","doc_id":"a","relevance":1.7}\n{"query_id":"q","doc_id":"b","relevance":0.6}\n'
        )
    elif name == "x.json":
        path.write_text('{"q":{"a":1.7,"b":0.6}}')
    else:
        pl.DataFrame({"qid": ["q", "q"], "docid": ["a", "b"], "relevance": [1.7, 0.6]}).write_parquet(path)
    message = refusal(path, ReadOptions(expected=FileKind.QRELS))
    assert 'the grade must be an integer, got "1.7". Map grades with --gain 1.7=1' in message
    mapped = ReadOptions(expected=FileKind.QRELS, gains={"1.7": 2, "0.6": 1})
    assert as_dict(read_content(path, mapped).qrels) == {"q": {"a": 2, "b": 1}}


def test_grades_in_words_are_mapped(tmp_path: Path) -> None:
    path = write(tmp_path, "query_id,doc_id,label\nq,a,Highly relevant\nq,b,no\n")
    assert 'got "Highly relevant". Map grades with --gain Highly relevant=1' in refusal(path)
    options = ReadOptions(gains={"Highly relevant": 2, "no": 0})
    assert as_dict(read_content(path, options).qrels) == {"q": {"a": 2, "b": 0}}


def test_ranks_from_0_give_the_order(tmp_path: Path) -> None:
    path = write(tmp_path, "Query Text,Doc ID,Doc Position\nx y,a,1\nx y,b,0\nx y,c,2\n")
    content = read_content(path)
    assert content.run is not None
    assert run_dict(content) == {"x y": {"b": 0.0, "a": -1.0, "c": -2.0}}


# --- repetitions --------------------------------------------------------------------------------


def test_equal_judgments_that_repeat_count_once_aloud(tmp_path: Path) -> None:
    content = read_content(write(tmp_path, "query_id,doc_id,relevance\nq,a,1\nq,a,1\n"))
    assert as_dict(content.qrels) == {"q": {"a": 1}}
    assert content.notices == ("judgments that stand twice with the same grade, counted once: 1",)


@pytest.mark.parametrize(("how", "grade"), [("highest", 2), ("first", 0), ("last", 1)])
@pytest.mark.parametrize("texts", [False, True])
def test_contradicting_judgments_are_a_question(how: str, grade: int, texts: bool, tmp_path: Path) -> None:
    header, query = (
        ("query_id,query,doc_id,relevance", "q,what is,") if texts else ("query_id,doc_id,relevance", "q,")
    )
    path = write(tmp_path, f"{header}\n{query}a,0\n{query}a,2\n{query}a,1\n")
    message = refusal(path)
    assert ":3: judges" in message
    assert ":4: judges" in message
    assert "--conflicts highest, first or last" in message
    content = read_content(path, ReadOptions(conflicts=Conflicts(how)))
    assert as_dict(content.qrels) == {"q": {"a": grade}}
    assert "contradict an earlier one" in content.notices[0]


def test_a_key_that_stands_twice_in_json_is_refused(tmp_path: Path) -> None:
    assert (
        refusal(write(tmp_path, '{"q": {"a": 1, "a": 2}}', "qrels.json"))
        == ':1: has the key "a" twice in one object; keep one'
    )


def test_results_of_several_systems_are_no_run(tmp_path: Path) -> None:
    path = write(tmp_path, "query_id,doc_id,score,system\nq,a,.5,bm25\nq,a,.7,dense\n")
    assert refusal(path) == " holds results of 2 systems (bm25, dense); write each to a file of its own"


# --- what the user must say ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "name", "choices", "pick"),
    [
        ("q1 d1\nq1 d2\n", "x", ["--as qrels", "--as run"], {FileKind.QRELS: {"q1": {"d1": 1, "d2": 1}}, FileKind.RUN: {"q1": {"d1": 0.0, "d2": -1.0}}}),
        ("q1 d1 9\nq1 d2 7\n", "x", ["--as qrels", "--as run"], {FileKind.QRELS: {"q1": {"d1": 9, "d2": 7}}, FileKind.RUN: {"q1": {"d1": 9.0, "d2": 7.0}}}),
        ('{"q1": {"d1": 9, "d2": 7}}', "x.json", ["--as qrels", "--as run"], {FileKind.QRELS: {"q1": {"d1": 9, "d2": 7}}, FileKind.RUN: {"q1": {"d1": 9.0, "d2": 7.0}}}),
        ('{"q1": ["d1", "d2"]}', "x.json", ["--as qrels", "--as run"], {FileKind.QRELS: {"q1": {"d1": 1, "d2": 1}}, FileKind.RUN: {"q1": {"d1": 0.0, "d2": -1.0}}}),
        ("qid,docid\nq1,d1\nq1,d2\n", "x.csv", ["--as qrels", "--as run"], {FileKind.QRELS: {"q1": {"d1": 1, "d2": 1}}, FileKind.RUN: {"q1": {"d1": 0.0, "d2": -1.0}}}),
        ("qid,docid,relevance,score\nq1,d1,1,.5\n", "x.csv", ["--as qrels", "--as run"], {FileKind.QRELS: {"q1": {"d1": 1}}, FileKind.RUN: {"q1": {"d1": 0.5}}}),
        ("qid,docid,score\nq1,d1,7\n", "x.csv", ["--as qrels", "--as run"], {FileKind.QRELS: {"q1": {"d1": 7}}, FileKind.RUN: {"q1": {"d1": 7.0}}}),
    ],
)  # fmt: skip
def test_a_file_that_could_be_two_kinds_lists_them(
    text: str, name: str, choices: list[str], pick: dict[FileKind, Any], tmp_path: Path
) -> None:
    path = write(tmp_path, text, name)
    message = refusal(path)
    assert "Say which: " in message
    assert all(choice in message for choice in choices)
    for options in (ReadOptions(kind=FileKind.QRELS), ReadOptions(expected=FileKind.QRELS)):
        assert as_dict(read_content(path, options).qrels) == pick[FileKind.QRELS]
    for options in (ReadOptions(kind=FileKind.RUN), ReadOptions(expected=FileKind.RUN)):
        assert run_dict(read_content(path, options)) == pick[FileKind.RUN]


@pytest.mark.parametrize(
    ("text", "name", "kind", "reason"),
    [
        ("q1 d1 9\nq1 d2 7\n", "my.qrels", FileKind.QRELS, "its name says qrels"),
        ("q1 d1 9\nq1 d2 7\n", "bm25.run", FileKind.RUN, "its name says run"),
        ("q1 d1 1\nq1 d2 0\n", "x", FileKind.QRELS, "the third column holds whole numbers up to 5, which are grades"),
        ("q1 d1 0.1\nq1 d2 9\n", "x", FileKind.RUN, "the third column holds fractions, which are scores"),
        ("1\twho is it\n2\twhat\n", "topics.tsv", FileKind.QUERIES, "two columns; its name says queries"),
        ("1\twho is it\n2\twhat is\n", "docs.tsv", FileKind.CORPUS, "two columns; its name says corpus"),
        ('{"_id": "1", "text": "a"}\n', "queries.jsonl", FileKind.QUERIES, "columns _id, text; its name says queries"),
        ('{"_id": "1", "title": "", "text": "a"}\n', "x", FileKind.CORPUS, "columns _id, title, text"),
    ],
)  # fmt: skip
def test_where_content_fits_several_kinds_the_reason_is_told(
    text: str, name: str, kind: FileKind, reason: str, tmp_path: Path
) -> None:
    found = read_content(write(tmp_path, text, name)).found
    assert (found.kind, found.reason) == (kind, reason)


def test_a_query_may_be_called_q0(tmp_path: Path) -> None:
    content = read_content(write(tmp_path, "q0 Q0 d 1 2.5 t\nq0 Q0 e 2 1.5 t\n"))
    assert run_dict(content) == {"q0": {"d": 2.5, "e": 1.5}}
    missing = refusal(write(tmp_path, "   Q0 d 1 2.5 t\n   Q0 e 2 1.5 t\n"))
    assert missing.startswith(": the query id is missing: lines begin with Q0")


def test_content_outranks_a_misleading_name(tmp_path: Path) -> None:
    assert read_content(write(tmp_path, "1 Q0 d 1 2.5 t\n", "qrels.txt")).found.kind is FileKind.RUN
    assert read_content(write(tmp_path, "1 0 d 1\n", "run.json")).found.kind is FileKind.QRELS
    assert read_content(write(tmp_path, QRELS["tabs.csv"], "run.parquet")).found.form is Form.TSV


def test_two_columns_for_one_role_are_a_question(tmp_path: Path) -> None:
    path = write(tmp_path, "query_id,doc_id,docno,relevance\nq,a,A,1\n")
    assert (
        refusal(path)
        == ": 2 columns could be the target. Say which: --column target=doc_id or --column target=docno"
    )
    options = ReadOptions(columns={Role.TARGET: "docno"})
    assert as_dict(read_content(path, options).qrels) == {"q": {"A": 1}}


def test_columns_of_any_name_can_be_named(tmp_path: Path) -> None:
    path = write(tmp_path, "frage,treffer,note\nq,a,1\n")
    chosen = {Role.ID: "frage", Role.TARGET: "treffer", Role.GRADE: "note"}
    assert as_dict(read_content(path, ReadOptions(columns=chosen)).qrels) == {"q": {"a": 1}}
    with pytest.raises(
        UnknownNameError,
        match=r'unknown column of .* for target "trefer"; did you mean "treffer"\? It has: frage',
    ):
        read_content(path, ReadOptions(columns={**chosen, Role.TARGET: "trefer"}))


def test_columns_without_a_header_can_be_named_by_number(tmp_path: Path) -> None:
    path = write(tmp_path, "d1,q1,2\nd2,q1,0\n", "x.csv")
    options = ReadOptions(kind=FileKind.QRELS, columns={Role.ID: "2", Role.TARGET: "1", Role.GRADE: "3"})
    assert as_dict(read_content(path, options).qrels) == {"q1": {"d1": 2, "d2": 0}}


def test_quotes_that_would_break_a_table_are_plain(tmp_path: Path) -> None:
    path = write(tmp_path, 'id\tquery\n1\t"who\n2\tthe 5" one\n')
    content = read_content(path)
    assert content.queries == ("1", "2")
    assert content.notices == (
        "double quotes are plain characters here: as quotes they would break the table",
    )


def test_quotes_that_could_be_either_are_a_question(tmp_path: Path) -> None:
    path = write(tmp_path, 'id\tquery\n1\t"who\n2\tnobody"\n')
    message = refusal(path)
    assert "--quotes double (cells hold line breaks), --quotes none (quotes are plain characters)" in message
    assert read_content(path, ReadOptions(quotes=Quotes.NONE)).queries == ("1", "2")
    assert read_content(path, ReadOptions(quotes=Quotes.DOUBLE)).queries == ("1",)


def test_quoted_cells_may_hold_line_breaks_and_separators(tmp_path: Path) -> None:
    path = write(tmp_path, 'query,relevant\n"who,\nthen ""now""",a.md\nwhat,b.md\n')
    queries = read_eval_set(path).queries
    assert [(query.text, query.line) for query in queries] == [('who,\nthen "now"', 2), ("what", 4)]


def test_several_targets_in_a_cell_are_a_question(tmp_path: Path) -> None:
    path = write(tmp_path, "query,relevant\nwho,a.md;b.md\n")
    with pytest.raises(InputError) as caught:
        read_eval_set(path)
    assert str(caught.value) == (
        f'{path}:2: "a.md;b.md" could be one target or several. '
        "Say which: --list-separator ';' (several), --list-separator '' (one)"
    )
    for separator, names in ((";", ["a.md", "b.md"]), ("", ["a.md;b.md"])):
        labels = read_eval_set(path, options=ReadOptions(list_separator=separator)).queries[0].labels
        assert [label.name for label in labels] == names


def test_a_json_list_in_a_cell_is_one(tmp_path: Path) -> None:
    path = write(tmp_path, 'question,relevant_docs,answer\nwho,"[""a.md"", ""b.md""]",Ann\n')
    query = read_eval_set(path).queries[0]
    assert ([label.name for label in query.labels], query.answer) == (["a.md", "b.md"], "Ann")


def test_rows_of_another_width_are_all_located(tmp_path: Path) -> None:
    with pytest.raises(BadLinesError) as caught:
        read_content(write(tmp_path, "query_id,doc_id,relevance\nq,a,1\nq,a,b,1\n\nq\n"))
    assert [(fault.line, fault.message) for fault in caught.value.faults] == [
        (
            3,
            'has 4 columns where the header has 3: "q,a,b,1". Quote cells that hold the separator, or complete the line',
        ),
        (
            5,
            'has 1 columns where the header has 3: "q". Quote cells that hold the separator, or complete the line',
        ),
    ]


def test_all_faults_of_a_table_stand_in_one_report(tmp_path: Path) -> None:
    text = "query_id,doc_id,score\nq,a,1.5\nq,,2.5\nq,b,high\nq,c\n,d,nan\n"
    with pytest.raises(BadLinesError) as caught:
        read_content(write(tmp_path, text))
    assert [(fault.line, fault.message.split(",")[0]) for fault in caught.value.faults] == [
        (3, "the target is empty"),
        (4, "the score must be a number"),
        (5, 'has 2 columns where the header has 3: "q'),
        (6, "the id is empty"),
        (6, "the score must be a finite number"),
    ]


@pytest.mark.parametrize("header", ["id,relevant", "query,relevant_docs", "topic_id,relevant"])
def test_a_column_of_relevant_targets_gives_judgments(header: str, tmp_path: Path) -> None:
    path = write(tmp_path, f'{header}\nq1,"[""a"",""b""]"\nq2,c\n')
    for options in (AUTO, ReadOptions(kind=FileKind.QRELS), ReadOptions(expected=FileKind.QRELS)):
        assert as_dict(read_content(path, options).qrels) == {"q1": {"a": 1, "b": 1}, "q2": {"c": 1}}


# --- eval and question sets ---------------------------------------------------------------------


def test_a_query_of_a_table_must_keep_its_text(tmp_path: Path) -> None:
    path = write(tmp_path, "query_id,query,doc_id,relevance\n1,who is,a,1\n1,who was,b,1\n")
    assert refusal(path) == (
        ':3: query "1" has another text than on line 2: "who was"; give each query its own id, '
        "or take the judgments alone: --as qrels"
    )
    assert as_dict(read_content(path, ReadOptions(kind=FileKind.QRELS)).qrels) == {"1": {"a": 1, "b": 1}}


@pytest.mark.parametrize(
    "record",
    [
        {"id": 1, "question": "Who?", "expectedTopics": ["a"], "expectedAnswer": "Ann", "difficulty": "easy"},
        {"question_id": "1", "question": "Who?", "expected_keywords": ["a"], "ground_truth": "Ann", "x": 1},
    ],
)
@pytest.mark.parametrize("array", [True, False])
def test_question_sets_read_under_the_names_of_others(
    record: dict[str, Any], array: bool, tmp_path: Path
) -> None:
    path = write(tmp_path, json.dumps([record] if array else record), "set.json")
    eval_set = read_eval_set(path)
    (query,) = eval_set.queries
    assert (query.id, query.text, query.topics, query.answer, query.labels) == (
        "1",
        "Who?",
        ("a",),
        "Ann",
        (),
    )
    assert eval_set.notices == (f"members that mean nothing here, passed over: {list(record)[-1]}",)
    content = read_content(path)
    assert (content.found.kind, content.qrels, content.queries) == (FileKind.SET, None, ("1",))
    assert content.notices[-1] == "no query names a target, so ranking measures have nothing to measure"
    with pytest.raises(InputError, match=r"is an eval set \(records of questions\); expected judgments"):
        read_qrels(path)


def test_a_question_may_name_its_source(tmp_path: Path) -> None:
    path = write(tmp_path, '{"question": "Who?", "expected_source": "a.txt"}\n')
    assert [label.name for label in read_eval_set(path).queries[0].labels] == ["a.txt"]


def test_a_misspelt_member_of_our_own_sets_is_still_refused(tmp_path: Path) -> None:
    with pytest.raises(BadLinesError, match=r'unknown key "difficulty"'):
        read_eval_set(write(tmp_path, '{"query": "Who?", "relevant": [], "difficulty": "easy"}\n'))


def test_a_parquet_eval_set_reads(tmp_path: Path) -> None:
    frame = pl.DataFrame(
        {"id": [1, 1], "query": ["who is", "who is"], "doc_id": ["a", "b"], "relevance": [2, 0]}
    )
    frame.write_parquet(tmp_path / "set.parquet")
    (query,) = read_eval_set(tmp_path / "set.parquet").queries
    assert [(label.name, label.grade) for label in query.labels] == [("a", 2), ("b", 0)]


# --- BEIR ---------------------------------------------------------------------------------------

QUERIES = '{"_id": "q1", "text": "one", "metadata": {}}\n{"_id": "q2", "text": "two"}\n'
TEST = "query-id\tcorpus-id\tscore\nq1\td1\t1\n"


def test_a_beir_folder_reads_with_and_without_its_corpus(tmp_path: Path) -> None:
    write(tmp_path, QUERIES, "queries.jsonl")
    write(tmp_path, TEST, "qrels/test.tsv")
    content = read_content(tmp_path)
    assert (content.found.form, content.queries, content.documents) == (Form.BEIR, ("q1", "q2"), None)
    assert [(query.id, query.text) for query in read_eval_set(tmp_path).queries] == [("q1", "one")]
    write(tmp_path, gzip.compress(b'{"_id": "d1", "title": "", "text": "x"}\n'), "corpus.jsonl.gz")
    assert read_content(tmp_path).documents == ("d1",)


def test_several_splits_are_a_question(tmp_path: Path) -> None:
    write(tmp_path, QUERIES, "queries.jsonl")
    write(tmp_path, TEST, "qrels/test.tsv")
    write(tmp_path, "query-id\tcorpus-id\tscore\nq2\td2\t1\n", "qrels/train.tsv")
    assert refusal(tmp_path) == (
        ": it has 2 files of judgments. Say which: --split test (qrels/test.tsv), --split train (qrels/train.tsv)"
    )
    assert as_dict(read_qrels(tmp_path, ReadOptions(split="train"))) == {"q2": {"d2": 1}}
    assert refusal(tmp_path, ReadOptions(split="dev")) == " has no qrels dev; it has: test, train"


def test_judged_queries_without_a_text_are_said(tmp_path: Path) -> None:
    write(tmp_path, QUERIES, "queries.jsonl")
    write(tmp_path, "query-id\tcorpus-id\tscore\nq1\td1\t1\nq9\td1\t1\n", "qrels.tsv")
    with pytest.raises(
        InputError, match=r"1 of 2 queries of .*qrels\.tsv are not in .*queries\.jsonl: q9\. To see how"
    ):
        read_eval_set(tmp_path)


TOKENS = [
    *(bytes([byte]) for byte in b'",\t\n{}[]# :;|-'), b"\xff", b"\x00", b"\r\n", b"1", b"0.5", b"1,234", b"nan", b"null",
    b"q", b"Q0", b"d", b'"q"', b"query_id", b"doc_id", b"score", b"relevance", b"query", b"L1", b"=", b"\xe2\x80\xa8",
]  # fmt: skip


# --- not ours -----------------------------------------------------------------------------------


@settings(max_examples=200, deadline=None)
@given(content=st.lists(st.sampled_from(TOKENS), max_size=40), kind=st.sampled_from([None, *FileKind]))
def test_no_content_whatever_ends_in_anything_but_a_clear_error(
    tmp_path_factory: pytest.TempPathFactory, content: list[bytes], kind: FileKind | None
) -> None:
    path = write(tmp_path_factory.getbasetemp(), b"".join(content), "any")
    said = str(path)
    try:
        read_content(path, ReadOptions(kind=kind))
    except InputError as error:
        said = str(error)
    assert str(path) in said


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"PK\x03\x04\x00", " is a ZIP archive, which is not read (gzip and Zstandard are); unpack it first"),
        (b"\x04\x22\x4d\x18\x00", " is packed with LZ4, which is not read (gzip and Zstandard are); unpack it first (lz4 -d "),
        (b"BZh91AY&SY", " is packed with bzip2, which is not read"),
        (b"%PDF-1.7", " is a PDF; to search its text: rankle index "),
        (b"PAR1 and then nothing", "cannot read "),
        (b"\x7fELF\x00\x00", " is a binary file; expected "),
        (gzip.compress(b"q1 0 d1 1\n" * 99, mtime=0)[:-20], "cannot read "),
        (b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03garbage", "cannot read "),
        ("", " is empty; expected qrels, a run, an eval set, queries or documents"),
        ("<top>\n<num> 1\n", " holds TREC topics or other markup, which is not read yet"),
        ("map\tall\t0.5\nP_5\tall\t0.2\n", " is the output of an evaluation"),
        ("a text.\nAnd another line, which says more.\n", ' is of no kind that is read here; its first line is "a text."'),
        ('{"a": "b"}\n', "of no kind that is read here"),
        ('{\n"a": "b"\n}\n', ' maps names to single values, such as "a" to "b"'),
        ('{"q": {"d": 1}', ":1: is not valid JSON"),
        ('{"q": {"d": true}}', ': query "q", target "d": must be a number, got true'),
        ('{"q": {"d": 1}, "r": 2}', ': query "r" must hold {target: number}, got 2'),
        ('{"schema": "rankle.run/1",\n"id": "x"}', " is a report, rankle.run/1; it holds no judgments or results to read"),
        ("{}", "holds an empty object"),
        ("[]", " holds no record"),
        ("[1, 2]", ":1: must be an object, got 1"),
    ],
)  # fmt: skip
def test_what_is_not_ours_is_named(content: str | bytes, message: str, tmp_path: Path) -> None:
    path = write(tmp_path, content, "x")
    with pytest.raises(InputError) as caught:
        read_content(path)
    assert message in str(caught.value)
    assert str(path) in str(caught.value)


def test_a_folder_that_is_no_beir_set_is_refused(tmp_path: Path) -> None:
    assert refusal(tmp_path) == (
        " is a folder, and no BEIR folder, which holds queries.jsonl and qrels/*.tsv; name a file in it"
    )


def test_a_run_where_judgments_are_expected_is_named(tmp_path: Path) -> None:
    path = write(tmp_path, "1 Q0 d 1 2.5 t\n")
    with pytest.raises(InputError) as caught:
        read_qrels(path)
    assert str(caught.value) == (
        f"{path} is a run (columns of a TREC run: query, Q0, target, rank, score, tag); expected judgments. "
        f"To see more: rankle inspect {path}"
    )


# --- columns of unknown names that hold what is needed ------------------------------------------


@pytest.mark.parametrize(
    ("name", "content", "kind", "column"),
    [
        ("a.csv", "query_id,doc_id,points\nq1,d2,0\nq1,d1,3\n", FileKind.QRELS, "points"),
        ("a.jsonl", '{"query_id":"q","doc_id":"a","points":0}\n{"query_id":"q","doc_id":"b","points":2}\n', FileKind.QRELS, "points"),
        ("r.csv", "query_id,doc_id,bm25\nq1,d2,0.2\nq1,d1,7.5\n", FileKind.RUN, "bm25"),
        ("r.jsonl", '{"query_id":"q","doc_id":"a","distance":0.2}\n{"query_id":"q","doc_id":"b","distance":7.5}\n', FileKind.RUN, "distance"),
        ("i.csv", "query_id,doc_id,hits\nq1,d2,2\nq1,d1,7\n", FileKind.RUN, "hits"),
    ],
)  # fmt: skip
def test_numbers_under_an_unknown_name_are_a_question(
    name: str, content: str, kind: FileKind, column: str, tmp_path: Path
) -> None:
    for options in (ReadOptions(expected=kind), ReadOptions(kind=kind)):
        message = refusal(write(tmp_path, content, name), options)
        role = "grade" if kind is FileKind.QRELS else "score"
        assert f"and numbers in {column}. Say which: --column {role}=NAME" in message


def test_the_flags_of_that_question_answer_it(tmp_path: Path) -> None:
    run = write(tmp_path, "query_id,doc_id,bm25\nq1,d2,0.2\nq1,d1,7.5\n")
    options = ReadOptions(expected=FileKind.RUN)

    def best(**said: Any) -> str:
        found = run_dict(read_content(run, replace(options, **said)))["q1"]
        return max(found, key=lambda target: found[target])

    assert best(columns={Role.SCORE: "bm25"}) == "d1"
    assert best(columns={Role.RANK: "bm25"}) == "d2"
    assert best(order=Order.FILE) == "d2"
    assert "--order rank needs a column of ranks" in refusal(run, replace(options, order=Order.RANK))
    judged = write(tmp_path, "query_id,doc_id,points\nq1,d2,0\nq1,d1,3\n")
    assert as_dict(read_qrels(judged, ReadOptions(columns={Role.GRADE: "points"}))) == {
        "q1": {"d2": 0, "d1": 3}
    }


def test_columns_that_concern_the_other_file_of_a_command_are_no_fault(tmp_path: Path) -> None:
    judged = write(tmp_path, "query_id,doc_id,relevance\nq1,d1,3\n")
    assert as_dict(read_qrels(judged, ReadOptions(columns={Role.SCORE: "bm25"}))) == {"q1": {"d1": 3}}


@pytest.mark.parametrize("column", ["stars", "Rating", "Grades", "relevancy"])
def test_common_names_of_grades_are_known(column: str, tmp_path: Path) -> None:
    path = write(tmp_path, f"query_id,doc_id,{column}\nq1,d2,0\nq1,d1,3\n")
    assert as_dict(read_qrels(path)) == {"q1": {"d2": 0, "d1": 3}}


@pytest.mark.parametrize(
    "content",
    [
        "query_id,doc_id\nq1,d1\n",
        "query_id,doc_id,comment\nq1,d1,fine\n",
        ",query_id,0,doc_id\n0,q1,Q0,d1\n1,q1,Q0,d2\n",
    ],
)
def test_judgments_without_grades_are_grade_1_and_said(content: str, tmp_path: Path) -> None:
    qrels = read_qrels(write(tmp_path, content))
    assert set(qrels.grades.tolist()) == {1}
    assert qrels.notices[0].startswith("no column of grades")


# --- runs whose numbers may be ranks --------------------------------------------------------------

RUN = ReadOptions(expected=FileKind.RUN)


def ranking(path: Path, options: ReadOptions = RUN) -> dict[str, list[str]]:
    """The targets of each query, best first."""
    found = run_dict(read_content(path, options))
    return {query: sorted(results, key=lambda name: -results[name]) for query, results in found.items()}


IN_ORDER = {"q1": ["d1", "d2", "d3"]}


@pytest.mark.parametrize("numbers", ["1 2 3", "0 1 2", "2 3 4", "1 2 4", "1 3 7", "1.0 2.0 3.0"])
@pytest.mark.parametrize("form", ["{q} {d} {n}", "{q} Q0 {d} {n}", "{q}\tQ0\t{d}\t{n}", "{q},{d},{n}"])
def test_numbers_that_count_up_are_ranks_and_that_is_said(numbers: str, form: str, tmp_path: Path) -> None:
    lines = [form.format(q="q1", d=f"d{n}", n=rank) for n, rank in enumerate(numbers.split(), start=1)]
    path = write(tmp_path, "\n".join(lines) + "\n", "x.run")
    assert ranking(path) == IN_ORDER
    assert "counts up within each query: read as ranks" in " ".join(read_content(path, RUN).notices)


@pytest.mark.parametrize("numbers", ["3 2 1", "700 20 3", "9.5 7 1", "3.5 2.5 1.25", "3.0 2.0 1.0"])
@pytest.mark.parametrize("form", ["{q} {d} {n}", "{q} Q0 {d} {n}", "{q},{d},{n}"])
def test_scores_that_descend_are_scores(numbers: str, form: str, tmp_path: Path) -> None:
    lines = [form.format(q="q1", d=f"d{n}", n=score) for n, score in enumerate(numbers.split(), start=1)]
    path = write(tmp_path, "\n".join(lines) + "\n", "x.run")
    assert ranking(path) == IN_ORDER
    assert not any("ranks" in notice for notice in read_content(path, RUN).notices)


@pytest.mark.parametrize("numbers", ["2 1 3", "7 8 9", "1 50 70", "10 30 20"])
@pytest.mark.parametrize("form", ["{q} {d} {n}", "{q} Q0 {d} {n}", "{q},{d},{n}"])
def test_numbers_that_may_be_ranks_or_scores_are_a_question(numbers: str, form: str, tmp_path: Path) -> None:
    rows = list(zip(["d1", "d2", "d3"], map(int, numbers.split()), strict=True))
    text = "\n".join(form.format(q="q1", d=name, n=number) for name, number in rows) + "\n"
    path = write(tmp_path, text, "x.run")
    message = refusal(path, RUN)
    assert "holds whole numbers that could be ranks or scores. Say which: --order rank" in message
    up = [name for name, number in sorted(rows, key=lambda row: row[1])]
    assert ranking(path, replace(RUN, order=Order.RANK)) == {"q1": up}
    assert ranking(path, replace(RUN, order=Order.SCORE)) == {"q1": up[::-1]}
    assert ranking(path, replace(RUN, order=Order.FILE)) == IN_ORDER


@pytest.mark.parametrize(
    ("numbers", "found"),
    [
        ("1 2 3", "ranks"),
        ("3 2 1", "scores"),
        ("1.0 2.0 3.0", "rising scores"),
        ("7 8 9", None),
        ("2 1 3", None),
    ],
)
def test_whole_numbers_of_a_json_run_are_ranks_scores_or_a_question(
    numbers: str, found: str | None, tmp_path: Path
) -> None:
    results = {f"d{n}": json.loads(number) for n, number in enumerate(numbers.split(), start=1)}
    path = write(tmp_path, json.dumps({"q1": results}), "run.json")
    if found is None:
        message = refusal(path, RUN)
        assert "the JSON object holds whole numbers that could be ranks or scores. Say which:" in message
        assert ranking(path, replace(RUN, order=Order.FILE)) == IN_ORDER
        return
    assert ranking(path) == ({"q1": ["d3", "d2", "d1"]} if found == "rising scores" else IN_ORDER)
    said = "the JSON object counts up within each query: read as ranks" in read_content(path, RUN).notices
    assert said == (found == "ranks")


def test_queries_of_one_result_tell_nothing_and_need_nothing(tmp_path: Path) -> None:
    assert ranking(write(tmp_path, "q1 d1 7\nq2 d2 1\n", "x.run")) == {"q1": ["d1"], "q2": ["d2"]}


def test_the_header_says_what_numbers_are(tmp_path: Path) -> None:
    text = "query doc {}\nq1 d1 2\nq1 d2 1\nq1 d3 3\n"
    assert ranking(write(tmp_path, text.format("rank"), "x.run"))["q1"] == ["d2", "d1", "d3"]
    assert ranking(write(tmp_path, text.format("score"), "x.run"))["q1"] == ["d3", "d1", "d2"]


# --- line ends, mixed white space, first lines with faults ----------------------------------------


def test_a_run_with_the_line_ends_of_old_macs_is_read(tmp_path: Path) -> None:
    path = write(tmp_path, b"q1 Q0 d1 1 0.5 t\rq1 Q0 d2 2 0.4 t\r")
    assert ranking(path) == {"q1": ["d1", "d2"]}


@pytest.mark.parametrize("form", ["q1 Q0 {} 1 0.{} t", "q1 {} 0.{}", "q1\tQ0\t{}\t1\t0.{}\tt"])
def test_a_carriage_return_within_a_line_is_a_fault(form: str, tmp_path: Path) -> None:
    ends = "\n", "\r", "\n", "\n", "\n"
    text = "".join(form.format(f"d{n}", n) + end for n, end in enumerate(ends, start=1))
    assert refusal(write(tmp_path, text), RUN) == (
        ":2: holds a carriage return within the line; save the file with one kind of line ends"
    )


@pytest.mark.parametrize(
    "line", ["q1 Q0\t{}\t1\t{}\tt", "q1\tQ0 {}\t1\t{} t", "q1 Q0\t{} {}", "q1 Q0\t{}\t1 {}"]
)
def test_tabs_and_spaces_separate_alike(line: str, tmp_path: Path) -> None:
    text = line.format("d1", 0.5) + "\n" + line.format("d2", 0.4) + "\n"
    assert ranking(write(tmp_path, text)) == {"q1": ["d1", "d2"]}


def test_mixed_white_space_in_judgments(tmp_path: Path) -> None:
    assert as_dict(read_qrels(write(tmp_path, "q1 0\td1\t2\nq2 0\td1 1\n"))) == {
        "q1": {"d1": 2},
        "q2": {"d1": 1},
    }


def test_ids_with_spaces_stay_whole_between_tabs(tmp_path: Path) -> None:
    assert ranking(write(tmp_path, "q 0\tQ0\tmy Q0 d\t1\t0.5\tt\n")) == {"q 0": ["my Q0 d"]}
    assert as_dict(read_qrels(write(tmp_path, "q 0\t0\td 1\t1\n"))) == {"q 0": {"d 1": 1}}


@pytest.mark.parametrize("score", ["0.5x", "abc", "0x10", "1.234,5"])
@pytest.mark.parametrize("line", ["q1 Q0 d1 1 {} t", "q1 0 d1 1 {} t", "q1 Q0 d1 {}", "q1 d1 {}"])
def test_a_bad_score_on_the_first_line_is_told_as_on_any_other(score: str, line: str, tmp_path: Path) -> None:
    expected = f':1: the score must be a number, got "{score}"'
    for more in ("", line.replace("d1", "d2").format("0.2") + "\n"):
        path = write(tmp_path, line.format(score) + "\n" + more)
        if line.split()[1] == "Q0" or not more:
            assert refusal(path, RUN).startswith(expected)


@pytest.mark.parametrize("grade", ["0.5x", "high", "0x10", "1.2.3"])
def test_a_bad_grade_on_the_first_line_is_told_too(grade: str, tmp_path: Path) -> None:
    message = refusal(write(tmp_path, f"q1 0 d1 {grade}\n"), ReadOptions(expected=FileKind.QRELS))
    assert message.startswith(f':1: the grade must be an integer, got "{grade}"')


def test_five_columns_of_trec_say_what_is_missing(tmp_path: Path) -> None:
    judged = write(tmp_path, "q1 0 d1 1 extra\nq2 0 d2 1 extra\n", "five.qrels")
    asked = ReadOptions(expected=FileKind.QRELS)
    assert "where judgments have four, QUERY 0 TARGET GRADE. Say which: --column grade=4" in refusal(
        judged, asked
    )
    assert as_dict(read_qrels(judged, replace(asked, columns={Role.GRADE: "4"}))) == {
        "q1": {"d1": 1},
        "q2": {"d2": 1},
    }
    run = write(tmp_path, "q1 Q0 d1 2 tag\nq1 Q0 d2 1 tag\n", "five.run")
    assert "the score or the rank is missing" in refusal(run, RUN)
    assert ranking(run, replace(RUN, columns={Role.RANK: "4"})) == {"q1": ["d2", "d1"]}
    assert ranking(run, replace(RUN, columns={Role.SCORE: "4"})) == {"q1": ["d1", "d2"]}


def test_columns_of_trec_files_are_named_by_number(tmp_path: Path) -> None:
    said = {Role.SCORE: "4"}
    judged = write(tmp_path, "q1 0 d1 2\nq1 0 d2 0\nq2 0 d1 1\n", "a.qrels")
    assert as_dict(read_qrels(judged, ReadOptions(columns=said))) == JUDGED
    run = write(tmp_path, "q1 Q0 d1 7\nq1 Q0 d2 9\n", "a.run")
    assert ranking(run, replace(RUN, columns=said)) == {"q1": ["d2", "d1"]}


@pytest.mark.parametrize(
    ("name", "text", "notices"),
    [
        ("a.run", "# by x\n\nq1 Q0 d1 1 0.5 t\n#\nq1 Q0 d2 2 0.4 t\n\n", ("comment lines, passed over: 2", "blank lines, passed over: 2")),
        ("a.qrels", "\nquery_id iter doc rel\nq1 0 d1 1\nq1 0 d2 1\n# x y\n", ("line 2 is a header and was passed over: query_id iter doc rel", "comment lines, passed over: 1", "blank lines, passed over: 1")),
        ("b.qrels", "q1 0 d1 1\n", ()),
        ("a.csv", '"query_id",doc_id,relevance\n\nq1,d1,1\n\n', ("blank lines, passed over: 2",)),
        ("a.jsonl", '{"query_id":"q","doc_id":"a","relevance":0}\n\n', ("blank lines, passed over: 1",)),
        ("set.jsonl", '{"query":"q","relevant":["a"]}\n\n', ("blank lines, passed over: 1",)),
    ],
)  # fmt: skip
def test_lines_that_hold_nothing_are_counted(
    name: str, text: str, notices: tuple[str, ...], tmp_path: Path
) -> None:
    assert read_content(write(tmp_path, text, name)).notices == notices


def test_a_run_pasted_twice_has_no_ties_by_that(tmp_path: Path) -> None:
    run = read_content(write(tmp_path, "q1 Q0 d1 1 0.5 t\nq1 Q0 d2 2 0.4 t\n" * 2)).run
    assert run is not None
    figures = result_figures(run)
    assert (figures.n_tied, figures.n_duplicates) == (0, 2)
    assert result_notices(figures) == [
        "every result stands twice, as in a run that was pasted twice; each counts once"
    ]


@pytest.mark.parametrize("column", ["system", "run_id", "Tag"])
def test_a_frame_of_several_systems_is_refused_as_a_file_is(column: str, tmp_path: Path) -> None:
    frame = pl.DataFrame(
        {"query_id": ["q", "q"], "doc_id": ["a", "b"], "score": [1.0, 2.0], column: ["A", "B"]}
    )
    with pytest.raises(
        InputError, match=rf'column "{column}" holds results of 2 systems \(A, B\); score each'
    ):
        run_from_table(frame)
    assert run_from_table(frame.with_columns(pl.lit("A").alias(column))).name == "A"
    frame.write_csv(tmp_path / "runs.csv")
    assert "holds results of 2 systems (A, B); write each to a file" in refusal(tmp_path / "runs.csv")


@pytest.mark.parametrize(
    "content",
    [
        "q1 0 d1 {}\n",
        "query_id,doc_id,relevance\nq1,d1,{}\n",
        '{{"id":"q1","query":"t","judgments":[{{"docid":"d1","relevance":"{}"}}]}}\n',
    ],
)
def test_gains_that_map_nothing_are_said(content: str, tmp_path: Path) -> None:
    path = write(tmp_path, content.format("high"))
    found = read_qrels(path, ReadOptions(gains={"high": 3, "hihg": 2}))
    assert (as_dict(found), found.notices) == (
        {"q1": {"d1": 3}},
        ("--gain for grades that the file does not have: hihg",),
    )


def test_gains_map_whole_numbers_of_large_files_too(tmp_path: Path) -> None:
    path = write(tmp_path, "".join(f"q{n} 0 d 2\n" for n in range(120_000)))
    assert set(read_qrels(path, ReadOptions(gains={"2": 1})).grades.tolist()) == {1}


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("https://x.org/y.run", "https://x.org/y.run is an address, and only files are read. Fetch it first: curl -LO https://x.org/y.run"),
        (Path("http://x.org/y.run"), "http://x.org/y.run is an address, and only files are read. Fetch it first: curl -LO http://x.org/y.run"),
        ("s3://bucket/y.run", "s3://bucket/y.run is an address, and only files are read. Fetch it first: copy it here"),
        (Path(), ". is a folder, the one you are in (an empty name, as of a variable that is not set, means it too); name a file"),
    ],
)  # fmt: skip
def test_names_that_name_no_file(
    name: str | Path, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError) as caught:
        read_content(name)
    assert str(caught.value) == message
