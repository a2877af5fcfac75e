"""`rankle eval SET --system URI`."""

import json
import signal
import threading
import time
from itertools import count
from pathlib import Path
from typing import Final

import pytest

from fakes.command import fail, rankle, start, succeed
from fakes.search_server import Asked, Reply, respond, search_server
from fakes.searchable import FAILS, KEY, SET, write_module

_NUMBER = count()
_HANGS: Final = """
import pathlib, time


def find(query):
    print("said aside", flush=True)
    if query == "battery" and pathlib.Path("hangs").exists():
        pathlib.Path("hanging").touch()
        time.sleep(3600)
    return ["errors.md"]
"""


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "set.jsonl").write_text(SET, encoding="utf-8")
    return write_module(tmp_path, f"on_the_command_line_{next(_NUMBER)}")


def test_a_function_is_measured_without_a_workspace(module: str) -> None:
    out = succeed("eval", "set.jsonl", "--system", f"python:{module}:find")
    assert "Evaluation: set.jsonl (3 queries)" in out
    assert f"System: {module}:find" in out
    assert "MRR             —        —        0.500" in out


def test_a_run_that_failed_throughout_is_not_offered_to_compare_with(module: str, tmp_path: Path) -> None:
    broken = "def find(query):\n    raise OSError(query)\n"
    (tmp_path / f"{module}_broken.py").write_text(broken, encoding="utf-8")
    asked = ("eval", "set.jsonl", "--records", str(tmp_path / "records.db"), "--system")
    assert rankle(*asked, f"python:{module}_broken:find").code == 2
    assert "Against the run before" not in succeed(*asked, f"python:{module}:find")
    assert "Against the run before" in succeed(*asked, f"python:{module}:find")


def test_several_are_compared_query_by_query(module: str) -> None:
    out = succeed(
        "eval", "set.jsonl", *(f"--system=python:{module}:{name}" for name in ("find", "find_many"))
    )
    assert "Differences in NDCG@10, query by query" in out
    assert "None is more than chance" in out


def test_failures_end_with_2_and_reach_no_record_with_their_keys(
    module: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SEARCH_API_KEY", KEY)
    with (tmp_path / "set.jsonl").open("a", encoding="utf-8") as lines:
        lines.write(json.dumps({"query": FAILS, "relevant": ["errors.md"]}) + "\n")
    records = tmp_path / "records.db"
    arguments = ["eval", "set.jsonl", "--system", f"python:{module}:find", "--records", str(records)]
    outcome = rankle(*arguments, "--output", "run.json")
    assert outcome.code == 2
    assert "the system failed on 1 of 4 queries" in outcome.err
    assert "RuntimeError: the index is on fire, said with ***" in outcome.err
    assert rankle(*arguments, "--max-failures", "1").code == 0
    written = [path.read_bytes() for path in tmp_path.iterdir() if path.is_file() and path.suffix != ".py"]
    assert len(written) >= 3
    assert not any(KEY.encode() in each for each in written)
    assert KEY not in outcome.out + outcome.err
    run = json.loads((tmp_path / "run.json").read_text(encoding="utf-8"))
    assert [query["status"] for query in run["queries"]] == ["scored", "scored", "scored", "failed"]
    assert run["measures"]["RR@10"]["n_failed"] == 1


def test_a_server_is_asked_several_queries_at_a_time(module: str) -> None:
    both = threading.Barrier(2)

    def wait(asked: Asked) -> Reply:
        if asked.body["query"] in ("pump filter", "battery"):
            both.wait()  # which the second of them ends
        return respond(asked)

    with search_server() as server:
        server.respond = wait
        out = succeed("eval", "set.jsonl", "--system", f"{server.url}/search", "--concurrency", "2")
    assert "Queries: 3 scored, 0 undefined, 0 failed" in out
    assert sorted(server.queries) == ["battery", "health check", "nothing", "pump filter"]


def test_a_wrong_path_ends_with_2_and_what_the_server_says(module: str) -> None:
    with search_server() as server:
        words = fail(
            "eval", "set.jsonl", "--system", f"{server.url}/serach", "--system", f"{server.url}/search"
        )
    assert 'answered 404 Not Found: {"detail": "no index at /serach"}' in words
    assert len(server.asked) == 1


def test_no_key_of_a_uri_or_a_header_reaches_anything_that_is_kept(
    module: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SEARCH_API_KEY", KEY)
    secrets = (KEY, "sesame-open", "from-the-uri", "written-out-here")
    with search_server() as server:
        server.respond = lambda asked: Reply([dict(asked.headers), dict(asked.arguments)], status=400)
        uri = server.url.replace("//", "//ann:sesame-open@") + "/search?q={{ query }}&api_key=from-the-uri"
        (tmp_path / "rankle.toml").write_text(
            f'[systems.table]\nuri = "{uri}"\nhealth = "none"\n'
            'headers = {X-Key = "${SEARCH_API_KEY}", X-Auth-Token = "written-out-here"}\n',
            encoding="utf-8",
        )
        told = [
            rankle("eval", "set.jsonl", "--system", "table", "--records=r.db", "-o", f"run.{form}")
            for form in ("json", "html", "md", "csv", "xml")
        ]
        told.append(rankle("record", "set.jsonl", "--system", "table", "-o", "run.parquet"))
        told.append(rankle("eval", "set.jsonl", "--system", uri, "--records=r.db"))
        received = [
            json.dumps(dict(asked.headers)) + json.dumps(dict(asked.arguments)) for asked in server.asked
        ]
    assert all(outcome.code == 2 for outcome in told)
    assert any("written-out-here" in each and KEY in each for each in received)
    told.append(rankle("history", "--records=r.db"))
    told.append(rankle("show", "latest", "--records=r.db", "--json"))
    kept = [
        path
        for path in tmp_path.iterdir()
        if path.name not in ("rankle.toml", f"{module}.py") and path.is_file()
    ]
    assert {"r.db", "run.json", "run.html"} <= {path.name for path in kept}
    for secret in secrets:
        assert not any(secret in outcome.out + outcome.err for outcome in told), secret
        assert not any(secret.encode() in path.read_bytes() for path in kept), secret


def test_a_search_that_changes_the_folder_moves_no_file(module: str, tmp_path: Path) -> None:
    (tmp_path / "moving_search.py").write_text(
        "import os\n\ndef find(query):\n    os.chdir('/')\n    return ['errors.md']\n", encoding="utf-8"
    )
    succeed("eval", "set.jsonl", "--system", "python:moving_search:find", "--no-record", "-o", "run.json")
    assert (tmp_path / "run.json").is_file()


def test_an_interrupt_ends_a_search_that_hangs_and_the_run_is_gone_on_with(
    module: str, tmp_path: Path
) -> None:
    (tmp_path / "hanging_search.py").write_text(_HANGS, encoding="utf-8")
    (tmp_path / "hangs").touch()
    arguments = ["eval", "set.jsonl", "--system", "python:hanging_search:find", "--records=r.db"]
    process = start(*arguments)
    while not (tmp_path / "hanging").exists() and process.poll() is None:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    out, said = process.communicate()
    assert (process.returncode, out) == (130, "")
    assert [line for line in said.splitlines() if line] == [
        "said aside", "said aside", "Interrupted. What was complete is kept."
    ]  # fmt: skip
    (tmp_path / "hangs").unlink()
    (tmp_path / "hanging").unlink()
    outcome = rankle(*arguments, "--resume", "--json")
    assert (outcome.code, outcome.err) == (0, "said aside\n" * 2)
    assert [query["status"] for query in json.loads(outcome.out)["queries"]] == ["scored"] * 3


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--method", "fts5"], "write kb:WORKSPACE?method=fts5"),
        (["-w", "books"], "write --system kb:books"),
        (["--collapse"], "options of the ranking are of workspaces"),
    ],
)
def test_what_is_of_workspaces_goes_with_no_system(module: str, options: list[str], words: str) -> None:
    assert words in fail("eval", "set.jsonl", "--system", f"python:{module}:find", *options)


def test_an_unknown_kind_of_system_suggests_the_nearest(module: str) -> None:
    assert 'did you mean "python"' in fail("eval", "set.jsonl", "--system", f"pyton:{module}:find")
