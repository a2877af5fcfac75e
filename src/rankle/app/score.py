"""Score a run against judgments, whatever form both come in."""

import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, TypeGuard
from weakref import WeakKeyDictionary, ref

import numpy as np
from numpy.typing import NDArray

from rankle.app.score_files import load_other_run, load_qrels, load_run, normalised
from rankle.core.errors import CannotMeasureError, InputError, MeasureError, UnknownNameError
from rankle.formats.byte_source import STANDARD_INPUT, HeldInput, held, is_path, name_of, size_of
from rankle.formats.kinds import ReadOptions
from rankle.formats.trec import Conflicts, read_run, stream_run
from rankle.formats.trec_lines import Hash
from rankle.metrics.engine import compute
from rankle.metrics.join import Joined, JoinOptions, join_dicts
from rankle.metrics.measure import Measure, parse_measure, parse_measures
from rankle.metrics.qrels import Qrels, empty_id
from rankle.metrics.run import Run
from rankle.metrics.ties import Ties

if TYPE_CHECKING:
    from pathlib import Path

QrelsLike: TypeAlias = "Qrels | Mapping[str, Mapping[str, int]] | str | Path | Any"
"""Qrels, `{query: {target: grade}}`, a path, a frame, structured array or dict with named columns, or a tuple
of the columns (queries, targets, grades)."""
RunLike: TypeAlias = "Run | Mapping[str, Mapping[str, float]] | str | Path | Any"
"""A Run, `{query: {target: score}}`, a path, a frame, structured array or dict with named columns, or a tuple
of the columns (queries, targets, scores)."""

DEFAULT_MEASURES = "nDCG@10,R@10,R@100,RR,AP,P@10"
_SMALL = 20_000
"""Results, below which dicts are quicker than importing the column library."""
_SMALL_BYTES = 1 << 20
_FIRST = 10
"""Results of a query that somebody should have judged."""
_POOR = 0.5
"""Share of the judged targets retrieved, up to which a normalisation that finds more is looked for."""
_INSPECT = "check that both use the same ids for {}; rankle inspect QRELS RUN tells what would join them"


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
    judgments = _qrels(qrels, reading)
    if is_path(run):
        run = held(run)
    if normalise:
        loaded = _loaded(run, reading)
        judgments, run = normalised(judgments, loaded, normalise, conflicts=reading.conflicts)
    if not judgments.n_judgments:
        raise CannotMeasureError("the qrels hold no judgment, so no figure can be given")
    joined, name, notices = _join(judgments, run, options, reading)
    if not joined.n_common:
        near = _near(judgments, run, reading, of_queries=True)
        raise CannotMeasureError(
            f"the run and the qrels share no query: the qrels have {_some(judgments.queries)}. "
            f"{near or 'C' + _INSPECT.format('queries')[1:]}"
        )
    joins = _join_remarks(judgments, run, joined, reading)
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
        notices=(*judgments.notices, *notices, *_remarks(judgments, joined, options), *joins),
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


def _qrels(qrels: QrelsLike, reading: ReadOptions) -> Qrels:
    if isinstance(qrels, Qrels):
        return qrels
    if is_path(qrels):
        return load_qrels(held(qrels), reading)
    if _is_nested(qrels):
        return Qrels.from_dict(qrels, gains=reading.gains)
    _check_table(qrels, "qrels", "grade")
    from rankle.formats.table import qrels_from_table

    return qrels_from_table(qrels, gains=reading.gains, conflicts=reading.conflicts)


def _is_nested(value: object) -> TypeGuard[Mapping[str, Any]]:
    """Whether a value is a dict of queries, and not one of columns."""
    if not isinstance(value, Mapping):
        return False
    if all(issubclass(kind, Mapping) for kind in set(map(type, value.values()))):
        return True
    from rankle.formats.table import is_table

    return not is_table(value)


def _check_table(value: object, what: str, figure: str) -> None:
    from rankle.formats.table import is_table

    if is_table(value):
        return
    shape = getattr(value, "shape", None)
    got = type(value).__name__ + (f" of shape {shape}" if isinstance(shape, tuple) else "")
    raise InputError(
        f"{what} must be a path, {{query: {{target: {figure}}}}}, a frame, a structured array, or columns "
        f"as a dict or as a tuple (queries, targets, {figure}s); got {got}"
    )


class _Found(NamedTuple):
    """A joined run, its name, and what reading it found."""

    joined: Joined
    name: str
    notices: tuple[str, ...]


def _join(qrels: Qrels, run: RunLike, options: JoinOptions, reading: ReadOptions) -> _Found:
    if is_path(run):
        return _join_file(qrels, run, options, reading)
    if _is_nested(run):
        _check_scores(run)
        return _Found(join_dicts(qrels, run, options), "", ())
    run = _loaded(run, reading)
    return _Found(_join_loaded(qrels, run, options), run.name, run.notices)


def _loaded(run: RunLike, reading: ReadOptions) -> Run:
    """A run in memory, whatever form it comes in."""
    if isinstance(run, Run):
        return run
    if is_path(run):
        loaded = load_run(held(run), reading)
        return replace(loaded, name=loaded.name or _file_name(run))
    if _is_nested(run):
        _check_scores(run)
        return Run.from_dict(run)
    _check_table(run, "a run", "score")
    from rankle.formats.table import run_from_table

    return run_from_table(run)


def _file_name(path: "str | Path") -> str:
    return "standard input" if str(path) == STANDARD_INPUT else name_of(path)


def _check_scores(run: Mapping[Any, Any]) -> None:
    if set(map(type, run)) <= {str} and all(
        issubclass(kind, Mapping) for kind in set(map(type, run.values()))
    ):
        if "" in run or any("" in found for found in run.values()):
            raise InputError(empty_id("the results", run))
        return
    for query, found in run.items():
        if not isinstance(query, str) or not isinstance(found, Mapping):
            raise InputError(
                "a run must be {query: {target: score}} with text for ids, got "
                f"{query!r}: {type(found).__name__}. For ranked lists without scores use Run.from_lists"
            )


def _join_file(qrels: Qrels, path: "str | Path", options: JoinOptions, reading: ReadOptions) -> _Found:
    name = _file_name(path)
    other = load_other_run(path, reading)
    if other is not None:
        return _Found(_join_loaded(qrels, other, options), other.name or name, other.notices)
    size = 0 if isinstance(path, HeldInput) else size_of(path)  # what is held is in memory anyway
    if size is None or size > _SMALL_BYTES:
        from rankle.metrics.join_columns import ColumnJoin, SeenQueryError

        join = ColumnJoin(qrels, options)
        notices: tuple[str, ...] = ()
        try:
            for part in stream_run(path, hash_lines=reading.hash_lines, decimal=reading.decimal):
                join.add(part)
                name, notices = part.name or name, part.notices
            return _Found(join.finish(), name, notices)
        except SeenQueryError:  # the file returns to a query, so all of it must be at hand
            pass
    run = read_run(path, hash_lines=reading.hash_lines, decimal=reading.decimal)
    return _Found(_join_loaded(qrels, run, options), run.name or name, run.notices)


_JOINS: WeakKeyDictionary[Run, tuple[ref[Qrels], JoinOptions, Joined]] = WeakKeyDictionary()
"""The last join of each loaded run, so that scoring it again with other measures joins nothing."""


def _join_loaded(qrels: Qrels, run: Run, options: JoinOptions) -> Joined:
    kept = _JOINS.get(run)
    if kept is not None and kept[0]() is qrels and kept[1] == options:
        return kept[2]
    if isinstance(run.targets, list) and (run.n_results < _SMALL or "polars" not in sys.modules):
        results, n_duplicates = run.distinct()
        joined = join_dicts(qrels, results, options, n_duplicates=n_duplicates)
    else:
        from rankle.metrics.join_columns import join_run

        joined = join_run(qrels, run, options)
    _JOINS[run] = (ref(qrels), options, joined)
    return joined


def _remarks(qrels: Qrels, joined: Joined, options: JoinOptions) -> list[str]:
    remarks = []
    if qrels.n_negative:
        remarks.append(f"judgments with a negative grade, taken as unjudged: {qrels.n_negative}")
    if joined.n_duplicates:
        remarks.append(
            f"results that stood twice in a query, counted once at the best rank: {joined.n_duplicates}"
        )
    n_missing = int(np.count_nonzero(joined.missing))
    if n_missing:
        remarks.append(
            f"queries of the qrels that the run does not have: {n_missing} of {len(qrels.queries)}"
        )
    if joined.n_extra:
        remarks.append(f"queries of the run without judgments, left out: {joined.n_extra}")
    if joined.n_self:
        what = "left out" if options.ignore_self else "counted as any other; --ignore-self leaves them out"
        remarks.append(f"results whose id is the query's own: {joined.n_self}, {what}")
    return remarks


def _join_remarks(qrels: Qrels, run: RunLike, joined: Joined, reading: ReadOptions) -> list[str]:
    """How well ids join, since a broken join looks like bad search, and what would join more of them."""
    remarks = []
    judged = joined.judged
    n_first = int(np.minimum(judged.n_retrieved, _FIRST).sum())
    n_judged = int(np.count_nonzero(judged.is_judged() & judged.within(_FIRST)))
    if joined.n_joined and n_judged < n_first:
        remarks.append(
            f"judged among the first {_FIRST} results of a query: {_share(n_judged, n_first)}; the others "
            "count as not relevant"
        )
    if joined.n_extra and joined.missing.any():
        near = _near(qrels, run, reading, of_queries=True)
        remarks += [f"query ids that nearly join: {near}"] if near else []
    n_wanted = int(np.diff(qrels.offsets)[~joined.missing].sum())
    if joined.n_joined <= _POOR * n_wanted:
        near = _near(qrels, run, reading, of_queries=False)
        if not joined.n_joined:
            remarks.append(f"no result of the run is judged: {near or _INSPECT.format('targets')}")
        elif near:
            remarks.append(
                f"judged targets that the run retrieved: {_share(joined.n_joined, n_wanted)}; {near}"
            )
    return remarks


def _near(qrels: Qrels, run: RunLike, reading: ReadOptions, *, of_queries: bool) -> str:
    """The normalisation that would join more; empty where none would. Large files are looked at in part."""
    from rankle.app.score_join import near_queries, near_targets  # for joins that fail alone

    loaded = _head(run, reading) if is_path(run) else _loaded(run, reading)
    return near_queries(qrels.queries, loaded.queries) if of_queries else near_targets(qrels, loaded)


def _head(path: "str | Path", reading: ReadOptions) -> Run:
    """A run from a file, or its first part where the file is a large one of TREC's."""
    other = load_other_run(path, reading)
    if other is not None:
        return other
    parts = stream_run(path, hash_lines=reading.hash_lines, decimal=reading.decimal)
    return next(parts, None) or Run.from_dict({})


def _share(part: int, whole: int) -> str:
    """`1 of 3 (33.3 %)`; a share that is not whole is never shown as 100 %."""
    return (
        f"{part:,} of {whole:,} ({min(100 * part / whole, 99.9):.1f} %)" if part < whole else f"all {whole:,}"
    )


def _some(names: tuple[str, ...]) -> str:
    return ", ".join(names[:3]) + (", …" if len(names) > 3 else "")
