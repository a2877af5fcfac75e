"""What a run of evals shows while it goes on: bars on a terminal, a line now and then elsewhere."""

from pathlib import Path

import pytest

from fakes.command import on_terminal, rankle, write_files
from rankle.cli.eval_progress import _Lines, counted
from rankle.harness.evals.progress import Progress, reading_of

SLOW = """
import time
import rankle
from rankle.scorers import exact

ROWS = [{"input": n, "expected": n} for n in range(30)]


@rankle.eval("Slow", data=ROWS, scorers=[exact()])
def slow(input):
    time.sleep(0.05)
    if input == 3:
        raise ValueError("three")
    return input


@rankle.eval("Other", data=ROWS, scorers=[exact()])
def other(input):
    time.sleep(0.05)
    return input
"""


def progress(n_done: int, *, elapsed_s: float = 10.0, n_failed: int = 0, n_cached: int = 0) -> Progress:
    return Progress(
        n_done=n_done,
        n_total=1_200,
        n_failed=n_failed,
        n_cached=n_cached,
        cost_usd=0.25 if n_cached else None,
        elapsed_s=elapsed_s,
        evals=(),
        just_finished=None,
    )


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (progress(0, elapsed_s=0.0), "0 of 1,200"),
        (progress(200), "200 of 1,200, 20/s, 50 s left"),
        (progress(12, n_failed=3), "12 of 1,200, 3 failed, 1.2/s, 16 min 30 s left"),
        (progress(1_200, n_cached=7), "1,200 of 1,200, 7 from the cache, 120/s, $0.25"),
        (reading_of("Search of the handbook", 75.2), "reading data of Search of the handbook, 1 min 15 s"),
    ],
    ids=["begun", "under way", "failing", "done", "reading"],
)
def test_counts_rate_and_time_left(given: Progress, words: str) -> None:
    assert counted(given) == words


def test_lines_come_now_and_then(capsys: pytest.CaptureFixture[str]) -> None:
    moments = iter([0.0, 1.0, 5.0, 6.0, 11.0, 20.0])
    show = _Lines(clock=lambda: next(moments))
    for n_done in (100, 200, 300, 400, 1_200):
        show(progress(n_done))
    assert [line.partition(" ")[0] for line in capsys.readouterr().err.splitlines()] == ["200", "400"]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = write_files(tmp_path / "project", {"rankle.toml": "", "evals/slow_eval.py": SLOW})
    monkeypatch.chdir(folder)
    return folder


@pytest.mark.usefixtures("project")
def test_terminal_has_bars_which_go_away() -> None:
    code, seen = on_terminal("run", "--no-record", environ={"COLUMNS": "100"})
    assert code == 2
    assert "/60" in seen
    assert "failed" in seen.partition("Eval: Slow")[0]
    assert "Slow" in seen.partition("Eval: Slow")[0]
    last_screen = seen.rpartition("Eval: Slow")[2]
    assert "/60" not in last_screen


@pytest.mark.usefixtures("project")
def test_quiet_shows_no_progress_on_a_terminal() -> None:
    code, seen = on_terminal("run", "--no-record", "--quiet")
    assert code == 2
    assert "/60" not in seen


@pytest.mark.usefixtures("project")
def test_pipe_gets_the_report_alone() -> None:
    outcome = rankle("run", "--no-record")
    assert "\x1b" not in outcome.out
    assert outcome.err == ""
