"""Asks a system every query of a plan, and keeps what came out, crashes included."""

import asyncio
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from rankle.core.errors import InputError, MissingExtraError, SystemFailureError
from rankle.core.evalset import Level
from rankle.core.ports import SearchSystem
from rankle.core.search import Hit, SearchResult, Stage
from rankle.harness.plan import Item

Clock = Callable[[], float]
"""Seconds from any origin, never going back."""
OnProgress = Callable[[int, int], None]
"""Called with how many queries are done, and of how many."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a system returned for one query."""

    hits: tuple[Hit, ...]
    """Best first, each target once."""
    stages: tuple[Stage, ...]
    n_duplicates: int
    """Results dropped because their target stood higher already."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """One item of a plan, done: it has an answer or an error, never both."""

    answer: Answer | None
    error: str | None
    took_ms: float | None
    """None where the system failed."""


NOTHING: Final = Outcome(Answer((), (), 0), None, None)
"""An answer without results."""


async def run_plan(
    system: SearchSystem,
    items: Sequence[Item],
    *,
    depth: int,
    level: Level,
    concurrency: int,
    clock: Clock,
    on_progress: OnProgress,
) -> tuple[Outcome, ...]:
    """The outcome of every item, in the order of the plan.

    A crash of the system becomes an error in the outcome. InputError and MissingExtraError pass
    through: they say that the question is wrong, and would be wrong for every query.
    """
    outcomes: dict[int, Outcome] = {}

    async def work(todo: Iterator[tuple[int, Item]]) -> None:
        for index, item in todo:
            outcomes[index] = await _ask(system, item, depth=depth, level=level, clock=clock)
            on_progress(len(outcomes), len(items))

    todo = iter(enumerate(items))
    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(min(concurrency, len(items))):
                group.create_task(work(todo))
    except ExceptionGroup as errors:
        raise errors.exceptions[0] from None
    return tuple(outcomes[index] for index in range(len(items)))


async def _ask(system: SearchSystem, item: Item, *, depth: int, level: Level, clock: Clock) -> Outcome:
    started = clock()
    try:
        result = await system.search(item.query, depth=depth, level=level, collection=item.collection)
        took_ms = (clock() - started) * 1000
        return Outcome(_answer(result, depth=depth), None, took_ms)
    except (InputError, MissingExtraError):
        raise
    except SystemFailureError as error:
        return Outcome(None, str(error), None)
    except Exception as error:  # noqa: BLE001  (whatever a system raises is its failure, not ours)
        return Outcome(None, f"{type(error).__name__}: {error}", None)


def _answer(result: SearchResult, *, depth: int) -> Answer:
    """Each target once, at its best rank, at most `depth` of them."""
    hits: dict[str, Hit] = {}
    for place, hit in enumerate(result.hits, start=1):
        if not math.isfinite(hit.score):
            raise SystemFailureError(
                f'result {place} ("{hit.id}") has the score {hit.score}, which is no number'
            )
        hits.setdefault(hit.id, hit)
    return Answer(tuple(hits.values())[:depth], result.stages, len(result.hits) - len(hits))
