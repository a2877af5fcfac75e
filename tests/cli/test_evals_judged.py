"""Recorded runs of evals at the commands that judge, keep and compare runs."""

from pathlib import Path

import pytest

from fakes.command import fail, rankle, succeed
from fakes.evals_runs import case_report, eval_summary, evals_run
from fakes.recorded_evals import done, plan, record_evals
from fakes.schemas import valid_json
from rankle.core.trials import TrialReport
from rankle.harness.evals.keeping import Place
from rankle.reports.evals_json import evals_json

SEARCH, ANSWERS, OTHER = (f"evals/search_eval.py::{name}" for name in ("Vector search", "Answers", "Other"))
N = 20


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RANKLE_RECORDS", str(tmp_path / ".rankle" / "records.db"))
    return tmp_path


def record(*keys: str, wrong: int = 0) -> str:
    """A run of evals with 20 cases each, of which the first so many are wrong. Returns its id."""

    def answer(place: Place) -> TrialReport:
        return done(place[1], value=float(place[0] >= wrong))

    path = Path(".rankle/records.db").absolute()
    path.parent.mkdir(exist_ok=True)
    return record_evals(path, *(plan(N, key=key) for key in keys), answer=answer)


def save(name: str, **sizes: int) -> None:
    """A file of a run of evals: name of each to the number of its cases."""
    evals = []
    for place, (title, size) in enumerate(sizes.items()):
        cases = [case_report(number, {"exact": 1.0}) for number in range(size)]
        fingerprint = f"{size:064d}"
        evals.append((eval_summary(title, cases, id=f"{name}{place}", data_fingerprint=fingerprint), cases))
    Path(name).write_bytes(b"".join(evals_json(evals_run(*evals))))


def project(text: str) -> None:
    Path("rankle.toml").write_text(text, encoding="utf-8")


@pytest.mark.parametrize(
    "name",
    ["Vector search", "evals/search_eval.py::Vector search", "evals/queries.json"],
    ids=["name", "key", "data"],
)
def test_a_gate_names_an_eval_as_its_set_and_scorers_as_measures(name: str) -> None:
    record(SEARCH, wrong=4)
    project(f'[[gates]]\nset = "{name}"\nfloors = {{ "exact" = 0.9 }}')
    outcome = rankle("gate", "latest")
    assert outcome.code == 1
    assert outcome.out.startswith("Gate rankle.toml: evals/search_eval.py::Vector search, method task, run")
    assert "BROKEN             exact at least 0.9\n" in outcome.out
    assert "0.800 over 20 cases" in outcome.out
    assert "failed cases at most 0" in outcome.out
    assert "labels" not in outcome.out


def test_every_eval_of_a_run_is_judged_by_its_own_gate() -> None:
    record(SEARCH, ANSWERS, OTHER, wrong=4)
    project(
        '[[gates]]\nset = "Vector search"\nfloors = { "exact" = 0.7 }\n'
        '[[gates]]\nset = "Answers"\nfloors = { "exact" = 0.9 }'
    )
    outcome = rankle("gate", "latest")
    assert outcome.code == 1
    assert outcome.out.count("Gate rankle.toml: evals/search_eval.py::") == 2
    assert outcome.out.endswith("No gate speaks of: evals/search_eval.py::Other\n")
    found = valid_json(rankle("gate", "latest", "--json").out)
    assert [gate["verdict"] for gate in found["gates"]] == ["passed", "broken"]
    assert (found["exit_code"], found["without_gate"]) == (1, [OTHER])
    assert rankle("gate", "latest", "--format", "junit").out.count("<testsuite ") == 2
    assert "No gate speaks of: evals/search" in rankle("gate", "latest", "--format", "markdown").out


def test_one_eval_of_a_run_is_judged_alone() -> None:
    record(SEARCH, ANSWERS, wrong=4)
    project('[[gates]]\nset = "Answers"\nfloors = { "exact" = 0.7 }')
    assert valid_json(succeed("gate", "latest#Answers", "--json"))["schema"] == "rankle.gate/1"
    assert 'no gate of rankle.toml is for "Vector search"; there are' in fail("gate", "latest#Vector search")


def test_a_scorer_that_the_eval_lacks_could_not_be_measured_and_the_nearest_is_told() -> None:
    record(SEARCH)
    project('[gates.floors]\n"exakt" = 0.9')
    outcome = rankle("gate", "latest")
    assert outcome.code == 2
    words = " ".join(outcome.out.split())
    assert "the eval has no scorer exakt, only exact; did you mean exact?" in words


def test_a_baseline_of_an_eval_holds_back_a_drop() -> None:
    record(SEARCH)
    assert "(20 cases)" in succeed("baseline", "set", "latest")
    assert "exact" in succeed("baseline", "show")
    record(SEARCH, wrong=10)
    project('[gates]\nbaseline = "main"\n[gates.no_regression]\n"exact" = 0.05')
    outcome = rankle("gate", "latest")
    assert outcome.code == 1
    assert "1.000 before, 0.500 now: −0.500 over 20 cases" in " ".join(outcome.out.split())


def test_a_baseline_without_rules_holds_every_scorer() -> None:
    first = record(SEARCH, ANSWERS)
    record(SEARCH, ANSWERS, wrong=10)
    outcome = rankle("gate", "latest", "--baseline", first)
    assert outcome.code == 1
    assert outcome.out.count("exact drops by at most 0.02") == 2


def test_other_cases_than_those_of_the_baseline_could_not_be_measured() -> None:
    save("before.json", Answers=N)
    save("after.json", Answers=N - 1)
    succeed("baseline", "set", "before.json")
    project('[gates]\nbaseline = "main"\n[gates.no_regression]\n"exact" = 0.05')
    outcome = rankle("gate", "after.json")
    assert outcome.code == 2
    assert "the baseline main has other cases (fingerprint" in " ".join(outcome.out.split())


def test_whole_runs_are_compared_eval_by_eval_and_those_in_one_only_are_named() -> None:
    record(SEARCH, ANSWERS)
    record(ANSWERS, SEARCH, OTHER, wrong=10)
    text = succeed("compare", "latest~1", "latest")
    assert [line for line in text.splitlines() if line.startswith("Comparison: ")] == [
        "Comparison: evals/search_eval.py::Vector search (20 cases)",
        "Comparison: evals/search_eval.py::Answers (20 cases)",
    ]
    assert text.endswith("Only in latest: evals/search_eval.py::Other\n")
    assert "A = latest~1#Answers: task" in text
    found = valid_json(succeed("compare", "latest~1", "latest", "--json"))
    assert [one["pairs"][0]["measures"][0]["difference"] for one in found["comparisons"]] == [-0.5, -0.5]
    assert found["unpaired"] == [{"eval": OTHER, "runs": ["latest"]}]


def test_one_eval_of_each_run_is_compared_as_any_two_runs_are() -> None:
    record(SEARCH, ANSWERS)
    record(SEARCH, ANSWERS, wrong=10)
    found = valid_json(succeed("compare", "latest~1#Answers", "latest#Answers", "--json"))
    assert found["schema"] == "rankle.compare/1"
    assert found["n_queries"] == N


def test_evals_in_no_common_run_are_no_comparison() -> None:
    record(SEARCH, ANSWERS)
    record(OTHER)
    assert "have no eval in common" in fail("compare", "latest~1", "latest")


def test_an_eval_whose_data_changed_is_told_of_beside_those_that_are_compared() -> None:
    save("before.json", Search=N, Answers=N)
    save("after.json", Search=N, Answers=N - 1)
    outcome = rankle("compare", "before.json", "after.json")
    assert outcome.code == 2
    assert "Comparison: evals/search_eval.py::Search (20 cases)" in outcome.out
    words = " ".join(outcome.out.split())
    assert "Not compared: evals/search_eval.py::Answers: these runs cannot be compared" in words
    assert "19 in common, of 20 and 19" in words
    assert valid_json(rankle("compare", "before.json", "after.json", "--json").out)["refused"]


@pytest.mark.parametrize("command", ["compare", "gate", "baseline set"])
def test_an_eval_that_a_file_does_not_hold_is_told_with_those_that_it_does(command: str) -> None:
    save("run.json", Search=N, Answers=N)
    runs = ["run.json#Serch", "run.json#Answers"][: 2 if command == "compare" else 1]
    error = fail(*command.split(), *runs)
    assert 'unknown eval in run.json "Serch"; did you mean "Search"' in error


def test_a_command_that_takes_one_run_wants_one_eval() -> None:
    save("run.json", Search=N, Answers=N)
    error = fail("baseline", "set", "run.json")
    assert '"run.json" holds 2 evals; name one of them: run.json#Search, run.json#Answers' in error
