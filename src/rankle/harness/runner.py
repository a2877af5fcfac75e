"""Asks a system every query of a plan, and keeps what came out, crashes included."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from rankle.core.evalset import Level
from rankle.core.outcome import Outcome
from rankle.core.ports import SearchSystem
from rankle.harness.batches import answers_batches, run_batches
from rankle.harness.outcome import Clock, Keep, OnProgress, ask_one, keep_nothing
from rankle.harness.plan import Item


async def run_plan(
    system: SearchSystem,
    items: Sequence[Item],
    *,
    depth: int,
    level: Level,
    concurrency: int,
    one_by_one: bool = False,
    known: Mapping[int, Outcome] = MappingProxyType({}),
    clock: Clock,
    on_progress: OnProgress,
    keep: Keep = keep_nothing,
) -> tuple[Outcome, ...]:
    """The outcome of every item, in the order of the plan.

    known: place in the plan to an outcome of before; these items are not asked, and count as done.
    keep: called with outcomes, by their places, as soon as they are there.
    A system that answers batches is asked in batches, unless `one_by_one` or more than one query in flight
    is asked for. A crash of the system becomes an error in the outcome. InputError and MissingExtraError
    pass through: they say that the question is wrong, and would be wrong for every query.
    """
    outcomes = dict(known)
    todo = {place: item for place, item in enumerate(items) if place not in known}

    def done(found: Mapping[int, Outcome]) -> None:
        outcomes.update(found)
        keep(found)
        on_progress(len(outcomes), len(items))

    if concurrency == 1 and not one_by_one and answers_batches(system):
        await run_batches(system, todo, depth=depth, level=level, clock=clock, done=done)
    else:
        await _run_single(
            system, todo, depth=depth, level=level, concurrency=concurrency, clock=clock, done=done
        )
    return tuple(outcomes[place] for place in range(len(items)))


async def _run_single(
    system: SearchSystem,
    todo: Mapping[int, Item],
    *,
    depth: int,
    level: Level,
    concurrency: int,
    clock: Clock,
    done: Keep,
) -> None:
    async def work(rest: Iterator[tuple[int, Item]]) -> None:
        for place, item in rest:
            done({place: await ask_one(system, item, depth=depth, level=level, clock=clock)})

    rest = iter(todo.items())
    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(min(concurrency, len(todo))):
                group.create_task(work(rest))
    except ExceptionGroup as errors:
        raise errors.exceptions[0] from None
