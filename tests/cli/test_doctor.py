"""`rankle doctor`: the state of a project, what is wrong with it, and what to do."""

import sqlite3
from pathlib import Path
from typing import Any

import pytest
from pytest_httpserver import HTTPServer

from fakes.command import GUIDE, on_terminal, rankle, succeed, write_files
from fakes.schemas import valid_json
from fakes.unprivileged import unprivileged

UNLABELLED = '{"query": "battery", "relevant": []}\n'
SET = '{"query": "battery", "relevant": ["errors.md"]}\n{"query": "cable", "relevant": ["setup.md"]}\n'


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "project"
    write_files(folder / "docs", GUIDE)
    monkeypatch.chdir(folder)
    monkeypatch.delenv("RANKLE_RECORDS")
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        monkeypatch.delenv(name, raising=False)
    return folder


def checks(name: str, *args: str, code: int = 0) -> list[dict[str, Any]]:
    outcome = rankle("doctor", "--json", *args)
    assert (outcome.code, outcome.err) == (code, ""), outcome
    report = valid_json(outcome.out)
    assert report["exit_code"] == code
    states = [check["state"] for check in report["checks"]]
    assert (states.count("warning"), states.count("fault")) == (report["n_warnings"], report["n_faults"])
    return [check for check in report["checks"] if check["name"] == name]


def test_everything_is_looked_at_and_has_a_line(project: Path) -> None:
    succeed("index", "docs")
    write_files(project, {"set.jsonl": SET})
    lines = succeed("doctor").splitlines()
    names = [line[9:20].strip() for line in lines if line[:9].strip() in ("ok", "warning", "fault")]
    assert list(dict.fromkeys(names)) == [
        "Python", "SQLite", "Extra", "Threads", "Project", "Workspace", "Model", "Set", "Records", "Disk",
    ]  # fmt: skip
    assert [line for line in lines if len(line) > 80 and "/" not in line] == []  # paths stand uncut
    assert lines[-1].endswith(" 0 faults. Exit code 0.")


def test_it_changes_nothing(project: Path, home: Path) -> None:
    rankle("doctor")
    assert sorted(path.name for path in project.iterdir()) == ["docs"]
    assert not home.exists()


def test_a_workspace_that_is_not_there_is_a_warning_with_the_command(project: Path) -> None:
    (check,) = checks("Workspace")
    assert (check["state"], check["next"]) == ("warning", "rankle index PATH")
    (named,) = checks("Workspace", "-w", "mine")
    assert named["next"] == "rankle index PATH -w mine"


def test_documents_that_changed_since_are_told_of(project: Path) -> None:
    succeed("index", "docs")
    assert [check["state"] for check in checks("Workspace")] == ["ok"]
    write_files(project / "docs", {"setup.md": "# New\n", "added.md": "# Added\n"})
    _, changed = checks("Workspace")
    assert (changed["state"], changed["next"]) == ("warning", "rankle index")
    assert changed["says"] == "documents added, changed or removed since the last index: 2"


def test_folders_that_are_gone_and_files_that_cannot_be_read_are_told_of(project: Path) -> None:
    write_files(project / "docs", {"broken.pdf": b"%PDF-1.7 and then nothing"})
    rankle("index", "docs")
    _, unreadable = checks("Workspace")
    assert unreadable["says"] == "files that could not be read: 1"
    (project / "docs").rename(project / "elsewhere")
    _, gone, *_ = checks("Workspace")
    assert gone["next"] == f"rankle docs remove --root {project / 'docs'}"
    succeed(*gone["next"].split()[1:], "--yes")
    assert [check["says"] for check in checks("Workspace")] == ["default holds nothing"]


def test_missing_vectors_are_told_of(project: Path) -> None:
    succeed("index", "docs", "--model", "fake")
    write_files(project / "docs", {"added.md": "# Added\n\nText.\n"})
    succeed("index", "docs", "--no-vectors")
    _, missing = checks("Workspace")
    assert missing["says"].startswith("chunks without a vector, so that search is by words alone: 1 of ")
    assert missing["next"] == "rankle embed"
    assert [check["says"] for check in checks("Model")] == [
        "fake, for tests",
        "none: search is by words alone",
    ]


def test_a_damaged_workspace_is_a_fault(project: Path, home: Path) -> None:
    succeed("index", "docs")
    (home / "default" / "workspace.db").write_bytes(b"nonsense" * 1000)
    (check,) = checks("Workspace", code=2)
    assert check["state"] == "fault"
    assert str(home / "default") in check["says"]


def test_a_project_file_with_a_fault_is_a_fault_and_the_rest_is_looked_at(project: Path) -> None:
    write_files(project, {"rankle.toml": 'modell = "none"\n'})
    (check,) = checks("Project", code=2)
    assert 'did you mean "model"' in check["says"]
    assert checks("SQLite", code=2)


@pytest.mark.parametrize(
    "text", ["[run]\ntrials = 0\n", '[gates.floors]\n"nDCG@10" = 70\n'], ids=["run", "gates"]
)
def test_tables_of_a_project_file_are_looked_at(project: Path, text: str) -> None:
    write_files(project, {"rankle.toml": text})
    (check,) = checks("Project", code=2)
    assert check["state"] == "fault"


def test_sets_whose_labels_are_gone_are_stale(project: Path) -> None:
    write_files(project, {"evals/set.jsonl": SET, "package.json": '{"name": "x"}'})
    (unchecked,) = checks("Set")
    assert unchecked["says"] == "evals/set.jsonl; its labels are checked once there is an index"
    succeed("index", "docs")
    (valid,) = checks("Set")
    assert (valid["state"], valid["says"]) == ("ok", "evals/set.jsonl: 2 queries, 2 labels, all valid")
    (project / "docs" / "setup.md").unlink()
    succeed("index", "docs")
    (stale,) = checks("Set")
    assert stale["state"] == "warning"
    assert stale["says"] == "evals/set.jsonl is stale: of 2 labels 1 gone in workspace default"
    assert stale["next"] == "rankle eval check evals/set.jsonl"
    assert rankle(*stale["next"].split()[1:]).code == 1


def test_a_set_about_documents_that_were_never_indexed_says_so(project: Path) -> None:
    write_files(project, {"evals/set.jsonl": SET, "other/a.md": "# Another matter\n"})
    succeed("index", "other")
    (check,) = checks("Set")
    assert check["state"] == "warning"
    assert check["says"] == "evals/set.jsonl: none of what it labels is in workspace default"
    assert check["next"].startswith("index what it is about: rankle index PATH; or: rankle eval check ")


def test_judgments_beside_a_set_are_no_set(project: Path) -> None:
    line = '{"id": "1", "judge": "anna", "query": "a", "target": "a.md", "document": "a.md", "grade": 1}\n'
    write_files(project, {"q.jsonl": '{"query": "a", "relevant": ["a.md"]}\n', "q.judgments.jsonl": line})
    assert [check["says"].partition(";")[0] for check in checks("Set")] == ["q.jsonl"]


def test_sets_that_gates_name_are_looked_for_deeper(project: Path) -> None:
    succeed("index", "docs")
    text = '[[gates]]\nset = "{}"\nfloors = {{ "nDCG@10" = 0.1 }}\n'
    toml = text.format("deep.jsonl") + text.format("nowhere.jsonl") + text.format("An eval")
    write_files(project, {"rankle.toml": toml, "quality/sets/deep.jsonl": SET, "quality/other.jsonl": SET})
    missing, found = checks("Set")
    assert missing["says"].startswith('a gate is for "nowhere.jsonl", and no such file is in ')
    assert found["says"] == "quality/sets/deep.jsonl: 2 queries, 2 labels, all valid"


def test_a_set_that_cannot_be_read_and_one_without_labels_are_told_of(project: Path) -> None:
    succeed("index", "docs")
    write_files(project, {"bad.jsonl": '{"query": "x", "relevant": ["a"]}\n{"query": 1, "relevant": []}\n'})
    write_files(project, {"new.jsonl": '{"query": "battery", "relevant": []}\n'})
    bad, new = checks("Set")
    assert (bad["state"], bad["next"]) == ("warning", "rankle eval check bad.jsonl")
    assert (new["state"], new["next"]) == ("warning", "rankle eval label new.jsonl")


def test_records_are_counted_and_damaged_ones_are_a_fault(project: Path) -> None:
    succeed("index", "docs")
    write_files(project, {"set.jsonl": SET})
    (none,) = checks("Records")
    assert none["says"].startswith("none yet; the first run makes ")
    succeed("eval", "set.jsonl")
    (one,) = checks("Records")
    assert one["says"].startswith("1 run, ")
    with sqlite3.connect(project / ".rankle" / "records.db") as connection:
        connection.execute("PRAGMA application_id = 1")
    connection.close()
    (check,) = checks("Records", code=2)
    assert check["state"] == "fault"


def test_records_that_are_not_wanted_are_no_warning(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RANKLE_RECORDS", "none")
    (check,) = checks("Records")
    assert check["state"] == "ok"


def test_threads_that_will_be_slow_are_told_of(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "9999")
    (check,) = checks("Threads")
    assert (check["state"], check["says"][:20]) == ("warning", "OMP_NUM_THREADS=9999")


@pytest.mark.needs_llm
def test_a_model_server_that_is_not_there_is_a_fault(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RANKLE_MODEL", "openai:bge@http://127.0.0.1:1/v1")
    (check,) = checks("Model", code=2)
    assert check["says"].startswith("bge cannot be reached at http://127.0.0.1:1/v1/models: ")


def test_a_search_behind_http_is_asked_and_others_are_not(project: Path, httpserver: HTTPServer) -> None:
    httpserver.expect_request("/find").respond_with_json({"results": []})
    toml = f"""
        systems.mine.uri = "{httpserver.url_for("/find")}"
        systems.gone.uri = "http://127.0.0.1:1/find"
        systems.wrong.uri = "{httpserver.url_for("/nowhere")}"
        systems.code.uri = "python:nosuch:find"
        systems.program.uri = "command:./nosuch --index a"
        systems.there.uri = "command:sh search.sh"
        systems.notes.uri = "kb:nosuch"
        systems.past.uri = "run:nosuch.run"
        systems.kept.uri = "run:kept.run"
        systems.odd.url = "http://127.0.0.1:1/find"
        systems.worse.uri = "http://127.0.0.1:1/find"
        systems.worse.retris = 3
    """
    write_files(project, {"rankle.toml": toml, "kept.run": "q1 Q0 a.md 1 2.0 tag\n"})
    mine, gone, wrong, code, program, there, notes, past, kept, odd, worse = checks("System", code=2)
    assert (mine["state"], mine["says"]) == ("ok", "mine answers")
    assert (kept["state"], kept["says"]) == ("ok", "kept can be read")
    assert [check["state"] for check in (gone, wrong, program, notes, past, odd, worse)] == ["fault"] * 7
    assert "127.0.0.1:1" in gone["says"]
    assert gone["next"] == "start it, or mend [systems.gone]"
    assert past["next"] == "mend [systems.past]"
    assert "500" in wrong["says"] or "404" in wrong["says"]
    assert code["says"].endswith("to ask it: rankle eval SET --system code")
    assert "there is no such file" in program["says"]
    assert (there["state"], there["says"][:34]) == ("ok", "there, by command:, is not asked h")
    assert "nosuch" in notes["says"]
    assert "nosuch.run" in past["says"]
    assert "[systems.odd] needs what it is" in odd["says"]
    assert 'did you mean "retries"' in worse["says"]


def test_a_variable_that_a_search_needs_is_named_with_the_command(project: Path) -> None:
    toml = """
        [systems.mine]
        uri = "http://127.0.0.1:1/find"
        headers = { Authorization = "Bearer ${SEARCH_TOKEN_OF_NOBODY}" }
    """
    write_files(project, {"rankle.toml": toml})
    (check,) = checks("System", code=2)
    assert check["says"].endswith("is not set in the environment; set it: export SEARCH_TOKEN_OF_NOBODY=…")
    assert check["next"] == "mend [systems.mine]"


def test_where_only_searches_of_ones_own_are_measured_no_workspace_is_missed(project: Path) -> None:
    write_files(project, {"rankle.toml": 'workspace = "none-yet"\nsystems.mine.uri = "python:nosuch:find"\n'})
    (check,) = checks("Workspace")
    assert check["state"] == "ok"
    assert "systems of rankle.toml need none" in check["says"]
    write_files(project, {"rankle.toml": 'workspace = "none-yet"\nsystems.mine.uri = "kb:none-yet"\n'})
    assert checks("Workspace", code=2)[0]["state"] == "warning"


def test_a_key_of_a_search_is_not_shown(
    project: Path, httpserver: HTTPServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    httpserver.expect_request("/find").respond_with_data("wrong key planted-9876543210", status=401)
    toml = f"""
        [systems.mine]
        uri = "{httpserver.url_for("/find")}"
        headers = {{ Authorization = "Bearer ${{SEARCH_TOKEN}}" }}
    """
    write_files(project, {"rankle.toml": toml})
    monkeypatch.setenv("SEARCH_TOKEN", "planted-9876543210")
    (check,) = checks("System", code=2)
    assert "401" in check["says"]
    assert "planted" not in check["says"]


def test_a_terminal_shows_what_is_wrong_in_colour(project: Path) -> None:
    write_files(project, {"rankle.toml": "modell = 1\n"})
    code, seen = on_terminal("doctor")
    assert code == 2
    assert "\x1b[1;31mfault\x1b[0m    Project" in seen


@pytest.mark.parametrize(
    ("closed", "said"),
    [
        ("home/project", "fault    Workspace"),
        ("home", "fault    Workspace"),
        ("work/rankle.toml", "fault    Project"),
        ("work/.rankle", "fault    Records"),
        ("work/evals", "warning  Set"),
        ("work/evals/set.jsonl", "warning  Set"),
    ],
)
def test_what_this_user_may_not_read_is_told_and_the_rest_is_looked_at(
    closed: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {
        "rankle.toml": 'workspace = "project"\n',
        "evals/set.jsonl": '{"query": "a", "relevant": ["a.md"]}\n',
        "docs/a.md": "# A\n",
    }
    monkeypatch.chdir(write_files(tmp_path / "work", files))
    monkeypatch.setenv("RANKLE_RECORDS", ".rankle/records.db")
    succeed("index", "docs")
    succeed("eval", "evals/set.jsonl")
    assert "0 faults. Exit code 0" in rankle("doctor").out
    for path in [tmp_path, *tmp_path.rglob("*")]:
        path.chmod(0o777)
    (tmp_path / closed).chmod(0)
    try:
        with unprivileged(tmp_path):
            outcome = rankle("doctor")
    finally:
        (tmp_path / closed).chmod(0o777)
    lines = outcome.out.splitlines()
    (place,) = [place for place, line in enumerate(lines) if line.startswith(said)]
    assert "let this user read it" in " ".join(lines[place : place + 5]) or "cannot be read" in lines[place]
    assert any(line.startswith("ok       SQLite") for line in lines)
    assert outcome.code == (2 if said.startswith("fault") else 0), outcome


def test_a_kind_of_system_that_there_is_not_is_a_fault(project: Path) -> None:
    write_files(project, {"rankle.toml": '[systems.shop]\nuri = "htpp://localhost:1/"\n'})
    said = " ".join(rankle("doctor").out.split())
    assert 'fault System shop: unknown kind of system "htpp"; did you mean "http"' in said


def test_a_misspelt_variable_is_a_warning(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RANKLE_MODLE", "none")
    said = " ".join(rankle("doctor").out.split())
    assert "warning Variable the variable RANKLE_MODLE is not read; RANKLE_MODEL is → unset" in said


def test_paths_of_sets_are_written_from_where_somebody_is(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {"rankle.toml": 'workspace = "project"\n', "sub/x": "", "evals/new.jsonl": UNLABELLED}
    succeed("index", write_files(project, files) / "docs")
    monkeypatch.chdir(project / "sub")
    (new,) = checks("Set")
    assert new["next"] == "rankle eval label ../evals/new.jsonl"
