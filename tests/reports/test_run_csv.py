"""Runs as CSV: what stands in a row, figures that lose nothing, and text that no spreadsheet runs."""

import csv
import io
from typing import Any

import msgspec
import pytest

from fakes.exported_runs import CONTROL, FORMULA, two_runs
from fakes.runs import run_report
from rankle.core.run import RunReport
from rankle.reports.run_csv import render_measures_csv, render_queries_csv


def rows_of(text: str) -> list[dict[str, Any]]:
    return list(csv.DictReader(io.StringIO(text)))


def with_query(text: str) -> RunReport:
    run = run_report("fts5", {"AP": [1.0]})
    return msgspec.structs.replace(run, queries=[msgspec.structs.replace(run.queries[0], query=text)])


def test_a_row_has_what_became_of_a_query() -> None:
    first, second, *_ = rows_of(render_queries_csv(two_runs()))
    assert first == {
        "run": "fts5", "set": "set <i>.jsonl", "method": "fts5", "query_id": "q1", "query": "the first",
        "collection": "", "language": "", "tags": "a; b", "status": "scored", "error": "", "n_relevant": "1",
        "n_found": "1", "first_relevant_rank": "1", "lost_at": "", "n_results": "3", "took_ms": "1.0",
        "nDCG@10": "1.0", "Hit@10": "1.0",
    }  # fmt: skip
    assert (second["n_found"], second["first_relevant_rank"], second["lost_at"]) == ("0", "12", "below k")


def test_every_query_of_every_run_has_a_row_and_no_figure_where_there_is_none() -> None:
    rows = rows_of(render_queries_csv(two_runs()))
    assert [row["run"] for row in rows] == ["fts5"] * 4 + ["hybrid"] * 4
    failed, undefined = rows[2], rows[3]
    assert (failed["status"], failed["nDCG@10"], failed["took_ms"]) == ("failed", "", "")
    assert (undefined["status"], undefined["nDCG@10"]) == ("undefined", "")


def test_a_measure_has_its_denominators() -> None:
    row = rows_of(render_measures_csv(two_runs()))[0]
    run = two_runs()[0]
    summary = run.measures["nDCG@10"]
    assert float(row["mean"]) == summary.mean
    assert (row["measure"], row["n_scored"], row["n_failed"]) == ("nDCG@10", "2", "1")


def test_runs_with_other_measures_stand_in_one_table() -> None:
    rows = rows_of(render_queries_csv([run_report("a", {"AP": [0.5]}), run_report("b", {"RR": [0.25]})]))
    assert [(row["AP"], row["RR"]) for row in rows] == [("0.5", ""), ("", "0.25")]


@pytest.mark.parametrize(
    "text", [FORMULA, "+1+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", " =1", "\t=1", "\n=1", "＝1"]
)
def test_text_that_begins_like_a_formula_is_marked_as_text(text: str) -> None:
    (row,) = rows_of(render_queries_csv([with_query(text)]))
    assert row["query"] == f"'{text}"


@pytest.mark.parametrize("text", ["-5", "+49", "a=b", "what is 2+2", 'say "hi", twice', "two\nlines"])
def test_other_text_stays_as_it_is(text: str) -> None:
    (row,) = rows_of(render_queries_csv([with_query(text)]))
    assert row["query"] == text


def test_control_characters_do_not_reach_the_file() -> None:
    text = render_queries_csv([with_query(CONTROL)])
    assert "\x07" not in text
    assert "\x1b" not in text
