"""Tasks and scorers that never return. What is not about to time out has a limit that only a hang reaches."""

import asyncio
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from fakes.running_evals import LONG_S, SHORT_S, cases_of, prepared, run
from rankle.core.evals import EvalSummary
from rankle.harness.evals.runner import RanEvals
from rankle.harness.evals.score import RunContext, ScoreContext
from rankle.harness.evals.scorer import RunScorer, Scorer

RELEASED = threading.Event()
"""Never set: what waits for it hangs."""


def sync_hang(input: Any) -> Any:
    if input == "hang":
        RELEASED.wait(timeout=LONG_S)
    return input


async def async_hang(input: Any) -> Any:
    if input == "hang":
        await asyncio.sleep(LONG_S)
    return input


def awaitable_hang(input: Any) -> Any:
    return async_hang(input)


def generator_hang(input: Any) -> Iterator[Any]:
    if input == "hang":
        RELEASED.wait(timeout=LONG_S)
    yield input


async def async_generator_hang(input: Any) -> Any:
    if input == "hang":
        yield "first"
        await asyncio.sleep(LONG_S)
    yield input


async def hang_in_a_thread(input: Any) -> Any:
    if input == "hang":
        await asyncio.to_thread(RELEASED.wait, LONG_S)
    return input


async def deaf(input: Any) -> Any:
    until = time.monotonic() + LONG_S
    while input == "hang" and time.monotonic() < until:
        try:
            await asyncio.sleep(LONG_S)
        except asyncio.CancelledError:
            continue
    return input


async def late(input: Any) -> Any:
    if input == "hang":
        try:
            await asyncio.sleep(LONG_S)
        except asyncio.CancelledError:
            return input
    return input


async def blocks(input: Any) -> Any:
    if input == "hang":
        RELEASED.wait(timeout=LONG_S)
    return input


async def blocks_in_a_part(input: Any) -> Any:
    await asyncio.gather(blocks(input), asyncio.create_task(async_hang("fine")))
    return input


HANGS: list[Callable[..., Any]] = [
    sync_hang,
    async_hang,
    awaitable_hang,
    generator_hang,
    async_generator_hang,
    hang_in_a_thread,
    deaf,
    late,
    blocks,
    blocks_in_a_part,
]


def hanging(task: Callable[..., Any], *, beside: int = 0) -> RanEvals:
    """An eval of what hangs, which has a short limit, and one of what does not, which has a long one."""
    fine = prepared(task, "abcdefgh"[:beside], name="fine")
    return run(prepared(task, ["hang"], options={"timeout_s": SHORT_S}), fine)


@pytest.mark.parametrize("task", HANGS, ids=lambda task: task.__name__)
def test_a_task_that_never_returns_times_out_and_the_others_are_done(task: Callable[..., Any]) -> None:
    ran = hanging(task, beside=8)
    hung, fine = ran.evals
    timed_out = cases_of(ran)[0].trials[0]
    assert (timed_out.status, timed_out.took_ms, timed_out.scores) == ("timed out", None, [])
    assert timed_out.error is not None
    assert timed_out.error.type == "TimeoutError"
    assert "took longer than 0.2 s" in timed_out.error.message
    assert (hung.n_failed, hung.score) == (1, None)
    assert (fine.n_failed, fine.score, fine.n_cases) == (0, 1.0, 8)


@pytest.mark.parametrize(
    ("task", "line", "said"),
    [
        (sync_hang, "in sync_hang\n    RELEASED.wait(timeout=LONG_S)", ""),
        (async_hang, "in async_hang\n    await asyncio.sleep(LONG_S)", ""),
        (deaf, "in deaf\n    await asyncio.sleep(LONG_S)", "it was cancelled and went on"),
        (blocks, "in blocks\n    RELEASED.wait(timeout=LONG_S)", "it blocked the event loop"),
    ],
    ids=["sync", "async", "deaf", "blocks"],
)
def test_where_a_task_was_when_its_time_was_up_is_told_and_what_it_did_wrong(
    task: Callable[..., Any], line: str, said: str
) -> None:
    error = failure(hanging(task).evals[0])
    assert said in error.message
    assert error.traceback is not None
    assert line in error.traceback
    assert str(Path(error.traceback.split('"')[1]).absolute()) == __file__


def failure(summary: EvalSummary) -> Any:
    return summary.failures[0].error


def test_who_blocks_the_loop_times_out_and_who_waited_beside_begins_anew() -> None:
    begun: list[Any] = []

    async def task(input: Any) -> Any:
        begun.append(input)
        if input == "hang":
            RELEASED.wait(timeout=LONG_S)
        if begun.count(input) == 1:
            await asyncio.sleep(LONG_S / 2)  # so that it is still there when the loop is given up
        return input

    ran = run(
        prepared(task, ["waits"], name="waits"),
        prepared(task, ["hang"], name="hangs", options={"timeout_s": SHORT_S}),
        concurrency=2,
    )
    assert [cases_of(ran, place)[0].trials[0].status for place in (0, 1)] == ["done", "timed out"]
    assert begun == ["waits", "hang", "waits"]


def test_a_task_that_hangs_holds_up_no_one_where_one_trial_is_in_flight_at_a_time() -> None:
    hangs = prepared(sync_hang, ["hang", "hang"], options={"timeout_s": SHORT_S})
    ran = run(hangs, prepared(sync_hang, ["a"], name="fine"), concurrency=1)
    assert [trial.status for case in cases_of(ran) for trial in case.trials] == ["timed out", "timed out"]
    assert ran.evals[1].score == 1.0


def sync_scorer(context: ScoreContext) -> bool:
    return bool(sync_hang(context.output))


async def async_scorer(context: ScoreContext) -> bool:
    return bool(await async_hang(context.output))


@pytest.mark.parametrize("call", [sync_scorer, async_scorer], ids=lambda call: call.__name__)
def test_a_scorer_that_never_returns_fails_alone(call: Any) -> None:
    scorers = [Scorer("first", lambda _: 1.0), Scorer("hangs", call), Scorer("last", lambda _: 1.0)]
    ran = run(prepared(inputs=["a", "hang"], scorers=scorers, options={"timeout_s": 1.0}))
    fine, hung = (case.trials[0] for case in cases_of(ran))
    assert [score.value for score in fine.scores] == [1.0, 1.0, 1.0]
    assert [score.value for score in hung.scores] == [1.0, None, 1.0]
    assert hung.status == "done"
    assert hung.scores[1].error is not None
    assert hung.scores[1].error.type == "TimeoutError"
    assert [one.n_failed for one in ran.evals[0].scorers] == [0, 1, 0]


def test_a_scorer_of_the_whole_run_that_never_returns_fails_alone() -> None:
    def hangs(context: RunContext) -> float:
        return float(bool(sync_hang("hang")))

    scorers = [RunScorer("hangs", hangs), RunScorer("count", lambda context: context.n_cases == 3)]
    ran = run(prepared(run_scorers=scorers, options={"timeout_s": 1.0}))
    first, second = ran.evals[0].run_scores
    assert first.error is not None
    assert second.value == 1.0


def test_columns_that_never_return_are_told_of() -> None:
    def columns(view: Any) -> dict[str, Any]:
        return {"Output": sync_hang(view.output)}

    ran = run(prepared(inputs=["hang"], columns=columns, options={"timeout_s": 1.0}))
    assert ran.evals[0].n_failed == 0
    assert any("The columns of 1 trial are missing: TimeoutError" in one for one in ran.evals[0].notices)


_PROGRAM = """
import asyncio, threading, sys
sys.path[:0] = {paths!r}
from fakes.running_evals import prepared, run

def hang(input):
    threading.Event().wait()

async def hang_in_a_thread(input):
    await asyncio.to_thread(threading.Event().wait)

async def block(input):
    threading.Event().wait()

for task in (hang, hang_in_a_thread, block):
    (summary,) = run(prepared(task, [0], options={{"timeout_s": 0.1}})).evals
    print(task.__name__, summary.failures[0].error.type)
"""


def test_the_program_ends_though_tasks_hang_for_ever() -> None:
    tests = Path(__file__).parents[2]
    program = _PROGRAM.format(paths=[str(tests), str(tests.parent / "src")])
    ended = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=LONG_S, check=False
    )
    assert ended.stderr == ""
    assert ended.stdout.split() == [
        "hang", "TimeoutError", "hang_in_a_thread", "TimeoutError", "block", "TimeoutError",
    ]  # fmt: skip
    assert ended.returncode == 0
