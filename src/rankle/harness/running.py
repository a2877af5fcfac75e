"""Starts the systems of an evaluation before the first query, and stops them after the last."""

from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager

from rankle.core.ports import RunningSystem, SearchSystem


@asynccontextmanager
async def running(systems: Sequence[SearchSystem]) -> AsyncIterator[None]:
    """Those that hold something while they are asked; the others need not know of it.

    All are started before any is asked, so that one that cannot be asked costs no query of another.
    """
    async with AsyncExitStack() as stack:
        for system in systems:
            if isinstance(system, RunningSystem):
                stack.push_async_callback(system.stop)
                await system.start()
        yield
