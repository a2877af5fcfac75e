"""Queries written anew in their place, while others are added at the end."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from rankle.core.errors import InputError
from rankle.core.evalset import EvalQuery, Label
from rankle.formats.eval_set import read_eval_set
from rankle.formats.set_append import append_query
from rankle.formats.set_rewrite import rewrite_queries

FIRST = '{"id": "1",  "query": "one", "relevant": []}'
SECOND = '{"id": "2",  "query": "two", "relevant": []}'


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_only_the_changed_line_is_another(tmp_path: Path, end: str) -> None:
    path = tmp_path / "set.jsonl"
    path.write_bytes(f"{FIRST}{end}{end}{SECOND}{end}".encode())
    rewrite_queries(path, {"2": EvalQuery("2", "two", (Label("a.md"),))})
    before, blank, after, rest = path.read_bytes().decode().split(end)
    assert (before, blank, rest) == (FIRST, "", "")
    assert json.loads(after) == {"id": "2", "query": "two", "relevant": ["a.md"]}


def test_a_query_that_is_not_there_any_more_is_an_error_and_the_file_stays(tmp_path: Path) -> None:
    path = tmp_path / "set.jsonl"
    path.write_text(FIRST)
    with pytest.raises(InputError, match='has no query "2" any more; it was changed meanwhile'):
        rewrite_queries(path, {"2": EvalQuery("2", "two")})
    assert path.read_text() == FIRST


@pytest.mark.parametrize("before", [f"{FIRST}\n", f"[{FIRST}]\n"], ids=["lines", "array"])
def test_what_is_added_while_others_are_written_anew_stays(tmp_path: Path, before: str) -> None:
    path = tmp_path / "set.json"
    path.write_text(before)
    n = 60

    def add(number: int) -> None:
        append_query(path, EvalQuery(f"new-{number}", f"new {number}"))

    def grade(number: int) -> None:
        rewrite_queries(path, {"1": EvalQuery("1", "one", (Label("a.md", None, number),))})

    with ThreadPoolExecutor(4) as pool:
        done = [pool.submit(each, number) for number in range(n) for each in (add, grade)]
    for one in done:
        one.result()
    queries = read_eval_set(path).queries
    assert {query.id for query in queries} == {"1", *(f"new-{number}" for number in range(n))}
    assert queries[0].labels[0].name == "a.md"
