"""Reads the data of evals, each within its time: the code of a user that gives it may hang."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from contextvars import copy_context
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec

from rankle.core.errors import CannotMeasureError
from rankle.harness.evals.called import Called, Clock
from rankle.harness.evals.data import given_data, loaded_data
from rankle.harness.evals.engine import Engine
from rankle.harness.evals.play import Play, Step
from rankle.harness.evals.stop import Stop
from rankle.harness.evals.suite import Suite
from rankle.harness.evals.supply import Supply

OnReading = Callable[[str, float], None]
"""Told the name of an eval, and for how many seconds its data is being read."""
_TOLD_AFTER_S: Final = 0.2
"""Nothing is told before: most data is read sooner than a line about it could be."""


def untold(_name: str, _elapsed_s: float) -> None:
    """Reading that nobody watches."""


@dataclass(frozen=True, slots=True)
class DataReader:
    """Reads data in threads that no interpreter waits for."""

    engine: Engine
    stop: Stop
    on_reading: OnReading
    clock: Clock

    async def read(self, suite: Suite, *, root: Path, timeout_s: float) -> Called:
        """`LoadedData` of an eval, or why there is none.

        timeout_s: how long the user's code may take to give the data, and then again the reading of its rows.
        Raises CannotMeasureError where the run is stopped meanwhile.
        """
        context = copy_context()
        steps = [
            Step(lambda _: given_data(suite.data), context.copy()),
            Step(lambda made: loaded_data(made[0].value, suite=suite, root=root), context.copy()),
        ]
        began = self.clock()
        work = asyncio.ensure_future(self.engine.call(steps, timeout_s=timeout_s))
        try:
            while not (await asyncio.wait([work], timeout=self.engine.watch()))[0]:
                if self.stop.is_finishing:
                    raise CannotMeasureError(f'stopped while the data of eval "{suite.name}" was read')
                if self.clock() - began >= _TOLD_AFTER_S:
                    self.on_reading(suite.name, self.clock() - began)
        finally:
            work.cancel()
        called = work.result()[-1]
        return _told(called, timeout_s) if called.timed_out else called


@asynccontextmanager
async def data_reader(
    stop: Stop, *, on_reading: OnReading = untold, clock: Clock = time.monotonic
) -> AsyncIterator[DataReader]:
    """What reads the data of evals, one after another. stop: gives up what is being read.

    on_reading: called again and again while data takes its time.
    """
    supply: Supply[Play] = Supply(1, {})
    engine = Engine(supply, clock=clock)
    try:
        yield DataReader(engine, stop, on_reading, clock)
    finally:
        await engine.close()


def _told(called: Called, timeout_s: float) -> Called:
    assert called.error is not None
    took = f"reading the data took longer than {timeout_s:g} s and was given up"
    error = msgspec.structs.replace(called.error, message=f"{took}; data_timeout_s allows more")
    return Called(error=error, timed_out=True)
