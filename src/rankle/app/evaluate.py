"""Evaluate a search system on a set of queries with judgments."""

import time
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, TypedDict, TypeVar, Unpack

from rankle.app.ids import new_id
from rankle.app.normalise_labels import normalise_labels
from rankle.app.record_request import Recording, recording_of
from rankle.app.recording import keeper_of
from rankle.app.wiring.knowledge_base import knowledge_base_systems, open_knowledge_base
from rankle.app.wiring.settings import load_settings
from rankle.app.wiring.systems import open_systems
from rankle.core.errors import CannotMeasureError, InputError, UnknownNameError
from rankle.core.evalset import EvalSet, Level
from rankle.core.ports import SearchSystem
from rankle.core.redaction import redacted_uri
from rankle.core.run import RunReport
from rankle.core.sync import run_sync
from rankle.formats.eval_record import Relevance
from rankle.formats.eval_set import eval_set_of_records, read_eval_set
from rankle.formats.kinds import ReadOptions
from rankle.harness.evaluation import Stamp, evaluate_system
from rankle.harness.outcome import Clock, OnProgress
from rankle.harness.settings import DEFAULT_DEPTH, Settings
from rankle.labels.coverage import HALF, Coverage
from rankle.metrics.measure import Measure, parse_measure, parse_measures

if TYPE_CHECKING:
    from rankle.kb.knowledge_base import KnowledgeBase
    from rankle.kb.search_settings import SearchSettings

_LEVELS = "There is: document, chunk, span"
_P = ParamSpec("_P")
_R = TypeVar("_R")


class _Others(TypedDict):
    depth: int
    collection: str | None
    max_queries: int | None
    concurrency: int
    one_by_one: bool
    coverage: Coverage


async def aevaluate(
    eval_set: EvalSet | Path | str | Iterable[Mapping[str, Any]],
    *,
    system: SearchSystem | str | None = None,
    kb: "KnowledgeBase | None" = None,
    workspace: str | None = None,
    method: str | None = None,
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
    stamp: Stamp | None = None,
) -> RunReport:
    """Ask a system every query of a set and score its answers.

    eval_set: a set, the path of one, or records in the shape of a file's, such as
        `[{"query": "how do I reset it", "relevant": ["guide/reset.md"]}]`.
    system, kb, workspace: what is measured, one of them; with none, the workspace that the command line
        would use. A system is an object, a URI such as `http://localhost:8080/search`, or the name of
        `[systems.NAME]`. `method` chooses how a knowledge base searches; None takes its best.
    k: where the default measures are cut, 1, 5 and 10 by default. The largest also says how deep a query's
        first hit may stand before it counts as lost.
    measures: names such as `nDCG@10`, in one text or several; they replace the default ones, and their
        deepest cut is the largest k.
    one_by_one: asks no batches, so that `latency_ms` is what one search takes.
    coverage: when a chunk covers a labelled passage.
    relevance: see `Relevance`; not for an `EvalSet`.
    reading: what is said about how that file is read, where its content leaves it open.
    normalise: what makes a label and the id of a document one that differ in their spelling only, such as
        `ids=case,extension`.
    settings: what moves the order of a knowledge base's results, such as
        `rankle.SearchSettings(fusion=rankle.Fusion(vector_weight=0.5))`; None takes the defaults.
    record: where the run leaves its record, for `rankle show` and the like: the path of a store, or True for
        the one that the command line would take. A library call writes no file unasked, so by default there
        is none. What an earlier run of the store asked the same of the same knowledge base is taken from it;
        a `Recording` with `reuse=False` asks all.
    stamp: id and time of the run; None makes them now.

    Queries on which the system fails are in the record and in no mean: look at `n_failed`, or call
    `check_failures`. Raises InputError on a set, name or setting that cannot be used, CannotMeasureError
    where the labels join nothing.
    """
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
    if system is not None and (kb, workspace, method, settings) != (None, None, None, None):
        raise InputError(
            "evaluate takes a system of your own, or kb, workspace, method and settings; not both"
        )
    with _measured(system, kb, workspace=workspace, method=method, settings=settings) as measured:
        if normalise:
            queries = normalise_labels(queries, measured.catalog(), normalise)
        asked_for = redacted_uri(system) if isinstance(system, str) else method
        with keeper_of(recording_of(record), methods=[asked_for]) as keeper:
            return await evaluate_system(
                queries,
                measured,
                asked,
                stamp=stamp or new_stamp(),
                clock=clock,
                on_progress=on_progress or unwatched,
                keeper=keeper,
            )


def check_failures(report: RunReport, *, max_failures: int, who: str = "the system") -> None:
    """Raise CannotMeasureError where the system failed on more queries than are allowed.

    who: what the message calls the system.
    """
    failed = [query for query in report.queries if query.status == "failed"]
    if len(failed) > max_failures:
        shortened = failed[0].query if len(failed[0].query) <= 60 else f"{failed[0].query[:59]}…"
        raise CannotMeasureError(
            f"{who} failed on {len(failed)} of {len(report.queries)} queries, more than {max_failures}. "
            f'The first is "{shortened}": {failed[0].error}. '
            f"Failed queries are in no mean; to accept them: --max-failures {len(failed)}"
        )


def new_stamp() -> Stamp:
    """A fresh id and the present time."""
    created = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return Stamp(id=new_id(), created=created)


@contextmanager
def _measured(
    system: SearchSystem | str | None,
    kb: "KnowledgeBase | None",
    *,
    workspace: str | None,
    method: str | None,
    settings: "SearchSettings | None",
) -> Iterator[SearchSystem]:
    """The system to ask; what is opened here is closed again."""
    if isinstance(system, str):
        with open_systems([system]) as (found,):
            yield found
        return
    if system is not None:
        yield system
        return
    with opened(kb, workspace=workspace) as base:
        (one,) = knowledge_base_systems(base, methods=[method], settings=settings)
        yield one


@contextmanager
def opened(kb: "KnowledgeBase | None", *, workspace: str | None) -> "Iterator[KnowledgeBase]":
    """The knowledge base that is given, or that of a workspace, which is closed again at the end."""
    if kb is not None and workspace is not None:
        raise InputError("evaluate takes an open kb or the name of a workspace, not both")
    if kb is not None:
        yield kb
        return
    with open_knowledge_base(load_settings(workspace=workspace)) as base:
        yield base


def asked_of(
    *,
    k: int | Iterable[int] | None,
    measures: str | Iterable[str | Measure],
    level: Level | str | None,
    **others: Unpack[_Others],
) -> Settings:
    """What is asked of an evaluation, from the forms in which it may be said."""
    return Settings(
        k=None if k is None else (k,) if isinstance(k, int) else tuple(k),
        measures=_measures(measures),
        level=None if level is None else _level(level),
        **others,
    )


def queries_of(given: object, *, relevance: Relevance | str, reading: ReadOptions) -> EvalSet:
    """The set that is given: as it is, from a path, or from records."""
    relevance = _relevance(relevance)
    if isinstance(given, EvalSet):
        return given
    if isinstance(given, str | Path):
        return read_eval_set(given, relevance=relevance, options=reading)
    if isinstance(given, Iterable) and not isinstance(given, Mapping | bytes):
        return eval_set_of_records(list(given), reading, relevance=relevance)
    raise InputError(
        'an eval set is a path, an EvalSet, or a list of records such as {"query": …, "relevant": […]}; '
        f"got {type(given).__name__}"
    )


def _measures(given: str | Iterable[str | Measure]) -> tuple[Measure, ...]:
    if isinstance(given, str):
        return parse_measures(given)
    return tuple(item if isinstance(item, Measure) else parse_measure(item) for item in given)


def _level(name: str) -> Level:
    if name not in list(Level):
        raise UnknownNameError(what="level", name=name, known=list(Level), hint=_LEVELS)
    return Level(name)


def _relevance(name: str) -> Relevance:
    if name not in list(Relevance):
        hint = "There is: relevantDocs, judgments"
        raise UnknownNameError(what="relevance", name=name, known=list(Relevance), hint=hint)
    return Relevance(name)


def unwatched(_done: int, _total: int) -> None:
    """Progress that nobody watches."""


def waited(function: Callable[_P, Coroutine[Any, Any, _R]]) -> Callable[_P, _R]:
    """The sync front of an async function, with the same arguments."""

    @wraps(function)
    def wait(*args: _P.args, **kwargs: _P.kwargs) -> _R:
        results: list[_R] = []
        interrupts: list[KeyboardInterrupt] = []

        # Not the task's result: asyncio spells that out as text when it looks at its signal handler. And not
        # its error: asyncio would print where a task was interrupted, since it asks no task for it.
        async def work() -> None:
            try:
                results.append(await function(*args, **kwargs))
            except KeyboardInterrupt as interrupt:
                interrupts.append(interrupt)

        run_sync(work())
        if interrupts:
            raise interrupts[0]
        return results[0]

    return wait


evaluate = waited(aevaluate)
"""`aevaluate`, waited for: the same arguments and the same record."""
