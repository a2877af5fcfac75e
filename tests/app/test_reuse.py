"""Runs take results from earlier runs that asked the same of the same, and say so wherever times stand."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest

from fakes.hand_worked import RECORDS, scripted_system
from fakes.scripted_system import BatchScriptedSystem, ScriptedSystem
from rankle.app.evaluate import evaluate
from rankle.app.record_request import Recording
from rankle.app.rescore import rescore
from rankle.app.runs import load_run
from rankle.core.errors import InputError
from rankle.core.evalset import EvalSet
from rankle.core.ports import SystemDescription
from rankle.core.run import QueryReport, RunReport
from rankle.formats.eval_set import eval_set_of_records
from rankle.gates.limits import judge_latency
from rankle.records.store import open_store
from rankle.reports.exporting import FORMATS


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "records.db"


def reusable(kind: type[ScriptedSystem] = ScriptedSystem, **changes: Any) -> ScriptedSystem:
    return kind(**{**vars(scripted_system()), "described": {"is_reusable": True}, **changes})


def run(place: Path | None, system: ScriptedSystem, **options: Any) -> RunReport:
    ticks = iter(range(1000))
    record: dict[str, Any] = {} if place is None else {"record": place}
    return evaluate(RECORDS, system=system, **{"clock": lambda: next(ticks) / 8, **record, **options})


def asked(system: ScriptedSystem) -> list[str]:
    return [query for query, *_ in system.calls]


def figures(report: RunReport) -> tuple[object, ...]:
    """What does not tell who asked, nor when."""
    bare = [
        msgspec.structs.replace(query, reused_from=msgspec.UNSET, took_ms=None) for query in report.queries
    ]
    return report.measures, report.funnel, report.documents, bare


def test_what_was_answered_before_is_not_asked_again_and_what_failed_is(place: Path) -> None:
    first = run(place, reusable())
    system = reusable()
    again = run(place, system)
    assert asked(system) == ["the fifth question"]
    assert figures(again) == figures(first)
    assert {query.reused_from for query in again.queries} == {first.id, msgspec.UNSET}
    (notice,) = (notice for notice in again.notices if "earlier run" in notice)
    assert f"5 of 6, with the times of then (run {first.id}). To ask again: --no-cache" in notice


def test_times_are_those_of_the_run_that_asked_and_are_marked(place: Path) -> None:
    first = run(place, reusable())
    again = run(place, reusable(), clock=lambda: 0.0)
    assert again.latency_ms == msgspec.structs.replace(first.latency_ms, n_reused=5)
    text = {name: form.render([again]) for name, form in FORMATS.items()}
    for name in ("markdown", "html"):
        assert "taken from an earlier run for 5 queries" in text[name].replace("\\", "")
    assert 'time="0.000"' in text["junit"].partition("<properties>")[0]
    took = text["csv"].splitlines()[0].split(",").index("took_ms")
    assert {line.split(",")[took] for line in text["csv"].splitlines()[1:]} == {""}
    verdict = judge_latency(again, most_ms=1e9)
    assert (verdict.verdict.exit_code, verdict.why) == (
        2,
        "5 times are those of an earlier run. Evaluate with --no-cache",
    )


def test_a_run_that_took_all_is_kept_whole_and_names_who_asked_first(place: Path) -> None:
    first = run(place, reusable(), max_queries=3)
    run(place, reusable(), max_queries=3)
    third = run(place, reusable(), max_queries=3)
    assert {query.reused_from for query in third.queries} == {first.id}
    with open_store(place) as store:
        store.delete(info.id for info in store.runs()[1:])
    assert load_run("latest", records=place).report == third
    assert rescore("latest", list(third.measures), records=place).report == third


def test_only_what_is_new_is_asked(place: Path) -> None:
    run(place, reusable(), max_queries=2)
    system = reusable()
    run(place, system)
    assert asked(system) == [str(record["query"]) for record in RECORDS[2:]]


def test_other_judgments_and_measures_take_the_same_results(place: Path) -> None:
    run(place, reusable())
    system = reusable()
    other: EvalSet = eval_set_of_records([{"query": "the first question", "relevant": ["c.md"]}])
    report = evaluate(other, system=system, record=place, measures="AP")
    assert asked(system) == []
    assert report.measures["AP"].mean == pytest.approx(1 / 3)


CHANGES: Mapping[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "no earlier run may be used": ({}, {"reuse": False}),
    "another depth": ({"depth": 50}, {}),
    "searches timed by themselves": ({"one_by_one": True}, {}),
    "several at a time": ({"concurrency": 2}, {}),
}


@pytest.mark.parametrize("change", CHANGES)
def test_everything_is_asked_where(change: str, place: Path) -> None:
    run(place, reusable())
    options, recording = CHANGES[change]
    system = reusable()
    report = run(place, system, **options, record=Recording(path=place, **recording))
    assert sorted(asked(system)) == sorted(str(record["query"]) for record in RECORDS)
    assert report.latency_ms.n_reused is msgspec.UNSET


def test_other_content_is_asked(place: Path) -> None:
    run(place, reusable())
    system = reusable(described={"is_reusable": True})
    described = system.describe()

    class Other(ScriptedSystem):
        def describe(self) -> SystemDescription:
            return SystemDescription(
                described.name, described.method, "1" * 64, described.stages, is_reusable=True
            )

    other = Other(**vars(system))
    run(place, other)
    assert len(asked(other)) == len(RECORDS)


def test_a_system_that_does_not_say_so_is_always_asked(place: Path) -> None:
    for _ in range(2):
        system = scripted_system()
        run(place, system)
        assert len(asked(system)) == len(RECORDS)


def test_a_run_without_a_record_takes_nothing(place: Path) -> None:
    run(place, reusable())
    system = reusable()
    before = place.read_bytes()
    run(None, system)
    assert len(asked(system)) == len(RECORDS)
    assert place.read_bytes() == before


def test_batches_hold_only_what_is_asked(place: Path) -> None:
    first = run(place, reusable(BatchScriptedSystem), max_queries=4)
    system = reusable(BatchScriptedSystem)
    again = run(place, system)
    assert isinstance(system, BatchScriptedSystem)
    assert system.batches == [2]
    sizes = (first.latency_ms.batch_size, again.latency_ms.batch_size)
    assert (sizes, again.latency_ms.n_reused) == ((4, 4), 4)


def test_a_query_of_the_same_text_in_another_collection_is_another(place: Path) -> None:
    collections = {"a.md": "guides"}
    records = [{"query": "the first question", "relevant": ["a.md"]}]
    evaluate(records, system=reusable(collections=collections), record=place)
    system = reusable(collections=collections)
    evaluate(records, system=system, record=place, collection="guides")
    assert asked(system) == ["the first question"]


def test_a_run_that_goes_on_keeps_what_it_took(place: Path) -> None:
    first = run(place, reusable(), max_queries=2)
    stopping = reusable()
    stopping.answers = {**stopping.answers, "the fourth question": InputError("stopped")}
    with pytest.raises(InputError, match="stopped"):
        run(place, stopping)
    system = reusable()
    report = run(place, system, record=Recording(path=place, resume=True))
    assert "the first question" not in asked(system)
    assert [_from(query) for query in report.queries[:3]] == [first.id, first.id, None]


def _from(query: QueryReport) -> str | None:
    return query.reused_from or None
