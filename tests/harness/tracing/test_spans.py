"""Steps of a trial: how they nest, what is kept of them, and that they are nothing outside of one."""

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime, timedelta

import pytest

from rankle.core.errors import InputError
from rankle.core.trials import MOST_STEPS, SpanReport
from rankle.harness.tracing.recorder import recording
from rankle.harness.tracing.spans import Trace, report_trace


class Ticks:
    """A clock that goes on by one second with each look."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 1.0
        return self.now


def shape(spans: list[SpanReport]) -> list[tuple[str, int | None]]:
    return [(span.name, span.parent) for span in spans]


def test_step_keeps_input_output_and_what_it_was_given_beside() -> None:
    with recording(case="c", trial=0, clock=Ticks()) as trace:
        with Trace("bm25", input="query", k=50) as span:
            span.output = ["a", "b"]
        (kept,) = trace.spans()
    assert (kept.name, kept.input, kept.output, kept.metadata) == ("bm25", "query", ["a", "b"], {"k": 50})
    assert (kept.start_ms, kept.took_ms) == (1000.0, 1000.0)


def test_steps_nest_as_they_run() -> None:
    with recording(case="c", trial=0) as trace:
        with Trace("search"):
            with Trace("bm25"):
                pass
            with Trace("vector"), Trace("embed"):
                pass
        with Trace("answer"):
            pass
        assert shape(trace.spans()) == [
            ("search", None),
            ("bm25", 0),
            ("vector", 0),
            ("embed", 2),
            ("answer", None),
        ]


def test_steps_of_tasks_belong_to_what_started_them() -> None:
    async def one(name: str) -> None:
        with Trace(name):
            await asyncio.sleep(0)
            with Trace(f"in {name}"):
                await asyncio.sleep(0)

    async def both() -> None:
        with Trace("search"):
            await asyncio.gather(one("a"), one("b"))

    with recording(case="c", trial=0) as trace:
        asyncio.run(both())
        spans = trace.spans()
    names = [span.name for span in spans]
    parents = {span.name: None if span.parent is None else names[span.parent] for span in spans}
    assert parents == {"search": None, "a": "search", "b": "search", "in a": "a", "in b": "b"}


def test_trials_side_by_side_do_not_mix() -> None:
    async def trial(number: int) -> list[str]:
        with recording(case="c", trial=number) as trace:
            with Trace(f"of {number}"):
                await asyncio.sleep(0)
            return [span.name for span in trace.spans()]

    async def both() -> list[list[str]]:
        return list(await asyncio.gather(trial(0), trial(1)))

    assert asyncio.run(both()) == [["of 0"], ["of 1"]]


def test_what_is_changed_later_is_no_part_of_the_step() -> None:
    with recording(case="c", trial=0) as trace:
        hits = ["a"]
        with Trace("search") as span:
            span.output = hits
        hits.append("b")
        assert trace.spans()[0].output == ["a"]


def test_failure_is_kept_and_goes_on() -> None:
    with recording(case="c", trial=0) as trace:
        with pytest.raises(ValueError, match="no index"), Trace("search"):
            raise ValueError("no index")
        with Trace("after"):
            pass
        failed, after = trace.spans()
    assert failed.error is not None
    assert (failed.error.type, failed.error.message) == ("ValueError", "no index")
    assert (after.error, after.parent) == (None, None)


def test_step_that_goes_on_still_says_so_and_adds_nothing_later() -> None:
    with recording(case="c", trial=0, clock=Ticks()) as trace, Trace("slow", input=1) as span:
        (kept,) = trace.spans()
        with Trace("too late"):
            pass
        span.output = 2
        assert trace.spans()[0].output is None
    assert kept.metadata == {"unfinished": True}
    assert kept.took_ms > 0
    assert len(trace.spans()) == 1


def test_spent_tokens_are_summed() -> None:
    with recording(case="c", trial=0) as trace:
        with Trace("one") as span:
            span.spent(input_tokens=10, output_tokens=2, cost_usd=0.5)
        with Trace("two") as span:
            span.spent(input_tokens=1)
        usage = trace.usage()
    assert usage is not None
    assert (usage.input_tokens, usage.output_tokens, usage.cost_usd, usage.n_calls) == (11, 2, 0.5, 2)


def test_nothing_spent_is_none() -> None:
    with recording(case="c", trial=0) as trace:
        assert trace.usage() is None


def test_loop_without_end_fills_no_memory() -> None:
    with recording(case="c", trial=0) as trace:
        for _ in range(MOST_STEPS + 3):
            with Trace("again") as span:
                span.spent(input_tokens=1)
        usage = trace.usage()
        assert (len(trace.spans()), trace.n_left_out) == (MOST_STEPS, 3)
    assert usage is not None
    assert (usage.input_tokens, usage.n_calls) == (MOST_STEPS + 3, MOST_STEPS + 3)


def test_outside_of_a_run_a_step_does_nothing() -> None:
    with Trace("search", input="x") as span:
        span.output = 1
        span.spent(input_tokens=3)
    report_trace("done", start=2.0, end=1.0)
    assert span.output == 1


def test_decorated_function_is_a_step_of_its_arguments() -> None:
    @Trace("search", k=3)
    def search(query: str, *, depth: int = 5) -> list[str]:
        return [query] * depth

    assert search("free", depth=1) == ["free"]
    with recording(case="c", trial=0) as trace:
        assert search("x", depth=2) == ["x", "x"]
        assert search("y") == ["y"] * 5
        first, second = trace.spans()
    assert (first.input, first.output, first.metadata) == ({"query": "x", "depth": 2}, ["x", "x"], {"k": 3})
    assert second.input == {"query": "y"}
    assert search.__name__ == "search"


def test_decorated_coroutine_lasts_until_it_is_done() -> None:
    @Trace("search")
    async def search(query: str) -> str:
        with Trace("inner"):
            await asyncio.sleep(0)
        return query.upper()

    async def run() -> list[tuple[str, int | None]]:
        with recording(case="c", trial=0) as trace:
            assert await search("x") == "X"
            return shape(trace.spans())

    assert asyncio.run(search("free")) == "FREE"
    assert asyncio.run(run()) == [("search", None), ("inner", 0)]


def test_decorated_generator_encloses_its_own_steps_only() -> None:
    @Trace("stream")
    def stream() -> Iterator[str]:
        for part in "ab":
            with Trace(f"make {part}"):
                pass
            yield part

    assert list(stream()) == ["a", "b"]
    with recording(case="c", trial=0) as trace:
        for part in stream():
            with Trace(f"use {part}"):
                pass
        spans = trace.spans()
    assert shape(spans) == [
        ("stream", None),
        ("make a", 0),
        ("use a", None),
        ("make b", 0),
        ("use b", None),
    ]
    assert spans[0].output == ["a", "b"]


def test_decorated_async_generator_encloses_its_own_steps_only() -> None:
    @Trace("stream")
    async def stream() -> AsyncIterator[str]:
        for part in "ab":
            with Trace(f"make {part}"):
                await asyncio.sleep(0)
            yield part

    async def run() -> list[tuple[str, int | None]]:
        with recording(case="c", trial=0) as trace:
            async for part in stream():
                with Trace(f"use {part}"):
                    pass
            return shape(trace.spans())

    assert asyncio.run(run()) == [
        ("stream", None),
        ("make a", 0),
        ("use a", None),
        ("make b", 0),
        ("use b", None),
    ]


def test_wrong_call_of_a_decorated_function_fails_as_it_would() -> None:
    @Trace("search")
    def search(query: str) -> str:
        return query

    with recording(case="c", trial=0), pytest.raises(TypeError, match="missing 1 required"):
        search()  # type: ignore[call-arg]


@pytest.mark.parametrize("moment", ["counter", "wall", "datetime", "zoned"])
def test_finished_step_takes_the_moments_of_any_clock(moment: str) -> None:
    with recording(case="c", trial=0) as trace:
        start: float | datetime
        end: float | datetime
        if moment == "counter":
            start = time.perf_counter()
            end = start + 0.25
        elif moment == "wall":
            start = time.time()
            end = start + 0.25
        else:
            start = datetime.now(UTC) if moment == "zoned" else datetime.now()  # noqa: DTZ005 - meant
            end = start + timedelta(seconds=0.25)
        with Trace("outer"):
            report_trace("done", input=1, output=2, start=start, end=end, output_tokens=7, shard="a")
        span = trace.spans()[1]
        usage = trace.usage()
    assert span.took_ms == pytest.approx(250.0, abs=0.01)
    assert (span.parent, span.input, span.output, span.metadata) == (0, 1, 2, {"shard": "a"})
    assert span.start_ms < 60_000
    assert usage is not None
    assert usage.output_tokens == 7


def test_finished_step_that_ends_before_it_starts_is_refused() -> None:
    with recording(case="c", trial=0), pytest.raises(InputError, match=r"ends 1\.000 s before it starts"):
        report_trace("done", start=2.0, end=1.0)
