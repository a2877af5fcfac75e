"""Data that never comes is given up, told of, and holds up no other eval."""

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from fakes.running_evals import LONG_S, SHORT_S
from rankle.core.errors import CannotMeasureError
from rankle.harness.evals.options import Asked
from rankle.harness.evals.prepared import PreparedEval
from rankle.harness.evals.selection import prepare
from rankle.harness.evals.stop import Stop
from rankle.harness.evals.suite import Suite

ROOT = Path(__file__).parent
ROWS: list[dict[str, Any]] = [{"input": "a"}, {"input": "b"}]
RELEASED = threading.Event()
"""Never set: what waits for it hangs."""


def hangs() -> list[dict[str, Any]]:
    RELEASED.wait(timeout=LONG_S)
    return ROWS


async def hangs_async() -> list[dict[str, Any]]:
    await asyncio.sleep(LONG_S)
    return ROWS


async def blocks_the_loop() -> list[dict[str, Any]]:
    return hangs()


def hangs_between_rows() -> Iterator[dict[str, Any]]:
    yield ROWS[0]
    yield from hangs()


async def hangs_between_async_rows() -> AsyncIterator[dict[str, Any]]:
    yield ROWS[0]
    await asyncio.sleep(LONG_S)


def prepared(*suites: Suite, **options: Any) -> list[PreparedEval]:
    return asyncio.run(prepare(suites, root=ROOT, **options))


def suite(data: Any, name: str = "A", **options: Any) -> Suite:
    return Suite(name, data=data, task=len, scorers=[], **options)


@pytest.mark.parametrize(
    "data",
    [hangs, hangs_async, blocks_the_loop, hangs_between_rows, hangs_between_async_rows],
    ids=lambda data: data.__name__,
)
def test_data_that_never_comes_is_given_up_and_the_others_are_read(data: Any) -> None:
    hung, fine = prepared(suite(data, data_timeout_s=SHORT_S), suite(lambda: ROWS, "B"))
    assert hung.error is not None
    assert (hung.error.type, hung.error.message) == (
        "TimeoutError",
        "reading the data took longer than 0.2 s and was given up; data_timeout_s allows more",
    )
    assert (fine.error, len(fine.cases)) == (None, 2)


def test_where_it_hung_is_told() -> None:
    (one,) = prepared(suite(hangs, data_timeout_s=SHORT_S))
    assert one.error is not None
    assert "in hangs\n    RELEASED.wait(timeout=LONG_S)" in str(one.error.traceback)


def test_the_command_outranks_the_eval_and_that_the_project() -> None:
    long, short = Asked(data_timeout_s=LONG_S), Asked(data_timeout_s=SHORT_S)
    (of_command,) = prepared(suite(hangs, data_timeout_s=LONG_S), asked=short, config=long)
    (of_eval,) = prepared(suite(hangs, data_timeout_s=SHORT_S), config=long)
    (of_project,) = prepared(suite(hangs), config=short)
    for one in (of_command, of_eval, of_project):
        assert one.error is not None
        assert "longer than 0.2 s" in one.error.message


def test_whose_data_takes_its_time_is_told_again_and_again() -> None:
    told: list[tuple[str, float]] = []
    prepared(
        suite(hangs, "Slow", data_timeout_s=3 * SHORT_S),
        suite(ROWS, "Fast"),
        on_reading=lambda name, elapsed_s: told.append((name, elapsed_s)),
    )
    assert {name for name, _ in told} == {"Slow"}
    moments = [elapsed_s for _, elapsed_s in told]
    assert len(moments) > 1
    assert moments == sorted(moments)


def test_a_run_that_is_stopped_reads_no_further() -> None:
    stop = Stop()
    with pytest.raises(CannotMeasureError, match='stopped while the data of eval "A" was read'):
        prepared(suite(hangs), stop=stop, on_reading=lambda *_: stop.ask())
