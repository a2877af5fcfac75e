import asyncio
import gc
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any, ClassVar

import pytest

from fakes.running_evals import (
    EXACT,
    HoldingKeeper,
    cases,
    cases_of,
    outputs_of,
    prepared,
    run,
)
from rankle.core.errors import RecordError
from rankle.core.trials import ErrorReport, ScoreReport, SpanReport, TrialReport, Usage
from rankle.harness.evals.case import Case
from rankle.harness.evals.prepared import PreparedEval
from rankle.harness.evals.progress import Progress
from rankle.harness.evals.recorded import NoTrace
from rankle.harness.evals.score import RunContext, ScoreContext
from rankle.harness.evals.scorer import RunScorer, Scorer
from rankle.harness.evals.stop import Stop
from rankle.harness.evals.variant import Variant


class InFlight:
    """Counts who is inside at once; each waits until as many are inside as are expected, or gives up."""

    def __init__(self, expected: int) -> None:
        self.most = 0
        self._expected = expected
        self._inside = 0
        self._turn = threading.Condition()

    @contextmanager
    def inside(self) -> Iterator[None]:
        with self._turn:
            self._inside += 1
            self.most = max(self.most, self._inside)
            self._turn.notify_all()
            self._turn.wait_for(lambda: self.most >= self._expected, timeout=30)
        yield
        with self._turn:
            self._inside -= 1


def sync_task(input: Any) -> Any:
    return [input, "done"]


async def async_task(input: Any) -> Any:
    await asyncio.sleep(0)
    return [input, "done"]


def returns_awaitable(input: Any) -> Any:
    return async_task(input)


def generator(input: Any) -> Iterator[Any]:
    yield input
    yield "done"


async def async_generator(input: Any) -> Any:
    yield input
    await asyncio.sleep(0)
    yield "done"


@pytest.mark.parametrize(
    "task",
    [sync_task, async_task, returns_awaitable, generator, async_generator],
    ids=lambda task: task.__name__,
)
def test_tasks_of_every_kind_give_their_output(task: Callable[..., Any]) -> None:
    ran = run(prepared(task, [1, 2], expected=[[1, "done"], [2, "done"]]))
    assert outputs_of(ran) == [[1, "done"], [2, "done"]]
    assert ran.evals[0].score == 1.0
    assert not ran.interrupted


@pytest.mark.parametrize("task", [generator, async_generator], ids=lambda task: task.__name__)
def test_streamed_text_is_joined(task: Callable[..., Any]) -> None:
    assert outputs_of(run(prepared(task, ["not "]))) == ["not done"]


def test_cases_are_kept_and_told_of_one_by_one_and_read_in_the_order_of_the_data() -> None:
    told: list[Progress] = []
    keeper = HoldingKeeper()
    ran = run(prepared(inputs=range(7), options={"trials": 2}), keeper=keeper, on_progress=told.append)
    kept = keeper.evals["echo"]
    assert sorted(kept.order) == [(case, trial) for case in range(7) for trial in range(2)]
    finished = [one.just_finished.place for one in told if one.just_finished]
    assert finished == kept.order
    assert [one.n_done for one in told] == list(range(15))
    assert told[-1].evals == (("evals/echo_eval.py::echo", 14, 14, 0),)
    assert [case.position for case in cases_of(ran)] == list(range(7))
    assert [[trial.trial for trial in case.trials] for case in cases_of(ran)] == [[0, 1]] * 7
    assert kept.summary == ran.evals[0]
    assert kept.cases == cases_of(ran)


def test_the_case_and_the_variant_are_given_to_a_task_that_names_them() -> None:
    def task(input: Any, case: Case, variant: Any) -> Any:
        return [input, case.id, case.trial, variant]

    one = prepared(task, ["a"], variant=Variant("deep", {"k": 3}), options={"trials": 2})
    (case,) = cases_of(run(one))
    assert [trial.output for trial in case.trials] == [
        ["a", "case-000000000000", 0, {"k": 3}],
        ["a", "case-000000000000", 1, {"k": 3}],
    ]


@pytest.mark.parametrize("is_async", [False, True])
def test_as_many_trials_of_all_evals_are_in_flight_as_the_limit_says(is_async: bool) -> None:
    inside = InFlight(3)

    def task(input: Any) -> Any:
        with inside.inside():
            return input

    async def awaited(input: Any) -> Any:
        return await asyncio.to_thread(task, input)

    given = awaited if is_async else task
    run(*(prepared(given, range(4), name=f"eval {place}") for place in range(3)), concurrency=3)
    assert inside.most == 3


def test_an_eval_and_a_resource_have_limits_of_their_own() -> None:
    narrow, shared, all_together = InFlight(1), InFlight(2), InFlight(4)

    def task(counter: InFlight) -> Callable[[Any], Any]:
        def call(input: Any) -> Any:
            with counter.inside(), all_together.inside():
                return input

        return call

    run(
        prepared(task(narrow), range(3), name="narrow", options={"concurrency": 1}),
        prepared(task(shared), range(3), name="first", resources=["gpu"]),
        prepared(task(shared), range(3), name="second", resources=["gpu"]),
        prepared(task(InFlight(1)), range(3), name="free"),
        concurrency=8,
        limits={"gpu": 2},
    )
    assert (narrow.most, shared.most) == (1, 2)
    assert all_together.most >= 4


def test_trials_begin_in_the_order_of_evals_cases_and_numbers() -> None:
    seen: list[Any] = []

    def task(input: Any, case: Case) -> None:
        seen.append((input, case.trial))

    evals = [prepared(task, [f"{name}{place}" for place in range(2)], name=name) for name in "ab"]
    twice = prepared(task, ["c"], name="c", options={"trials": 2})
    run(*evals, twice, concurrency=1)
    assert seen == [("a0", 0), ("a1", 0), ("b0", 0), ("b1", 0), ("c", 0), ("c", 1)]


def test_identical_inputs_with_other_expectations_are_two_cases() -> None:
    ran = run(prepared(inputs=["q", "q"], expected=["q", "r"]))
    assert [case.score for case in cases_of(ran)] == [1.0, 0.0]
    assert ran.evals[0].score == 0.5


def test_a_task_that_changes_its_input_changes_no_other_trial() -> None:
    def task(input: list[int]) -> list[int]:
        input.append(1)
        return input

    made = cases([[0]])
    ran = run(prepared(task, made=made, expected=[[0, 1]], options={"trials": 3}))
    (case,) = cases_of(ran)
    assert case.input == [0]
    assert [trial.output for trial in case.trials] == [[0, 1]] * 3
    assert made[0].input == [0]


def test_a_scorer_that_changes_the_output_changes_only_what_it_saw() -> None:
    def spoil(context: ScoreContext) -> float:
        context.output.clear()
        return 1.0

    ran = run(prepared(lambda _: ["a.md"], [0], scorers=[Scorer("spoil", spoil)]))
    assert outputs_of(ran) == [["a.md"]]


def test_large_outputs_and_emoji_come_back_whole() -> None:
    text = "🔎 naïve\N{COMBINING ACUTE ACCENT} " * 500_000
    assert outputs_of(
        run(prepared(lambda text: text * 500_000, ["🔎 naïve\N{COMBINING ACUTE ACCENT} "]))
    ) == [text]


def test_a_task_that_raises_fails_its_case_and_no_other() -> None:
    def task(input: int) -> int:
        return 1 // input

    ran = run(prepared(task, [0, 1], expected=[0, 1]))
    failed, done = cases_of(ran)
    assert (failed.status, done.status) == ("failed", "scored")
    assert failed.trials[0].error is not None
    assert failed.trials[0].error.type == "ZeroDivisionError"
    assert failed.trials[0].scores == []
    assert (failed.score, done.score) == (None, 1.0)
    (summary,) = ran.evals
    assert (summary.n_failed, summary.scorers[0].n_failed, summary.score) == (1, 1, 1.0)
    assert [(one.id, one.where) for one in summary.failures] == [(failed.id, "task")]


@pytest.mark.parametrize(
    "error", [SystemExit(3), KeyboardInterrupt(), GeneratorExit(), asyncio.CancelledError()]
)
@pytest.mark.parametrize("is_async", [False, True])
def test_a_task_that_would_end_the_program_fails_alone(error: BaseException, is_async: bool) -> None:
    def task(input: int) -> int:
        if not input:
            raise error
        return input

    async def awaited(input: int) -> int:
        return task(input)

    ran = run(prepared(awaited if is_async else task, [0, 1]))
    assert [case.status for case in cases_of(ran)] == ["failed", "scored"]
    assert ran.evals[0].failures[0].error.type == type(error).__name__


def test_a_task_of_a_task_that_exits_fails_alone() -> None:
    async def task(input: int) -> int:
        async def leave() -> None:
            raise SystemExit(3)

        if not input:
            await asyncio.create_task(leave())
        return input

    assert [case.status for case in cases_of(run(prepared(task, [0, 1, 2], concurrency=1)))] == [
        "failed",
        "scored",
        "scored",
    ]


def test_only_frames_of_the_users_code_are_told() -> None:
    def inner() -> None:
        raise ValueError("no such index")

    def task(input: Any) -> None:
        inner()

    error = run(prepared(task, [0])).evals[0].failures[0].error
    assert error.traceback is not None
    files = [line.split('"')[1] for line in error.traceback.splitlines() if line.lstrip().startswith("File ")]
    assert [str(Path(file).absolute()) for file in files] == [__file__, __file__]


def test_an_eval_that_cannot_be_run_is_told_of_and_the_others_run() -> None:
    error = ErrorReport(type="InputError", message="queries.json is not there")
    broken = prepared(inputs=[], name="broken")
    broken = type(broken)(**{name: getattr(broken, name) for name in broken.__slots__} | {"error": error})
    keeper = HoldingKeeper()
    ran = run(broken, prepared(name="fine"), keeper=keeper)
    assert [(one.name, one.error, one.n_cases) for one in ran.evals] == [
        ("broken", error, 0),
        ("fine", None, 3),
    ]
    assert list(keeper.evals) == ["fine"]
    assert not ran.interrupted


def test_an_eval_without_cases_is_complete() -> None:
    keeper = HoldingKeeper()
    ran = run(prepared(inputs=[]), keeper=keeper)
    assert not ran.interrupted
    assert keeper.evals["echo"].summary == ran.evals[0]
    assert ran.evals[0].score is None


def test_a_run_without_evals_ends() -> None:
    assert run().evals == ()


def test_what_the_keeper_raises_ends_the_run_and_is_no_failure_of_a_case() -> None:
    def refuse(place: tuple[int, int]) -> None:
        if place == (1, 0):
            raise RecordError("the disk is full")

    keeper = HoldingKeeper(refuse=refuse)
    with pytest.raises(RecordError, match="the disk is full"):
        run(prepared(), keeper=keeper)
    assert keeper.evals["echo"].summary is None


def test_what_the_progress_raises_ends_the_run() -> None:
    def fail(progress: Progress) -> None:
        if progress.n_done == 2:
            raise OSError("the terminal is gone")

    with pytest.raises(OSError, match="the terminal is gone"):
        run(prepared(), on_progress=fail)


def test_trials_of_before_are_not_run_again_and_count() -> None:
    called: list[Any] = []

    def task(input: Any) -> Any:
        called.append(input)
        return input

    before = TrialReport(trial=0, status="done", took_ms=40.0, scores=[ScoreReport(name="exact", value=0.0)])
    told: list[Progress] = []
    keeper = HoldingKeeper(known={"echo": {(1, 0): before}})
    ran = run(prepared(task, ["a", "b", "c"]), keeper=keeper, on_progress=told.append)
    assert sorted(called) == ["a", "c"]
    assert ran.evals[0].score == pytest.approx(2 / 3)
    assert sorted(keeper.evals["echo"].order) == [(0, 0), (2, 0)]
    assert told[1].n_done == 1
    assert ran.evals[0].latency_ms.p95 == 40.0
    assert [case.score for case in cases_of(ran)] == [1.0, 0.0, 1.0]


def test_a_run_of_which_everything_is_known_is_only_finished() -> None:
    def task(input: Any) -> Any:
        raise AssertionError("is not to be called")

    before = TrialReport(trial=0, status="done", took_ms=1.0, scores=[ScoreReport(name="exact", value=1.0)])
    keeper = HoldingKeeper(known={"echo": {(0, 0): before}})
    ran = run(prepared(task, ["a"]), keeper=keeper)
    assert ran.evals[0].score == 1.0
    assert keeper.evals["echo"].summary is not None


@pytest.mark.parametrize("is_async", [False, True])
def test_stopped_once_what_is_in_flight_is_finished_and_kept(is_async: bool) -> None:
    stop, begun = Stop(), threading.Barrier(3)

    def task(input: Any) -> Any:
        if begun.wait(timeout=30) == 0:
            stop.finish_what_is_in_flight()
        while not stop.is_finishing:
            time.sleep(0.001)
        return input

    async def awaited(input: Any) -> Any:
        return await asyncio.to_thread(task, input)

    keeper = HoldingKeeper()
    given = awaited if is_async else task
    ran = run(
        prepared(given, range(30)), prepared(given, range(3), name="later"),
        keeper=keeper, stop=stop, concurrency=3,
    )  # fmt: skip
    kept = keeper.evals["echo"]
    assert ran.interrupted
    assert len(kept.held) == 3
    assert all(trial.status == "done" for trial in kept.held.values())
    assert kept.summary is None
    (summary,) = ran.evals
    assert summary.n_cases == len(kept.held)
    assert not summary.is_full
    assert f"Stopped after {len(kept.held)} of 30 cases" in "\n".join(summary.notices)


@pytest.mark.parametrize("is_async", [False, True])
def test_stopped_now_nothing_is_waited_for(is_async: bool) -> None:
    stop, forever = Stop(), threading.Event()

    def task(input: Any) -> Any:
        if input == 0:
            return input
        stop.now()
        forever.wait(timeout=60)
        return input

    async def awaited(input: Any) -> Any:
        if input == 0:
            return input
        stop.now()
        await asyncio.sleep(3600)
        return input

    keeper = HoldingKeeper()
    try:
        ran = run(prepared(awaited if is_async else task, [0, 1]), keeper=keeper, stop=stop, concurrency=1)
    finally:
        forever.set()
    assert ran.interrupted
    assert list(keeper.evals["echo"].held) == [(0, 0)]
    assert keeper.evals["echo"].summary is None
    assert keeper.evals["echo"].left_by is asyncio.CancelledError
    assert [case.score for case in cases_of(ran)] == [1.0]


def test_a_run_that_is_stopped_before_it_begins_runs_nothing() -> None:
    stop = Stop()
    stop.ask()
    ran = run(prepared(), stop=stop)
    assert (ran.evals, ran.interrupted) == ((), True)


def test_asked_twice_a_stop_is_at_once() -> None:
    stop = Stop()
    assert (stop.is_finishing, stop.is_now) == (False, False)
    stop.ask()
    assert (stop.is_finishing, stop.is_now) == (True, False)
    stop.ask()
    assert (stop.is_finishing, stop.is_now) == (True, True)


class Trace(NoTrace):
    def __init__(self, case: Case) -> None:
        self.steps: list[SpanReport] = []
        self.case = case

    def spans(self) -> list[SpanReport]:
        return list(self.steps)

    def replayed_ms(self) -> float:
        return 0.0

    def usage(self) -> Usage | None:
        return Usage(n_calls=len(self.steps), cost_usd=0.5 * len(self.steps)) if self.steps else None


_TRACE: ContextVar[Trace | None] = ContextVar("trace", default=None)


@contextmanager
def recording(prepared: PreparedEval, case: Case) -> Iterator[Trace]:
    trace = Trace(case)
    token = _TRACE.set(trace)
    try:
        yield trace
    finally:
        _TRACE.reset(token)


def step(name: str) -> None:
    trace = _TRACE.get()
    assert trace is not None
    trace.steps.append(SpanReport(name=f"{name} {trace.case.trial}", parent=None, start_ms=0.0, took_ms=0.0))


def traced_sync(input: Any) -> Any:
    step("sync")
    return input


async def traced_async(input: Any) -> Any:
    await asyncio.sleep(0)
    step("before")
    await asyncio.to_thread(step, "thread")
    await asyncio.create_task(traced_part())
    return input


async def traced_part() -> None:
    step("part")


def traced_generator(input: Any) -> Iterator[Any]:
    step("first")
    yield input


@pytest.mark.parametrize(
    ("task", "names"),
    [
        (traced_sync, ["sync"]),
        (traced_async, ["before", "thread", "part"]),
        (lambda given: traced_async(given), ["before", "thread", "part"]),
        (traced_generator, ["first"]),
    ],
    ids=["sync", "async", "gives something to be awaited", "generator"],
)
def test_each_trial_is_recorded_by_itself(task: Callable[..., Any], names: list[str]) -> None:
    seen: list[Any] = []

    def look(context: ScoreContext) -> float:
        seen.append((context.trial, [span.name for span in context.trace], context.usage))
        return 1.0

    one = prepared(task, [0], scorers=[Scorer("look", look)], options={"trials": 2})
    (case,) = cases_of(run(one, recording=recording))
    for trial in case.trials:
        expected = [f"{name} {trial.trial}" for name in names]
        assert [span.name for span in trial.trace] == expected
        assert trial.usage == Usage(n_calls=len(names), cost_usd=0.5 * len(names))
        assert (trial.trial, expected, trial.usage) in seen


def test_what_scorers_spend_counts_and_is_no_step_of_the_task() -> None:
    def judge(context: ScoreContext) -> float:
        assert context.usage == Usage(n_calls=1, cost_usd=0.5)
        step("judge")
        return 1.0

    told: list[Progress] = []
    ran = run(
        prepared(traced_sync, [0], scorers=[Scorer("judge", judge)]),
        recording=recording,
        on_progress=told.append,
    )
    (case,) = cases_of(ran)
    assert [span.name for span in case.trials[0].trace] == ["sync 0"]
    assert case.trials[0].usage == Usage(n_calls=2, cost_usd=1.0)
    assert ran.evals[0].usage == Usage(n_calls=2, cost_usd=1.0)
    assert told[-1].cost_usd == 1.0


def test_code_of_evals_sees_the_context_of_the_run() -> None:
    setting: ContextVar[str] = ContextVar("setting", default="")

    def task(input: Any) -> str:
        return setting.get()

    setting.set("from setup")
    assert outputs_of(run(prepared(task, [0]))) == ["from setup"]


def test_columns_are_made_of_what_stands_in_a_trial() -> None:
    def columns(view: Any) -> dict[str, Any]:
        return {
            "Query": view.input,
            "Top": view.output[:1],
            "Exact": view.scores["exact"],
            "Slow": view.latency_ms > 1e9,
        }

    ran = run(prepared(lambda _: ("a.md", "b.md"), ["q"], columns=columns))
    assert cases_of(ran)[0].trials[0].columns == {"Query": "q", "Top": ["a.md"], "Exact": 0.0, "Slow": False}


def test_columns_that_crash_are_told_of_and_fail_nothing() -> None:
    def columns(view: Any) -> dict[str, Any]:
        return {"Top": view.output["hits"]}

    ran = run(prepared(lambda _: {}, [0, 1], expected=[{}, {}], columns=columns))
    assert ran.evals[0].n_failed == 0
    assert ran.evals[0].score == 1.0
    assert "The columns of 2 trials are missing: KeyError: 'hits'" in ran.evals[0].notices


def test_scorers_of_the_whole_run_see_all_cases_again_and_again() -> None:
    def spread(context: RunContext) -> float:
        scores = [case.score or 0.0 for case in context.cases]
        assert [case.score or 0.0 for case in context.cases] == scores
        assert len(scores) == context.n_cases
        return max(scores) - min(scores)

    async def later(context: RunContext) -> str:
        await asyncio.sleep(0)
        return "fine"

    def crash(context: RunContext) -> float:
        raise ValueError("nothing to compare")

    scorers = [RunScorer("spread", spread), RunScorer("later", later), RunScorer("crash", crash)]
    ran = run(prepared(inputs=["a", "b"], expected=["a", "c"], run_scorers=scorers))
    first, second, third = ran.evals[0].run_scores
    assert (first.name, first.value) == ("spread", 1.0)
    assert (second.name, second.label) == ("later", "fine")
    assert third.error is not None
    assert third.error.type == "ValueError"
    assert ran.evals[0].n_failed == 0


def test_all_scorers_are_told_whatever_their_kind() -> None:
    async def later(context: ScoreContext) -> float:
        await asyncio.sleep(0)
        return 0.5

    def crash(context: ScoreContext) -> float:
        raise LookupError("no such key")

    scorers = [EXACT, Scorer("later", later), Scorer("crash", crash), Scorer("last", lambda _: True)]
    ran = run(prepared(inputs=["a"], scorers=scorers))
    (case,) = cases_of(ran)
    assert [(one.name, one.value) for one in case.trials[0].scores] == [
        ("exact", 1.0),
        ("later", 0.5),
        ("crash", None),
        ("last", 1.0),
    ]
    (summary,) = ran.evals
    assert (case.status, summary.n_failed, summary.failures[0].where) == ("scored", 1, "crash")
    assert [one.n_failed for one in summary.scorers] == [0, 0, 1, 0]


def test_many_small_evals_all_run() -> None:
    ran = run(*(prepared(inputs=[0], name=f"eval {place}") for place in range(40)))
    assert [one.score for one in ran.evals] == [1.0] * 40


class Large:
    """An output of which it is counted how many are in memory."""

    alive: ClassVar[set[int]] = set()

    def __init__(self) -> None:
        self.alive.add(id(self))

    def __del__(self) -> None:
        self.alive.discard(id(self))

    def __repr__(self) -> str:
        return "Large()"


@pytest.mark.parametrize("is_async", [False, True])
def test_outputs_are_let_go_of_as_soon_as_they_are_kept(is_async: bool) -> None:
    def task(input: Any) -> Large:
        return Large()

    async def awaited(input: Any) -> Large:
        await asyncio.sleep(0)
        return Large()

    most: list[int] = []
    gc.disable()  # so that nothing that is left to the collector counts as let go of
    try:
        run(
            prepared(awaited if is_async else task, range(200)),
            on_progress=lambda _: most.append(len(Large.alive)),
            concurrency=4,
        )
    finally:
        gc.enable()
    assert max(most) <= 4 + 1  # those in flight, and the one whose thread has not come back yet


def test_no_more_threads_run_tasks_than_may_be_in_flight() -> None:
    threads: set[str] = set()

    def task(input: Any) -> Any:
        threads.add(threading.current_thread().name)
        time.sleep(0.002 if input % 7 else 0.0)
        return input

    run(prepared(task, range(200)), concurrency=3)
    assert 1 <= len(threads) <= 3
