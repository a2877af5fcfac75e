"""Runs are recorded while they are measured, go on after an interruption, and are read and scored again."""

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from fakes.hand_worked import RECORDS, scripted_system
from fakes.scripted_system import BatchScriptedSystem, ScriptedSystem
from rankle.app.evaluate import evaluate
from rankle.app.record_request import Recording
from rankle.app.rescore import rescore
from rankle.app.runs import load_run, records_to_read
from rankle.core.errors import InputError, MeasureError, RecordError
from rankle.core.ports import SystemDescription
from rankle.core.run import RunReport
from rankle.records.run_info import RunState
from rankle.records.schema import SCHEMA_VERSION
from rankle.records.store import open_store


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "kept" / "records.db"


def run(place: Path | None, *, system: ScriptedSystem | None = None, **options: Any) -> RunReport:
    record: dict[str, Any] = {} if place is None else {"record": place}
    given: dict[str, Any] = {"k": (1, 3), "clock": lambda: 0.0} | record | options
    return evaluate(RECORDS, system=system or scripted_system(), **given)


def interrupt(place: Path, **options: Any) -> None:
    """Measure until the fourth query stops it, as Ctrl-C would."""
    system = scripted_system()
    system.answers = {**system.answers, "the fourth question": InputError("stopped")}
    with pytest.raises(InputError, match="stopped"):
        run(place, system=system, **options)


def bare(report: RunReport) -> bytes:
    """The report without what tells one run from another."""
    return msgspec.json.encode(msgspec.structs.replace(report, id="", created=""))


def test_nothing_is_written_unasked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("RANKLE_RECORDS")
    run(None)
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_a_recorded_run_is_loaded_as_it_was_returned_to_the_byte(place: Path) -> None:
    report = run(place)
    assert msgspec.json.encode(load_run("latest", records=place).report) == msgspec.json.encode(report)


@pytest.mark.parametrize("kind", [ScriptedSystem, BatchScriptedSystem])
def test_recording_changes_no_figure(place: Path, kind: type[ScriptedSystem]) -> None:
    system = kind(**vars(scripted_system()))
    assert bare(run(place, system=system)) == bare(run(None, system=system))


def test_record_true_takes_the_store_of_the_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "rankle.toml").write_text('workspace = "w"\n')
    (tmp_path / "below").mkdir()
    monkeypatch.chdir(tmp_path / "below")
    monkeypatch.delenv("RANKLE_RECORDS")
    report = run(None, record=True)
    with open_store(tmp_path / ".rankle" / "records.db") as store:
        assert [info.id for info in store.runs()] == [report.id]


def test_record_true_is_refused_where_records_are_off() -> None:
    with pytest.raises(InputError, match="RANKLE_RECORDS or the project file says none; give a path"):
        run(None, record=True)


def test_what_was_asked_and_measured_stands_in_the_record(place: Path) -> None:
    report = run(place, record=Recording(path=place, name="first try", tag="main"), depth=50)
    with open_store(place) as store:
        info = store.info("main")
    assert (info.id, info.created, info.name) == (report.id, report.created, "first try")
    assert (info.set_fingerprint, info.n_queries, info.depth) == (report.set.fingerprint, 6, 50)
    assert (info.system_name, info.method, info.n_failed) == ("scripted", "fts5", 1)
    assert info.settings["k"] == [1, 3]
    assert info.settings["measures"] == list(report.measures)
    assert info.measures == {name: summary.mean for name, summary in report.measures.items()}
    assert info.finished is not None


def test_an_interrupted_run_goes_on_and_asks_only_what_is_left(place: Path) -> None:
    interrupt(place)
    with open_store(place) as store:
        (info,) = store.runs()
    assert (info.state, info.n_done) == (RunState.INTERRUPTED, 3)
    system = scripted_system()
    report = run(place, system=system, record=Recording(path=place, resume=True))
    assert [query for query, *_ in system.calls] == [record["query"] for record in RECORDS[3:]]
    assert (report.id, report.created) == (info.id, info.created)
    assert bare(report) == bare(run(None))
    assert load_run("latest", records=place).report == report


def test_a_run_that_went_on_can_be_scored_again(place: Path) -> None:
    interrupt(place)
    report = run(place, record=Recording(path=place, resume=True))
    assert rescore("latest", list(report.measures), records=place).report == report


class Reindexed(ScriptedSystem):
    """The same system over another index."""

    def describe(self) -> SystemDescription:
        return replace(super().describe(), fingerprint="1" * 64, parts={"index": "2"})


CHANGES: Mapping[str, tuple[dict[str, Any], str]] = {
    "depth": ({"depth": 50}, "Depth: 100 then, 50 now"),
    "fewer queries": ({"max_queries": 4}, "Number of queries: 6 then, 4 now"),
    "system": (
        {"system": Reindexed(**vars(scripted_system()))},
        "The index of scripted changed",
    ),
    "judgments": (
        {"eval_set": [*RECORDS[:5], {**RECORDS[5], "relevant": ["b.md"]}]},
        "The queries or judgments of .* were changed",
    ),
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_differs_from_the_interrupted_run_is_told(place: Path, change: str) -> None:
    interrupt(place)
    options, words = CHANGES[change]
    known: dict[str, Any] = {"eval_set": RECORDS, "system": scripted_system(), "k": (1, 3)}
    given = known | options
    eval_set = given.pop("eval_set")
    with pytest.raises(
        InputError, match=rf"3 of 6 queries\) cannot be gone on with.*{words}.*leave out --resume"
    ):
        evaluate(eval_set, record=Recording(path=place, resume=True), **given)


def test_a_complete_run_is_nothing_to_go_on_with(place: Path) -> None:
    run(place)
    with pytest.raises(InputError, match="there is no interrupted run to go on with"):
        run(place, record=Recording(path=place, resume=True))


def test_other_measures_do_not_stand_in_the_way_of_going_on(place: Path) -> None:
    interrupt(place)
    report = run(place, record=Recording(path=place, resume=True), k=None, measures="AP")
    assert list(report.measures) == ["AP"]
    assert load_run("latest", records=place).report == report


def test_other_measures_are_computed_without_asking_and_the_record_stays(place: Path) -> None:
    first = run(place)
    again = rescore("latest", "AP,nDCG@3", records=place).report
    assert bare(again) == bare(run(None, k=None, measures="AP,nDCG@3"))
    assert (again.id, again.created) == (first.id, first.created)
    assert load_run("latest", records=place).report == first


def test_judgments_that_a_report_leaves_out_still_count_when_it_is_scored_again(place: Path) -> None:
    """infAP reads what is pooled and unjudged, which no report shows."""
    pooled = {"document": "b.md", "relevance": -1}
    records = [{"query": "the first question", "relevant": [{"document": "c.md", "relevance": 1}, pooled]}]
    with_it = evaluate(records, system=scripted_system(), record=place, measures="infAP")
    assert rescore("latest", "infAP", records=place).report == with_it


def test_a_measure_deeper_than_the_run_is_refused(place: Path) -> None:
    run(place, depth=10)
    with pytest.raises(
        MeasureError, match=r"R@20 is deeper than the 10 results .* evaluate again with --depth 20"
    ):
        rescore("latest", "R@20", records=place)


def newer(place: Path) -> None:
    open_store(place, create=True).close()
    with closing(sqlite3.connect(place)) as connection:
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
        connection.commit()


def test_a_store_that_cannot_be_used_stops_a_run_that_was_to_be_recorded(place: Path) -> None:
    newer(place)
    system = scripted_system()
    with pytest.raises(RecordError, match="made by a newer rankle"):
        run(place, system=system)
    assert system.calls == []


def test_a_store_that_cannot_be_used_stops_no_other_run(place: Path) -> None:
    newer(place)
    problems: list[RecordError] = []
    recording = Recording(path=place, is_asked_for=False, on_problem=problems.append)
    assert bare(run(place, record=recording)) == bare(run(None))
    assert ["made by a newer rankle" in str(problem) for problem in problems] == [True]


def test_a_store_that_breaks_while_queries_are_asked_costs_no_figure(place: Path) -> None:
    problems: list[RecordError] = []
    system = Breaking(place, **vars(scripted_system()))
    report = run(place, system=system, record=Recording(path=place, on_problem=problems.append))
    assert bare(report) == bare(run(None))
    assert [str(problem).startswith("the records") for problem in problems] == [True]


def test_from_python_a_record_that_breaks_is_a_warning(place: Path) -> None:
    with pytest.warns(RuntimeWarning, match="the run is not recorded: the records"):
        run(place, system=Breaking(place, **vars(scripted_system())))


class Breaking(ScriptedSystem):
    """Overwrites the store when it is asked its second query."""

    def __init__(self, place: Path, **script: Any) -> None:
        super().__init__(**script)
        self.place = place

    async def search(self, query: str, **options: Any) -> Any:
        if len(self.calls) == 1:
            with closing(sqlite3.connect(self.place)) as connection:
                connection.execute("DROP TABLE cases")
        return await super().search(query, **options)


def test_keys_and_folders_are_in_no_record(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret")
    run(place)
    with open_store(place) as store:
        plan = store.read("latest").plan
    raw = place.read_bytes() + plan
    assert b"sk-very-secret" not in raw
    assert str(place.parent).encode() not in raw


@pytest.mark.parametrize(
    ("variable", "file", "expected"),
    [
        (None, None, ".rankle/records.db"),
        (None, 'records = "kept/r.db"', "kept/r.db"),
        ("other.db", 'records = "kept/r.db"', "below/other.db"),
        ("none", None, None),
        (None, 'records = "none"', None),
    ],
)
def test_where_records_are(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    variable: str | None,
    file: str | None,
    expected: str | None,
) -> None:
    """The project's folder is that of rankle.toml; a variable is read from where one stands."""
    (tmp_path / "below").mkdir()
    (tmp_path / "rankle.toml").write_text(file or "", encoding="utf-8")
    monkeypatch.chdir(tmp_path / "below")
    if variable is None:
        monkeypatch.delenv("RANKLE_RECORDS")
    else:
        monkeypatch.setenv("RANKLE_RECORDS", variable)
    if expected is None:
        with pytest.raises(InputError, match="there are no records; name a store with --records"):
            records_to_read()
    else:
        assert records_to_read() == tmp_path / expected
    assert records_to_read(Path("mine.db")) == tmp_path / "below" / "mine.db"
