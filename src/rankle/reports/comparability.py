"""Whether runs can be compared: what differs in them beside their systems, and by which measures they can."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from msgspec import UnsetType

from rankle.core.errors import CannotMeasureError, InputError, MeasureError, UnknownNameError
from rankle.core.product import NAME
from rankle.core.run import QueryReport, RunReport
from rankle.metrics.figure import Figure, find_figure, ranks, read_figure
from rankle.records.fingerprints import judgments_fingerprint, queries_fingerprint
from rankle.reports.comparison import Mismatch, What

_SHORT: Final = 12
_NAMED: Final = 3
_SEVERAL: Final = ("queries", "cases", "judgments", "ties", "measures")
"""What a verb is in the plural for."""


def mismatches(
    runs: Sequence[RunReport], labels: Sequence[str], *, measures_matter: bool
) -> tuple[Mismatch, ...]:
    """What each further run has otherwise than the first; empty where all can be compared.

    measures_matter: whether other measures are a difference, as they are where nobody named any.
    """
    found: list[Mismatch] = []
    for label, run in zip(labels[1:], runs[1:], strict=True):
        found += _of_sets(runs[0], run, label)
        # What a recorded file holds of each query is its own affair, and no depth that was asked for.
        recorded = not any(isinstance(one.system.path, UnsetType) for one in (runs[0], run))
        for (what, first), (_, other) in zip(_of_scoring(runs[0]), _of_scoring(run), strict=True):
            if first != other and not (what == "depth" and recorded):
                found.append(Mismatch(what=what, run=label, first=first, other=other, words=""))
        first, other = (", ".join(ranking_measures(one)) for one in (runs[0], run))
        if measures_matter and set(ranking_measures(runs[0])) != set(ranking_measures(run)):
            found.append(Mismatch(what="measures", run=label, first=first, other=other, words=""))
    return tuple(found)


def mismatch_words(one: Mismatch, *, first_label: str) -> str:
    """A mismatch in one sentence without its full stop, such as `depth differs: A 100, B 50`."""
    is_print = one.what in ("queries", "cases", "judgments", "set")
    first, other = (value[:_SHORT] if is_print else value for value in (one.first, one.other))
    verb = "differ" if one.what in _SEVERAL else "differs"
    values = f"{'fingerprint ' if is_print else ''}{first_label} {first}, {one.run} {other}"
    return f"{one.what} {verb}: {values}" + (f" ({one.words})" if one.words else "")


def check_comparable(
    found: Sequence[Mismatch], *, first_label: str, advice: str | None = None, otherwise: str | None = None
) -> None:
    """Raise CannotMeasureError where runs differ in more than their systems, with everything that does.

    advice: what to do then; None names the option of a comparison.
    otherwise: lines that are told before that option.
    """
    if found:
        before = f"{otherwise}\n" if otherwise else ""
        forced = f"{before}--force compares the {_common(found)} that they have in common"
        lines = [f"  {mismatch_words(one, first_label=first_label)}" for one in found]
        raise CannotMeasureError(
            "these runs cannot be compared, since they differ in more than their systems:\n"
            + "\n".join(lines)
            + f"\n{advice or forced}"
        )


def _common(found: Sequence[Mismatch]) -> str:
    return "cases" if any(one.what == "cases" for one in found) else "queries and measures"


def check_different(runs: Sequence[RunReport], names: Sequence[str]) -> None:
    """Raise InputError where two names are one run, which would be no finding but a slip."""
    for place, run in enumerate(runs):
        for before in range(place):
            if _is_same(runs[before], run):
                raise InputError(
                    f'"{names[before]}" and "{names[place]}" are the same run ({run.id}), so there is '
                    f"nothing to compare. See the others: {NAME} history"
                )


def chosen_measures(
    runs: Sequence[RunReport], labels: Sequence[str], asked: Sequence[str] | None
) -> tuple[str, ...]:
    """The canonical names of the measures to compare by.

    asked: as a user spells them, each once; None takes of each kind that all runs have the one that looks
    deepest. Raises InputError on one that is no measure of relevance, or that a run does not have;
    CannotMeasureError where the runs have none in common.
    """
    if asked is not None:
        return tuple(dict.fromkeys(_asked(name, runs, labels) for name in asked))
    first, *others = (ranking_measures(run) for run in runs)
    common = [name for name in first if all(name in other for other in others)]
    if runs[0].level == "case":  # what only gave labels, or never applied, would make p larger for nothing
        common = [name for name in common if any(run.measures[name].n_scored for run in runs)]
    if not common:
        raise CannotMeasureError("these runs have no measure of relevance in common")
    deepest: dict[tuple[object, ...], Figure] = {}
    for measure in map(read_figure, common):
        kind = (measure.family, measure.rel, measure.parameters)
        if kind not in deepest or _depth(measure) > _depth(deepest[kind]):
            deepest[kind] = measure
    return tuple(str(measure) for measure in deepest.values())


def ranking_measures(run: RunReport) -> list[str]:
    """The measures of a run that say how good its rankings are."""
    return [name for name in run.measures if ranks(read_figure(name))]


def common_queries(runs: Sequence[RunReport]) -> tuple[dict[str, QueryReport], ...]:
    """Of each run the queries, by id, that all runs asked in the same words of the same collection."""
    every = [{query.id: query for query in run.queries} for run in runs]
    alike = [
        name
        for name in every[0]
        if all(name in queries for queries in every)
        and all(_words(one[name]) == _words(two[name]) for one, two in pairwise(every))
    ]
    return tuple({name: queries[name] for name in alike} for queries in every)


def differently_judged(a: RunReport, b: RunReport) -> list[str]:
    """Ids of the queries of both whose judged targets or grades are not the same."""
    before = {query.id: query for query in a.queries}
    return [
        query.id
        for query in b.queries
        if query.id in before and _judged(query) != _judged(before[query.id])
    ]  # fmt: skip


def _of_scoring(run: RunReport) -> list[tuple[What, str]]:
    level: str = run.level
    if not isinstance(run.coverage, UnsetType):
        level += f" (covered by {run.coverage.of_span:g} of it or {run.coverage.of_chunk:g} of a chunk)"
    return [("level", level), ("depth", str(run.depth)), ("ties", run.ties)]


def _of_sets(first: RunReport, run: RunReport, label: str) -> list[Mismatch]:
    """The fingerprint of a set counts all it says; what decides are its queries and how they are judged."""
    if first.set.fingerprint == run.set.fingerprint:
        return []
    found: list[Mismatch] = []
    n = len(common_queries((first, run))[0])
    if not n == len(first.queries) == len(run.queries):  # in another order they are the same
        asked = queries_fingerprint(first), queries_fingerprint(run)
        words = f"{n} in common, of {len(first.queries)} and {len(run.queries)}"
        what: What = "cases" if first.level == run.level == "case" else "queries"
        found.append(Mismatch(what=what, run=label, first=asked[0], other=asked[1], words=words))
    if not (_knows_targets(first) and _knows_targets(run)):
        prints = first.set.fingerprint, run.set.fingerprint
        words = "the records keep no judgments that would tell more"
        return found or [Mismatch(what="set", run=label, first=prints[0], other=prints[1], words=words)]
    others = differently_judged(first, run)
    if others:
        judged = judgments_fingerprint(first), judgments_fingerprint(run)
        named = ", ".join(others[:_NAMED]) + (", …" if len(others) > _NAMED else "")
        words = f"{len(others)} of the queries of both: {named}"
        found.append(Mismatch(what="judgments", run=label, first=judged[0], other=judged[1], words=words))
    return found


def _asked(name: str, runs: Sequence[RunReport], labels: Sequence[str]) -> str:
    measure = _figure(name, runs, labels)
    if not ranks(measure):
        raise InputError(f"{measure} describes the judgments, not how good a ranking is; compare by another")
    for label, run in zip(labels, runs, strict=True):
        if str(measure) not in run.measures:
            raise _lacking(str(measure), run, label)
    return str(measure)


def _figure(name: str, runs: Sequence[RunReport], labels: Sequence[str]) -> Figure:
    """A measure in any spelling, or a scorer of these runs by its name."""
    try:
        return find_figure(name, runs[0].measures)
    except MeasureError:
        if runs[0].level == "case":  # then most names are of scorers, and the nearest is one of them
            raise _lacking(name, runs[0], labels[0]) from None
        raise


def _lacking(name: str, run: RunReport, label: str) -> UnknownNameError:
    known = ranking_measures(run)
    is_eval = run.level == "case"
    more = (
        ""
        if is_eval
        else " Others are made from its record, without searching again: "
        f"{NAME} rescore RUN --measures {name} --output FILE"
    )
    what = f"{'scorer' if is_eval else 'measure'} of run {label}"
    return UnknownNameError(what=what, name=name, known=known, hint=f"It has {', '.join(known)}.{more}")


def _is_same(a: RunReport, b: RunReport) -> bool:
    return a is b or (a.id == b.id and a.system == b.system and _scores(a) == _scores(b))


def _scores(run: RunReport) -> list[tuple[str, dict[str, float]]]:
    return [(query.id, query.scores) for query in run.queries]


def _words(query: QueryReport) -> tuple[str, str | None]:
    return query.query, query.collection


def _judged(query: QueryReport) -> list[tuple[str, int, bool]]:
    return sorted((target.id, target.grade, target.relevant) for target in query.targets)


def _knows_targets(run: RunReport) -> bool:
    return any(query.targets for query in run.queries)


def _depth(measure: Figure) -> float:
    return float("inf") if measure.k is None else measure.k
