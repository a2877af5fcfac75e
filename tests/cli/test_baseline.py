"""`rankle baseline set|show|list` at the command line."""

import json
from importlib.resources import files
from pathlib import Path

import jsonschema
import pytest

from fakes.command import fail, rankle, succeed
from fakes.gates import run_of
from rankle.core.run import LabelReport
from rankle.reports.json import write_json

SCORES = {"nDCG@10": [0.9, 0.8, 0.7, 0.9, 0.6, 0.7], "RR@10": [1.0, 1.0, 0.5, 1.0, 0.5, 0.5]}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write_json(tmp_path / "run.json", [run_of(SCORES, id="ba5e11ba5e11")])
    return tmp_path


def test_set_show_and_list_tell_of_the_same_run() -> None:
    assert succeed("baseline", "list") == "No baselines in baselines. Set one: rankle baseline set RUN\n"
    assert succeed("baseline", "set", "run.json") == (
        "Set baseline main: baselines/main.json (6 queries)\n"
        "Commit the file, so that CI holds runs against it.\n"
    )
    shown = succeed("baseline", "show")
    assert "  Run        ba5e11ba5e11 of 2026-11-30T09:00:00Z" in shown
    assert "NDCG            0.767\n" in shown
    assert "main            ba5e11ba5e11  2026-11-30T09:00:00Z  set, hybrid\n" in succeed("baseline", "list")


def test_the_json_is_the_file_and_follows_its_schema(folder: Path) -> None:
    succeed("baseline", "set", "run.json", "release-2")
    text = succeed("baseline", "show", "release-2", "--json")
    assert text == (folder / "baselines" / "release-2.json").read_text(encoding="utf-8")
    schema = files("rankle.reports").joinpath("schemas", "baseline-1.json").read_text(encoding="utf-8")
    jsonschema.validate(json.loads(text), json.loads(schema))
    (listed,) = json.loads(succeed("baseline", "list", "--json"))["baselines"]
    assert (listed["name"], listed["n_queries"]) == ("release-2", 6)
    assert listed["measures"]["nDCG@10"] == pytest.approx(4.6 / 6)


def test_the_project_says_which_baseline_and_where(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "rankle.toml").write_text('[gates]\nbaseline = "ci/search.json"\n', encoding="utf-8")
    (folder / "below").mkdir()
    monkeypatch.chdir(folder / "below")
    succeed("baseline", "set", "../run.json")
    assert json.loads((folder / "ci" / "search.json").read_text(encoding="utf-8"))["name"] == "search"
    assert succeed("baseline", "show").startswith("Baseline search\n")


def save_worse(path: str = "worse.json") -> None:
    worse = {**SCORES, "nDCG@10": [0.5] * 6}
    write_json(Path(path), [run_of(worse, id="0123456789ab")])


def test_a_worse_run_asks_first_and_nothing_is_changed_where_nobody_answers(folder: Path) -> None:
    succeed("baseline", "set", "run.json")
    before = (folder / "baselines" / "main.json").read_bytes()
    save_worse()
    message = fail("baseline", "set", "worse.json")
    assert "it is worse than the one that is there: nDCG@10 from 0.767 to 0.500" in message
    assert "add --yes" in message
    assert (folder / "baselines" / "main.json").read_bytes() == before
    assert succeed("baseline", "set", "worse.json", "--yes").startswith("Replaced baseline main: ")
    assert '"run": "0123456789ab"' in (folder / "baselines" / "main.json").read_text(encoding="utf-8")


def test_a_better_run_needs_no_answer() -> None:
    save_worse()
    succeed("baseline", "set", "worse.json")
    succeed("baseline", "set", "run.json")


def test_worse_is_by_what_the_gates_hold_against_the_baseline(folder: Path) -> None:
    text = '[gates]\nbaseline = "main"\n[gates.no_regression]\n"RR@10" = 0.02\n'
    (folder / "rankle.toml").write_text(text, encoding="utf-8")
    succeed("baseline", "set", "run.json")
    save_worse()
    succeed("baseline", "set", "worse.json")


def test_failures_stale_labels_and_other_sets_ask_first() -> None:
    failed = run_of({"nDCG@10": [0.9, None]}, labels=LabelReport(n_labels=4, n_joined=3, unknown=["gone.md"]))
    write_json(Path("failed.json"), [failed])
    message = fail("baseline", "set", "failed.json")
    assert "the system failed on 1 of 2 queries; 1 of 4 labels name nothing in the index" in message
    succeed("baseline", "set", "run.json")
    write_json(Path("deep.json"), [run_of(SCORES, depth=10)])
    assert "another depth (100, now 10)" in fail("baseline", "set", "deep.json")


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("show", "mian"), 'unknown baseline "mian"; did you mean "main"?'),
        (("show", "../main"), "a baseline is named by letters"),
        (("set", "run.json", "a/b"), "a baseline is named by letters"),
        (("set", "gone.json"), "gone.json"),
        (("st",), 'did you mean "set"'),
    ],
)
def test_wrong_names_are_refused(args: tuple[str, ...], words: str) -> None:
    succeed("baseline", "set", "run.json")
    assert words in fail("baseline", *args)


def test_a_file_that_is_no_baseline_is_never_written_over(folder: Path) -> None:
    (folder / "baselines").mkdir()
    (folder / "baselines" / "main.json").write_text("{}", encoding="utf-8")
    assert "is no baseline" in fail("baseline", "set", "run.json", "--yes")
    assert rankle("baseline", "list").code == 2
    assert (folder / "baselines" / "main.json").read_text(encoding="utf-8") == "{}"


def test_one_file_that_is_no_baseline_hides_no_other_from_the_list(folder: Path) -> None:
    succeed("baseline", "set", "run.json")
    (folder / "baselines" / "broken.json").write_text("{", encoding="utf-8")
    for form in ([], ["--json"]):
        outcome = rankle("baseline", "list", *form)
        assert outcome.code == 2
        assert "ba5e11ba5e11" in outcome.out
        assert "broken.json is no baseline" in outcome.err
    assert 'did you mean "main"?' in fail("baseline", "show", "mian")
