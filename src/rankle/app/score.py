"""Score a run against judgments, whatever form both come in."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rankle.app.score_files import normalised
from rankle.app.score_inputs import QrelsLike, RunLike, join_any, load_any_run, load_judgments
from rankle.app.score_remarks import INSPECT, count_remarks, join_remarks, near_join, shown_ids
from rankle.core.errors import CannotMeasureError, InputError, MeasureError, UnknownNameError
from rankle.formats.byte_source import held, is_path
from rankle.formats.kinds import ReadOptions
from rankle.formats.trec import Conflicts
from rankle.formats.trec_lines import Hash
from rankle.metrics.engine import compute
from rankle.metrics.join import Joined, JoinOptions
from rankle.metrics.measure import Measure, parse_measure, parse_measures
from rankle.metrics.ties import Ties

DEFAULT_MEASURES = "nDCG@10,R@10,R@100,RR,AP,P@10"


@dataclass(frozen=True, slots=True)
class MeasureMean:
    """One measure over all queries that count."""

    mean: float | None
    """Over the scored queries; None where there is none."""
    n_scored: int
    n_undefined: int
    """Queries without what the measure needs, in no mean."""
    n_missing: int
    """Queries that the run does not have; they score 0 and are part of `n_scored`."""


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """What scoring a run gave."""

    run: str
    """The run's own name, or that of its file; empty where nothing names it."""
    queries: tuple[str, ...]
    """The queries that count, in the order of the judgments."""
    values: Mapping[str, NDArray[np.float64]]
    """Canonical measure name to one value a query, in the order of `queries`; NaN where undefined."""
    means: Mapping[str, MeasureMean]
    """Canonical measure name to its mean, with what it is a mean of."""
    missing: tuple[str, ...]
    """Queries of the judgments that the run does not have."""
    n_extra: int
    """Queries of the run without judgments; they are in no figure."""
    n_duplicates: int
    """Results that stood twice in a query; each counts once, at its best rank."""
    n_joined: int
    """Judged targets that the run retrieved."""
    n_judgments: int
    first_relevant: NDArray[np.int64]
    """Rank of the first relevant result of each query, in the order of `queries`; 0 where there is none."""
    depth: int
    """Results of the query that has most."""
    ties: Ties
    notices: tuple[str, ...]

    def __getitem__(self, measure: str) -> float | None:
        """The mean of a measure, by any spelling of its name."""
        name = str(parse_measure(measure))
        if name not in self.means:
            raise UnknownNameError(
                what="measure of these scores",
                name=name,
                known=self.means,
                hint=f"There is: {', '.join(self.means)}",
            )
        return self.means[name].mean

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies and pickles, which mapping proxies alone do not allow."""
        members = {field.name: getattr(self, field.name) for field in fields(self)}
        return _scores_of, ({**members, "values": dict(self.values), "means": dict(self.means)},)

    def query(self, query: str) -> dict[str, float]:
        """All values of one query by canonical measure name; undefined ones are NaN."""
        if query not in self.queries:
            raise UnknownNameError(what="query", name=query, known=self.queries)
        place = self.queries.index(query)
        return {name: float(column[place]) for name, column in self.values.items()}


def _scores_of(members: dict[str, Any]) -> Scores:
    for column in (members["first_relevant"], *members["values"].values()):
        column.flags.writeable = False
    proxies = {name: MappingProxyType(members[name]) for name in ("values", "means")}
    return Scores(**{**members, **proxies})


def score(
    qrels: QrelsLike,
    run: RunLike,
    measures: str | Iterable[str | Measure] = DEFAULT_MEASURES,
    *,
    ties: Ties | Literal["trec", "system"] = Ties.TREC,
    undefined: Literal["nan", "zero"] = "nan",
    missing: Literal["zero", "skip"] = "zero",
    max_results: int | None = None,
    ignore_self: bool = False,
    hash_lines: Hash | Literal["auto", "comment", "data"] = Hash.AUTO,
    gains: Mapping[str, int] | None = None,
    conflicts: Conflicts | Literal["error", "highest", "first", "last"] = Conflicts.ERROR,
    normalise: str | Iterable[str] = (),
    reading: ReadOptions | None = None,
) -> Scores:
    """Score a run against judgments.

    ties: equal scores stand by id, descending, as trec_eval has it, or in the order given.
    undefined: a query without a relevant judgment is NaN and in no mean, or 0 as trec_eval has it.
    missing: a query that the run does not have scores 0, or does not count (trec_eval without -c).
    max_results: only the first so many results of a query count (trec_eval's -M).
    ignore_self: leave out results whose id is the query's own, as BEIR does; judgments stay.
    hash_lines: how files are read; see `rankle.formats.trec`.
    gains: grade as written to the integer that it means, in judgments of any form but `Qrels`.
    conflicts: which grade counts where files or frames judge a target twice, differently.
    normalise: what makes ids one that differ in their spelling only, such as `ids=case,zeros`.
    reading: all that is said about how files are read, in place of these three.
    Raises InputError on what cannot be read, MeasureError on an unknown measure, CannotMeasureError
    where the run and the judgments share no query.
    """
    asked = _measures(measures)
    _check_forms(max_results, gains)
    _choice("undefined", undefined, ("nan", "zero"))
    _choice("missing", missing, ("zero", "skip"))
    _choice("ties", ties, tuple(Ties))
    _choice("hash_lines", hash_lines, tuple(Hash))
    _choice("conflicts", conflicts, tuple(Conflicts))
    options = JoinOptions(ties=Ties(ties), max_results=max_results, ignore_self=ignore_self)
    if reading is None:
        reading = ReadOptions(hash_lines=Hash(hash_lines), gains=gains, conflicts=Conflicts(conflicts))
    judgments = load_judgments(qrels, reading)
    if is_path(run):
        run = held(run)
    if normalise:
        loaded = load_any_run(run, reading)
        judgments, run = normalised(judgments, loaded, normalise, conflicts=reading.conflicts)
    if not judgments.n_judgments:
        raise CannotMeasureError("the qrels hold no judgment, so no figure can be given")
    joined, name, notices = join_any(judgments, run, options, reading)
    if not joined.n_common:
        near = near_join(judgments, run, reading, of_queries=True)
        raise CannotMeasureError(
            f"the run and the qrels share no query: the qrels have {shown_ids(judgments.queries)}. "
            f"{near or 'C' + INSPECT.format('queries')[1:]}"
        )
    joins = join_remarks(judgments, run, joined, reading)
    columns = compute(joined.judged, asked, undefined=undefined)
    counted = ~joined.missing if missing == "skip" else np.ones(len(judgments.queries), dtype=bool)
    values = {str(measure): column[counted] for measure, column in columns.items()}
    absent = joined.missing[counted]
    first_relevant = _first_relevant(joined)[counted]
    for column in (first_relevant, *values.values()):
        column.flags.writeable = False
    return Scores(
        run=name,
        queries=tuple(np.array(judgments.queries, dtype=object)[counted]),
        values=MappingProxyType(values),
        means=MappingProxyType({measure: _mean(column, absent) for measure, column in values.items()}),
        missing=tuple(np.array(judgments.queries, dtype=object)[joined.missing]),
        n_extra=joined.n_extra,
        n_duplicates=joined.n_duplicates,
        n_joined=joined.n_joined,
        n_judgments=judgments.n_judgments,
        first_relevant=first_relevant,
        depth=int(joined.judged.n_retrieved.max(initial=0)),
        ties=options.ties,
        notices=(*judgments.notices, *notices, *count_remarks(judgments, joined, options), *joins),
    )


def _check_forms(max_results: object, gains: object) -> None:
    if max_results is not None and (not isinstance(max_results, int) or max_results < 1):
        raise InputError(f"max_results must be an integer >= 1, got {max_results!r}")
    if gains is not None and not isinstance(gains, Mapping):
        raise InputError(f'gains must be a mapping of grades such as {{"high": 3}}, got {gains!r}')


def _choice(what: str, given: str, allowed: tuple[str, ...]) -> None:
    if given not in allowed:
        raise UnknownNameError(
            what=f"value of {what}", name=str(given), known=allowed, hint=f"There is: {', '.join(allowed)}"
        )


def _measures(measures: str | Iterable[str | Measure]) -> tuple[Measure, ...]:
    if isinstance(measures, str):
        return parse_measures(measures)
    given: object = measures  # callers without a type checker give anything
    listed: list[object] = list(given) if isinstance(given, Iterable) else [given]
    read = [_measure(item) for item in listed]
    return tuple(dict.fromkeys(read)) or parse_measures("")


def _measure(item: object) -> Measure:
    if isinstance(item, Measure):
        return item
    if isinstance(item, str):
        return parse_measure(item)
    raise MeasureError(f'a measure must be text such as "nDCG@10", got {item!r}')


def _first_relevant(joined: Joined) -> NDArray[np.int64]:
    judged = joined.judged
    rows = np.flatnonzero(judged.is_relevant(1))[::-1]  # the first of a query is written last, and stays
    first = np.zeros(judged.n_queries, dtype=np.int64)
    first[judged.query[rows]] = judged.rank[rows]
    return first


def _mean(column: NDArray[np.float64], absent: NDArray[np.bool_]) -> MeasureMean:
    defined = ~np.isnan(column)
    n_scored = int(np.count_nonzero(defined))
    return MeasureMean(
        mean=float(column[defined].mean()) if n_scored else None,
        n_scored=n_scored,
        n_undefined=len(column) - n_scored,
        n_missing=int(np.count_nonzero(absent & defined)),
    )
