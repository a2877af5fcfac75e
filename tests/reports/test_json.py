"""The record as JSON: its order, its schema, and the file it is written to."""

import asyncio
import json
from importlib.resources import files
from pathlib import Path

import jsonschema
import pytest

from fakes.hand_worked import STAMP, scripted_clock, scripted_system, write_set
from rankle.core.errors import InputError
from rankle.core.run import RunReport
from rankle.formats.eval_set import read_eval_set
from rankle.harness.evaluation import evaluate_system
from rankle.harness.settings import Settings
from rankle.reports.json import check_output, parse_json, render_json, write_json
from rankle.reports.schema import SCHEMAS, schema_of


@pytest.fixture
def report(tmp_path: Path) -> RunReport:
    work = evaluate_system(
        read_eval_set(write_set(tmp_path)),
        scripted_system(),
        Settings(k=(1, 3)),
        stamp=STAMP,
        clock=scripted_clock(),
        on_progress=lambda done, total: None,
    )
    return asyncio.run(work)


def published(name: str) -> str:
    return files("rankle.reports").joinpath("schemas", f"{name}.json").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", SCHEMAS)
def test_the_published_schema_is_made_from_the_types(name: str) -> None:
    """After a change of core/run.py: `write_schemas(Path("src/rankle/reports/schemas"))`."""
    assert json.loads(published(name)) == schema_of(name)
    jsonschema.Draft202012Validator.check_schema(schema_of(name))


@pytest.mark.parametrize("name", SCHEMAS)
def test_every_type_and_every_member_of_a_schema_says_what_it_is(name: str) -> None:
    for part, definition in schema_of(name)["$defs"].items():
        assert definition.get("description"), part
        silent = [key for key, one in definition.get("properties", {}).items() if not one.get("description")]
        assert silent == [], part


def test_the_schema_carries_the_words_of_the_fields() -> None:
    members = schema_of("run-1")["$defs"]["ResultReport"]["properties"]
    assert members["grade"]["description"] == "Null for unjudged."
    assert members["rank"] == {"description": "From 1.", "type": "integer", "minimum": 1}


@pytest.mark.parametrize(("name", "n_runs"), [("run-1", 1), ("runs-1", 2)])
def test_a_record_is_valid_and_read_back(report: RunReport, name: str, n_runs: int) -> None:
    text = render_json([report] * n_runs)
    jsonschema.validate(json.loads(text), json.loads(published(name)))
    assert parse_json(text) == (report,) * n_runs


@pytest.mark.parametrize(
    "change",
    [{"schema": "rankle.run/2"}, {"level": "page"}, {"measures": [1]}, {"depth": 0}, {"queries": None}],
)
def test_the_schema_refuses_what_is_no_record(report: RunReport, change: dict[str, object]) -> None:
    value = json.loads(render_json([report])) | change
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(value, json.loads(published("run-1")))


def test_further_members_may_stand_beside(report: RunReport) -> None:
    value = json.loads(render_json([report])) | {"git": "6402a77"}
    jsonschema.validate(value, json.loads(published("run-1")))
    assert parse_json(json.dumps(value)) == (report,)


def test_the_members_of_the_core_stand_in_their_order(report: RunReport) -> None:
    value = json.loads(render_json([report]))
    assert list(value) == [
        "schema", "id", "created", "rankle_version", "set", "level", "depth", "k", "ties", "seed", "system",
        "measures", "latency_ms", "labels", "funnel", "documents", "notices", "n_duplicates_dropped",
        "queries",
    ]  # fmt: skip
    assert value["queries"][1]["targets"][0] == {
        "id": "a.md", "grade": 1, "relevant": True, "rank": 4, "rank_at": {"fts5": 4}, "lost_at": "below k",
    }  # fmt: skip
    assert value["queries"][1]["query"] == "第二の質問 [with brackets]"
    assert render_json([report]) == render_json([report])


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"schema": "rankle.run/1"}', '{"schema": "rankle.run/9"}'])
def test_what_is_no_record_is_refused(text: str) -> None:
    with pytest.raises(InputError, match=r"^not a record of a run: "):
        parse_json(text)


def test_a_file_is_replaced_whole_and_nothing_is_left_beside(report: RunReport, tmp_path: Path) -> None:
    path = tmp_path / "out" / "run.json"
    path.parent.mkdir()
    path.write_text("old", encoding="utf-8")
    write_json(path, [report])
    assert parse_json(path.read_bytes()) == (report,)
    assert [entry.name for entry in path.parent.iterdir()] == ["run.json"]


def test_an_output_that_cannot_be_written_is_refused_beforehand(tmp_path: Path) -> None:
    with pytest.raises(InputError) as folder:
        check_output(tmp_path)
    assert str(folder.value) == (
        f"{tmp_path} is a folder; --output names a file, such as {tmp_path / 'run.json'}"
    )
    with pytest.raises(InputError) as missing:
        check_output(tmp_path / "no" / "run.json")
    assert str(missing.value) == f"no such folder: {tmp_path / 'no'}; make it first, or write elsewhere"
    with pytest.raises(InputError, match=r"^cannot write .*: File name too long; write elsewhere$"):
        check_output(tmp_path / ("x" * 300))


def test_a_write_that_fails_is_an_error_in_words_and_leaves_nothing(
    report: RunReport, tmp_path: Path
) -> None:
    """A name that fits, while that of the file beside it no longer does."""
    with pytest.raises(InputError, match=r"^cannot write .*: File name too long; write elsewhere$"):
        write_json(tmp_path / ("x" * 254), [report])
    assert [entry.name for entry in tmp_path.iterdir() if entry.name.startswith((".", "x"))] == []


def test_a_link_stays_and_permissions_too(report: RunReport, tmp_path: Path) -> None:
    real, link = tmp_path / "real.json", tmp_path / "link.json"
    write_json(real, [report])
    real.chmod(0o640)
    link.symlink_to("real.json")
    write_json(link, [report])
    assert link.is_symlink()
    assert real.stat().st_mode & 0o777 == 0o640
