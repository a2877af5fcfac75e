"""Evaluate several methods of one knowledge base on the same queries."""

import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rankle.app.evaluate import asked_of, new_stamp, opened, queries_of, unwatched, waited
from rankle.app.normalise_labels import normalise_labels
from rankle.app.record_request import Recording, recording_of
from rankle.app.recording import keeper_of
from rankle.app.wiring.knowledge_base import knowledge_base_systems
from rankle.core.errors import InputError
from rankle.core.evalset import EvalSet, Level
from rankle.core.run import RunReport
from rankle.formats.eval_record import Relevance
from rankle.formats.kinds import ReadOptions
from rankle.harness.evaluation import Stamp, evaluate_systems
from rankle.harness.outcome import Clock, OnProgress
from rankle.harness.settings import DEFAULT_DEPTH
from rankle.labels.coverage import HALF, Coverage
from rankle.metrics.measure import Measure

if TYPE_CHECKING:
    from rankle.kb.knowledge_base import KnowledgeBase
    from rankle.kb.search_settings import SearchSettings


async def aevaluate_methods(
    eval_set: EvalSet | Path | str | Iterable[Mapping[str, Any]],
    *,
    methods: Iterable[str],
    kb: "KnowledgeBase | None" = None,
    workspace: str | None = None,
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
    settings: "SearchSettings | None" = None,
    record: Recording | Path | str | bool = False,
    on_progress: OnProgress | None = None,
    clock: Clock = time.perf_counter,
    stamp: Callable[[], Stamp] = new_stamp,
) -> tuple[RunReport, ...]:
    """Ask a knowledge base every query of a set by each method; one record a method, in their order.

    methods: names such as `["fts5", "vector", "hybrid"]`, each once.
    on_progress: counts queries over all methods.
    stamp: makes the id and time of each run.
    settings: those of `evaluate`, for every method that looks at them; the fusion concerns `hybrid` alone.
    The other arguments are those of `evaluate`. The set is read and its labels are joined once.

    Raises InputError where no method is named, or one twice, and what a method raises that the workspace
    cannot do; then no query was asked by any.
    """
    names = _checked(methods)
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
    with opened(kb, workspace=workspace) as base:
        systems = knowledge_base_systems(base, methods=names, settings=settings)
        if normalise:
            queries = normalise_labels(queries, systems[0].catalog(), normalise)
        with keeper_of(recording_of(record), methods=names) as keeper:
            return await evaluate_systems(
                queries,
                systems,
                asked,
                stamp=stamp,
                clock=clock,
                on_progress=on_progress or unwatched,
                keeper=keeper,
            )


def _checked(methods: Iterable[str]) -> tuple[str, ...]:
    if isinstance(methods, str):
        raise InputError(f'methods are a list of names, such as ["fts5", "hybrid"]; got "{methods}"')
    names = tuple(methods)
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InputError(f'method "{twice}" is named twice; a method is compared with others')
    if not names:
        raise InputError('no method is named; methods are a list such as ["fts5", "hybrid"]')
    return names


evaluate_methods = waited(aevaluate_methods)
"""`aevaluate_methods`, waited for: the same arguments and the same records."""
