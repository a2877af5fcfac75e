"""`rankle run`: evals from files to a table, a record and an exit code."""

import json
import re
import signal
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from fakes.command import enter_project, fail, rankle, start, succeed, write_files
from rankle.app.eval_runs import find_evals
from rankle.core.evals import EvalsReport
from rankle.reports.evals_json import parse_evals_json

UPPER = """
import rankle
from rankle.scorers import exact


@rankle.eval("Upper", data=[{"input": word, "expected": word.upper()} for word in "abcd"], scorers=[exact()])
def upper(input):
    return input.upper()
"""
LOWER = UPPER.replace("Upper", "Lower").replace("input.upper()", 'input.lower() if input != "d" else "D"')
CRASHING = UPPER.replace("Upper", "Crashing").replace("return input", "return {}[input]")
BROKEN = "import no_such_module_at_all"


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    files = {"rankle.toml": "", "evals/upper_eval.py": UPPER}
    return enter_project(tmp_path / "project", monkeypatch, files)


def ran(*args: str | Path) -> EvalsReport:
    """What a run came to, whatever its exit code."""
    return parse_evals_json(rankle("run", "--json", *args).out)


def recorded(ref: str) -> EvalsReport:
    """What the records have of a run."""
    found = find_evals(ref)
    assert found is not None
    return found.report()


def test_evals_of_the_project_are_run_and_shown() -> None:
    shown = succeed("run")
    assert "Eval: Upper (evals/upper_eval.py:6)" in shown
    assert re.search(r"^exact +1\.000 ", shown, re.MULTILINE)
    assert re.search(r"Exit code 0\.\n\nRecorded as (\w{8})\. See it again: rankle show \1\n$", shown)


def test_missed_threshold_ends_with_1(project: Path) -> None:
    write_files(project, {"evals/lower_eval.py": LOWER})
    outcome = rankle("run", "evals/lower_eval.py", "--threshold", "70")
    assert outcome.code == 1
    assert '"Lower" scores 25.0 %, under its threshold of 70 %' in outcome.out


def test_share_where_a_percentage_is_meant_is_refused() -> None:
    assert "70" in fail("run", "--threshold", "0.7")


def test_crashed_cases_end_with_2_even_where_a_threshold_is_missed_too(project: Path) -> None:
    write_files(project, {"evals/crashing_eval.py": CRASHING, "evals/lower_eval.py": LOWER})
    outcome = rankle("run", "--threshold", "70")
    assert outcome.code == 2
    assert "KeyError" in outcome.out
    assert '"Lower" scores 25.0 %' in outcome.out


def test_all_cases_crashing_without_a_threshold_is_not_fine(project: Path) -> None:
    write_files(project, {"evals/crashing_eval.py": CRASHING})
    assert rankle("run", "evals/crashing_eval.py", "--max-failures", "100").code == 2


def test_file_that_throws_is_listed_and_others_run(project: Path) -> None:
    write_files(project, {"evals/broken_eval.py": BROKEN})
    outcome = rankle("run")
    assert outcome.code == 2
    assert "evals/broken_eval.py" in outcome.out
    assert "no_such_module_at_all" in outcome.out
    assert "Eval: Upper" in outcome.out


def test_one_eval_of_a_file_is_named(project: Path) -> None:
    write_files(project, {"evals/two_eval.py": UPPER + LOWER})
    report = ran("evals/two_eval.py::Lower")
    assert [one.name for one in report.evals] == ["Lower"]
    assert "did you mean" in fail("run", "evals/two_eval.py::Lowr")


def test_filter_and_tag_choose(project: Path) -> None:
    tagged = UPPER.replace("Upper", "Tagged").replace("scorers=", 'tags=["slow"], scorers=')
    write_files(project, {"evals/tagged_eval.py": tagged})
    assert [one.name for one in ran("--filter", "upp").evals] == ["Upper"]
    assert [one.name for one in ran("--tag", "slow").evals] == ["Tagged"]


def test_nothing_found_to_run_is_not_fine(project: Path) -> None:
    assert "There is: Upper" in fail("run", "--filter", "nothing has this")
    assert not (project / ".rankle").exists()


def test_evals_left_out_and_files_without_any_are_named(project: Path) -> None:
    skipped = UPPER.replace("Upper", "Later").replace("scorers=", "skip=True, scorers=")
    write_files(project, {"evals/later_eval.py": skipped, "evals/empty_eval.py": "import rankle"})
    shown = succeed("run")
    assert "Left out by their marks: Later" in shown
    assert "Define no eval: evals/empty_eval.py" in shown


def test_failing_and_errors_run_the_cases_of_before(project: Path) -> None:
    write_files(project, {"evals/lower_eval.py": LOWER, "evals/crashing_eval.py": CRASHING})
    first = ran()
    again = ran("--failing", first.id)
    assert {one.name: one.n_cases for one in again.evals} == {"Lower": 3, "Crashing": 4}
    assert {one.name: one.n_cases for one in ran("--errors", first.id).evals} == {"Crashing": 4}
    assert [one.is_full for one in again.evals if one.name == "Lower"] == [False]
    assert "give one of them" in fail("run", "--errors", "latest", "--failing", "latest")


def test_change_is_against_the_full_run_before(project: Path) -> None:
    write_files(project, {"evals/upper_eval.py": LOWER.replace("Lower", "Upper")})
    first = ran()
    ran("--filter", first.evals[0].cases[0].id if first.evals[0].cases else "")
    write_files(project, {"evals/upper_eval.py": UPPER})
    one = ran().evals[0]
    assert one.previous is not None
    assert one.previous.id == first.evals[0].id
    change = one.scorers[0].change
    assert change is not None
    assert (change.before, change.now, change.difference) == (0.25, 1.0, 0.75)


def test_unchanged_run_shows_no_change(project: Path) -> None:
    ran()
    change = ran().evals[0].scorers[0].change
    assert change is not None
    assert (change.before, change.now, change.difference) == (1.0, 1.0, 0.0)


def test_without_a_record_nothing_is_written(project: Path) -> None:
    succeed("run", "--no-record")
    assert not (project / ".rankle").exists()


def test_recorded_run_is_shown_again_as_it_was() -> None:
    report = ran()
    assert recorded(report.id) == report


def test_quiet_prints_a_line_an_eval_and_the_verdict(project: Path) -> None:
    lines = [line for line in succeed("run", "--quiet").splitlines() if line]
    assert len(lines) == 4
    assert lines[2].startswith("Upper")


def test_options_of_the_call_outrank_the_eval_which_outranks_the_project(project: Path) -> None:
    own = UPPER.replace("scorers=", "trials=3, scorers=")
    write_files(project, {"evals/own_eval.py": own, "rankle.toml": "[run]\ntrials = 2\n"})
    assert [one.trials for one in ran().evals] == [3, 2]
    assert [one.trials for one in ran("--trials", "4").evals] == [4, 4]


def test_keys_of_setup_files_are_in_no_record(project: Path) -> None:
    leaking = UPPER.replace("return input.upper()", 'import os; return os.environ["PLANTED"] + input')
    write_files(
        project,
        {
            "rankle.toml": '[run]\nsetup = [".env"]\n',
            ".env": "PLANTED=planted-0123456789\n",
            "evals/upper_eval.py": leaking,
        },
    )
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("PLANTED", "planted-0123456789")
        report = ran()
    kept = repr(recorded(report.id))
    assert "[withheld]a" in kept
    assert "planted-0123456789" not in kept
    assert b"planted-0123456789" not in (project / ".rankle" / "records.db").read_bytes()


def test_it_is_saved_in_every_format_that_a_name_tells(project: Path) -> None:
    names = ("out.json", "out.md", "out.csv", "out.xml", "out.html")
    succeed("run", *(part for name in names for part in ("--output", name)))
    begins = ['{\n  "schema": "rankle.evals/1"', "## Evals: ", "eval,case,", "<?xml", "<!doctype html>"]
    for name, begin in zip(names, begins, strict=True):
        assert (project / name).read_text(encoding="utf-8").startswith(begin)


def test_foreign_file_is_not_written_over(project: Path) -> None:
    write_files(project, {"notes.json": "mine"})
    assert "is not written over" in fail("run", "--output", "notes.json")
    assert not (project / ".rankle").exists(), "nothing was run"


def test_format_is_printed_alone(project: Path) -> None:
    assert succeed("run", "--format", "markdown").startswith("## Evals: ")
    assert succeed("run", "--format", "csv").startswith("eval,case,")


GATED = '[gates.floors]\n"exact" = 0.5\n'


PRINTING = """
import os
import rankle

print("printed while loading")


@rankle.scorer("chatty")
def chatty(context):
    print("printed by a scorer")
    return 1.0


@rankle.eval("Printing", data=[{"input": "a"}], scorers=[chatty])
def printing(input):
    print("printed by a task")
    os.system("echo printed by a child")


@rankle.eval("Given up", data=[{"input": "a"}], scorers=[chatty], timeout_s=0.1)
def given_up(input):
    while True:
        print("still here")
"""


@pytest.mark.parametrize("options", [("--json",), ("--format", "junit"), ("--quiet",)])
def test_what_evals_print_is_in_no_report(project: Path, options: tuple[str, ...]) -> None:
    write_files(project, {"evals/printing_eval.py": PRINTING})
    process = start("run", *options, "evals/printing_eval.py")
    out, err = process.communicate(timeout=60)
    by = ("while loading", "by a task", "by a scorer", "by a child")
    said = (*(f"printed {words}" for words in by), "still here")
    # The source of a crash may quote what would have been printed.
    assert not set(said) & set(out.splitlines())
    # A task that does nothing but print ends its lines in two steps, and other words come between.
    assert [words for words in said if words not in err] == []
    assert out[0] == {"--json": "{", "--quiet": "E"}.get(options[0], "<")


def test_gate_judges_each_eval(project: Path) -> None:
    rows = LOWER.replace('for word in "abcd"', 'for word in "abcdefgh"')
    write_files(project, {"evals/lower_eval.py": rows, "rankle.toml": GATED})
    outcome = rankle("run", "evals/lower_eval.py", "--gate")
    assert outcome.code == 1
    assert "broken" in outcome.out
    assert "Exit code 1, by the verdict of the gate." in " ".join(outcome.out.split())
    saved = [f"out.{end}" for end in ("xml", "md", "html", "csv")]
    as_json = rankle("run", "evals/lower_eval.py", "--gate", "--json", *[f"-o{name}" for name in saved])
    assert as_json.code == 1
    assert parse_evals_json(as_json.out).exit_code == 0
    gates = json.loads(as_json.out)["gates"]
    assert (gates["exit_code"], [one["verdict"] for one in gates["gates"]]) == (1, ["broken"])
    suites = ET.parse(project / "out.xml").getroot()
    (failure,) = suites.iter("failure")
    assert failure.attrib["message"].startswith("0.125 over 8 cases")
    assert "## Gate: broken" in (project / "out.md").read_text(encoding="utf-8")
    assert "<h2>Gate: broken</h2>" in (project / "out.html").read_text(encoding="utf-8")
    assert as_json.err == "Note: out.csv: a CSV of a run of evals has no place for the verdict of gates\n"
    as_csv = rankle("run", "evals/lower_eval.py", "--gate", "--format", "csv")
    assert (as_csv.out[:10], "broken" in as_csv.err) == ("eval,case,", True)


def test_baseline_is_the_run_before_this_one(project: Path) -> None:
    rows = UPPER.replace('for word in "abcd"', 'for word in "abcdefghijklmnop"')
    write_files(project, {"evals/upper_eval.py": rows})
    assert rankle("run", "--baseline", "latest").code == 2
    before = ran()
    write_files(project, {"evals/upper_eval.py": rows.replace("input.upper()", "input")})
    outcome = rankle("run", "--baseline", "latest")
    assert outcome.code == 1
    assert before.evals[0].id in outcome.out


def test_summary_of_a_job_gets_the_table_and_the_verdict(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_files(project, {"rankle.toml": GATED})
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(project / "summary.md"))
    rankle("run", "--github", "--gate")
    written = (project / "summary.md").read_text(encoding="utf-8")
    assert "## Evals: " in written
    assert "Gate" in written


KILLING = """
import os, pathlib, time
import rankle
from rankle.scorers import exact


@rankle.eval("Killing", data=[{"input": n, "expected": n} for n in range(20)], scorers=[exact()])
def killing(input):
    if input == 12 and not pathlib.Path("mended").exists():
        time.sleep(0.5)
        os._exit(9)
    with open("asked", "a") as file:
        file.write(f"{input}\\n")
    return input
"""


def test_task_that_kills_the_process_leaves_a_record_to_go_on_with(project: Path) -> None:
    write_files(project, {"evals/killing_eval.py": KILLING})
    process = start("run", "evals/killing_eval.py", "--concurrency", "1")
    process.communicate()
    assert process.returncode == 9
    (project / "mended").touch()
    report = ran("evals/killing_eval.py", "--concurrency", "1", "--resume")
    assert report.exit_code == 0
    assert report.evals[0].n_cases == 20
    asked = (project / "asked").read_text().split()
    assert sorted(map(int, asked)) == list(range(20)), "no case was asked twice"


SLOW = """
import pathlib, time
import rankle
from rankle.scorers import exact


@rankle.eval("Slow", data=[{"input": n, "expected": n} for n in range(200)], scorers=[exact()])
def slow(input):
    time.sleep(0.05)
    return input
"""


def n_trials(project: Path) -> int:
    place = project / ".rankle" / "records.db"
    try:
        with closing(sqlite3.connect(f"file:{place}?mode=ro", uri=True)) as connection:
            return int(connection.execute("SELECT count(*) FROM trials").fetchone()[0])
    except sqlite3.OperationalError:  # not made yet
        return 0


def test_first_interrupt_keeps_what_was_in_flight_and_resume_goes_on(project: Path) -> None:
    write_files(project, {"evals/slow_eval.py": SLOW})
    process = start("run", "evals/slow_eval.py", "--json")
    while n_trials(project) < 5 and process.poll() is None:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate()
    assert process.returncode == 2
    assert "Finishing what is in flight" in err
    assert err.endswith("To go on with it, run it again with --resume.\n")
    stopped = parse_evals_json(out)
    assert stopped.interrupted
    report = ran("evals/slow_eval.py", "--resume")
    assert (report.interrupted, report.evals[0].n_cases, report.exit_code) == (False, 200, 0)
    assert report.id == stopped.id


def test_two_runs_at_once_in_one_project_lose_nothing(project: Path) -> None:
    write_files(project, {"evals/slow_eval.py": SLOW.replace("range(200)", "range(30)")})
    processes = [start("run", "evals/slow_eval.py", "--json") for _ in range(2)]
    reports = [parse_evals_json(process.communicate()[0]) for process in processes]
    assert len({report.id for report in reports}) == 2
    for report in reports:
        assert report.exit_code == 0
        assert len(recorded(report.id).evals[0].cases) == 30
