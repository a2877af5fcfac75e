"""`rankle.compare`: records, files and names of them; and how such names are found."""

from pathlib import Path
from typing import Any

import pytest

import rankle
from fakes.compared import compared_run
from fakes.scripted_system import ScriptedSystem
from rankle.app.compare import compare_named
from rankle.app.run_refs import load_run, load_runs
from rankle.core.errors import InputError, UnknownNameError
from rankle.metrics.measure import parse_measure
from rankle.reports.comparing import Request
from rankle.reports.json import write_json

SCORES = {"nDCG@10": [0.5, 0.25, 1.0, 0.0, 0.5, 0.5], "R@10": [1.0, 0.5, 1.0, 0.0, 1.0, 0.0]}
BETTER = {"nDCG@10": [0.75, 0.5, 1.0, 0.25, 0.75, 0.75], "R@10": [1.0, 0.5, 1.0, 0.0, 1.0, 0.0]}
SET = [{"id": "q1", "query": "first", "relevant": ["a"]}, {"id": "q2", "query": "second", "relevant": ["b"]}]
A, B = compared_run("fts5", SCORES), compared_run("hybrid", BETTER)


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path, Path]:
    """A, B, and both in one file."""
    paths = tmp_path / "a.json", tmp_path / "b.json", tmp_path / "both.json"
    for path, runs in zip(paths, ([A], [B], [A, B]), strict=True):
        write_json(path, runs)
    return paths


def test_records_files_and_names_of_files_are_compared_alike(files: tuple[Path, Path, Path]) -> None:
    a, b, both = files
    found = rankle.compare(A, B)
    assert [run.name for run in found.runs] == ["fts5", "hybrid"]
    for pair in ((a, b), (str(a), B), (f"{both}#fts5", f"{both}#2"), (f"{both}#1", b)):
        assert rankle.compare(*pair).pairs == found.pairs


def test_a_file_with_several_runs_stands_for_all_of_them(files: tuple[Path, Path, Path]) -> None:
    *_, both = files
    (found,) = compare_named([str(both)], Request()).comparisons
    assert [run.name for run in found.runs] == [f"{both}#fts5", f"{both}#hybrid"]
    assert found.pairs == rankle.compare(A, B).pairs


def test_runs_of_one_method_in_a_file_are_told_apart_by_number(tmp_path: Path) -> None:
    path = tmp_path / "runs.json"
    write_json(path, [A, compared_run("fts5", BETTER, id="again")])
    assert [one.name for one in load_runs([path])] == [f"{path}#1", f"{path}#2"]
    assert load_run(f"{path}#2").id == "again"
    with pytest.raises(InputError, match="holds 2 runs; name one of them"):
        load_run(path)


@pytest.mark.parametrize(
    "measures",
    ["ndcg@10", "nDCG@10,R@10", ["R@10"], [parse_measure("nDCG@10")]],
    ids=["alias", "text", "list", "object"],
)
def test_measures_may_be_named_in_every_form(measures: Any) -> None:
    found = rankle.compare(A, B, measures=measures)
    text = measures if isinstance(measures, str) else ",".join(map(str, measures))
    assert [one.measure for one in found.pairs[0].measures] == text.replace("ndcg", "nDCG").split(",")


def test_options_reach_the_comparison() -> None:
    found = rankle.compare(A, B, compared_run("vector", SCORES), alpha=0.1, seed=7, pairs="first", test="t")
    assert (found.alpha, found.seed, found.test, found.correction) == (0.1, 7, "t", "holm")
    assert rankle.compare(A, compared_run("b", BETTER, depth=5), force=True).forced


def test_what_is_no_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="a run is a RunReport or the name of one, got int"):
        rankle.compare(A, 3)  # type: ignore[arg-type]
    other = tmp_path / "other.json"
    other.write_text('{"schema": "rankle.check/1"}', encoding="utf-8")
    with pytest.raises(InputError, match="is no record of a run"):
        rankle.compare(A, other)
    with pytest.raises(InputError, match="cannot be read: No such file"):
        rankle.compare(A, tmp_path / "none.json")


def test_runs_are_found_in_the_records_by_their_names(tmp_path: Path) -> None:
    store = tmp_path / "records.db"
    kept = [
        rankle.evaluate(SET, system=ScriptedSystem(answers), record=store)
        for answers in ({"first": ["x", "a"], "second": ["b"]}, {"first": ["a"], "second": ["b"]})
    ]
    found = rankle.compare("latest~1", "latest", records=store)
    assert [run.id for run in found.runs] == [run.id for run in kept]
    assert [run.name for run in found.runs] == ["latest~1", "latest"]
    assert found.pairs == rankle.compare(*kept).pairs
    assert [move.id for move in found.pairs[0].moves] == ["q1"]
    with pytest.raises(UnknownNameError, match='unknown run "main"'):
        rankle.compare("main", "latest", records=store)


def test_one_name_is_no_comparison(files: tuple[Path, Path, Path]) -> None:
    with pytest.raises(InputError, match=r"takes two runs or more, got one \(.*a\.json\); name another"):
        compare_named([str(files[0])], Request())
