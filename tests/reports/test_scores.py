"""Scores of recorded runs for people, and as trec_eval prints them."""

from pathlib import Path

import pytest

from rankle.app.score_runs import score_runs
from rankle.core.run import RunReport
from rankle.reports.scores import render_scores, render_trec, trec_name


def reports(folder: Path, names: list[str], measures: str = "RR,nDCG@10") -> list[RunReport]:
    (folder / "set.qrels").write_text("1 0 a 1\n2 0 b 1\n")
    paths = []
    for place, name in enumerate(names):
        path = folder / f"{place}.run"
        path.write_text(f"1 Q0 a 1 2 {name}\n2 Q0 b 1 1 {name}\n")
        paths.append(path)
    return score_runs(folder / "set.qrels", paths, measures)


def test_many_runs_take_several_tables_within_80_columns(tmp_path: Path) -> None:
    text = render_scores(reports(tmp_path, [f"system-{n}" for n in range(8)]))
    assert max(map(len, text.splitlines())) <= 80
    assert text.count("Measure ") == 2
    assert all(text.count(f"system-{n}") >= 1 for n in range(8))


def test_long_and_hostile_names_stay_on_one_line(tmp_path: Path) -> None:
    text = render_scores(reports(tmp_path, ["x" * 70, "red\x1b[31m"]))
    assert "\x1b" not in text
    assert f"{'x' * 9}…{'x' * 14}" in text


def test_a_mean_over_no_query_is_no_figure(tmp_path: Path) -> None:
    (tmp_path / "zero.qrels").write_text("1 0 a 0\n")
    (tmp_path / "a.run").write_text("1 Q0 a 1 2 x\n")
    (report,) = score_runs(tmp_path / "zero.qrels", [tmp_path / "a.run"], "RR")
    assert "RR              —" in render_scores([report])
    assert "mean of 0 queries, 1 undefined, left out" in render_scores([report])
    assert f"{'recip_rank':<22}\tall\tnan" in render_trec([report])


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("AP", "map"),
        ("AP@100", "map_cut_100"),
        ("nDCG", "ndcg"),
        ("nDCG@10", "ndcg_cut_10"),
        ("P@5", "P_5"),
        ("R@100", "recall_100"),
        ("Hit@5", "success_5"),
        ("RR", "recip_rank"),
        ("F1", "set_F"),
        ("SetP", "set_P"),
        ("RR@10", "RR@10"),
        ("F1@5", "F1@5"),
        ("P(rel=2)@5", "P(rel=2)@5"),
        ("nDCG(gain=exp2)@10", "nDCG(gain=exp2)@10"),
        ("RBP(p=0.8)", "RBP(p=0.8)"),
    ],
)
def test_trec_evals_names_stand_only_for_what_trec_eval_has(ours: str, theirs: str) -> None:
    assert trec_name(ours) == theirs
