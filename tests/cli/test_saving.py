"""`--output` of `rankle eval` and `rankle score`: the name of the file tells the format."""

from pathlib import Path

import pytest

from fakes.command import GUIDE, fail, rankle, succeed, write_files
from rankle.reports.json import parse_json

SET = '{"query": "battery", "relevant": ["setup.md"]}\n{"query": "Filter", "relevant": ["de/wartung.md"]}\n'
BEGINS = {
    "run.json": '{\n  "schema": "rankle.run/1"',
    "run.md": "## Evaluation: set.jsonl",
    "run.html": "<!doctype html>",
    "run.csv": "run,set,method,query_id,",
    "run.xml": "<?xml ",
    "run": '{\n  "schema": "rankle.run/1"',
}


@pytest.fixture
def queries(tmp_path: Path) -> Path:
    succeed("index", write_files(tmp_path / "docs", GUIDE))
    return write_files(tmp_path, {"set.jsonl": SET}) / "set.jsonl"


@pytest.mark.parametrize("name", BEGINS)
def test_eval_saves_what_the_name_tells_and_again(queries: Path, tmp_path: Path, name: str) -> None:
    for _ in range(2):
        succeed("eval", queries, "-o", tmp_path / name)
        assert (tmp_path / name).read_text(encoding="utf-8").startswith(BEGINS[name])


def test_a_trec_file_tells_where_its_scores_are_from(queries: Path, tmp_path: Path) -> None:
    outcome = rankle("eval", queries, "-o", tmp_path / "a.trec")
    assert outcome.code == 0
    lines = (tmp_path / "a.trec").read_text(encoding="utf-8").splitlines()
    assert all(len(line.split()) == 6 for line in lines)
    (report,) = parse_json(succeed("eval", queries, "--json"))
    assert len(lines) == sum(len(query.results) for query in report.queries)


def test_several_methods_do_not_fit_a_trec_file_and_nothing_is_measured(
    queries: Path, tmp_path: Path
) -> None:
    message = fail("eval", queries, "--method", "fts5,fts5", "-o", tmp_path / "a.trec")
    assert "a TREC run holds one run, and here are 2" in message
    assert not (tmp_path / "a.trec").exists()


def test_score_saves_what_the_name_tells(tmp_path: Path) -> None:
    write_files(tmp_path, {"a.qrels": "q1 0 d1 1\n", "a.run": "q1 Q0 d1 1 0.5 mine\n"})
    succeed("score", tmp_path / "a.qrels", tmp_path / "a.run", "-o", tmp_path / "out.md")
    assert "| NDCG@10 | 1.000 |" in (tmp_path / "out.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["mine.csv", "mine.md", "mine.html", "mine.json", "mine.run"])
def test_what_is_no_export_is_not_written_over(queries: Path, tmp_path: Path, name: str) -> None:
    write_files(tmp_path, {name: "precious\n"})
    assert "is there already and is no" in fail("eval", queries, "-o", tmp_path / name)
    assert (tmp_path / name).read_text(encoding="utf-8") == "precious\n"
