"""Recorded runs as systems: what they answer, and that they score as `rankle score` has it."""

import asyncio
import gzip
import json
from pathlib import Path
from typing import Final

import polars as pl
import pytest

import rankle
from fakes.opened import opened, write_project
from rankle.app.evaluate_systems import evaluate_systems
from rankle.core.errors import InputError
from rankle.core.evalset import Level
from rankle.core.ports import Ask
from rankle.formats.output import write_bytes
from rankle.harness.outcome import takes_asks
from rankle.systems.recorded_run import NO_RESULTS, REPLAYED

_ROWS: Final = [
    ("1", "b", 2.5),
    ("1", "a", 2.5),
    ("1", "c", 2.5),
    ("1", "d", 3.0),
    ("1", "a", 1.0),
    ("3", "x", 0.25),
    ("3", "é", 0.25),
    ("3", "y", 0.125),
]
"""Query, target, score: ties, one target twice, a query left out."""
_GRADES: Final = {"1": {"a": 2, "c": 1, "z": 1}, "2": {"q": 1}, "3": {"x": 1, "y": 3, "é": 0}}
_MEASURES: Final = "nDCG@10,nDCG(gain=exp2)@2,R@10,R@100,RR,AP,P@10,P@1,Bpref,ERR@20"


def write_run(folder: Path, form: str) -> Path:
    path = folder / f"results.{form}"
    if form.endswith((".gz", ".zst")):
        write_bytes(path, write_run(folder, form.partition(".")[0]).read_bytes())
    elif form == "trec":
        text = "".join(f"{query} Q0 {target} 1 {score} tag\n" for query, target, score in _ROWS)
        path.write_text(text, encoding="utf-8")
    elif form == "jsonl":
        rows = [{"query_id": query, "doc_id": target, "score": score} for query, target, score in _ROWS]
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    else:
        pl.DataFrame(_ROWS, schema=["query_id", "doc_id", "score"], orient="row").write_parquet(path)
    return path


def _entry(target: str, grade: int) -> dict[str, object]:
    return {"docid": target, "relevance": grade}


def write_set(folder: Path) -> Path:
    path = folder / "set.jsonl"
    lines = [
        {"id": query, "query": f"question {query}", "judgments": [_entry(*item) for item in found.items()]}
        for query, found in _GRADES.items()
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


@pytest.mark.parametrize("form", ["trec", "jsonl", "parquet", "trec.gz", "jsonl.zst"])
@pytest.mark.parametrize("ties", ["trec", "system"])
def test_its_scores_are_those_of_rankle_score_to_the_last_bit(form: str, ties: str, tmp_path: Path) -> None:
    run, queries = write_run(tmp_path, form), write_set(tmp_path)
    (report,) = evaluate_systems(queries, systems=[f"run:{run}?ties={ties}"], measures=_MEASURES)
    scores = rankle.score(_GRADES, run, _MEASURES, ties=ties)  # type: ignore[arg-type]
    for measure, column in scores.columns.items():
        ours = [query.scores[measure] for query in report.queries]
        assert [each.hex() for each in ours] == [float(each).hex() for each in column], measure
        assert report.measures[measure].mean == scores.means[measure].mean
    assert [query.id for query in report.queries] == list(scores.queries)


def test_a_query_is_known_by_its_id_whatever_its_text(tmp_path: Path) -> None:
    write_run(tmp_path, "trec")
    with opened("run:results.trec", cwd=tmp_path) as system:
        assert takes_asks(system)
        result = asyncio.run(system.search_ask(Ask("any", None, "1"), depth=3, level=Level.DOCUMENT))
    assert [hit.id for hit in result.hits] == ["d", "c", "b"]


def test_a_query_that_it_lacks_found_nothing_and_that_is_said(tmp_path: Path) -> None:
    write_run(tmp_path, "trec")
    (report,) = evaluate_systems(write_set(tmp_path), systems=[f"run:{tmp_path / 'results.trec'}"])
    assert (report.queries[1].status, report.queries[1].results) == ("scored", [])
    assert f"search remarked on 1 of 3 queries: {NO_RESULTS}" in report.notices
    assert REPLAYED in report.notices


def test_its_fingerprint_is_of_its_content(tmp_path: Path) -> None:
    path = write_run(tmp_path, "trec")
    with opened("run:results.trec", cwd=tmp_path) as system:
        before = system.describe().fingerprint
    path.write_text(path.read_text(encoding="utf-8") + "9 Q0 a 1 1 tag\n", encoding="utf-8")
    with opened("run:results.trec", cwd=tmp_path) as system:
        assert system.describe().fingerprint != before


def test_a_table_says_what_a_file_leaves_open(tmp_path: Path) -> None:
    rows = "query_id,doc_id,distance,n\nq,a,0.9,1\nq,b,0.1,2\n"
    (tmp_path / "results.csv").write_text(rows, encoding="utf-8")
    found = {}
    for option in ('columns = {rank = "distance"}', 'columns = {score = "distance"}', 'order = "file"'):
        write_project(tmp_path, "mine", f'uri = "run:results.csv"\n{option}')
        with opened("mine", cwd=tmp_path) as system:
            assert takes_asks(system)
            result = asyncio.run(system.search_ask(Ask("x", None, "q"), depth=3, level=Level.DOCUMENT))
        found[option.split('"')[0]] = [hit.id for hit in result.hits]
    assert list(found.values()) == [["b", "a"], ["a", "b"], ["a", "b"]]
    for option, words in (
        ('columns = {scre = "n"}', 'did you mean "score"'),
        ('order = "rnk"', 'did you mean "rank"'),
    ):
        write_project(tmp_path, "mine", f'uri = "run:results.csv"\n{option}')
        with pytest.raises(InputError, match=words), opened("mine", cwd=tmp_path):
            pass


def test_queries_of_one_text_are_told_apart_also_where_results_are_declared_cacheable(tmp_path: Path) -> None:
    (tmp_path / "r.run").write_text("1 Q0 a 1 1 t\n2 Q0 b 1 1 t\n", encoding="utf-8")
    write_project(tmp_path, "mine", 'uri = "run:r.run"\ncacheable = true')
    with opened("mine", cwd=tmp_path) as system:
        assert not system.describe().is_reusable


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("run:absent.run", "there is no file absent.run"),
        ("run:result.trec", r"no file result.trec; a recorded run is run:FILE. Did you mean results.trec\?"),
        ("run:packed.parquet.gz", "binary file"),
        ("run:set.jsonl", "expected a run"),
        ("run:results.trec?ties=first", 'ties must be "trec" or "system", got "first"'),
        ("run:results.trec?tie=trec", 'unknown option of the system "tie"; did you mean "ties"'),
    ],
)
def test_what_is_no_run_is_refused(name: str, words: str, tmp_path: Path) -> None:
    write_run(tmp_path, "trec")
    write_set(tmp_path)
    (tmp_path / "packed.parquet.gz").write_bytes(gzip.compress(write_run(tmp_path, "parquet").read_bytes()))
    with pytest.raises(InputError, match=words), opened(name, cwd=tmp_path):
        pass
