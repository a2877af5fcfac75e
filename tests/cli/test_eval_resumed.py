"""A real kill of `rankle eval`: what was done is kept, and `--resume` asks the rest alone."""

import json
import signal
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest

from fakes.command import rankle, start, succeed, write_files
from rankle.core.run import RunReport
from rankle.records.run_info import RunState
from rankle.records.store import open_store
from rankle.reports.json import parse_json

N = 1000


@pytest.fixture
def set_file(tmp_path: Path) -> Path:
    words = ["pump", "cable", "battery", "filter", "voltage", "hammer", "screw"]
    write_files(tmp_path / "docs", {f"{word}.md": f"# {word}\n\nAll about the {word}.\n" for word in words})
    succeed("index", tmp_path / "docs")
    queries = [
        {"id": str(number), "query": f"{words[number % 7]} {number}", "relevant": [f"{words[number % 7]}.md"]}
        for number in range(N)
    ]
    path = tmp_path / "set.jsonl"
    path.write_text("".join(json.dumps(query) + "\n" for query in queries), encoding="utf-8")
    return path


def n_cases(place: Path) -> int:
    try:
        with closing(sqlite3.connect(f"file:{place}?mode=ro", uri=True)) as connection:
            return int(connection.execute("SELECT count(*) FROM cases").fetchone()[0])
    except sqlite3.OperationalError:  # not made yet
        return 0


def kill_midway(set_file: Path, place: Path, *args: str, by: signal.Signals = signal.SIGKILL) -> None:
    process = start("eval", set_file, "--records", place, "--one-by-one", *args)
    while n_cases(place) < 20 and process.poll() is None:
        time.sleep(0.005)
    process.send_signal(by)
    process.communicate()
    assert process.returncode == (130 if by is signal.SIGINT else -by)


def figures(report: RunReport) -> list[object]:
    """All but times and what tells runs apart."""
    queries = [
        (query.id, query.status, query.scores, query.targets, query.results) for query in report.queries
    ]
    return [report.measures, report.funnel, report.documents, report.notices, queries]


@pytest.mark.parametrize("by", [signal.SIGKILL, signal.SIGINT], ids=lambda by: str(by.name))
def test_a_killed_run_goes_on_and_loses_no_case_that_was_done(
    set_file: Path, tmp_path: Path, by: signal.Signals
) -> None:
    place = tmp_path / "records.db"
    kill_midway(set_file, place, by=by)
    with open_store(place) as store:
        (info,) = store.runs()
        before = store.read(info.id).outcomes
    assert (info.state, 20 <= info.n_done < N) == (RunState.INTERRUPTED, True)
    assert "was interrupted at" in rankle("show", info.id, "--records", place).err
    (resumed,) = parse_json(
        succeed("eval", set_file, "--records", place, "--one-by-one", "--resume", "--json")
    )
    (whole,) = parse_json(succeed("eval", set_file, "--one-by-one", "--json"))
    assert resumed.id == info.id
    assert figures(resumed) == figures(whole)
    took = {number: query.took_ms for number, query in enumerate(resumed.queries)}
    assert all(took[number] == outcome.took_ms for number, outcome in before.items())
    assert succeed("history", "--records", place).splitlines()[1].startswith(info.id[:8])


def test_methods_that_a_killed_command_did_not_come_to_are_run_by_the_next(
    set_file: Path, tmp_path: Path
) -> None:
    succeed("embed", "--model", "fake:8")
    place = tmp_path / "records.db"
    both = ("--method", "fts5,vector")
    kill_midway(set_file, place, *both)
    refused = rankle("eval", set_file, "--records", place, "--resume", "--method", "fts5")
    assert refused.code == 2
    assert "Methods: fts5, vector then, fts5 now" in " ".join(refused.err.split())
    args = ("eval", set_file, "--records", place, "--one-by-one", "--resume", "--json")
    first, second = parse_json(succeed(*args, *both))
    with open_store(place) as store:
        runs = {info.method: info for info in store.runs()}
    assert {method: info.id for method, info in runs.items()} == {"fts5": first.id, "vector": second.id}
    assert {info.state for info in runs.values()} == {RunState.COMPLETE}
    assert runs["vector"].family == runs["fts5"].id
