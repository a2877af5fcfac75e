"""Data is read from whatever it is given as, to the same rows."""

import asyncio
import inspect
import json
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import rankle
from rankle.core.errors import BadLinesError, InputError
from rankle.harness.evals.case import Row
from rankle.harness.evals.data import LoadedData, given_data, loaded_data
from rankle.harness.evals.suite import Suite

ROWS: list[dict[str, Any]] = [
    {"input": "a", "expected": "A", "metadata": {"n": 1}, "tags": ["x", "y"], "only": True, "skip": False},
    {"input": "b", "expected": None, "metadata": None, "tags": None, "only": None, "skip": None},
]
READ = (Row("a", "A", {"n": 1}, ("x", "y"), only=True), Row("b"))
SET = '{"id": "q1", "query": "leave", "relevant": ["a.md"], "tags": ["hr"]}\n'


def load(data: Any, *, root: Path, **options: Any) -> LoadedData:
    return read(suite(data, **options), root=root)


def read(one: Suite, *, root: Path) -> LoadedData:
    given = given_data(one.data)
    return loaded_data(asyncio.run(given) if inspect.iscoroutine(given) else given, suite=one, root=root)


def suite(data: Any, **options: Any) -> Suite:
    return Suite("A", data=data, task=len, scorers=[], **options)


def rows(loaded: LoadedData) -> tuple[Row, ...]:
    return tuple(one.row for one in loaded.rows)


async def async_rows() -> list[dict[str, Any]]:
    await asyncio.sleep(0)
    return ROWS


def generated() -> Iterator[dict[str, Any]]:
    yield from ROWS


async def async_generated() -> AsyncIterator[dict[str, Any]]:
    for row in ROWS:
        yield row


class Loader:
    async def __call__(self) -> list[dict[str, Any]]:
        return ROWS


class ArrowLike:
    """A table of Arrow, as far as it is asked."""

    column_names = tuple(ROWS[0])

    def to_pylist(self, *, maps_as_pydicts: str) -> list[dict[str, Any]]:
        return ROWS


class StreamLike:
    """A reader of batches of Arrow, which only streams."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return pl.DataFrame(ROWS).__arrow_c_stream__(requested_schema)


@pytest.mark.parametrize(
    "data",
    [
        ROWS,
        tuple(ROWS),
        READ,
        iter(ROWS),
        lambda: ROWS,
        lambda: asyncio.run(async_rows()),
        async_rows,
        generated,
        generated(),
        async_generated,
        Loader(),
        lambda: pl.DataFrame(ROWS),
        pl.DataFrame(ROWS),
        pl.LazyFrame(ROWS),
        pd.DataFrame(ROWS),
        ArrowLike(),
        StreamLike(),
    ],
    ids=[
        "list", "tuple", "rows", "iterator", "function", "function with a loop of its own", "async function",
        "generator function", "generator", "async generator", "object", "function of a table", "Polars",
        "lazy Polars", "pandas", "Arrow", "stream of Arrow",
    ],
)  # fmt: skip
def test_every_form_gives_the_same_rows(data: Any, tmp_path: Path) -> None:
    loaded = load(data, root=tmp_path)

    assert rows(loaded) == READ
    assert loaded.source == "rows"


def write(folder: Path, name: str, content: str) -> str:
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(content, encoding="utf-8")
    return name


CSV = 'input,expected,metadata,tags,only,skip\na,A,"{""n"": 1}","x, y",true,no\n\nb,,,,,\n'


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("rows.jsonl", "\n".join(map(json.dumps, ROWS))),
        ("rows.json", json.dumps(ROWS, indent=2)),
        ("rows.csv", CSV),
        ("rows.tsv", CSV.replace("x, y", "x; y").replace(",", "\t").replace(";", ",")),
    ],
)
def test_files_of_rows_are_read(name: str, content: str, tmp_path: Path) -> None:
    loaded = load(write(tmp_path, name, content), root=tmp_path)

    assert rows(loaded) == READ
    assert loaded.source == name


def test_a_parquet_file_of_rows_is_read(tmp_path: Path) -> None:
    pl.DataFrame(ROWS).write_parquet(tmp_path / "rows.parquet")

    assert rows(load(tmp_path / "rows.parquet", root=tmp_path)) == READ


def test_cells_of_text_stay_text_and_json_is_read(tmp_path: Path) -> None:
    write(tmp_path, "rows.csv", 'input,expected\n007,[not json]\n"{""q"": 1}","[1, 2]"\n"two\nlines",\n')

    found = rows(load("rows.csv", root=tmp_path))
    assert [(row.input, row.expected) for row in found] == [
        ("007", "[not json]"), ({"q": 1}, [1, 2]), ("two\nlines", None),
    ]  # fmt: skip


def test_rows_have_equal_ids_wherever_they_come_from(tmp_path: Path) -> None:
    write(tmp_path, "rows.jsonl", "\n".join(map(json.dumps, ROWS)))

    of_file = load("rows.jsonl", root=tmp_path)
    assert [one.id for one in of_file.rows] == [one.id for one in load(ROWS, root=tmp_path).rows]


@pytest.mark.parametrize(
    ("name", "content", "faults"),
    [
        ("a.jsonl", '{"input": 1}\n\n{"input": 2, "exepcted": 3}\n{"input": 3', [3, 4]),
        ("a.jsonl", '{"input": 1}\n\n{"input": 2, "exepcted": 3}\n[]', [3, 4]),
        ("a.json", '[{"input": 1},\n {"tags": []},\n {"tags": [5]}]', [2, 3, 3]),
        ("a.csv", 'input,expectd,only\n1,2,\n"a\nb",2,maybe\n', [2, 3, 3]),
        ("b.csv", "input,expected\n1\n2,3\n4,5,6\n", [2, 4]),
        ("set.jsonl", '{"query": "a", "relevant": ["x"]}\n{"query": "", "relevant": ["x"]}', [2]),
        ("c.csv", 'input,expected\n1,"a"b\n', [2]),
    ],
    ids=["half a line", "no row", "array", "cells", "widths", "set", "quotes"],
)
def test_faults_of_a_file_are_told_by_line(
    name: str, content: str, faults: list[int], tmp_path: Path
) -> None:
    write(tmp_path, name, content)
    with pytest.raises(BadLinesError) as caught:
        load(name, root=tmp_path)

    assert [fault.line for fault in caught.value.faults] == faults
    assert caught.value.path == name


def test_queries_of_a_set_are_rows(tmp_path: Path) -> None:
    record = {
        "id": "q1", "query": "leave", "collection": "hr", "language": "en", "tags": ["t"],
        "answer": "20 weeks", "topics": ["leave"], "note": "n",
        "relevant": ["a.md", {"document": "b.md", "relevance": 2}, {"chunk": "chunk-0123456789ab"},
                     {"document": "c.md", "quote": "weeks", "start": 3, "end": 8}],
    }  # fmt: skip
    write(tmp_path, "set.jsonl", json.dumps(record))

    [row] = rows(load("set.jsonl", root=tmp_path))
    assert row.input == {"id": "q1", "query": "leave", "collection": "hr", "language": "en"}
    assert row.expected == [
        {"id": "a.md", "relevance": 1},
        {"document": "b.md", "relevance": 2},
        {"chunk": "chunk-0123456789ab", "relevance": 1},
        {"document": "c.md", "quote": "weeks", "start": 3, "end": 8, "relevance": 1},
    ]
    assert row.metadata == {"answer": "20 weeks", "topics": ["leave"], "note": "n"}
    assert row.tags == ("t",)


def test_a_relevant_set_beside_grades_stays_apart(tmp_path: Path) -> None:
    judgments = [{"docid": "a.md", "relevance": 2}, {"docid": "b.md", "relevance": 1}]
    record = {"query": "leave", "relevantDocs": ["a.md"], "judgments": judgments}
    write(tmp_path, "set.json", json.dumps([record]))

    [row] = rows(load("set.json", root=tmp_path))
    assert row.expected == {
        "relevantDocs": ["a.md"],
        "judgments": [{"id": "a.md", "relevance": 2}, {"id": "b.md", "relevance": 1}],
    }


def test_a_query_that_should_find_nothing_expects_nothing(tmp_path: Path) -> None:
    write(tmp_path, "set.jsonl", '{"query": "moon", "relevant": [], "answerable": false}')

    [row] = rows(load("set.jsonl", root=tmp_path))
    assert (row.expected, row.metadata) == ([], {"answerable": False})


@pytest.mark.parametrize("name", ["set.jsonl", "set.json"])
def test_queries_without_an_id_keep_their_case_ids_in_another_order(name: str, tmp_path: Path) -> None:
    records = [{"query": text, "relevant": ["a.md"]} for text in ("one", "two", "three")]
    found = []
    for some in (records, records[::-1]):
        lines = list(map(json.dumps, some))
        write(tmp_path, name, "\n".join(lines) if name.endswith("l") else f"[{','.join(lines)}]")
        found.append([one.id for one in load(name, root=tmp_path).rows])

    assert found[0] == found[1][::-1]
    assert len(set(found[0])) == 3


def test_a_set_may_be_a_table_of_a_program_a_csv_file_or_a_beir_folder(tmp_path: Path) -> None:
    write(tmp_path, "set.csv", "query_id,query,doc_id,relevance\nq1,leave,a.md,2\nq1,leave,b.md,1\n")
    write(tmp_path, "beir/queries.jsonl", '{"_id": "q1", "text": "leave"}\n')
    write(tmp_path, "beir/qrels/test.tsv", "query-id\tcorpus-id\tscore\nq1\ta.md\t2\nq1\tb.md\t1\n")
    table = pl.DataFrame({"id": ["q1"], "query": ["leave"], "judgments": [
        [{"docid": "a.md", "relevance": 2}, {"docid": "b.md", "relevance": 1}]]})  # fmt: skip

    expected = Row(
        {"id": "q1", "query": "leave"}, [{"id": "a.md", "relevance": 2}, {"id": "b.md", "relevance": 1}]
    )
    for data in ("set.csv", "beir", table):
        assert rows(load(data, root=tmp_path)) == (expected,)


def test_a_path_is_looked_for_beside_the_eval_and_then_in_the_project(tmp_path: Path) -> None:
    write(tmp_path, "near.jsonl", '{"input": "root"}')
    write(tmp_path, "evals/near.jsonl", '{"input": "beside"}')
    write(tmp_path, "fixtures/far.jsonl", '{"input": "root"}')
    source = 'rankle.Suite("A", data={!r}, task=len, scorers=[])'
    found = []
    for data in ("near.jsonl", "fixtures/far.jsonl", "../fixtures/far.jsonl"):
        file = tmp_path / write(tmp_path, "evals/a_eval.py", f"made = {source.format(data)}")
        namespace: dict[str, Any] = {"rankle": rankle}
        exec(compile(file.read_text(encoding="utf-8"), str(file), "exec"), namespace)
        found.append(read(namespace["made"], root=tmp_path))

    assert [(rows(one)[0].input, one.source) for one in found] == [
        ("beside", "evals/near.jsonl"), ("root", "fixtures/far.jsonl"), ("root", "fixtures/far.jsonl"),
    ]  # fmt: skip


def test_a_path_that_leads_nowhere_suggests_the_nearest(tmp_path: Path) -> None:
    write(tmp_path, "queries.jsonl", SET)
    with pytest.raises(InputError, match=r'eval "A": there is no .*qeries.jsonl; did you mean queries.jsonl'):
        load("qeries.jsonl", root=tmp_path)


@pytest.mark.parametrize("data", [[], list, pl.DataFrame({"input": []})], ids=["list", "function", "table"])
def test_empty_data_is_an_error_unless_it_is_allowed(data: Any, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r'the data of eval "A" holds no row. .*allow_empty=True'):
        load(data, root=tmp_path)
    assert load(data, root=tmp_path, allow_empty=True).rows == ()


@pytest.mark.parametrize("data", [5, {"input": 1}, None, b"rows.jsonl"], ids=repr)
def test_what_is_no_data_is_refused(data: Any, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r'data of eval "A" must be a list of rows, a function'):
        load(data, root=tmp_path)


def test_what_a_function_raises_is_not_swallowed(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError):
        load(lambda: 1 / 0, root=tmp_path)


def test_what_has_neither_inputs_nor_queries_is_told_so(tmp_path: Path) -> None:
    words = r'has neither "input", which rows of an eval have, nor "query", .*; it has: q, a$'
    write(tmp_path, "rows.jsonl", '\n{"q": 1, "a": 2}')

    with pytest.raises(InputError, match=rf"rows.jsonl:2 {words}"):
        load("rows.jsonl", root=tmp_path)
    with pytest.raises(InputError, match=rf'^data of eval "A" {words}'):
        load(pl.DataFrame({"q": [1], "a": [2]}), root=tmp_path)


def test_faults_of_a_table_of_queries_are_told_of_the_eval(tmp_path: Path) -> None:
    with pytest.raises(BadLinesError, match=r'^data of eval "A":1: "query" must be text'):
        load(pl.DataFrame({"query": [""], "relevant": [["a.md"]]}), root=tmp_path)


def test_cells_of_pandas_are_as_json_has_them(tmp_path: Path) -> None:
    frame = pd.DataFrame(
        {
            "input": [{"texts": np.array(["a", "b"], dtype=object)}, {"texts": np.array([])}],
            "expected": [pd.Timestamp("2026-01-01"), pd.NaT],
            "tags": [np.array(["x", "y"], dtype=object), pd.NA],
            "only": [pd.NA, np.nan],
        }
    )
    first, second = rows(load(frame, root=tmp_path))
    assert (first.input, first.tags, first.expected) == (
        {"texts": ["a", "b"]},
        ("x", "y"),
        pd.Timestamp("2026-01-01"),
    )
    assert second == Row({"texts": []}, None)


def test_labels_of_pandas_that_are_arrays_are_read(tmp_path: Path) -> None:
    frame = pd.DataFrame({"query": ["leave"], "relevant": [np.array(["a.md", "b.md"], dtype=object)]})
    (row,) = rows(load(frame, root=tmp_path))
    assert [one["id"] for one in row.expected] == ["a.md", "b.md"]


def test_two_columns_of_one_name_are_refused(tmp_path: Path) -> None:
    frame = pd.DataFrame([["a", "b"]], columns=["input", "input"])
    with pytest.raises(InputError, match='data of eval "A" has two columns "input"; give each'):
        load(frame, root=tmp_path)


@pytest.mark.parametrize(
    "data", [pd.Series(["a"]), pl.Series(["a"]), ["a"]], ids=["pandas", "Polars", "list"]
)
def test_values_without_columns_are_no_rows(data: Any, tmp_path: Path) -> None:
    with pytest.raises(BadLinesError, match=r"row 1: must be .*, got 'a'"):
        load(data, root=tmp_path)
