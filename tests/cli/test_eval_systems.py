"""`rankle eval SET --system URI`."""

import json
from itertools import count
from pathlib import Path

import pytest

from fakes.command import fail, rankle, succeed
from fakes.searchable import FAILS, KEY, SET, write_module

_NUMBER = count()


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
