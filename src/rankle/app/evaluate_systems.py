"""Evaluate systems of any kind on the same queries: named by URIs or in the project file, or objects."""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rankle.app.evaluate import asked_of, new_stamp, queries_of, unwatched, waited
from rankle.app.normalise_labels import normalise_labels
from rankle.app.record_request import Recording, recording_of
from rankle.app.recording import keeper_of
from rankle.app.wiring.systems import open_systems
from rankle.core.errors import InputError
from rankle.core.evalset import EvalSet, Level
from rankle.core.ports import SearchSystem
from rankle.core.redaction import redacted_uri
from rankle.core.run import RunReport
from rankle.formats.eval_record import Relevance
from rankle.formats.kinds import ReadOptions
from rankle.harness.evaluation import Stamp
from rankle.harness.evaluation import evaluate_systems as run_systems
from rankle.harness.outcome import Clock, OnProgress
from rankle.harness.settings import DEFAULT_DEPTH
from rankle.labels.coverage import HALF, Coverage
from rankle.metrics.measure import Measure


async def aevaluate_systems(
    eval_set: EvalSet | Path | str | Iterable[Mapping[str, Any]],
    *,
    systems: Iterable[str | SearchSystem],
    k: int | Iterable[int] | None = None,
    depth: int = DEFAULT_DEPTH,
    measures: str | Iterable[str | Measure] = (),
    level: Level | str | None = None,
    collection: str | None = None,
    max_queries: int | None = None,
    concurrency: int = 1,
    one_by_one: bool = False,
    coverage: Coverage = HALF,
    relevance: Relevance | str = Relevance.RELEVANT_DOCS,
    reading: ReadOptions = ReadOptions(),  # noqa: B008 - frozen
    normalise: str | Iterable[str] = (),
    record: Recording | Path | str | bool = False,
    on_progress: OnProgress | None = None,
    clock: Clock = time.perf_counter,
    stamp: Callable[[], Stamp] = new_stamp,
) -> tuple[RunReport, ...]:
    """Ask every system every query of a set, one system after another; one record each, in their order.

    systems: URIs such as `http://localhost:8080/search`, names of `[systems.NAME]` in the project file, or
        objects that implement `rankle.core.ports.SearchSystem`; each once.
    The other arguments are those of `evaluate`. The set is read once; its labels are joined to each system,
    since they may hold different documents.

    Raises InputError where none is named, one is named twice or cannot be opened, CannotMeasureError where
    one cannot be asked; then no query was asked of any.
    """
    named = _checked(systems)
    asked = asked_of(
        k=k,
        depth=depth,
        measures=measures,
        level=level,
        collection=collection,
        max_queries=max_queries,
        concurrency=concurrency,
        one_by_one=one_by_one,
        coverage=coverage,
    )
    queries = queries_of(eval_set, relevance=relevance, reading=reading)
    with opened_systems(named) as opened, keeper_of(recording_of(record), methods=_names(named)) as keeper:
        if normalise:
            queries = normalise_labels(queries, opened[0].catalog(), normalise)
        return await run_systems(
            queries,
            opened,
            asked,
            stamp=stamp,
            clock=clock,
            on_progress=on_progress or unwatched,
            keeper=keeper,
            one_catalog=False,
        )


@contextmanager
def opened_systems(
    named: Sequence[str | SearchSystem], *, texts: bool = False
) -> Iterator[tuple[SearchSystem, ...]]:
    """Objects as they are, the others opened, in their order. texts: see `open_systems`."""
    with open_systems([each for each in named if isinstance(each, str)], texts=texts) as opened:
        rest = iter(opened)
        yield tuple(next(rest) if isinstance(each, str) else each for each in named)


def _names(named: Sequence[str | SearchSystem]) -> list[str]:
    return [redacted_uri(each) if isinstance(each, str) else each.describe().name for each in named]


def _checked(systems: Iterable[str | SearchSystem]) -> tuple[str | SearchSystem, ...]:
    if isinstance(systems, str):
        raise InputError(f'systems are a list, such as ["{redacted_uri(systems)}"]; got one text')
    named = tuple(systems)
    texts = [each for each in named if isinstance(each, str)]
    twice = next((each for each in texts if texts.count(each) > 1), None)
    if twice is not None:
        raise InputError(
            f'the system "{redacted_uri(twice)}" is named twice; a system is compared with others'
        )
    if not named:
        raise InputError('no system is named; systems are a list such as ["http://localhost:8080/search"]')
    return named


evaluate_systems = waited(aevaluate_systems)
"""`aevaluate_systems`, waited for: the same arguments and the same records."""
