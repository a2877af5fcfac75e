"""Queries in batches: the same record as one by one, failures that stay with their query, honest times."""

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest

from fakes.hand_worked import STAMP, scripted_system, write_set
from fakes.scripted_system import BatchScriptedSystem, ScriptedSystem
from rankle.core.errors import InputError
from rankle.core.evalset import EvalQuery, EvalSet, Label
from rankle.core.run import Latency, RunReport
from rankle.formats.eval_set import read_eval_set
from rankle.harness.batches import BATCH_SIZE
from rankle.harness.evaluation import evaluate_system
from rankle.harness.settings import Settings

ASKED_AGAIN = "queries asked one by one, since the batch that they were in crashed"


def run(eval_set: EvalSet, system: ScriptedSystem, *, clock: Any = lambda: 0.0, **options: Any) -> RunReport:
    on_progress = options.pop("on_progress", lambda done, total: None)
    settings = Settings(k=(1, 3), **options)
    return asyncio.run(
        evaluate_system(eval_set, system, settings, stamp=STAMP, clock=clock, on_progress=on_progress)
    )


def many(n: int) -> EvalSet:
    return EvalSet("set", tuple(EvalQuery(str(i), f"q{i}", (Label("a"),)) for i in range(n)))


def answering(n: int, **options: Any) -> BatchScriptedSystem:
    return BatchScriptedSystem({f"q{i}": ["a"] for i in range(n)}, documents=["a"], **options)


def counting_seconds() -> Any:
    readings = iter(range(1_000))
    return lambda: float(next(readings))


def in_batches(system: ScriptedSystem) -> BatchScriptedSystem:
    return BatchScriptedSystem(answers=system.answers, documents=system.documents)


def test_a_batch_gives_the_record_that_single_searches_give(tmp_path: Path) -> None:
    eval_set = read_eval_set(write_set(tmp_path))
    batched, alone = in_batches(scripted_system()), in_batches(scripted_system())
    record = run(eval_set, batched)
    reference = run(eval_set, alone, one_by_one=True)
    assert (batched.batches, alone.batches) == ([6], [])
    assert record.latency_ms == Latency(p50=0.0, p95=0.0, of="batch", batch_size=6)
    assert msgspec.structs.replace(record, latency_ms=reference.latency_ms) == reference
    assert [query.error for query in record.queries if query.status == "failed"] == ["RuntimeError: boom"]


def test_a_system_without_batches_is_asked_one_by_one(tmp_path: Path) -> None:
    record = run(read_eval_set(write_set(tmp_path)), scripted_system())
    assert (record.latency_ms.of, record.latency_ms.batch_size) == ("search", None)


@pytest.mark.parametrize("options", [{"concurrency": 2}, {"one_by_one": True}])
def test_several_in_flight_and_one_by_one_ask_no_batch(options: Any) -> None:
    system = answering(3)
    assert run(many(3), system, **options).latency_ms.of == "search"
    assert (system.batches, len(system.calls)) == ([], 3)


def test_blocks_are_of_one_size_and_told_as_progress() -> None:
    n = 2 * BATCH_SIZE + 1
    told: list[tuple[int, int]] = []
    system = answering(n)
    record = run(many(n), system, on_progress=lambda done, total: told.append((done, total)))
    assert system.batches == [BATCH_SIZE, BATCH_SIZE, 1]
    assert told == [(BATCH_SIZE, n), (2 * BATCH_SIZE, n), (n, n)]
    assert record.measures["R@1"].mean == 1.0
    assert [query.id for query in record.queries] == [str(i) for i in range(n)]


def test_each_query_took_its_share_of_its_batch() -> None:
    """A batch takes 1 s by this clock: 1,000 / 128 ms for each of the first block, 1,000 ms for the last."""
    record = run(many(BATCH_SIZE + 1), answering(BATCH_SIZE + 1), clock=counting_seconds())
    assert record.queries[0].took_ms == pytest.approx(1_000 / BATCH_SIZE)
    assert record.queries[-1].took_ms == pytest.approx(1_000)
    assert record.latency_ms == Latency(
        p50=1_000 / BATCH_SIZE, p95=1_000 / BATCH_SIZE, of="batch", batch_size=BATCH_SIZE
    )


@pytest.mark.parametrize("crash", [ValueError("bad batch"), SystemExit("bad batch")], ids=["error", "exit"])
def test_a_batch_that_crashes_is_asked_one_by_one_so_that_the_failing_query_is_named(
    crash: BaseException,
) -> None:
    n = BATCH_SIZE + 3
    answers: dict[str, Any] = {f"q{i}": ["a"] for i in range(n)} | {"q130": RuntimeError("boom")}
    system = BatchScriptedSystem(answers, documents=["a"], breaks_batch={"q130": crash})
    told: list[int] = []
    record = run(many(n), system, clock=counting_seconds(), on_progress=lambda done, total: told.append(done))
    assert [query.id for query in record.queries if query.status == "failed"] == ["130"]
    assert record.queries[130].error == "RuntimeError: boom"
    assert record.measures["R@1"].n_scored == n - 1
    assert record.notices == [f"{ASKED_AGAIN}: 3. The first crash: {type(crash).__name__}: bad batch"]
    assert told == [BATCH_SIZE, BATCH_SIZE + 1, BATCH_SIZE + 2, BATCH_SIZE + 3]
    # The two that were then asked by themselves took 1 s each, and stand in no percentile of shares.
    assert record.queries[128].took_ms == pytest.approx(1_000)
    assert record.latency_ms.p95 == pytest.approx(1_000 / BATCH_SIZE)


def test_where_every_batch_crashes_single_searches_were_timed() -> None:
    system = answering(2, breaks_batch={"q0": MemoryError("no room")})
    record = run(many(2), system, clock=counting_seconds())
    assert record.latency_ms == Latency(p50=1_000.0, p95=1_000.0)
    assert record.measures["R@1"].n_failed == 0


def test_a_batch_with_an_answer_too_few_is_no_answer() -> None:
    system = answering(3, drops=frozenset({"q1"}))
    record = run(many(3), system)
    assert [query.status for query in record.queries] == ["scored"] * 3
    assert record.notices == [f"{ASKED_AGAIN}: 3. The first crash: 3 queries got 2 answers"]


def test_a_score_that_is_no_number_fails_its_query_only() -> None:
    system = BatchScriptedSystem({"q0": ["a"], "q1": ["b"]}, documents=["a", "b"], scores={"b": float("nan")})
    record = run(many(2), system)
    assert [query.status for query in record.queries] == ["scored", "failed"]
    assert record.notices == []


def test_a_wrong_question_is_no_failure_of_a_batch() -> None:
    system = answering(2, breaks_batch={"q1": InputError("this method needs vectors")})
    with pytest.raises(InputError, match="this method needs vectors"):
        run(many(2), system)


def test_each_query_of_a_batch_searches_its_own_collection() -> None:
    system = BatchScriptedSystem(documents=["a", "b"], collections={"a": "guides"})
    queries = (
        EvalQuery("1", "x", (Label("a"),), collection="guides"),
        EvalQuery("2", "y", (Label("b"),)),
    )
    run(EvalSet("s", queries), system)
    assert [(call[0], call[3]) for call in system.calls] == [("x", "guides"), ("y", None)]
