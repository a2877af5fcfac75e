"""Asks a system in batches, where it can answer many queries in less time than one after another."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final, TypeGuard

from rankle.core.ending import ends_all
from rankle.core.errors import InputError, MissingExtraError
from rankle.core.evalset import Level
from rankle.core.outcome import Outcome
from rankle.core.ports import Ask, BatchSearchSystem, SearchSystem
from rankle.harness.outcome import Clock, Keep, ask_one, described_error, outcome_of
from rankle.harness.plan import Item

BATCH_SIZE: Final = 128
"""Queries of a batch: enough for one matrix product to pay, few enough for progress to be seen."""


def answers_batches(system: SearchSystem) -> TypeGuard[BatchSearchSystem]:
    """Whether a system offers `search_batch`; those that do not need not know of it."""
    return callable(getattr(system, "search_batch", None))


async def run_batches(
    system: BatchSearchSystem,
    todo: Mapping[int, Item],
    *,
    depth: int,
    level: Level,
    clock: Clock,
    done: Keep,
) -> None:
    """Ask every item; what each took is its share of its batch.

    done: called with the outcomes of a batch, by the places of their items, as soon as they are there.
    A batch that crashes as a whole names no query, so its queries are asked again one by one: those that
    fail then are the failed ones, and the others' outcomes say that the batch crashed.
    InputError and MissingExtraError pass through.
    """
    places = list(todo)
    for start in range(0, len(places), BATCH_SIZE):
        block = places[start : start + BATCH_SIZE]
        asked = [todo[place] for place in block]
        answered = await _ask_block(system, asked, depth=depth, level=level, clock=clock)
        if isinstance(answered, str):
            for place, item in zip(block, asked, strict=True):
                one = await ask_one(system, item, depth=depth, level=level, clock=clock)
                done({place: replace(one, crash_of_batch=answered)})
        else:
            done(dict(zip(block, answered, strict=True)))


async def _ask_block(
    system: BatchSearchSystem, block: Sequence[Item], *, depth: int, level: Level, clock: Clock
) -> list[Outcome] | str:
    """The outcome of each query; how the batch failed where it failed as a whole."""
    asks = [Ask(item.query, item.collection, item.id) for item in block]
    began = clock()
    try:
        results = await system.search_batch(asks, depth=depth, level=level)
        n_results = len(results)
    except (InputError, MissingExtraError):
        raise
    except BaseException as error:
        if ends_all(error):
            raise
        return described_error(error)
    if n_results != len(asks):
        return f"{len(asks)} queries got {n_results} answers"
    share_ms = (clock() - began) * 1000 / len(block)
    return [
        replace(outcome_of(result, depth=depth, took_ms=share_ms), batch_size=len(block))
        for result in results
    ]
