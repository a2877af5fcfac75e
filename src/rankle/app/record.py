"""Ask a system every query of a set, and keep what it answers in a file that can be replayed."""

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rankle.app.evaluate_systems import opened_systems
from rankle.app.evaluation_options import queries_of, unwatched
from rankle.app.ids import new_stamp
from rankle.app.record_passages import passages_of
from rankle.core.catalog import Catalog
from rankle.core.errors import CannotMeasureError
from rankle.core.evalset import EvalSet, Level
from rankle.core.ports import PassageSource, SearchSystem, SystemDescription
from rankle.core.product import VERSION
from rankle.core.sync import waited
from rankle.formats.eval_record import Relevance
from rankle.formats.kinds import ReadOptions
from rankle.formats.recording import RecordedQuery, RecordedSystem, Recording, check_place, write_recording
from rankle.harness.outcome import Clock, OnProgress
from rankle.harness.plan import plan_items, select_queries
from rankle.harness.runner import run_plan
from rankle.harness.running import running
from rankle.harness.settings import DEFAULT_DEPTH
from rankle.labels.join import join_labels


@dataclass(frozen=True, slots=True)
class RecordedRun:
    """What was recorded."""

    path: Path
    system: str
    n_queries: int
    n_results: int
    level: Level
    failures: tuple[tuple[str, str], ...]
    """Text of each query on which the system failed, and what it said."""

    def check(self, *, max_failures: int) -> None:
        """Raises CannotMeasureError where the system failed on more queries than are allowed."""
        if len(self.failures) > max_failures:
            query, words = self.failures[0]
            raise CannotMeasureError(
                f"the system failed on {len(self.failures)} of {self.n_queries} queries, more than "
                f'{max_failures}; they are recorded as failures. The first is "{query}": {words}'
            )


async def arecord(
    eval_set: EvalSet | Path | str | Iterable[Mapping[str, Any]],
    *,
    system: str | SearchSystem,
    output: Path | str,
    depth: int = DEFAULT_DEPTH,
    level: Level | None = None,
    collection: str | None = None,
    max_queries: int | None = None,
    concurrency: int = 1,
    reading: ReadOptions = ReadOptions(),  # noqa: B008 - frozen
    on_progress: OnProgress | None = None,
    clock: Clock = time.perf_counter,
) -> RecordedRun:
    """Ask a system every query of a set; what it answers, with texts and stages, goes to a file.

    system: as in `evaluate_systems`. output: a Parquet table, or lines of JSON where it ends so.
    level: None takes what the labels name, documents where there are none; passages are seen in chunks.
    The other arguments are those of `evaluate`. Queries without judgments are asked too; failures are kept.

    Raises InputError on what cannot be used, CannotMeasureError where the system cannot be asked or no query
    has a result.
    """
    path = Path(output)
    check_place(path)
    queries = queries_of(eval_set, relevance=Relevance.RELEVANT_DOCS, reading=reading)
    with opened_systems([system], texts=True) as (opened,):
        described, catalog = opened.describe(), opened.catalog()
        selection = select_queries(queries, collection=collection, max_queries=max_queries)
        items = plan_items(selection.eval_set, collection=collection, catalog=catalog)
        asked_level = _asked_level(selection.eval_set, opened, level)
        passages = passages_of(selection.eval_set, opened, level=asked_level)
        async with running([opened]):
            outcomes = await run_plan(
                opened,
                items,
                depth=depth,
                level=asked_level,
                concurrency=concurrency,
                clock=clock,
                on_progress=on_progress or unwatched,
            )
    recorded = [
        RecordedQuery(id=query.id, query=item.query, collection=item.collection, outcome=outcome)
        for query, item, outcome in zip(selection.eval_set.queries, items, outcomes, strict=True)
    ]
    recording = Recording(
        created=new_stamp().created,
        rankle_version=VERSION,
        system=_recorded_system(described),
        set_name=queries.name,
        set_fingerprint=queries.fingerprint,
        level=asked_level.value,
        depth=depth,
        catalog=_without_places(catalog),
        queries=recorded,
        places=passages.places,
        texts=passages.texts,
    )
    found = _told(path, recording)
    if len(found.failures) < found.n_queries:
        write_recording(path, recording)
    return found


def _told(path: Path, recording: Recording) -> RecordedRun:
    outcomes = [(query.query, query.outcome) for query in recording.queries]
    return RecordedRun(
        path=path,
        system=recording.system.name,
        n_queries=len(outcomes),
        n_results=sum(len(outcome.answer.hits) for _, outcome in outcomes if outcome.answer is not None),
        level=Level(recording.level),
        failures=tuple((query, outcome.error) for query, outcome in outcomes if outcome.error is not None),
    )


def _recorded_system(described: SystemDescription) -> RecordedSystem:
    return RecordedSystem(
        name=described.name,
        method=described.method,
        fingerprint=described.fingerprint,
        stages=list(described.stages),
        settings=dict(described.settings),
        floor=described.floor,
    )


def _asked_level(eval_set: EvalSet, system: SearchSystem, level: Level | None) -> Level:
    """What the labels name, seen in chunks where that is passages; documents where nothing is labelled."""
    if not any(query.labels for query in eval_set.queries):
        return Level.DOCUMENT if level is None else Level.CHUNK if level is Level.SPAN else level
    source = system if isinstance(system, PassageSource) else None
    found = join_labels(eval_set, system.catalog(), level=level, source=source).level
    return Level.CHUNK if found is Level.SPAN else found


def _without_places(catalog: Catalog | None) -> Catalog | None:
    if catalog is None:
        return None
    return replace(catalog, documents=tuple(replace(each, path=None) for each in catalog.documents))


record = waited(arecord)
"""`arecord`, waited for: the same arguments and the same file."""
