# ruff: noqa: E501
"""Scoring files of any form: the same figures whichever form they come in, and ids that are normalised."""

import os
import threading
from pathlib import Path

import pytest

from rankle.app.score import score
from rankle.app.score_files import load_other_run
from rankle.core.errors import CannotMeasureError, InputError
from rankle.core.evalset import EvalQuery, EvalSet, Label
from rankle.formats.column_names import Role
from rankle.formats.kinds import Form, Order, ReadOptions
from rankle.formats.writing import write_beir, write_eval_set, write_qrels, write_run
from rankle.metrics.qrels import Qrels
from rankle.metrics.run import Run

JUDGED = {"q1": {"d1": 2, "d2": 0, "d4": 1}, "q2": {"d1": 1}}
FOUND = {"q1": {"d2": 0.5, "d1": 0.25, "d3": 0.125}, "q2": {"d1": 1.5, "d7": -2.0}}
MEASURES = ["nDCG@10", "AP", "RR", "R@100"]
SET = EvalSet(
    "set",
    tuple(
        EvalQuery(
            query, f"text of {query}", tuple(Label(name, None, grade) for name, grade in judged.items())
        )
        for query, judged in JUDGED.items()
    ),
)


def write_judgments(folder: Path, name: str) -> Path:
    path = folder / name
    if name == "beir":
        write_beir(SET, path)
    elif name.startswith("set"):
        write_eval_set(SET, path)
    else:
        write_qrels(Qrels.from_dict(JUDGED), path)
    return path


@pytest.mark.parametrize(
    "judgments",
    ["q.qrels", "q.csv", "q.tsv", "q.json", "q.parquet", "q.qrels.gz", "beir", "set.jsonl", "set.json", "set.csv"],
)  # fmt: skip
@pytest.mark.parametrize("results", ["r.run", "r.csv", "r.tsv", "r.json", "r.parquet", "r.json.zst"])
def test_figures_do_not_depend_on_the_form_of_files(judgments: str, results: str, tmp_path: Path) -> None:
    expected = score(JUDGED, FOUND, MEASURES)
    path = tmp_path / results
    write_run(Run.from_dict(FOUND), path)
    found = score(write_judgments(tmp_path, judgments), path, MEASURES)
    assert {name: mean.mean for name, mean in found.means.items()} == {
        name: mean.mean for name, mean in expected.means.items()
    }
    assert found.run == ("run" if results == "r.run" else results)


def test_trec_runs_are_left_to_the_reader_that_streams(tmp_path: Path) -> None:
    for name, is_trec in (("r.run", True), ("r.run.gz", True), ("r.csv", False), ("r.json", False)):
        form = Form.TREC if is_trec else None
        write_run(Run.from_dict(FOUND), tmp_path / name, form=form)
        assert (load_other_run(tmp_path / name, ReadOptions()) is None) == is_trec
    (tmp_path / "three.run").write_text("q1 d1 2\n# a comment\nq1 d2 1\n")
    assert load_other_run(tmp_path / "three.run", ReadOptions()) is None


def test_ids_are_normalised_in_files_and_in_dicts(tmp_path: Path) -> None:
    padded = {
        f"Q0{query[1:]}": {f"doc/{d}.md": s for d, s in found.items()} for query, found in FOUND.items()
    }
    write_run(Run.from_dict(padded), tmp_path / "r.csv")
    write_qrels(Qrels.from_dict(JUDGED), tmp_path / "q.json")
    steps = ["queries=case,zeros", "targets=folder,extension"]
    expected = score(JUDGED, FOUND, MEASURES)
    for qrels, run in (
        (tmp_path / "q.json", tmp_path / "r.csv"),
        (JUDGED, padded),
        (Qrels.from_dict(JUDGED), padded),
    ):
        found = score(qrels, run, MEASURES, normalise=steps)
        assert found.means == expected.means
    with pytest.raises(
        CannotMeasureError, match=r"--normalise 'queries=case,zeros' would join 2 of 2 judged queries, not 0"
    ):
        score(JUDGED, padded)


def test_columns_that_are_named_count_for_every_file(tmp_path: Path) -> None:
    (tmp_path / "q.csv").write_text("query_id,doc_id,docno,relevance\nq1,x,d1,1\n")
    (tmp_path / "r.csv").write_text("query_id,doc_id,docno,score\nq1,x,d1,0.5\n")
    with pytest.raises(InputError, match=r"2 columns could be the target. Say which: --column target=doc_id"):
        score(tmp_path / "q.csv", tmp_path / "r.csv")
    reading = ReadOptions(columns={Role.TARGET: "docno"})
    assert score(tmp_path / "q.csv", tmp_path / "r.csv", "RR", reading=reading)["RR"] == 1.0


def test_judgments_where_a_run_is_expected_are_named(tmp_path: Path) -> None:
    path = write_judgments(tmp_path, "q.qrels")
    with pytest.raises(InputError) as caught:
        score(JUDGED, path)
    assert str(caught.value) == (
        f"{path} is qrels (columns of TREC qrels: query, 0, target, grade); expected a run. "
        f"To see more: rankle inspect {path}"
    )


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="has no named pipes")
def test_pipes_are_scored(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    text = "q1 Q0 d1 1 2.0 t\nq2 Q0 d7 1 1.0 t\n"
    writer = threading.Thread(target=lambda: pipe.write_text(text))
    writer.start()
    assert score(JUDGED, pipe, "RR")["RR"] == 0.5
    writer.join()


def test_a_column_of_scores_concerns_the_run_alone(tmp_path: Path) -> None:
    (tmp_path / "q.csv").write_text("query_id,doc_id,relevance\nq1,d1,1\nq1,d2,0\n")
    (tmp_path / "r.csv").write_text("query_id,doc_id,bm25\nq1,d2,0.2\nq1,d1,7.5\n")
    with pytest.raises(InputError, match="--column score=NAME"):
        score(tmp_path / "q.csv", tmp_path / "r.csv")
    reading = ReadOptions(columns={Role.SCORE: "bm25"})
    assert score(tmp_path / "q.csv", tmp_path / "r.csv", "RR", reading=reading)["RR"] == 1.0
    (tmp_path / "q.qrels").write_text("q1 0 d1 1\nq1 0 d2 0\n")
    assert score(tmp_path / "q.qrels", tmp_path / "r.csv", "RR", reading=reading)["RR"] == 1.0


@pytest.mark.parametrize(("order", "expected"), [("rank", 0.5), ("score", 1.0), ("file", 0.5)])
def test_what_orders_a_run_can_be_said(order: str, expected: float, tmp_path: Path) -> None:
    reading = ReadOptions(order=Order(order))
    six = tmp_path / "six.run"
    six.write_text("q1 Q0 d2 1 0.2 t\nq1 Q0 d1 2 0.5 t\n")
    assert score({"q1": {"d1": 1}}, six, "RR", reading=reading)["RR"] == expected
    three = tmp_path / "three.run"
    three.write_text("q1 d2 7\nq1 d1 9\n")
    assert score({"q1": {"d1": 1}}, three, "RR", reading=reading)["RR"] == expected
