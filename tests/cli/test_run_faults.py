"""`rankle run` where evals are wrong: what runners are known to hide, and what becomes of it here."""

import json
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from fakes.command import enter_project, fail, rankle, succeed, write_files
from rankle.core.evals import EvalReport, EvalsReport
from rankle.reports.evals_json import parse_evals_json

HEAD = "import rankle, time\nfrom rankle.scorers import exact\n"


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return enter_project(tmp_path / "project", monkeypatch, {"rankle.toml": ""})


def ran(folder: Path, code: str, *args: str) -> EvalsReport:
    """What evals come to, whatever the exit code, which is that of the command."""
    write_files(folder, {"evals/some_eval.py": HEAD + code})
    outcome = rankle("run", "--json", *args)
    report = parse_evals_json(outcome.out)
    assert report.exit_code == outcome.code
    return report


def by_name(report: EvalsReport) -> dict[str, EvalReport]:
    return {one.name: one for one in report.evals}


def test_evals_of_one_name_are_both_listed_and_others_run(project: Path) -> None:
    code = """
for data in ([{"input": 1}], [{"input": 2}]):
    rankle.Suite("Same", data=data, task=str, scorers=[exact()])
rankle.Suite("Other", data=[{"input": 1, "expected": "1"}], task=str, scorers=[exact()])
"""
    report = ran(project, code)
    assert [(one.name, one.error is None) for one in report.evals] == [
        ("Same", False), ("Same", False), ("Other", True),
    ]  # fmt: skip
    assert report.exit_code == 2
    assert report.verdict == 'Could not run "Same".'
    assert by_name(report)["Other"].score == 1.0


SCORERS = """
def raises(context):
    raise RuntimeError("no such judge")

def nan(context):
    return float("nan")

def above(context):
    return 1.7

def below(context):
    return -0.1

def number_as_text(context):
    return "0.7"

def thing(context):
    return {"a": object}

def label(context):
    return "fine"

def none(context):
    return None

rankle.Suite(
    "Scorers", data=[{"input": 1, "expected": "1"}, {"input": 2, "expected": "2"}], task=str,
    scorers=[exact(), raises, nan, above, below, number_as_text, thing, label, none],
)
"""


def test_what_is_no_score_is_a_failure_of_its_scorer_alone(project: Path) -> None:
    report = ran(project, SCORERS)
    (one,) = report.evals
    failed = {"raises", "nan", "above", "below", "number_as_text", "thing"}
    scorers = {scorer.name: scorer for scorer in one.scorers}
    assert {name for name, scorer in scorers.items() if scorer.n_failed == 2} == failed
    assert all(scorers[name].mean is None for name in failed)
    assert (scorers["exact"].mean, scorers["label"].labels) == (1.0, {"fine": 2})
    assert scorers["none"].reasons == {"it gave None, without a reason": 2}
    assert (report.exit_code, report.verdict) == (2, "2 cases failed, where none may.")


def test_each_way_in_which_scorers_failed_is_told(project: Path) -> None:
    write_files(project, {"evals/some_eval.py": HEAD + SCORERS})
    said = " ".join(rankle("run").out.split())
    for words in (
        "2 cases, in scorer raises: RuntimeError: no such judge",
        'in scorer nan: InputError: scorer "nan" gave nan',
        'in scorer above: InputError: scorer "above" gave 1.7',
        "divide it by its maximum",
        'in scorer below: InputError: scorer "below" gave -0.1',
        "in scorer number_as_text: InputError: scorer \"number_as_text\" gave the text '0.7', not a number",
        "in scorer thing: InputError: scorer",
    ):
        assert words in said


@pytest.mark.parametrize(("allowed", "code"), [("", 2), (", allow_empty=True", 0)])
def test_a_function_that_gives_no_row_is_no_success_unless_it_may(
    project: Path, allowed: str, code: int
) -> None:
    report = ran(project, f'rankle.Suite("Empty", data=lambda: [], task=str, scorers=[exact()]{allowed})')
    assert report.exit_code == code
    assert (report.evals[0].error is None) is (code == 0)


def test_files_that_define_no_eval_are_no_success(project: Path) -> None:
    write_files(project, {f"evals/{name}_eval.py": "" for name in "abcd"})
    said = fail("run")
    assert "no eval is defined in evals/a_eval.py, evals/b_eval.py, evals/c_eval.py, …; write @rankle" in said


def test_a_threshold_that_is_reached_does_not_hide_that_cases_crashed(project: Path) -> None:
    code = """
def task(input):
    return {1: 1}[input]

rankle.Suite("Crash", data=[{"input": n, "expected": 1} for n in (1, 2)], task=task, scorers=[exact()],
             threshold=50)
"""
    report = ran(project, code)
    assert (report.evals[0].passed, report.evals[0].score, report.exit_code) == (True, 1.0, 2)


def test_a_scorer_of_the_whole_run_that_crashes_is_no_success(project: Path) -> None:
    code = """
@rankle.run_scorer("coverage")
def coverage(run):
    raise ValueError("no plan")

rankle.Suite(
    "Whole", data=[{"input": 1, "expected": "1"}], task=str, scorers=[exact()], run_scorers=[coverage],
)
"""
    report = ran(project, code)
    assert (report.exit_code, report.evals[0].score) == (2, 1.0)
    assert report.verdict == 'Scorer "coverage" of the whole run failed in "Whole".'
    lines = rankle("run", "-o", "out.xml").out.splitlines()
    assert [case.get("name") for case in ET.parse(project / "out.xml").iterfind(".//testcase[error]")] == [
        "whole run: coverage"
    ]
    assert "Whole run, coverage: failed, ValueError: no plan" in lines
    assert '      raise ValueError("no plan")' in lines


ROWS = """
@rankle.eval("Search", data={rows}, scorers=[exact()])
def {name}(input):
    return input
"""


def test_cases_are_compared_by_what_they_are_and_not_by_their_rows(project: Path) -> None:
    rows = [{"input": text, "expected": text if text in "abc" else "-"} for text in "abcdef"]
    first = ran(project, ROWS.format(rows=rows, name="search"))
    assert first.evals[0].score == 0.5
    moved = [{"input": "new", "expected": "-"}, *reversed(rows)]
    second = ran(project, ROWS.format(rows=moved, name="renamed"))
    (change,) = [scorer.change for scorer in second.evals[0].scorers]
    assert change is not None
    assert (change.n, change.before, change.now, change.difference) == (6, 0.5, 0.5, 0.0)


def test_identical_inputs_with_other_expectations_are_two_cases(project: Path) -> None:
    rows = [{"input": "a", "expected": "a"}, {"input": "a", "expected": "b"}]
    (one,) = ran(project, ROWS.format(rows=rows, name="search")).evals
    assert [case.score for case in one.cases] == [1.0, 0.0]
    assert len({case.id for case in one.cases}) == 2


NEVER = """
import asyncio

def blocks(input):
    while True:
        time.sleep(0.01)

async def waits(input):
    await asyncio.Event().wait()

for name, task in (("Blocks", blocks), ("Waits", waits), ("Fine", str)):
    rankle.Suite(name, data=[{"input": 1, "expected": "1"}], task=task, scorers=[exact()])
"""


def test_tasks_that_never_return_are_failures_and_the_command_ends(project: Path) -> None:
    report = ran(project, NEVER, "--timeout", "0.2")
    found = by_name(report)
    for name in ("Blocks", "Waits"):
        (trial,) = found[name].cases[0].trials
        assert (trial.status, found[name].score, found[name].n_failed) == ("timed out", None, 1)
    assert found["Fine"].score == 1.0
    assert (report.exit_code, report.verdict) == (2, "2 cases failed, where none may.")


LARGE = r"""
rankle.Suite(
    "Large",
    data=[{"input": "\U0001f469\u200d\U0001f680", "expected": "x"}],
    task=lambda input: input * 1_000_000 + "\ud83d \x00",
    scorers=[exact()],
)
"""


def test_emoji_and_outputs_of_megabytes_are_kept_whole_and_shown_cut(project: Path) -> None:
    saved = [f"out.{end}" for end in ("json", "md", "html", "csv", "xml")]
    report = ran(project, LARGE, *[f"-o{name}" for name in saved])
    output = report.evals[0].cases[0].trials[0].output
    assert output.startswith("\U0001f469\u200d\U0001f680" * 1_000_000)
    assert json.loads((project / "out.json").read_text(encoding="utf-8"))["evals"][0]["score"] == 0.0
    for name in saved[1:]:
        assert len((project / name).read_text(encoding="utf-8")) < 200_000, name
    shown = succeed("show", "latest")
    assert "\U0001f469\u200d\U0001f680" in shown
    assert len(shown) < 5_000
