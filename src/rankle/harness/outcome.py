"""Asks one query of a plan, and makes of what the system did an answer or an error."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Final, TypeGuard

from rankle.core.ending import ends_all
from rankle.core.errors import InputError, MissingExtraError, SystemFailureError
from rankle.core.evalset import Level
from rankle.core.outcome import Answer, Outcome
from rankle.core.ports import Ask, AskedSystem, SearchSystem
from rankle.core.search import Hit, SearchResult, Stage
from rankle.core.whole_text import is_whole, whole
from rankle.harness.plan import Item

Clock = Callable[[], float]
"""Seconds from any origin, never going back."""
OnProgress = Callable[[int, int], None]
"""Called with how many queries are done, and of how many."""
Keep = Callable[[Mapping[int, Outcome]], None]
"""Called with outcomes, by their places in the plan, as soon as they are there."""


NOTHING: Final = Outcome(Answer((), (), 0), None, None)
"""An answer without results."""


async def ask_one(system: SearchSystem, item: Item, *, depth: int, level: Level, clock: Clock) -> Outcome:
    """Ask one query by itself; whatever the system raises becomes the outcome's error, SystemExit too.

    Ctrl-C and the end of the evaluation pass through, and so do InputError and MissingExtraError, which say
    that the question is wrong, and would be wrong for every query.
    """
    started = clock()
    try:
        result = await _search(system, item, depth=depth, level=level)
    except (InputError, MissingExtraError):
        raise
    except BaseException as error:
        if ends_all(error):
            raise
        return Outcome(None, described_error(error), None)
    took_ms = (clock() - started) * 1000
    return outcome_of(result, depth=depth, took_ms=took_ms)


async def _search(system: SearchSystem, item: Item, *, depth: int, level: Level) -> SearchResult:
    if takes_asks(system):
        ask = Ask(item.query, item.collection, item.id)
        return await system.search_ask(ask, depth=depth, level=level)
    return await system.search(item.query, depth=depth, level=level, collection=item.collection)


def takes_asks(system: SearchSystem) -> TypeGuard[AskedSystem]:
    """Whether a system offers `search_ask`; those that do not need not know of it."""
    return callable(getattr(system, "search_ask", None))


def outcome_of(result: SearchResult | SystemFailureError, *, depth: int, took_ms: float) -> Outcome:
    """What a result comes to: an answer with each target once, or the error that it is or that it breaks.

    took_ms: since it was asked for; what of it went by in our own queue is no latency.
    """
    try:
        if isinstance(result, SystemFailureError):
            raise result
        answer = _answer(result, depth=depth)
        took_ms = max(0.0, took_ms - result.waited_ms)
    except Exception as error:  # noqa: BLE001  (a result that cannot be read is the system's failure too)
        return Outcome(None, described_error(error), None)
    return Outcome(answer, None, took_ms)


def described_error(error: BaseException) -> str:
    """A system's own words where it failed as the port says, else what it raised."""
    words = str(error) if isinstance(error, SystemFailureError) else f"{type(error).__name__}: {error}"
    return whole(words)


def _answer(result: SearchResult, *, depth: int) -> Answer:
    """Each target once, at its best rank, at most `depth` of them."""
    hits: dict[str, Hit] = {}
    for place, hit in enumerate(result.hits, start=1):
        if not math.isfinite(hit.score):
            raise SystemFailureError(
                f'result {place} ("{hit.id}") has the score {hit.score}, which is no number'
            )
        hits.setdefault(hit.id, hit)
    n_duplicates = len(result.hits) - len(hits)
    kept = tuple(hits.values())[:depth]
    _check_ids(kept, result.stages)
    return Answer(tuple(map(_readable, kept)), result.stages, n_duplicates, tuple(map(whole, result.notices)))


def _check_ids(hits: Sequence[Hit], stages: Sequence[Stage]) -> None:
    """Raises SystemFailureError on an id with half of a character, which nothing could be labelled by."""
    ids = chain.from_iterable((hit.id, hit.document, *hit.chunks) for hit in hits)
    broken = next(
        (each for each in chain(ids, *(stage.ranks for stage in stages)) if not is_whole(each)), None
    )
    if broken is not None:
        raise SystemFailureError(f"an id holds half of a character (a lone surrogate): {broken!r}")


def _readable(hit: Hit) -> Hit:
    """A text that was cut within a character is kept, without that half."""
    passage = hit.passage
    if passage is None or (is_whole(passage.text) and is_whole(passage.title)):
        return hit
    return replace(hit, passage=replace(passage, text=whole(passage.text), title=whole(passage.title)))


def keep_nothing(_outcomes: Mapping[int, Outcome]) -> None:
    """For runs of which nothing is kept."""
