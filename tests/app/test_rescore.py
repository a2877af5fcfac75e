"""Scoring again what was measured before: what of a run can be made, and what is said where it cannot."""

from pathlib import Path

import pytest

from fakes.evals_runs import plain_run
from fakes.hand_worked import RECORDS, scripted_system
from rankle.app.evaluate import evaluate
from rankle.app.rescore import rescore, with_measures
from rankle.core.errors import CannotMeasureError
from rankle.metrics.measure import parse_measures
from rankle.reports.evals_as_run import evals_as_runs
from rankle.reports.json import write_json


def test_a_run_is_given_the_measures_that_can_be_made(tmp_path: Path) -> None:
    """infAP is in no file, and nothing is as deep as nDCG@500."""
    run = evaluate(RECORDS, system=scripted_system(), measures="nDCG@3")
    write_json(tmp_path / "run.json", [run])
    ref = str(tmp_path / "run.json")
    assert list(with_measures(run, ref, parse_measures("AP,nDCG@500")).measures) == ["nDCG@3", "AP"]
    assert with_measures(run, ref, parse_measures("AP,infAP")) == run
    assert with_measures(run, "not looked at", parse_measures("nDCG@3")) is run


def test_a_run_of_an_eval_has_no_ranked_results_to_score(tmp_path: Path) -> None:
    (run,) = evals_as_runs(plain_run())
    write_json(tmp_path / "run.json", [run])
    with pytest.raises(
        CannotMeasureError, match=r"run\.json is a run of an eval, whose scores are not made of"
    ):
        rescore(str(tmp_path / "run.json"), "R@1")
    assert with_measures(run, str(tmp_path / "run.json"), parse_measures("R@1")) == run
