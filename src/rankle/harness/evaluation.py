"""One evaluation, end to end: a set and a system in, the record of the run out."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rankle.core.catalog import Catalog
from rankle.core.errors import CannotMeasureError
from rankle.core.evalset import EvalSet
from rankle.core.ports import SearchSystem, SystemDescription
from rankle.core.product import VERSION
from rankle.core.run import LabelReport, RunReport, SetInfo, SystemInfo
from rankle.harness.plan import Item, Selection, plan_items, select_queries
from rankle.harness.query_reports import Scored, report_documents, report_query
from rankle.harness.runner import NOTHING, Clock, OnProgress, Outcome, run_plan
from rankle.harness.settings import Settings
from rankle.harness.summary import summarise_scores
from rankle.labels.join import JoinedQuery, JoinedSet, join_labels
from rankle.labels.unknown import UnknownName
from rankle.metrics.engine import compute
from rankle.metrics.judged import JudgedRanks
from rankle.metrics.measure import Measure
from rankle.metrics.table import BY_NAME
from rankle.stats.latency import latency_percentiles

_NAMED = 5
"""Unknown names that a notice lists."""


@dataclass(frozen=True, slots=True)
class Stamp:
    """What tells one run from another; given from outside, so that a run can be repeated to the letter."""

    id: str
    created: str
    """UTC, ISO 8601 with a trailing Z."""


async def evaluate_system(
    eval_set: EvalSet,
    system: SearchSystem,
    settings: Settings,
    *,
    stamp: Stamp,
    clock: Clock,
    on_progress: OnProgress,
) -> RunReport:
    """Ask the system every query of the set, score its answers and say where relevant targets were lost.

    A query on which the system fails is in the record with its error, and in no mean.
    Raises InputError on what the set and the system do not allow, CannotMeasureError where no label
    joins the system or no query has a relevant label.
    """
    selection = select_queries(eval_set, collection=settings.collection, max_queries=settings.max_queries)
    description, catalog = system.describe(), system.catalog()
    items = plan_items(selection.eval_set, collection=settings.collection, catalog=catalog)
    joined = join_labels(selection.eval_set, catalog, level=settings.level)
    _check_some_relevant(joined, name=eval_set.name)
    # Grades that a measure does not allow are refused before the system is asked, not after.
    _score(joined.queries, [NOTHING] * len(items), measures=settings.all_measures)
    elsewhere = _elsewhere(joined.queries, items, catalog)
    outcomes = await run_plan(
        system,
        items,
        depth=settings.depth,
        level=joined.level,
        concurrency=settings.concurrency,
        clock=clock,
        on_progress=on_progress,
    )
    scored = _score(joined.queries, outcomes, measures=settings.all_measures, elsewhere=elsewhere)
    notices = [
        *_unknown_notice(joined),
        *eval_set.notices,
        *selection.notices,
        *_notices(joined, scored, catalog),
    ]
    return _report(selection, joined, scored, settings, description, stamp=stamp, notices=notices)


@dataclass(frozen=True, slots=True)
class _Scores:
    queries: tuple[Scored, ...]
    columns: dict[Measure, np.ndarray[tuple[int], np.dtype[np.float64]]]
    """One value per answered query."""


def _elsewhere(
    queries: Sequence[JoinedQuery], items: Sequence[Item], catalog: Catalog | None
) -> list[frozenset[str]]:
    """For each query, the targets that its search cannot reach, since they lie in other collections."""
    homes = {document.id: document.collection for document in catalog.documents} if catalog else {}
    return [
        frozenset(
            target.id
            for target in query.targets
            if item.collection is not None
            and target.documents
            and all(homes.get(document, item.collection) != item.collection for document in target.documents)
        )
        for query, item in zip(queries, items, strict=True)
    ]


def _score(
    joined: Sequence[JoinedQuery],
    outcomes: Sequence[Outcome],
    *,
    measures: Sequence[Measure],
    elsewhere: Sequence[frozenset[str]] | None = None,
) -> _Scores:
    answered = [
        (query, outcome.answer)
        for query, outcome in zip(joined, outcomes, strict=True)
        if outcome.answer is not None
    ]
    judged = JudgedRanks.from_lists(
        [[hit.id for hit in answer.hits] for _, answer in answered],
        [query.judgments for query, _ in answered],
        relevant=[query.stated_relevant for query, _ in answered],
    )
    columns = compute(judged, measures)
    # One denominator for the whole table (docs/decisions/0008): what scores judgments rather than relevance
    # is defined without a relevant target too, and would be averaged over more queries than the rest.
    is_scored = [any(target.is_relevant for target in query.targets) for query, _ in answered]
    for values in (columns[measure] for measure in columns if not BY_NAME[measure.family].scores_relevance):
        values[~np.array(is_scored, dtype=bool)] = np.nan
    rows = iter(range(len(answered)))
    queries = []
    unreachable = elsewhere or [frozenset()] * len(joined)
    for query, outcome, beyond in zip(joined, outcomes, unreachable, strict=True):
        row = None if outcome.answer is None else next(rows)
        scores = (
            {} if row is None else {str(measure): float(values[row]) for measure, values in columns.items()}
        )
        defined = {name: score for name, score in scores.items() if not np.isnan(score)}
        queries.append(Scored(query, outcome, defined, beyond))
    return _Scores(tuple(queries), columns)


def _report(
    selection: Selection,
    joined: JoinedSet,
    scored: _Scores,
    settings: Settings,
    description: SystemDescription,
    *,
    stamp: Stamp,
    notices: list[str],
) -> RunReport:
    k = settings.cuts[-1]
    answers = [query.outcome.answer for query in scored.queries if query.outcome.answer is not None]
    took = [query.outcome.took_ms for query in scored.queries if query.outcome.took_ms is not None]
    n_failed = len(scored.queries) - len(answers)
    return RunReport(
        id=stamp.id,
        created=stamp.created,
        rankle_version=VERSION,
        set=SetInfo(
            name=selection.eval_set.name,
            fingerprint=selection.eval_set.fingerprint,
            n_queries=len(selection.eval_set.queries),
            n_in_file=selection.n_in_file,
        ),
        level=joined.level.value,
        depth=settings.depth,
        k=list(settings.cuts),
        ties="system",
        seed=0,
        system=SystemInfo(
            name=description.name,
            method=description.method,
            fingerprint=description.fingerprint,
            stages=list(description.stages),
        ),
        measures={
            str(measure): summarise_scores(values, n_failed=n_failed)
            for measure, values in scored.columns.items()
        },
        latency_ms=latency_percentiles(took),
        labels=LabelReport(
            n_labels=joined.n_labels,
            n_joined=joined.n_joined,
            unknown=sorted(item.name for item in joined.unknown),
        ),
        documents=report_documents(scored.queries, k=k),
        notices=notices,
        n_duplicates_dropped=sum(answer.n_duplicates for answer in answers),
        queries=[report_query(query, k=k) for query in scored.queries],
    )


def _check_some_relevant(joined: JoinedSet, *, name: str) -> None:
    if not any(target.is_relevant for query in joined.queries for target in query.targets):
        raise CannotMeasureError(
            f"no query of {name} has a relevant label, so there is nothing to measure; "
            'add what should be found, such as "relevant": ["guide/setup.md"]'
        )


def _unknown_notice(joined: JoinedSet) -> list[str]:
    if not joined.unknown:
        return []
    names = ", ".join(_described(item) for item in joined.unknown[:_NAMED])
    more = f" and {len(joined.unknown) - _NAMED} more" if len(joined.unknown) > _NAMED else ""
    n_lost = joined.n_labels - joined.n_joined
    counted = f"{n_lost} of {joined.n_labels}, counted as not found"
    return [f"labels that name nothing in the index: {counted}: {names}{more}"]


def _notices(joined: JoinedSet, scored: _Scores, catalog: Catalog | None) -> list[str]:
    notices = []
    n_sharing = sum(n for n in Counter(query.query.text for query in joined.queries).values() if n > 1)
    if n_sharing:
        notices.append(
            f"queries that share their text with another id: {n_sharing}; each is scored as its own"
        )
    n_nothing = sum(not query.query.answerable for query in joined.queries)
    if n_nothing:
        notices.append(f'queries marked "answerable": false, which have no relevance scores: {n_nothing}')
    n_duplicates = sum(query.outcome.answer.n_duplicates for query in scored.queries if query.outcome.answer)
    if n_duplicates:
        notices.append(
            f"results that occurred twice in a list, counted once at the best rank: {n_duplicates}"
        )
    if catalog is None and not any(
        target.id in query.ranks for query in scored.queries for target in query.joined.targets
    ):
        notices.append("no result has an id that the set labels; check that set and system name things alike")
    return notices


def _described(item: UnknownName) -> str:
    remarks = [f"line {item.line}"] if item.line else []
    remarks += [f'did you mean "{item.suggestion}"?'] if item.suggestion else []
    return f'"{item.name}" ({"; ".join(remarks)})' if remarks else f'"{item.name}"'
