"""`rankle gate RUN` at the command line: verdicts as exit codes, and the words for what cannot be judged."""

import json
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from xml.etree import ElementTree as ET

import jsonschema
import pytest

from fakes.command import fail, rankle, succeed
from fakes.gates import run_of
from rankle.core.run import RunReport
from rankle.reports.json import write_json

GOOD = [0.9, 0.8, 1.0, 0.7, 0.9, 0.8, 1.0, 0.9]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def save(name: str, scores: Sequence[float | None], run: str = "0123456789ab") -> RunReport:
    made = run_of({"nDCG@10": scores, "Hit@10": [None if one is None else 1.0 for one in scores]}, id=run)
    write_json(Path(name), [made])
    return made


def project(text: str, name: str = "rankle.toml") -> None:
    Path(name).write_text(text, encoding="utf-8")


FLOOR = '[gates.floors]\n"nDCG@10" = '


@pytest.mark.parametrize(
    ("floor", "scores", "code", "end"),
    [
        ("0.8", GOOD, 0, "Passed. 3 rules: 3 passed. Exit code 0.\n"),
        ("0.9", GOOD, 1, "Broken. 3 rules: 2 passed, 1 broken. Exit code 1.\n"),
        ("0.8", GOOD[:5], 2, "Could not measure. 3 rules: 2 passed, 1 could not be measured. Exit code 2.\n"),
        ("0.95", [*GOOD, None], 2, "1 passed, 1 broken, 1 could not be measured. Exit\n  code 2.\n"),
    ],
    ids=["passed", "broken", "too few queries", "a failure outranks a broken floor"],
)
def test_the_exit_code_is_the_verdict(floor: str, scores: list[float | None], code: int, end: str) -> None:
    save("run.json", scores)
    project(FLOOR + floor)
    outcome = rankle("gate", "run.json")
    assert (outcome.code, outcome.err) == (code, "")
    assert outcome.out.endswith(end)


def test_the_json_has_the_same_verdict_and_follows_its_schema() -> None:
    save("run.json", GOOD)
    project(FLOOR + "0.9")
    outcome = rankle("gate", "run.json", "--json")
    value = json.loads(outcome.out)
    schema = files("rankle.reports").joinpath("schemas", "gate-1.json").read_text(encoding="utf-8")
    jsonschema.validate(value, json.loads(schema))
    assert (outcome.code, value["exit_code"], value["verdict"]) == (1, 1, "broken")
    assert value["rules"][2]["value"] == pytest.approx(0.875)


def test_gates_stand_in_pyproject_as_well_and_are_found_from_below(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save("run.json", GOOD)
    project('[tool.rankle.gates.floors]\n"nDCG@10" = 0.9\n', "pyproject.toml")
    (folder / "deep" / "er").mkdir(parents=True)
    monkeypatch.chdir(folder / "deep" / "er")
    outcome = rankle("gate", folder / "run.json")
    assert outcome.code == 1
    assert f"Gate {folder / 'pyproject.toml'}: set" in outcome.out


def test_a_set_has_its_own_gate() -> None:
    save("run.json", GOOD)  # of a set named "set"
    other = '[[gates]]\nset = "other.jsonl"\nfloors = { "nDCG@10" = 0.99 }\n'
    project(f'{other}[[gates]]\nname = "mine"\nset = "set"\nfloors = {{ "nDCG@10" = 0.8 }}')
    assert succeed("gate", "run.json").startswith("Gate mine: set, ")
    project(other)
    message = fail("gate", "run.json")
    assert 'no gate of rankle.toml is for "set"; there are gates for "other.jsonl"' in message
    assert 'Write one with set = "set", or one without set' in message


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "there are no gates. Write some into rankle.toml"),
        ("[gates]", "rankle.toml: the gates ask for no figure. Add a rule"),
        ("[gates]\nmax_failures = 3", "rankle.toml: the gates ask for no figure"),
        ("[gates.floor]", 'unknown key in rankle.toml: gates: "floor"; did you mean "floors"?'),
        ("[gate]", 'rankle.toml: "gate"; did you mean "gates"?'),
        ('[gates.floors]\n"nDGC@10" = 0.7', 'unknown measure "nDGC@10"; did you mean "nDCG@10"?'),
        ("[gates.floors]\nnDCG@10 = 0.7", 'Measures stand in quotes: "nDCG@10" = 0.7'),
        ('[gates]\n"nDCG@10" = 0.7', 'Floors of measures stand under [gates.floors], as "nDCG@10" = 0.7'),
        (FLOOR + "70", 'For 70 % write 0.7 or "70 %"'),
    ],
)
def test_gates_that_cannot_be_used_end_with_2_and_say_why(text: str, words: str) -> None:
    save("run.json", GOOD)
    project(text)
    assert words in fail("gate", "run.json")


@pytest.mark.parametrize(("phase", "code"), [("mvp", 0), ("beta", 0), ("ga", 1), ("87", 0), ("88", 1)])
def test_a_phase_needs_no_project_file(phase: str, code: int) -> None:
    """Seven of eight queries find something in the first ten: 87.5 %."""
    write_json(Path("run.json"), [run_of({"Hit@10": [1.0] * 7 + [0.0]})])
    outcome = rankle("gate", "run.json", "--phase", phase)
    assert (outcome.code, outcome.err) == (code, "")


@pytest.mark.parametrize(
    ("phase", "words"), [("0.8", "Was 80 % meant?"), ("betta", 'did you mean "beta"'), ("", "mvp (70 %)")]
)
def test_a_phase_that_is_none_is_refused(phase: str, words: str) -> None:
    save("run.json", GOOD)
    assert words in fail("gate", "run.json", "--phase", phase)


def test_failures_can_be_accepted_on_the_command_line() -> None:
    save("run.json", [*GOOD, None])
    project(FLOOR + "0.8")
    assert rankle("gate", "run.json").code == 2
    assert rankle("gate", "run.json", "--max-failures", "1").code == 0


def test_a_run_is_held_against_a_baseline_that_was_set_before() -> None:
    save("before.json", GOOD, run="ba5e11ba5e11")
    save("run.json", [score - 0.1 for score in GOOD])
    project('[gates]\nbaseline = "main"\n[gates.no_regression]\n"nDCG@10" = 0.05')
    missing = rankle("gate", "run.json")
    assert missing.code == 2
    assert "there is no baseline main yet" in missing.out
    succeed("baseline", "set", "before.json")
    broken = rankle("gate", "run.json")
    assert broken.code == 1
    assert "Baseline: main, run ba5e11ba5e11" in broken.out
    assert "0.875 before, 0.775 now: −0.100" in broken.out
    assert rankle("gate", "before.json").code == 0


@pytest.mark.parametrize("ref", ["main", "baselines/main.json", "before.json"])
def test_a_baseline_of_the_command_line_needs_no_rules(ref: str) -> None:
    save("before.json", GOOD, run="ba5e11ba5e11")
    save("run.json", [score - 0.1 for score in GOOD])
    succeed("baseline", "set", "before.json", "main")
    outcome = rankle("gate", "run.json", "--baseline", ref)
    assert (outcome.code, outcome.err) == (1, "")
    assert "nDCG@10 drops by at most 0.02" in outcome.out


def test_a_baseline_of_the_command_line_that_is_not_there_is_refused() -> None:
    save("run.json", GOOD)
    succeed("baseline", "set", "run.json", "main")
    assert 'unknown baseline "mian"; did you mean "main"?' in fail("gate", "run.json", "--baseline", "mian")


def test_a_baseline_of_another_set_could_not_be_measured_and_says_what_differs() -> None:
    save("before.json", GOOD)
    save("run.json", GOOD)
    succeed("baseline", "set", "before.json")
    path = Path("baselines/main.json")
    baseline = json.loads(path.read_text(encoding="utf-8"))
    baseline["set"]["fingerprint"] = "1" * 64
    baseline["queries_fingerprint"] = "abcdef" * 10 + "0000"
    baseline["depth"] = 50
    path.write_text(json.dumps(baseline), encoding="utf-8")
    outcome = rankle("gate", "run.json", "--baseline", "main")
    assert outcome.code == 2
    words = " ".join(outcome.out.split())
    assert "other queries (fingerprint abcdefabcdef, now " in words
    assert "another depth (50, now 100)" in words


def test_a_baseline_that_names_unknown_measures_is_refused() -> None:
    save("run.json", GOOD)
    succeed("baseline", "set", "run.json")
    path = Path("baselines/main.json")
    path.write_text(path.read_text(encoding="utf-8").replace("nDCG@10", "nDGC@10"), encoding="utf-8")
    message = fail("gate", "run.json", "--baseline", "main")
    assert 'unknown measure "nDGC@10"; did you mean "nDCG@10"' in message


def test_a_list_of_protected_targets_may_stand_in_a_file() -> None:
    save("run.json", GOOD)
    Path("protected.txt").write_text("# the important ones\na.md\n\n", encoding="utf-8")
    project('[gates.protected]\nfile = "protected.txt"')
    outcome = rankle("gate", "run.json")
    assert outcome.code == 2
    assert "no query of the set needs a.md" in outcome.out
    project('[gates.protected]\nfile = "gone.txt"')
    assert "gone.txt cannot be read" in fail("gate", "run.json")


def test_a_run_that_is_not_there_ends_with_2() -> None:
    project(FLOOR + "0.8")
    assert "run.json" in fail("gate", "run.json")


@pytest.mark.parametrize("form", ["text", "json", "markdown", "junit"])
def test_each_format_has_every_rule_and_the_same_exit_code(form: str) -> None:
    save("run.json", GOOD)
    project(f'{FLOOR}0.9\n"Hit@10" = 0.5\n"R@10" = 0.5')
    outcome = rankle("gate", "run.json", "--format", form)
    assert outcome.code == 2
    words = " ".join(outcome.out.split())
    for rule in json.loads(rankle("gate", "run.json", "--json").out)["rules"]:
        assert rule["rule"] in words


def test_junit_fails_what_is_broken_and_errs_where_nobody_can_say() -> None:
    save("run.json", GOOD)
    project(f'{FLOOR}0.9\n"Hit@10" = 0.5\n"R@10" = 0.5')
    (suite,) = ET.fromstring(rankle("gate", "run.json", "--format", "junit").out)
    ends = {case.get("name"): [child.tag for child in case] for case in suite.iter("testcase")}
    assert ends == {
        "failed queries at most 0": [],
        "labels that name nothing in the index at most 0": [],
        "nDCG@10 at least 0.9": ["failure"],
        "Hit@10 at least 0.5": [],
        "R@10 at least 0.5": ["error"],
    }
    assert [suite.get(name) for name in ("tests", "failures", "errors")] == ["5", "1", "1"]


def test_the_summary_of_a_job_has_the_broken_rules_first(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save("run.json", GOOD)
    project(f"{FLOOR}0.9", "rankle.toml")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(folder / "summary.md"))
    outcome = rankle("gate", "run.json", "--github")
    assert outcome.code == 1
    lines = (folder / "summary.md").read_text(encoding="utf-8").splitlines()
    assert lines[0] == "## Gate: broken"
    first = lines[lines.index("| --- | --- | --- |") + 1]
    assert first.startswith("| **BROKEN** | nDCG@10 at least 0.9 | 0.875 over 8 queries")
