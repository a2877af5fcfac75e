"""The file of a baseline: read back as written, readable in a diff, refused where it is anything else."""

import json
from pathlib import Path

import pytest

from fakes.gates import run_of
from rankle.core.errors import InputError, MeasureError
from rankle.gates.baselines import baseline_of, read_baseline, render_baseline, worse_than, write_baseline

RUN = run_of({"nDCG@10": [0.25, 1 / 3, None], "RR": [1.0, 0.5, None]})


def test_a_baseline_is_read_back_as_it_was_written(tmp_path: Path) -> None:
    baseline = baseline_of(RUN, name="main")
    write_baseline(tmp_path / "baselines" / "main.json", baseline)
    assert read_baseline(tmp_path / "baselines" / "main.json") == baseline
    assert (baseline.n_failed, baseline.queries[1].scores["nDCG@10"]) == (1, 1 / 3)
    assert baseline.queries[2].scores == {}


def test_every_query_has_a_line_of_its_own() -> None:
    text = render_baseline(baseline_of(RUN, name="main"))
    assert json.loads(text)["schema"] == "rankle.baseline/1"
    assert '    {"id":"q0","scores":{"nDCG@10":0.25,"RR":1.0}},\n    {"id":"q1",' in text
    assert text.endswith('    {"id":"q2","scores":{}}\n  ]\n}\n')


def test_a_query_that_looks_like_the_end_of_the_file_does_no_harm() -> None:
    run = run_of({"nDCG@10": [0.25]}, notices=['"queries": []'])
    text = render_baseline(baseline_of(run, name='"queries": []'))
    assert json.loads(text)["name"] == '"queries": []'
    assert len(json.loads(text)["queries"]) == 1


@pytest.mark.parametrize("text", ["", "{}", '{"schema": "rankle.baseline/1"}', '{"schema": "rankle.run/1"}'])
def test_what_is_no_baseline_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "main.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=r"main.json is no baseline \(.*baseline set RUN main$"):
        read_baseline(path)


def test_a_baseline_of_a_newer_version_says_so_and_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "main.json"
    text = render_baseline(baseline_of(RUN, name="main")).replace("rankle.baseline/1", "rankle.baseline/2")
    path.write_text(text, encoding="utf-8")
    with pytest.raises(
        InputError,
        match=r"main.json is of a newer version .*rankle.baseline/2.* pip install -U rankle; or set",
    ):
        read_baseline(path)


def test_a_baseline_with_unknown_measures_is_refused_with_suggestions(tmp_path: Path) -> None:
    path = tmp_path / "main.json"
    path.write_text(render_baseline(baseline_of(RUN, name="main")).replace("nDCG@10", "nDGC@10"))
    with pytest.raises(
        MeasureError, match=r'main.json: unknown measure "nDGC@10"; did you mean "nDCG@10"\? It was'
    ):
        read_baseline(path)


def test_a_missing_file_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read: No such file"):
        read_baseline(tmp_path / "main.json")


def test_worse_is_a_lower_mean_of_a_measure_that_both_have() -> None:
    baseline = baseline_of(run_of({"nDCG@10": [0.5], "RR": [0.5]}), name="main")
    run = run_of({"nDCG@10": [0.4999], "RR": [0.5], "AP": [0.0]})
    assert worse_than(run, baseline, ["nDCG@10", "RR", "AP"]) == ["nDCG@10 from 0.500 to 0.4999"]
