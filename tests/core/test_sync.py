import asyncio

import pytest

from rankle.core.sync import run_sync


async def answer() -> int:
    await asyncio.sleep(0)
    return 42


async def trouble() -> int:
    raise ValueError("as it was")


def test_a_coroutine_runs_to_its_end() -> None:
    assert run_sync(answer()) == 42


def test_it_runs_inside_a_running_loop_as_in_a_notebook() -> None:
    async def cell() -> int:
        return run_sync(answer())

    assert asyncio.run(cell()) == 42


def test_an_error_arrives_as_it_was_from_both() -> None:
    async def cell() -> int:
        return run_sync(trouble())

    with pytest.raises(ValueError, match="as it was"):
        run_sync(trouble())
    with pytest.raises(ValueError, match="as it was"):
        asyncio.run(cell())
