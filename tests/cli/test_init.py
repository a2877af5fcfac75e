"""`rankle init`: what it writes works as it stands, and nothing is written over."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from pytest_httpserver import HTTPServer

from fakes.command import fail, on_terminal, rankle, succeed, write_files
from rankle.app.eval_settings import load_eval_settings
from rankle.app.gates import project_gates
from rankle.app.init import SYSTEM_EXAMPLES
from rankle.app.project_keys import KEYS
from rankle.systems.command_system import CommandOptions
from rankle.systems.http_options import HttpOptions
from rankle.systems.options import Common, read_options
from rankle.systems.python_callable import PythonOptions
from rankle.systems.recorded_run import RunOptions
from rankle.systems.uri import parse_uri

OWN_SETTINGS = {
    "http": {"headers"}, "python": {"threads"}, "command": {"processes"}, "run": {"ties"}, "kb": set[str](),
}  # fmt: skip
"""Some that one kind of search has alone."""
WORKFLOW = ".github/workflows/rankle.yml"
MADE = """\
Made:
  rankle.toml                    all settings, and gates
  evals/example_eval.py          an eval, as code
  evals/example.jsonl            10 questions with their answers
  evals/example/                 5 notes: what they ask about
  .github/workflows/rankle.yml   both in CI, on GitHub

Next:
  rankle run                                  the example eval
  rankle index evals/example                  its notes, to search them
  rankle eval evals/example.jsonl --gate      search in the notes, judged
  rankle docs remove --root evals/example     takes them out again
  rankle index PATH                           your own documents
  rankle eval generate                        first questions about them
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "My library"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.delenv("RANKLE_RECORDS")
    return folder


def steps(workflow: Path) -> list[str]:
    jobs = yaml.safe_load(workflow.read_text(encoding="utf-8"))["jobs"]
    return [step["run"] for step in jobs["search"]["steps"] if "run" in step]


def test_it_says_what_it_made_and_what_comes_next(project: Path) -> None:
    assert succeed("init") == MADE


def test_the_example_eval_runs_at_once(project: Path) -> None:
    succeed("init")
    outcome = rankle("run")
    assert outcome.code == 0, outcome
    assert "10 cases of 1 eval ran; none failed" in outcome.out
    assert re.search(r"^R(?:ecall)?@3 +0\.800 ", outcome.out, re.MULTILINE)


def play(calls: list[str], folder: Path, summary: Path) -> str:
    """Run the steps of a job, each of which must end well; returns the summary that it wrote."""
    program = f"{sys.executable} -c 'from rankle.cli.main import run; run()' \"$@\""
    environ = {**os.environ, "GITHUB_STEP_SUMMARY": str(summary)}
    for step in calls:
        script = f"rankle() {{ {program}; }}\n{step}"
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", script],
            cwd=folder,
            env=environ,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, (step, done.stdout, done.stderr)
    return summary.read_text(encoding="utf-8")


def test_workflow_for_a_workspace_of_their_own_indexes_it_first(project: Path, tmp_path: Path) -> None:
    succeed("init", "--system", "kb:notes?method=fts5")
    install, *others = steps(project / WORKFLOW)
    assert install == "pip install 'rankle[local]'"
    assert others[0] == "rankle index evals/example -w notes"
    assert play(others, project, tmp_path / "summary.md").count("Passed") == 2


@pytest.mark.parametrize("below", [".", "quality", "my: #1 'search'"], ids=["repository", "folder", "odd"])
def test_every_step_of_the_workflow_passes(project: Path, tmp_path: Path, below: str) -> None:
    """As written, in a shell; but for the installation, which is there."""
    where = tmp_path / "repo" / below
    (tmp_path / "repo" / ".git").mkdir(parents=True)
    succeed("init", where)
    workflow = tmp_path / "repo" / WORKFLOW
    install, *others = steps(workflow)
    assert install == "pip install 'rankle[local]'"
    assert len(others) == 3
    job = yaml.safe_load(workflow.read_text(encoding="utf-8"))["jobs"]["search"]
    folder = workflow.parents[2] / (job["defaults"]["run"]["working-directory"] if below != "." else ".")
    assert folder.resolve() == where

    summary = play(others, folder, tmp_path / "summary.md")
    assert summary.count("Passed") == 2
    uploaded = job["steps"][-1]["with"]["path"].splitlines()
    assert [(workflow.parents[2] / name).is_file() for name in uploaded] == [True, True]


@pytest.mark.parametrize("second", ["shop", "apps/my: 'shop'", "."], ids=["folder", "odd", "top"])
def test_a_second_project_of_a_repository_gets_a_workflow_of_its_own(
    project: Path, tmp_path: Path, second: str
) -> None:
    top = tmp_path / "repo"
    (top / ".git").mkdir(parents=True)
    succeed("init", top / "docs-search")
    first = (top / WORKFLOW).read_bytes()
    said = succeed("init", top / second)
    assert (top / WORKFLOW).read_bytes() == first
    (workflow,) = [path for path in (top / WORKFLOW).parent.iterdir() if path != top / WORKFLOW]
    assert str(workflow) in said
    job = yaml.safe_load(workflow.read_text(encoding="utf-8"))["jobs"]["search"]
    folder = job["defaults"]["run"]["working-directory"] if second != "." else "."
    assert (top / folder).resolve() == (top / second).resolve()
    for where in ("docs-search", second):  # once more, and nothing is new
        assert succeed("init", top / where).startswith("Nothing to make.\n")
    assert len(list(workflow.parent.iterdir())) == 2


def test_a_workflow_that_works_elsewhere_whoever_wrote_it_leaves_room_for_another(tmp_path: Path) -> None:
    own = "jobs:\n  a:\n    defaults:\n      run:\n        working-directory: 'web/' # there\n"
    write_files(tmp_path / "repo", {WORKFLOW: own, ".git/HEAD": ""})
    succeed("init", tmp_path / "repo" / "web")
    assert (tmp_path / "repo" / WORKFLOW).read_text(encoding="utf-8") == own
    succeed("init", tmp_path / "repo" / "docs")
    names = sorted(path.name for path in (tmp_path / "repo" / WORKFLOW).parent.iterdir())
    assert names == ["rankle-docs.yml", "rankle.yml"]


def test_the_gate_of_the_example_can_break(project: Path) -> None:
    succeed("init")
    write_files(
        project / "evals" / "example", {"rooms.md": "# Rooms\n\nNothing.\n", "hours.md": "# Nothing\n"}
    )
    succeed("index", "evals/example")
    outcome = rankle("eval", "evals/example.jsonl", "--gate", "--method", "fts5")
    assert outcome.code == 1, outcome


def test_the_project_file_has_every_key_with_a_value_that_is_allowed(project: Path) -> None:
    succeed("init")
    path = project / "rankle.toml"
    text = path.read_text(encoding="utf-8")
    for key in KEYS:
        named = rf"^#?{key.name} = " if key.name != "slices" else r"^#\[\[gates\.slices\]\]"
        assert re.search(named, text, re.MULTILINE), key
    assert max(map(len, text.splitlines())) <= 110

    path.write_text(re.sub(r"^#(?=[\w\[])", "", text, flags=re.MULTILINE), encoding="utf-8")
    write_files(project, {".env": "A=1\n", "protected.txt": "loans.md\n"})
    gates = project_gates(project).gates
    assert [gate.set_name for gate in gates] == ["example.jsonl", "Example search"]
    assert len(gates[0].floors) == 3
    assert load_eval_settings(project).options.limits == {"gpu": 1}
    written = tomllib.loads(path.read_text(encoding="utf-8"))
    assert {key.name for key in KEYS if key.table == "run"} == set(written["run"])


def test_the_workspace_is_named_after_the_folder(project: Path) -> None:
    succeed("init")
    assert "Workspace: My-library (new)\n" in succeed("index", "evals/example")


@pytest.mark.parametrize(
    ("name", "workspace"),
    [("workspace", "project"), ("__", "project"), ("été 2", "été-2"), (".hidden", "hidden"), ("a_b", "a-b")],
)
def test_any_folder_gives_a_name_that_a_workspace_may_have(
    project: Path, monkeypatch: pytest.MonkeyPatch, name: str, workspace: str
) -> None:
    succeed("init", name)
    monkeypatch.chdir(project / name)
    assert f"Workspace: {workspace} (new)\n" in succeed("index", "evals/example")


def test_nothing_is_written_over(project: Path) -> None:
    mine = {"rankle.toml": 'model = "none"\n', "evals/example/loans.md": "mine\n", WORKFLOW: "mine: 1\n"}
    write_files(project, mine)
    said = succeed("init")
    assert (
        "There already, and left as it is:\n"
        "  rankle.toml\n  evals/example/loans.md\n  .github/workflows/rankle.yml\n" in said
    )
    assert {name: (project / name).read_text(encoding="utf-8") for name in mine} == mine
    before = {path: path.read_bytes() for path in project.rglob("*") if path.is_file()}
    assert succeed("init").startswith("Nothing to make.\nThere already, and left as it is:\n")
    assert {path: path.read_bytes() for path in project.rglob("*") if path.is_file()} == before


def test_settings_in_pyproject_are_not_put_out_of_force(project: Path) -> None:
    write_files(project, {"pyproject.toml": '[tool.rankle]\nworkspace = "mine"\n'})
    assert "There already, and left as it is:\n  pyproject.toml\n" in succeed("init")
    assert not (project / "rankle.toml").exists()


def test_a_pyproject_without_settings_of_ours_is_no_reason_to_leave_them_out(project: Path) -> None:
    write_files(project, {"pyproject.toml": '[tool.other]\nname = "x"\n'})
    succeed("init")
    assert (project / "rankle.toml").exists()


def test_a_workspace_of_the_same_name_is_told_of(project: Path) -> None:
    succeed("workspace", "create", "My-library")
    assert 'Note: there is a workspace "My-library" already, and this project uses it.' in succeed("init")


def test_a_folder_of_documents_is_found(project: Path) -> None:
    write_files(project, {"docs/a.md": "a\n"})
    assert "  rankle index docs  " in succeed("init")
    assert "such as docs" in (project / WORKFLOW).read_text(encoding="utf-8")


def test_a_search_in_python_is_measured_at_once(project: Path) -> None:
    said = succeed("init", "--system", "python")
    assert re.search(r"\n  rankle eval evals/example.jsonl --system search +measure it\n", said)
    assert max(map(len, said.splitlines())) <= 80
    outcome = rankle("eval", "evals/example.jsonl", "--system", "search", "--gate")
    assert outcome.code == 0, outcome
    assert "R@3 at least 0.7\n                   0.800 over 10 queries" in outcome.out


def test_a_search_behind_http_is_measured_by_the_workflow(project: Path, httpserver: HTTPServer) -> None:
    httpserver.expect_request("/find", method="POST").respond_with_json({"results": ["loans.md", "cards.md"]})
    succeed("init", "--system", httpserver.url_for("/find"))
    install, measure, _run = steps(project / WORKFLOW)
    assert install == "pip install rankle"  # the rest of the line is a comment
    workflow = (project / WORKFLOW).read_text(encoding="utf-8")
    assert "        #   SEARCH_TOKEN: ${{ secrets.SEARCH_TOKEN }}\n" in workflow
    assert " --system search --gate " in measure
    outcome = rankle(*measure.replace(" --github", "").split()[1:])
    assert outcome.code == 1, outcome  # whatever is asked, it finds the same: the gate is broken
    assert len(httpserver.log) >= 10


@pytest.mark.parametrize("kind", SYSTEM_EXAMPLES)
def test_every_kind_of_search_has_an_example_in_the_settings(project: Path, kind: str) -> None:
    succeed("init", "--system", kind)
    table = tomllib.loads((project / "rankle.toml").read_text(encoding="utf-8"))["systems"]
    assert table == {"search": {"uri": SYSTEM_EXAMPLES[kind]}}
    settings = set(
        re.findall(r"^#(\w+) = ", (project / "rankle.toml").read_text(encoding="utf-8"), re.MULTILINE)
    )
    assert {"headers", "threads", "processes", "ties"} & settings == OWN_SETTINGS[kind]
    assert parse_uri(SYSTEM_EXAMPLES[kind]).scheme == kind


OPTIONS: dict[str, type[Common]] = {
    "http": HttpOptions, "python": PythonOptions, "command": CommandOptions, "run": RunOptions,
}  # fmt: skip


@pytest.mark.parametrize("kind", OPTIONS)
def test_the_settings_of_a_search_are_those_that_its_kind_takes(project: Path, kind: str) -> None:
    succeed("init", "--system", kind)
    text = (project / "rankle.toml").read_text(encoding="utf-8").partition("[systems.search]")[2]
    table = tomllib.loads("\n".join(re.findall(r"^#(\w+ = .*)$", text, re.MULTILINE)))
    read_options(table, OPTIONS[kind], where=kind)  # which refuses values that it does not take
    assert set(table) == set(OPTIONS[kind].__struct_fields__)


def test_settings_that_were_there_are_told_what_to_add(project: Path) -> None:
    write_files(project, {"rankle.toml": 'model = "none"\n'})
    assert '      [systems.search]\n      uri = "command:./search"\n' in succeed(
        "init", "--system", "command"
    )
    assert (project / "rankle.toml").read_text(encoding="utf-8") == 'model = "none"\n'


def test_gates_that_settings_lack_are_told_and_what_is_told_is_enough_for_the_workflow(project: Path) -> None:
    settings = '[tool.rankle]\nmodel = "none"\n'
    write_files(project, {"pyproject.toml": settings})
    said = succeed("init")
    lines = [line.strip() for line in said.splitlines() if line.startswith("      ")]
    assert lines == ["[tool.rankle.gates.floors]", '"R@3" = 0.6']
    write_files(project, {"pyproject.toml": settings + "\n".join(lines) + "\n"})
    for step in steps(project / WORKFLOW)[1:]:
        assert rankle(*step.partition("#")[0].replace(" --github", "").split()[1:]).code == 0
    assert "no gates" not in succeed("init")


@pytest.mark.parametrize(
    ("system", "said"),
    [
        ("htp", 'unknown kind of system "htp"; did you mean "http"?'),
        ("localhost:8080", "write http://localhost:8080"),
        ("https://me:secret99@host/search", "Write the name of a variable in its place"),
    ],
)
def test_a_search_that_cannot_be_written_down_is_refused(project: Path, system: str, said: str) -> None:
    error = fail("init", "--system", system)
    assert said in error
    assert "secret99" not in error
    assert list(project.iterdir()) == []


def test_another_folder_is_made_and_entered_next(project: Path) -> None:
    said = succeed("init", "a/search quality")
    assert "\nNext:\n  cd 'a/search quality'\n  rankle run" in said
    assert (project / "a" / "search quality" / "rankle.toml").is_file()


def test_a_file_is_no_folder(project: Path) -> None:
    write_files(project, {"notes.md": "x"})
    assert fail("init", "notes.md") == "Error: notes.md is a file; name a folder, or none for this one\n"


def test_it_asks_nothing_on_a_terminal(project: Path) -> None:
    code, seen = on_terminal("init")
    assert (code, seen) == (0, MADE)
