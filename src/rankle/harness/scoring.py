"""Scores the answers of a run in one pass over all queries."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rankle.core.outcome import Answer, Outcome
from rankle.harness.spans import SpanView
from rankle.labels.join import JoinedQuery, Target
from rankle.labels.spans import SpanMatches, judge_spans
from rankle.metrics.engine import compute
from rankle.metrics.judged import JudgedRanks
from rankle.metrics.measure import Measure
from rankle.metrics.table import BY_NAME


@dataclass(frozen=True, slots=True)
class Scored:
    """One query with its outcome and scores."""

    joined: JoinedQuery
    outcome: Outcome
    scores: Mapping[str, float]
    """Canonical measure name to score, only what is defined."""
    elsewhere: frozenset[str] = frozenset()
    """Targets whose documents all lie in other collections than the one that the query searched."""
    matches: SpanMatches | None = None
    """What its results cover of its targets, at level SPAN."""

    @property
    def relevant(self) -> tuple[Target, ...]:
        return tuple(target for target in self.joined.targets if target.is_relevant)

    @property
    def ranks(self) -> Mapping[str, int]:
        """Id of what was found to its final rank: of results, and at level SPAN of targets."""
        if self.matches is not None:
            pairs = zip(self.joined.targets, self.matches.ranks, strict=True)
            return {target.id: rank for target, rank in pairs if rank is not None}
        answer = self.outcome.answer
        return {hit.id: rank for rank, hit in enumerate(answer.hits, start=1)} if answer else {}


@dataclass(frozen=True, slots=True)
class Scores:
    """A run, scored."""

    queries: tuple[Scored, ...]
    columns: Mapping[Measure, NDArray[np.float64]]
    """One value per answered query, NaN where undefined."""

    @property
    def n_failed(self) -> int:
        return sum(query.outcome.answer is None for query in self.queries)


def score_outcomes(
    joined: Sequence[JoinedQuery],
    outcomes: Sequence[Outcome],
    *,
    measures: Sequence[Measure],
    elsewhere: Sequence[frozenset[str]],
    view: SpanView | None = None,
) -> Scores:
    """The scores of every answered query; failed ones have none.

    view: how chunks are seen as passages, at level SPAN; then the stages of each answer are seen so too.
    joined, outcomes, elsewhere: one per query, in the same order. Raises MeasureError on grades that a
    measure does not allow.
    """
    answered = [
        (query, outcome.answer)
        for query, outcome in zip(joined, outcomes, strict=True)
        if outcome.answer is not None
    ]
    matches = None if view is None else [view.matches(query, answer) for query, answer in answered]
    columns = compute(_judged(answered, matches), measures)
    # One denominator for the whole table (docs/decisions/0008): what scores judgments rather than relevance
    # is defined without a relevant target too, and would be averaged over more queries than the rest.
    is_scored = [any(target.is_relevant for target in query.targets) for query, _ in answered]
    for values in (columns[measure] for measure in columns if not BY_NAME[measure.family].scores_relevance):
        values[~np.array(is_scored, dtype=bool)] = np.nan
    rows = iter(range(len(answered)))
    queries = []
    for query, outcome, beyond in zip(joined, outcomes, elsewhere, strict=True):
        row = None if outcome.answer is None else next(rows)
        scores = (
            {} if row is None else {str(measure): float(values[row]) for measure, values in columns.items()}
        )
        defined = {name: score for name, score in scores.items() if not np.isnan(score)}
        matched = None if row is None or matches is None else matches[row]
        seen = outcome if view is None else view.seen(query, outcome)
        queries.append(Scored(query, seen, defined, beyond, matched))
    return Scores(tuple(queries), columns)


def _judged(
    answered: Sequence[tuple[JoinedQuery, Answer]], matches: Sequence[SpanMatches] | None
) -> JudgedRanks:
    if matches is not None:
        return judge_spans(matches, [[target.grade for target in query.targets] for query, _ in answered])
    return JudgedRanks.from_lists(
        [[hit.id for hit in answer.hits] for _, answer in answered],
        [query.judgments for query, _ in answered],
        relevant=[query.stated_relevant for query, _ in answered],
    )
