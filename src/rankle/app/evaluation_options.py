"""What may be asked of an evaluation, whatever it measures, and what that comes to."""

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypedDict

from rankle.app.normalise_labels import normalise_labels
from rankle.app.record_request import Recording, recording_of
from rankle.core.errors import InputError, UnknownNameError
from rankle.core.evalset import EvalSet, Level
from rankle.core.ports import SearchSystem
from rankle.formats.eval_record import Relevance
from rankle.formats.eval_set import eval_set_of_records, read_eval_set
from rankle.formats.kinds import ReadOptions
from rankle.harness.outcome import Clock, OnProgress
from rankle.harness.settings import DEFAULT_DEPTH, Settings
from rankle.labels.coverage import HALF, Coverage
from rankle.metrics.measure import Measure, parse_measure, parse_measures

_LEVELS = "There is: document, chunk, span"
Queries = EvalSet | Path | str | Iterable[Mapping[str, Any]]
"""A set, the path of one, or records in the shape of a file's."""


class EvaluationOptions(TypedDict, total=False):
    """Of `evaluate`, `evaluate_methods` and `evaluate_systems` alike; `aevaluate` says what each is."""

    k: int | Iterable[int] | None
    depth: int
    measures: str | Iterable[str | Measure]
    level: Level | str | None
    collection: str | None
    max_queries: int | None
    concurrency: int
    one_by_one: bool
    coverage: Coverage
    relevance: Relevance | str
    reading: ReadOptions
    normalise: str | Iterable[str]
    record: Recording | Path | str | bool
    on_progress: OnProgress | None
    clock: Clock


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """What is asked, in the one form that each option has inside."""

    queries: EvalSet
    settings: Settings
    normalise: tuple[str, ...]
    recording: Recording | None
    on_progress: OnProgress
    clock: Clock

    def queries_in(self, system: SearchSystem) -> EvalSet:
        """The queries, their labels by the ids of the system's documents where both are to be normalised."""
        if not self.normalise:
            return self.queries
        return normalise_labels(self.queries, system.catalog(), self.normalise)


def evaluation_of(given: Queries, options: EvaluationOptions, *, own: Iterable[str], name: str) -> Evaluation:
    """Read a set and what is asked of it.

    own: the further options of the caller, which a misspelt one may have meant. name: of the caller.
    Raises InputError on a set, an option or a value that cannot be used.
    """
    known = (*own, *EvaluationOptions.__annotations__)
    for option in options:
        if option not in EvaluationOptions.__annotations__:
            raise UnknownNameError(what=f"option of {name}", name=option, known=known)
    normalise = options.get("normalise", ())
    return Evaluation(
        settings=settings_of(options),
        queries=queries_of(
            given,
            relevance=options.get("relevance", Relevance.RELEVANT_DOCS),
            reading=options.get("reading", ReadOptions()),
        ),
        normalise=(normalise,) if isinstance(normalise, str) and normalise else tuple(normalise),
        recording=recording_of(options.get("record", False)),
        on_progress=options.get("on_progress") or unwatched,
        clock=options.get("clock", time.perf_counter),
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


def unwatched(_done: int, _total: int) -> None:
    """Progress that nobody watches."""


def settings_of(options: EvaluationOptions) -> Settings:
    """What the harness is asked. Raises InputError and MeasureError on what does not fit together."""
    k, level = options.get("k"), options.get("level")
    return Settings(
        k=None if k is None else (k,) if isinstance(k, int) else tuple(k),
        depth=options.get("depth", DEFAULT_DEPTH),
        measures=_measures(options.get("measures", ())),
        level=None if level is None else _level(level),
        collection=options.get("collection"),
        max_queries=options.get("max_queries"),
        concurrency=options.get("concurrency", 1),
        one_by_one=options.get("one_by_one", False),
        coverage=options.get("coverage", HALF),
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
