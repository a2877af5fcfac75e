# ruff: noqa: E501  (messages stand as they are printed)
"""The use case behind `rankle eval` and `rankle.evaluate`: what it takes, and what it refuses."""

import asyncio
import json
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import rankle
from fakes.hand_worked import STAMP, scripted_clock, scripted_system, write_set
from fakes.scripted_system import BatchScriptedSystem, ScriptedSystem
from rankle.app.evaluate import aevaluate, check_failures, evaluate
from rankle.app.wiring.knowledge_base import open_knowledge_base
from rankle.app.wiring.settings import load_settings
from rankle.core.errors import BadLinesError, CannotMeasureError, InputError, MeasureError, UnknownNameError
from rankle.core.evalset import EvalQuery, EvalSet, Label
from rankle.core.run import RunReport

ONE = EvalSet("one", (EvalQuery("1", "q", (Label("a"),)),))


def found() -> ScriptedSystem:
    return ScriptedSystem({"q": ["a"]}, documents=["a"])


def test_a_path_or_a_text_names_a_set(tmp_path: Path) -> None:
    path = write_set(tmp_path)
    reports = [
        evaluate(given, system=scripted_system(), k=(1, 3), stamp=STAMP, clock=scripted_clock())
        for given in (path, str(path))
    ]
    assert reports[0] == reports[1]
    assert reports[0].measures["R@3"].mean == pytest.approx(3 / 8)


def test_a_set_made_in_python_is_measured() -> None:
    report = evaluate(ONE, system=found(), k=1, measures="nDCG@1,AP")
    assert {name: summary.mean for name, summary in report.measures.items()} == {"nDCG@1": 1.0, "AP": 1.0}
    assert re.fullmatch(r"[0-9a-f]{12}", report.id)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", report.created)
    assert report.queries[0].took_ms is not None


def test_records_in_python_are_read_as_those_of_a_file_are(tmp_path: Path) -> None:
    records: list[dict[str, Any]] = [
        {"query": "q", "relevant": [{"document": "a", "relevance": 2}], "tags": ["x"]},
        {"query": "p", "relevant": ["b"]},
    ]
    path = tmp_path / "set.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    system = ScriptedSystem({"q": ["a"]}, documents=["a", "b"])
    for given in (records, iter(records), tuple(records)):
        report = evaluate(given, system=system)
        assert report.measures == evaluate(path, system=system).measures
        assert [query.id for query in report.queries] == ["item-1", "item-2"]
        assert report.set.name == "records"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([{"query": "x", "relevant": ["a"]}, {"query": 1, "relevant": []}, 3], 'records:2: "query" must be text that is not blank, got 1\nrecords:3: must be an object'),
        ([], "records holds no query"),
        (7, 'an eval set is a path, an EvalSet, or a list of records such as {"query": …, "relevant": […]}; got int'),
        ({"query": "x"}, "got dict"),
        (None, "got NoneType"),
        (b"set.jsonl", "got bytes"),
    ],
)  # fmt: skip
def test_what_is_no_set_is_said_in_words(given: Any, message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        evaluate(given, system=found())


def test_the_same_run_twice_differs_in_its_stamp_and_clock_only() -> None:
    one, two = (evaluate(ONE, system=found(), clock=lambda: 0.0) for _ in range(2))
    assert one.id != two.id
    assert (one.measures, one.queries, one.set) == (two.measures, two.queries, two.set)


def test_the_async_form_and_the_sync_form_within_a_running_loop_agree() -> None:
    async def both() -> tuple[RunReport, RunReport]:
        options: dict[str, Any] = {"system": found(), "stamp": STAMP, "clock": lambda: 0.0}
        return await aevaluate(ONE, **options), evaluate(ONE, **options)

    one, two = asyncio.run(both())
    assert one == two


def test_searches_are_timed_in_batches_or_one_by_one_on_request() -> None:
    def timed(**options: Any) -> RunReport:
        return evaluate(ONE, system=BatchScriptedSystem({"q": ["a"]}, documents=["a"]), **options)

    assert timed().latency_ms.of == "batch"
    assert timed(one_by_one=True).latency_ms.of == "search"


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"level": "documnt"}, UnknownNameError, 'unknown level "documnt"; did you mean "document"? There is: document, chunk'),
        ({"measures": "nDGC@10"}, MeasureError, "nDGC@10"),
        ({"measures": [""]}, MeasureError, "measure"),
        ({"k": 0}, InputError, "k must be one or more integers >= 1, got [0]"),
        ({"workspace": "w"}, InputError, "evaluate takes a system of your own, or kb, workspace, method and settings; not both"),
        ({"collection": "x"}, UnknownNameError, 'unknown collection "x". There is: "default"'),
    ],
)  # fmt: skip
def test_what_cannot_be_used_is_refused(options: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=re.escape(message)):
        evaluate(ONE, system=found(), **options)


def test_an_open_knowledge_base_and_its_workspace_give_the_same_record(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# Reset\n\nHold the red button.\n", encoding="utf-8")
    eval_set = EvalSet("one", (EvalQuery("1", "red button", (Label("a.md"),)),), folder=str(tmp_path))
    options: dict[str, Any] = {"stamp": STAMP, "clock": lambda: 0.0}
    with open_knowledge_base(load_settings(), create=True) as kb:
        kb.index(tmp_path / "a.md")
        opened = evaluate(eval_set, kb=kb, **options)
        with pytest.raises(InputError, match="an open kb or the name of a workspace, not both"):
            evaluate(eval_set, kb=kb, workspace="default")
    named = evaluate(eval_set, workspace="default", method="fts5", **options)
    assert opened == named == evaluate(eval_set, **options)
    assert opened.measures["RR@10"].mean == 1.0


def test_the_relevance_is_one_that_exists(tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError) as caught:
        evaluate(write_set(tmp_path), system=found(), relevance="judgment")
    assert str(caught.value) == (
        'unknown relevance "judgment"; did you mean "judgments"? There is: relevantDocs, judgments'
    )


def test_a_set_with_faults_stops_before_the_system_is_asked(tmp_path: Path) -> None:
    path = tmp_path / "set.jsonl"
    path.write_text("{}\n", encoding="utf-8")
    system = found()
    with pytest.raises(BadLinesError):
        evaluate(path, system=system)
    assert system.calls == []


@pytest.mark.parametrize("steps", ["targets=case,extension", ["ids=case", "ids=extension"]])
def test_labels_join_by_normalised_ids_where_they_join_nothing_as_they_are(steps: Any) -> None:
    labels = Label("Setup"), Label("b.md", grade=2), Label("lost")
    eval_set = EvalSet("s", (EvalQuery("1", "q", labels),))
    system = ScriptedSystem(
        {"q": ["guide.md", "setup.md", "b.md"]}, documents=["setup.md", "b.md", "guide.md"]
    )
    report = evaluate(eval_set, system=system, k=3, measures="R@3", normalise=steps)
    assert [target.id for target in report.queries[0].targets] == ["setup.md", "b.md", "lost"]
    assert report.measures["R@3"].mean == pytest.approx(2 / 3)
    assert "labels that join by their normalised ids: 1" in report.notices


def test_a_label_that_normalised_fits_several_documents_is_a_fault() -> None:
    eval_set = EvalSet("s", (EvalQuery("1", "q", (Label("Setup"),), line=7),))
    system = ScriptedSystem({}, documents=["setup.md", "setup.txt"])
    with pytest.raises(
        BadLinesError, match=r's:7: "Setup", normalised, fits several documents: "setup.md", "setup.txt"'
    ):
        evaluate(eval_set, system=system, normalise="ids=case,extension")


@pytest.mark.parametrize(
    ("system", "steps", "message"),
    [
        (ScriptedSystem({}, documents=["a"]), "queries=case", "a set joins by its targets alone"),
        (ScriptedSystem({}), "targets=case", "the system cannot list its documents"),
        (
            ScriptedSystem({}, documents=["a"]),
            "targets=casing",
            'unknown normalisation "casing"; did you mean "case"',
        ),
    ],
)
def test_normalisations_that_can_do_nothing_are_refused(system: Any, steps: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        evaluate(ONE, system=system, normalise=steps)


def test_failures_beyond_what_is_allowed_make_a_run_worthless(tmp_path: Path) -> None:
    report = evaluate(write_set(tmp_path), system=scripted_system())
    check_failures(report, max_failures=1)
    with pytest.raises(CannotMeasureError) as caught:
        check_failures(report, max_failures=0)
    assert str(caught.value) == (
        'the system failed on 1 of 6 queries, more than 0. The first is "the fifth question": RuntimeError: boom. '
        "Failed queries are in no mean; to accept them: --max-failures 1"
    )
    assert caught.value.exit_code == 2
    with pytest.raises(CannotMeasureError, match=r"^method vector failed on 1 of 6 queries"):
        check_failures(report, max_failures=0, who="method vector")


@pytest.mark.parametrize(
    ("call", "name", "meant"),
    [
        (rankle.evaluate, "mesures", "measures"),
        (rankle.evaluate, "sytem", "system"),
        (partial(rankle.evaluate_methods, methods=["fts5"]), "setings", "settings"),
        (partial(rankle.evaluate_systems, systems=["python:a:b"]), "max_querys", "max_queries"),
    ],
    ids=["of all", "own", "of methods", "of systems"],
)
def test_an_option_that_does_not_exist_is_told_with_the_nearest(
    call: Callable[..., Any], name: str, meant: str
) -> None:
    with pytest.raises(
        UnknownNameError, match=rf'unknown option of evaluate\w* "{name}"; did you mean "{meant}"'
    ):
        call([], **{name: 1})
