"""`rankle export`: what is printed or written, the job summary of GitHub, and what is refused."""

from pathlib import Path

import msgspec
import pytest

from fakes.command import fail, rankle, succeed
from fakes.exported_runs import two_runs
from fakes.recorded import made_up, record
from rankle.core.run import RunReport
from rankle.records.store import open_store
from rankle.reports.exporting import FORMATS
from rankle.reports.json import parse_json, render_json, write_json
from rankle.reports.markdown import render_markdown


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    path = tmp_path / "runs.json"
    write_json(path, two_runs())
    return path


def test_markdown_is_printed_where_nothing_else_is_asked_for(saved: Path) -> None:
    assert succeed("export", saved) == render_markdown(two_runs())


@pytest.mark.parametrize("name", [name for name in FORMATS if name != "trec"])
def test_each_format_is_printed_by_its_name(saved: Path, name: str) -> None:
    assert succeed("export", saved, "--format", name) == FORMATS[name].render(two_runs())


@pytest.mark.parametrize("name", [name for name in FORMATS if name != "trec"])
def test_each_format_is_written_and_may_be_written_again(saved: Path, tmp_path: Path, name: str) -> None:
    path = tmp_path / "out.bin"
    for _ in range(2):
        assert succeed("export", saved, "--format", name, "-o", path) == ""
        assert path.read_text(encoding="utf-8") == FORMATS[name].render(two_runs())


@pytest.mark.parametrize(
    ("file", "begins"),
    [
        ("a.md", "## "), ("a.csv", "run,set,"), ("a.xml", "<?xml"), ("a.json", "{"), ("a.XML", "<?xml"),
        ("a.html", "<!doctype html>"), ("a.run", "q1\tQ0\ta.md\t1\t"),
    ],
)  # fmt: skip
def test_the_name_of_the_file_tells_the_format(tmp_path: Path, file: str, begins: str) -> None:
    source = tmp_path / "run.json"
    write_json(source, [plain_run()])
    succeed("export", source, "-o", tmp_path / file)
    assert (tmp_path / file).read_text(encoding="utf-8").startswith(begins)


def plain_run() -> RunReport:
    """The second of the runs with its first query alone."""
    run = two_runs()[1]
    return msgspec.structs.replace(run, queries=run.queries[:1])


def test_one_run_of_a_file_is_named_by_its_method_or_number(saved: Path) -> None:
    hybrid = FORMATS["json"].render(two_runs()[1:])
    assert succeed("export", f"{saved}#hybrid", "--format", "json") == hybrid
    assert succeed("export", f"{saved}#2", "--format", "json") == hybrid


def test_runs_of_several_files_stand_side_by_side(saved: Path, tmp_path: Path) -> None:
    one = tmp_path / "one.json"
    write_json(one, two_runs()[:1])
    both = succeed("export", one, f"{saved}#2", "--format", "json")
    assert both == render_json(two_runs())
    assert len(parse_json(both)) == 2


def test_scores_made_from_ranks_are_told_of(tmp_path: Path) -> None:
    run = plain_run()
    query = run.queries[0]
    tied = [msgspec.structs.replace(result, score=1.0) for result in query.results]
    path = tmp_path / "run.json"
    write_json(path, [msgspec.structs.replace(run, queries=[msgspec.structs.replace(query, results=tied)])])
    outcome = rankle("export", path, "--format", "trec")
    assert outcome.code == 0
    assert outcome.err.startswith("Note: scores are made from the ranks")


def test_the_summary_of_a_job_is_added_to(
    saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    summary = tmp_path / "summary.md"
    summary.write_text("another step\n", encoding="utf-8")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    assert succeed("export", saved, "--github") == ""
    assert summary.read_text(encoding="utf-8") == f"another step\n\n{render_markdown(two_runs())}"
    assert succeed("export", saved, "--github", "--format", "csv").startswith("run,set,")


def test_outside_of_github_actions_the_summary_is_refused(
    saved: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    assert "GITHUB_STEP_SUMMARY is not set here" in fail("export", saved, "--github")


@pytest.mark.parametrize("file", ["set.csv", "notes.md", "page.xml", "page.html", "data.json"])
def test_a_file_that_is_no_export_is_not_written_over(saved: Path, tmp_path: Path, file: str) -> None:
    (tmp_path / file).write_text("mine\n", encoding="utf-8")
    assert "is there already and is no" in fail("export", saved, "-o", tmp_path / file)
    assert (tmp_path / file).read_text(encoding="utf-8") == "mine\n"


def test_the_file_that_is_read_is_not_written(saved: Path) -> None:
    assert "is the file that is read" in fail("export", f"{saved}#1", "-o", saved)


def test_a_name_that_tells_no_format_is_refused(saved: Path, tmp_path: Path) -> None:
    assert "does not tell what to make" in fail("export", saved, "-o", tmp_path / "report.pdf")


@pytest.mark.parametrize("content", ["", "{}", "[]", "nonsense", '{"schema": "rankle.gate/1"}'])
def test_what_is_no_record_of_a_run_is_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "run.json"
    path.write_text(content, encoding="utf-8")
    message = fail("export", path)
    assert f"{path} is no record of a run" in message
    assert "rankle eval SET --output FILE" in message


def test_a_record_of_a_newer_version_is_refused_with_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    path.write_text('{"schema": "rankle.run/9"}', encoding="utf-8")
    assert f"{path} is of a newer version of rankle" in fail("export", path)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    assert f"{tmp_path / 'none.json'} cannot be read: No such file" in fail("export", tmp_path / "none.json")


def test_an_unknown_run_of_a_file_is_refused_with_those_that_it_has(saved: Path) -> None:
    assert "hybrid" in fail("export", f"{saved}#hybird")


def test_runs_of_another_store_are_exported(tmp_path: Path) -> None:
    run = made_up()
    with open_store(tmp_path / "elsewhere.db", create=True) as store:
        record(store, run)
    printed = succeed("export", "latest", "--format", "json", "--records", tmp_path / "elsewhere.db")
    assert printed == render_json([run.report])
