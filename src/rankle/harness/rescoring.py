"""Scores a report by other measures, from what it holds itself: results with ids, and targets with grades."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import msgspec
import numpy as np
from numpy.typing import NDArray

from rankle.core.errors import CannotMeasureError
from rankle.core.product import VERSION
from rankle.core.run import DocumentReport, QueryReport, RunReport, TargetReport
from rankle.core.search import Stage, StageRank
from rankle.harness.funnel import funnel_of
from rankle.harness.lost_at import BELOW_DEPTH, ELSEWHERE, NO_CANDIDATE_LIST, NOT_INDEXED, lost_at
from rankle.harness.query_reports import by_hit_rate
from rankle.harness.settings import Settings
from rankle.harness.summary import summarise_scores
from rankle.labels.spans import SpanMatches, judge_spans, matches_of
from rankle.metrics.engine import compute
from rankle.metrics.judged import UNJUDGED, JudgedRanks
from rankle.metrics.measure import Measure, parse_measure
from rankle.metrics.table import BY_NAME

_SAME = 1e-9
_POOL = "infAP"
"""It looks at what was pooled and not judged, of which a report says nothing."""
_KEPT = frozenset({NOT_INDEXED, ELSEWHERE, NO_CANDIDATE_LIST, BELOW_DEPTH})
"""Fates of targets that no stage had: they are the same at every cut."""


def rescore_report(report: RunReport, measures: Sequence[Measure]) -> RunReport:
    """The report that the run would have had under these measures.

    Ranks stay, and fates, funnel and documents are told at the largest cut of the measures, as an evaluation
    tells them. Raises MeasureError on a measure that is deeper than the run or refuses its grades,
    CannotMeasureError where the report does not hold what its own figures were made from, or a measure looks
    at more than any report holds.
    """
    settings = Settings(measures=tuple(measures), depth=report.depth)
    if any(measure.family == _POOL for measure in settings.all_measures):
        raise CannotMeasureError(
            f"{_POOL} looks at targets that were pooled and not judged, which a file of a run does not tell"
        )
    if report.funnel is None or report.system.path is not msgspec.UNSET:
        raise CannotMeasureError("it was made of judgments and a run file, which can be scored again")
    answered = [query for query in report.queries if query.status != "failed"]
    judged = _Judged.of(answered, is_span=report.level == "span")
    _check_complete(report, answered, judged)
    columns = judged.columns(settings.all_measures)
    k = settings.cuts[-1]
    scores = iter(_scores_of(columns, len(answered)))
    queries = [
        _query(query, {} if query.status == "failed" else next(scores), stages=report.system.stages, k=k)
        for query in report.queries
    ]
    n_failed = len(queries) - len(answered)
    return msgspec.structs.replace(
        report,
        rankle_version=VERSION,
        k=list(settings.cuts),
        measures={
            str(measure): summarise_scores(values, n_failed=n_failed) for measure, values in columns.items()
        },
        funnel=funnel_of(queries, stages=report.system.stages, k=k),
        documents=_documents(report.documents, queries, k=k),
        queries=queries,
    )


@dataclass(frozen=True, slots=True)
class _Judged:
    """The answered queries of a report as the measures read them."""

    ranks: JudgedRanks
    is_scored: NDArray[np.bool_]
    """Whether something is relevant to each."""

    @classmethod
    def of(cls, queries: Sequence[QueryReport], *, is_span: bool) -> "_Judged":
        is_scored = np.array([any(one.relevant for one in query.targets) for query in queries], dtype=bool)
        if is_span:
            matches = [_matches(query) for query in queries]
            grades = [list(_places(query).values()) for query in queries]
            return cls(judge_spans(matches, grades), is_scored)
        ranks = JudgedRanks.from_lists(
            [[result.id for result in query.results] for query in queries],
            [{target.id: target.grade for target in query.targets} for query in queries],
            relevant=[_stated(query.targets) for query in queries],
        )
        return cls(ranks, is_scored)

    def columns(self, measures: Sequence[Measure]) -> Mapping[Measure, NDArray[np.float64]]:
        """One value a query, NaN where it is undefined."""
        columns = compute(self.ranks, measures)
        for measure, values in columns.items():
            if not BY_NAME[measure.family].scores_relevance:
                values[~self.is_scored] = np.nan
        return columns


def _stated(targets: Sequence[TargetReport]) -> frozenset[str] | None:
    """The relevant set where it is not that of the grades; where both agree, no measure tells them apart."""
    if all(target.relevant == (target.grade >= 1) for target in targets):
        return None
    return frozenset(target.id for target in targets if target.relevant)


def _places(query: QueryReport) -> dict[str, int]:
    """Passage to its grade; those that results cover and nobody judged come last."""
    grades = {target.id: target.grade for target in query.targets}
    for result in query.results:
        for name in result.covers or ():
            grades.setdefault(name, UNJUDGED)
    return grades


def _matches(query: QueryReport) -> SpanMatches:
    grades = _places(query)
    places = {name: place for place, name in enumerate(grades)}
    covered = tuple(tuple(places[name] for name in result.covers or ()) for result in query.results)
    return matches_of(covered, list(grades.values()))


def _check_complete(report: RunReport, answered: Sequence[QueryReport], judged: _Judged) -> None:
    """Raise CannotMeasureError where the scores in the report are not those of its results and targets."""
    names = {
        str(measure): measure for measure in map(parse_measure, report.measures) if measure.family != _POOL
    }
    columns = judged.columns(tuple(names.values()))
    for name, measure in names.items():
        for query, made in zip(answered, columns[measure].tolist(), strict=True):
            told = query.scores.get(name, math.nan)
            if not (math.isnan(told) and math.isnan(made)) and not abs(told - made) <= _SAME:
                raise CannotMeasureError(
                    f'query "{query.id}" has {name} {told:.6g}, and its results and targets give {made:.6g}: '
                    "some are missing or were changed"
                )


def _scores_of(columns: Mapping[Measure, NDArray[np.float64]], n: int) -> list[dict[str, float]]:
    """Of each query, what is defined."""
    rows = {str(measure): values.tolist() for measure, values in columns.items()}
    return [
        {name: values[place] for name, values in rows.items() if not math.isnan(values[place])}
        for place in range(n)
    ]


def _query(query: QueryReport, scores: dict[str, float], *, stages: Sequence[str], k: int) -> QueryReport:
    if query.status == "failed":
        return query
    targets = [_target(target, stages=stages, k=k) for target in query.targets]
    return msgspec.structs.replace(query, scores=scores, targets=targets)


def _target(target: TargetReport, *, stages: Sequence[str], k: int) -> TargetReport:
    if not target.relevant or (target.rank is None and target.lost_at in _KEPT):
        return target
    ran = [
        Stage(
            name,
            0.0,
            {target.id: StageRank(target.rank_at[name], math.nan)} if name in target.rank_at else {},
        )
        for name in stages
    ]
    indexed = target.lost_at != NOT_INDEXED
    return msgspec.structs.replace(
        target, lost_at=lost_at(target.id, indexed=indexed, stages=ran, rank=target.rank, k=k)
    )


def _documents(
    documents: Sequence[DocumentReport], queries: Sequence[QueryReport], *, k: int
) -> list[DocumentReport]:
    """What is found of a target is in the document of the result that found it."""
    n_found: dict[str, int] = {}
    for query in queries:
        ranks = [target.rank for target in query.targets if target.relevant and target.rank is not None]
        for document in {query.results[rank - 1].document for rank in ranks if rank <= k}:
            n_found[document] = n_found.get(document, 0) + 1
    return by_hit_rate(
        msgspec.structs.replace(one, n_found=n, hit_rate=n / one.n_queries)
        for one in documents
        for n in [n_found.get(one.id, 0)]
    )
