"""Floors: the least that a measure may be, over all queries or a slice of them."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from rankle.core.errors import nearest
from rankle.core.gate import RuleVerdict, Verdict
from rankle.core.nouns import asked_at
from rankle.core.run import QueryReport, RunReport
from rankle.gates.rules import Floor
from rankle.gates.words import figure, listed, slice_words
from rankle.stats.intervals import mean_interval

SAME = 1e-12
"""Figures this near to a limit are at it: only rounding keeps them apart."""


def judge_floor(run: RunReport, floor: Floor) -> RuleVerdict:
    """Broken where the mean, or the bound of its interval where that is asked, lies below the floor.

    Could not be measured where the run lacks the measure, no query is in the slice, or too few were scored.
    """
    name = str(floor.measure)
    found = _figures(run, name, floor.where)
    verdict, why = _verdict(run, floor, found)
    bound = "lower bound of " if floor.on == "low" else ""
    return RuleVerdict(
        kind="floor",
        rule=f"{bound}{name} at least {floor.at_least:g}{slice_words(floor.where)}",
        verdict=verdict,
        why=why,
        measure=name,
        where=dict(floor.where),
        limit=floor.at_least,
        on=floor.on,
        value=None if verdict is Verdict.COULD_NOT_MEASURE else found.mean,
        low=found.low,
        high=found.high,
        n=found.n_scored,
    )


def lacks(run: RunReport, measure: str) -> str:
    """Why a rule about a measure that the run does not have cannot be judged, and what to do."""
    others = listed(list(run.measures), most=8)
    if run.level == "case":
        close = nearest(measure, run.measures)
        hint = f"; did you mean {' or '.join(close)}?" if close else ""
        return f"the eval has no scorer {measure}, only {others or 'none'}{hint}"
    return (
        f"the run has no {measure}, only {others}. Evaluate with it: --measures {measure}, or --gate, which "
        "adds what the gate needs. A recorded run that is named by its id, not by a file, gives what its "
        f"depth of {run.depth} allows"
    )


@dataclass(frozen=True, slots=True)
class _Figures:
    n_queries: int
    n_scored: int
    n_failed: int
    mean: float | None
    low: float | None
    high: float | None


def _figures(run: RunReport, measure: str, where: Mapping[str, str]) -> _Figures:
    """Of all queries as the run reports them; of a slice by the same rules."""
    if not where:
        summary = run.measures.get(measure)
        if summary is None:
            return _Figures(len(run.queries), 0, 0, None, None, None)
        return _Figures(
            len(run.queries), summary.n_scored, summary.n_failed, summary.mean, summary.low, summary.high
        )
    inside = [query for query in run.queries if _is_in(query, where)]
    scores = np.array([query.scores[measure] for query in inside if measure in query.scores])
    interval = mean_interval(scores)
    return _Figures(
        len(inside),
        scores.size,
        sum(query.status == "failed" for query in inside),
        float(scores.mean()) if scores.size else None,
        interval.low,
        interval.high,
    )


def _is_in(query: QueryReport, where: Mapping[str, str]) -> bool:
    return all(value in values_of(query, key) for key, value in where.items())


def values_of(query: QueryReport, key: str) -> list[str]:
    """What a query has under `language`, `tag` or `collection`."""
    if key == "tag":
        return query.tags
    value = query.language if key == "language" else query.collection
    return [] if value is None else [value]


def _verdict(run: RunReport, floor: Floor, found: _Figures) -> tuple[Verdict, str]:
    unmeasured = _unmeasured(run, floor, found)
    if unmeasured is not None:
        return Verdict.COULD_NOT_MEASURE, unmeasured
    value = found.low if floor.on == "low" else found.mean
    assert value is not None
    is_broken = value < floor.at_least - SAME
    shown = figure(value, beside=floor.at_least if is_broken else None)
    of_mean = f", of the mean {figure(found.mean or 0.0)}" if floor.on == "low" else ""
    interval = ""
    if floor.on == "mean" and found.low is not None and found.high is not None:
        interval = f", 95 % interval {figure(found.low)} to {figure(found.high)}"
    why = f"{shown}{of_mean} over {asked_at(run.level).counted(found.n_scored)}{interval}"
    return (Verdict.BROKEN if is_broken else Verdict.PASSED), why + _failed(found)


def _unmeasured(run: RunReport, floor: Floor, found: _Figures) -> str | None:
    asked = asked_at(run.level)
    if str(floor.measure) not in run.measures:
        return lacks(run, str(floor.measure))
    if not found.n_queries:
        return f"no {asked.one} is in this slice{_suggestion(run, floor.where)}"
    if found.n_scored < floor.min_queries:
        scored = f"{found.n_scored:,} scored {asked.of(found.n_scored)}"
        return f"{scored}{_failed(found)}; min_queries asks for {floor.min_queries}"
    if floor.on == "low" and found.low is None:
        return f"one {asked.one} has no interval; add {asked.several}, or hold the mean against the floor"
    return None


def _failed(found: _Figures) -> str:
    return f" ({found.n_failed} failed, in no mean)" if found.n_failed else ""


def _suggestion(run: RunReport, where: Mapping[str, str]) -> str:
    """The first value that no query has, with those that look like it."""
    for key, value in where.items():
        known = {one for query in run.queries for one in values_of(query, key)}
        if value not in known:
            close = nearest(value, known)
            names = f"did you mean {' or '.join(close)}?" if close else f"there is: {listed(sorted(known))}"
            return (
                f": no {asked_at(run.level).one} has the {key} {value}; {names if known else 'none has any'}"
            )
    return ""
