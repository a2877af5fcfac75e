"""Asks a system every query of a plan, and keeps what came out, crashes included."""

import asyncio
from collections.abc import Iterator, Sequence

from rankle.core.evalset import Level
from rankle.core.outcome import Outcome
from rankle.core.ports import SearchSystem
from rankle.harness.batches import answers_batches, run_batches
from rankle.harness.outcome import Clock, OnProgress, ask_one
from rankle.harness.plan import Item


async def run_plan(
    system: SearchSystem,
    items: Sequence[Item],
    *,
    depth: int,
    level: Level,
    concurrency: int,
    one_by_one: bool = False,
    clock: Clock,
    on_progress: OnProgress,
) -> tuple[Outcome, ...]:
    """The outcome of every item, in the order of the plan.

    A system that answers batches is asked in batches, unless `one_by_one` or more than one query in flight
    is asked for. A crash of the system becomes an error in the outcome. InputError and MissingExtraError
    pass through: they say that the question is wrong, and would be wrong for every query.
    """
    if concurrency == 1 and not one_by_one and answers_batches(system):
        return await run_batches(
            system, items, depth=depth, level=level, clock=clock, on_progress=on_progress
        )
    outcomes: dict[int, Outcome] = {}

    async def work(todo: Iterator[tuple[int, Item]]) -> None:
        for index, item in todo:
            outcomes[index] = await ask_one(system, item, depth=depth, level=level, clock=clock)
            on_progress(len(outcomes), len(items))

    todo = iter(enumerate(items))
    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(min(concurrency, len(items))):
                group.create_task(work(todo))
    except ExceptionGroup as errors:
        raise errors.exceptions[0] from None
    return tuple(outcomes[index] for index in range(len(items)))
