"""`rankle record SET --system URI -o FILE`."""

import signal
import time
from itertools import count
from pathlib import Path

import pytest

from fakes.command import fail, rankle, start, succeed
from fakes.searchable import FAILS, SET, write_module

_NUMBER = count()


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "set.jsonl").write_text(SET, encoding="utf-8")
    return write_module(tmp_path, f"on_record_{next(_NUMBER)}")


def test_what_was_recorded_is_measured_without_the_system(module: str, tmp_path: Path) -> None:
    live = succeed("eval", "set.jsonl", "--system", f"python:{module}:find")
    out = succeed("record", "set.jsonl", "--system", f"python:{module}:find", "-o", "run.parquet")
    assert (
        out.split()
        == (
            f"Recorded 3 results of 3 queries by python:{module}:find in run.parquet. "
            "Measure them: rankle eval set.jsonl --system run:run.parquet"
        ).split()
    )
    again = succeed("eval", "set.jsonl", "--system", "run:run.parquet")
    table = slice(live.index("Metric"), live.index("Queries:"))
    assert live[table] == again[again.index("Metric") : again.index("Queries:")]
    assert "results are read from a recording of" in " ".join(again.split())


def test_what_to_write_next_is_a_line_for_a_shell(module: str, tmp_path: Path) -> None:
    (tmp_path / "my set.jsonl").write_text(SET.splitlines()[0], encoding="utf-8")
    out = succeed("record", "my set.jsonl", "--system", f"python:{module}:find", "-o", "my run.parquet")
    said = " ".join(out.split())
    assert said.startswith("Recorded 2 results of 1 query by ")
    assert said.endswith("rankle eval 'my set.jsonl' --system 'run:my run.parquet'")


def test_failures_are_recorded_and_end_with_2(module: str, tmp_path: Path) -> None:
    with (tmp_path / "set.jsonl").open("a", encoding="utf-8") as lines:
        lines.write(f'{{"query": "{FAILS}", "relevant": ["errors.md"]}}\n')
    arguments = ["record", "set.jsonl", "--system", f"python:{module}:find", "-o", "run.parquet"]
    outcome = rankle(*arguments)
    assert outcome.code == 2
    assert "the system failed on 1 of 4 queries, more than 0; they are recorded as failures" in outcome.err
    assert rankle(*arguments, "--max-failures", "1").code == 0
    assert (
        "the system failed on 1 of 4 queries" in rankle("eval", "set.jsonl", "--system=run:run.parquet").err
    )


def test_a_file_of_another_form_is_refused(module: str) -> None:
    words = fail("record", "set.jsonl", "--system", f"python:{module}:find", "-o", "run.json")
    assert "such as run.parquet, run.jsonl or run.jsonl.gz; got" in words


def test_interrupt_keeps_nothing_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "slow_search.py").write_text(
        "import pathlib, time\n\ndef find(query):\n    pathlib.Path('asked').touch()\n    time.sleep(3600)\n",
        encoding="utf-8",
    )
    (tmp_path / "set.jsonl").write_text('{"query": "x", "relevant": ["a.md"]}\n', encoding="utf-8")
    process = start("record", "set.jsonl", "--system", "python:slow_search:find", "-o", "run.parquet")
    while not (tmp_path / "asked").exists() and process.poll() is None:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate()
    assert process.returncode == 130
    assert "Nothing is kept" in said
    assert not (tmp_path / "run.parquet").exists()
