"""`rankle watch`: real runs in processes of their own, on a pipe and on a terminal."""

import os
import re
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest

from fakes.command import enter_project, fail, succeed, write_files
from fakes.watching import Watching
from rankle.app.eval_runs import find_evals

UPPER = """
import rankle
from rankle.scorers import exact
from lib.loud import shout


@rankle.eval("Upper", data=[{"input": word, "expected": word.upper()} for word in "abcd"], scorers=[exact()])
def upper(input):
    return shout(input)
"""
LOUD = "from lib.deep import END\n\n\ndef shout(text):\n    return text.upper() + END\n"
DATA = """
import importlib
import pathlib
import rankle
from rankle.scorers import exact

END = pathlib.Path("prompts/end.txt").read_text()


@rankle.eval("Read", data="rows.json", scorers=[exact()])
def read(input):
    print("asked", input)
    return input + END


@rankle.eval("Lazy", data=[{"input": "x", "expected": "X"}], scorers=[exact()])
def lazy(input):
    return importlib.import_module("lib.late").change(input)
"""
FILES = {
    "rankle.toml": "",
    "evals/upper_eval.py": UPPER,
    "evals/data_eval.py": DATA,
    "evals/rows.json": '[{"input": "a", "expected": "a"}]',
    "prompts/end.txt": "",
    "lib/__init__.py": "",
    "lib/loud.py": LOUD,
    "lib/deep.py": 'END = ""\n',
    "lib/late.py": "def change(text):\n    return text.upper()\n",
}
WATCHING = r"Watching; Ctrl-C ends it\."
HEAD = r"^\d\d:\d\d:\d\d {}$"


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return enter_project(tmp_path / "project", monkeypatch, FILES)


def after(watching: Watching, head: str) -> str:
    """The block of a run, once the whole of it was printed."""
    watching.wait_for(HEAD.format(head) + r"(?s:.*)^Verdict: (?s:.*)Exit code \d\.$")
    return watching.seen.rpartition(f" {head}\n")[2]


def test_each_change_runs_what_it_touches(project: Path) -> None:
    with Watching() as watching:
        first = watching.wait_for(WATCHING)
        assert all(f"Eval: {name} " in first for name in ("Upper", "Read", "Lazy"))
        write_files(project, {"lib/deep.py": 'END = "!"\n'})
        shown = after(watching, "lib/deep.py changed")
        assert re.search(r"^exact +0\.000 .*−1\.000", shown, re.MULTILINE), "against the full run before"
        assert "Eval: Read" not in shown
        write_files(project, {"evals/rows.json": '[{"input": "b", "expected": "c"}]'})
        shown = after(watching, "evals/rows.json changed")
        assert "Eval: Read" in shown
        assert "Eval: Lazy" not in shown
        assert "  asked b" in shown
        write_files(project, {"README.md": "nothing reads it", "lib/unused.py": "x = 1"})
        for name, content in {
            "prompts/end.txt": "?",
            "lib/late.py": "def change(text):\n    return text\n",
            "rankle.toml": "[run]\ntrials = 2\n",
        }.items():
            write_files(project, {name: content})
            suffix = ": all evals" if name == "rankle.toml" else ""
            shown = after(watching, f"{name} changed{suffix}")
            assert "Eval: Lazy" in shown, "of the same file"
            assert ("Eval: Upper" in shown) == bool(suffix)
        assert watching.stop() == 0
        assert watching.seen.endswith("Stopped.\n")
        assert "README" not in watching.seen
        assert "unused" not in watching.seen


def test_files_come_and_go_and_ignored_ones_do_not_count(project: Path) -> None:
    write_files(project, {".gitignore": "build/\n", "build/x_eval.py": UPPER, ".venv/pyvenv.cfg": ""})
    with Watching() as watching:
        watching.wait_for(WATCHING)
        write_files(project, {"build/y_eval.py": UPPER, ".venv/z_eval.py": UPPER})
        write_files(project, {"evals/more/new_eval.py": UPPER.replace("Upper", "New")})
        shown = after(watching, "evals/more/new_eval.py changed")
        assert "Eval: New" in shown
        (project / "evals" / "upper_eval.py").unlink()
        watching.wait_for(HEAD.format("evals/upper_eval.py is gone"))
        write_files(project, {"evals/more/new_eval.py": UPPER.replace("Upper", "Newer")})
        watching.wait_for("Eval: Newer(?s:.*)Not touched(?s:.*)Read")
        assert "Upper" not in watching.seen.rpartition("Eval: Newer")[2]
        assert "build/" not in watching.seen
        assert ".venv" not in watching.seen


def test_broken_file_is_shown_and_run_again_once_it_is_mended(project: Path) -> None:
    with Watching("evals/upper_eval.py") as watching:
        watching.wait_for(WATCHING)
        write_files(project, {"lib/loud.py": LOUD + "\nimport lib.absent\n"})
        shown = after(watching, "lib/loud.py changed")
        assert "Not loaded: evals/upper_eval.py" in shown
        assert "lib.absent" in shown
        write_files(project, {"lib/absent.py": ""})
        assert "Eval: Upper" in after(watching, "lib/absent.py changed")
        write_files(project, {"rankle.toml": "[run]\ntrails = 2\n"})
        watching.wait_for('Error: (?s:.*)did you\\s+mean "trials"')
        write_files(project, {"rankle.toml": ""})
        assert "Eval: Upper" in after(watching, "rankle.toml changed: all evals")
        assert watching.stop() == 0


HANGING = """
import os, pathlib, subprocess, sys, time
import rankle
from rankle.scorers import exact


@rankle.eval("Hanging", data=[{"input": 1, "expected": 1}], scorers=[exact()], timeout_s=1000)
def hanging(input):
    helper = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"])
    pathlib.Path("pids").write_text(f"{os.getpid()} {helper.pid}")
    while True:
        time.sleep(0.1)
"""


def pids(project: Path) -> list[int]:
    """The process of a run, and one that its task started; none while they are not there yet."""
    file = project / "pids"
    found = file.read_text().split() if file.exists() else []
    return [int(pid) for pid in found] if len(found) == 2 else []


def n_recorded(project: Path) -> int:
    with closing(sqlite3.connect(project / ".rankle" / "records.db")) as records:
        return int(records.execute("SELECT count(*) FROM runs").fetchone()[0])


def is_alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"  # of which nobody has taken note yet


@pytest.mark.skipif(not os.path.isdir("/proc"), reason="looks for processes in /proc")  # noqa: PTH112
@pytest.mark.parametrize("by", ["change", "Ctrl-C", "death of the watch"])
def test_task_that_hangs_is_ended_with_all_that_it_started(project: Path, tmp_path: Path, by: str) -> None:
    write_files(project, {"evals/hanging_eval.py": HANGING})
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    with Watching("evals/hanging_eval.py", environ={"TMPDIR": str(temporary)}) as watching:
        watching.wait_until(lambda: len(pids(project)) == 2, what="task")
        started = pids(project)
        if by == "change":
            mended = HANGING[: HANGING.index("    helper")] + "    return input\n"
            write_files(project, {"evals/hanging_eval.py": mended})
            watching.wait_for("Verdict: 1 case of 1 eval ran; none failed")
            assert n_recorded(project) == 1, "the run of the code that is gone leaves no record"
        elif by == "Ctrl-C":
            assert watching.stop() == 0
        else:
            watching.process.kill()
            watching.process.wait()
        assert_gone(started)
        watching.wait_until(lambda: not list(temporary.iterdir()), what="end of what it left")


def assert_gone(started: list[int]) -> None:
    deadline = time.monotonic() + 60
    while any(map(is_alive, started)):
        assert time.monotonic() < deadline, "still there"
        time.sleep(0.05)


def test_task_that_kills_its_process_does_not_end_the_watch(project: Path) -> None:
    dying = UPPER.replace(
        "    return shout(input)", "    import os; print(*range(30), sep=chr(10), flush=True); os._exit(9)"
    )
    write_files(project, {"evals/upper_eval.py": dying})
    with Watching("evals/upper_eval.py") as watching:
        shown = watching.wait_for(r"ended by exit code 9(?s:.*)^Printed, the last 20 of (?s:.*)^  29$")
        assert "  0\n" not in shown
        write_files(project, {"evals/upper_eval.py": UPPER})
        assert "Eval: Upper" in after(watching, "evals/upper_eval.py changed")


def test_table_stays_on_a_terminal_until_the_next_takes_its_place(project: Path) -> None:
    with Watching(
        "evals/upper_eval.py", terminal=True, environ={"NO_COLOR": "1", "COLUMNS": "60"}
    ) as watching:
        watching.wait_for(WATCHING)
        write_files(project, {"lib/deep.py": 'END = "!"\n'})
        watching.wait_for(WATCHING, n=2)
        assert watching.stop(typed=True) == 0
    first, second = watching.seen.split("\x1b[2J\x1b[H")
    assert "Running all evals" in first
    assert first.index("Running what changed: lib/deep.py") > first.index("Verdict")
    assert "lib/deep.py changed" in second.splitlines()[0]
    assert "Stopped." in second
    plain = re.sub(r"\x1b\[2K|\r", "\n", watching.seen.replace("\x1b[2J\x1b[H", "\n"))
    assert "\x1b" not in plain, "no colour"
    assert max(map(len, plain.splitlines())) <= 60


def test_terminal_that_cannot_move_its_cursor_gets_each_table_once() -> None:
    with Watching("evals/upper_eval.py", terminal=True, environ={"TERM": "dumb"}) as watching:
        watching.wait_for(WATCHING)
        assert watching.stop(typed=True) == 0
    assert "\x1b" not in watching.seen
    assert "Running" not in watching.seen


def test_every_run_is_recorded_as_full_of_its_evals(project: Path) -> None:
    with Watching() as watching:
        watching.wait_for(WATCHING)
        write_files(project, {"lib/deep.py": 'END = "!"\n'})
        after(watching, "lib/deep.py changed")
        assert watching.stop() == 0
    latest, before = find_evals("latest"), find_evals("latest~1")
    assert latest is not None
    assert before is not None
    assert [(one.name, one.is_full) for one in latest.evals] == [("Upper", True)]
    assert len(before.evals) == 3
    assert latest.evals[0].previous is not None
    assert latest.evals[0].previous.id in {one.id for one in before.evals}


def test_failing_latest_means_the_run_before_the_watch(project: Path) -> None:
    wrong = UPPER.replace('"abcd"', '"abcD"').replace("word.upper()", "word")
    write_files(project, {"evals/upper_eval.py": wrong})
    succeed("run", "evals/upper_eval.py")
    with Watching("evals/upper_eval.py", "--failing", "latest", "--no-record") as watching:
        watching.wait_for("^3 cases; 1 left out(?s:.*)" + WATCHING)
        write_files(project, {"lib/deep.py": "END = ''\n"})
        after(watching, "lib/deep.py changed")
        assert len(re.findall("^3 cases; 1 left out", watching.seen, re.MULTILINE)) == 2
    assert n_recorded(project) == 1


def test_nothing_to_watch_and_a_run_that_is_not_there_are_refused() -> None:
    assert "no such file" in fail("watch", "nowhere")
    assert "there are no records" in fail("watch", "--failing", "latest")
    assert "70" in fail("watch", "--threshold", "0.7")
