"""Scores a run against judgments in arrays, whatever their size and form."""

from collections.abc import Iterable, Mapping
from math import fsum
from types import MappingProxyType
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from rankle.app.score_files import normalised
from rankle.app.score_inputs import QrelsLike, RunLike, join_any, load_any_run, load_judgments
from rankle.app.score_remarks import INSPECT, count_remarks, join_remarks, near_join, shown_ids
from rankle.app.scores import MeasureMean, Scores
from rankle.core.errors import CannotMeasureError, InputError, MeasureError, UnknownNameError
from rankle.formats.byte_source import held, is_path
from rankle.formats.kinds import ReadOptions
from rankle.formats.trec import Conflicts
from rankle.formats.trec_lines import Hash
from rankle.metrics.engine import compute
from rankle.metrics.join import Joined, JoinOptions
from rankle.metrics.measure import Measure, parse_measure, parse_measures
from rankle.metrics.qrels import Qrels
from rankle.metrics.ties import Ties


def score_full(
    qrels: QrelsLike,
    run: RunLike,
    measures: str | Iterable[str | Measure],
    *,
    ties: Ties | Literal["trec", "system"],
    undefined: Literal["nan", "zero"],
    missing: Literal["zero", "skip"],
    max_results: int | None,
    ignore_self: bool,
    hash_lines: Hash | Literal["auto", "comment", "data"] = Hash.AUTO,
    gains: Mapping[str, int] | None = None,
    conflicts: Conflicts | Literal["error", "highest", "first", "last"] = Conflicts.ERROR,
    normalise: str | Iterable[str],
    reading: ReadOptions | None = None,
    thorough: bool = False,
) -> Scores:
    """See `rankle.app.score.score`; of `thorough`, `join_remarks`."""
    asked = _measures(measures)
    _check_forms(max_results, gains)
    for what, given, allowed in (
        ("undefined", undefined, ("nan", "zero")),
        ("missing", missing, ("zero", "skip")),
        ("ties", ties, tuple(Ties)),
        ("hash_lines", hash_lines, tuple(Hash)),
        ("conflicts", conflicts, tuple(Conflicts)),
    ):
        _choice(what, given, allowed)
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
        raise _nothing_common(judgments, run, reading)
    joins = join_remarks(judgments, run, joined, reading, thorough=thorough)
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
        columns=MappingProxyType(values),
        means=MappingProxyType({measure: _mean(column, absent) for measure, column in values.items()}),
        missing=tuple(np.array(judgments.queries, dtype=object)[joined.missing]),
        n_extra=joined.n_extra,
        n_duplicates=joined.n_duplicates,
        n_joined=joined.n_joined,
        n_judgments=judgments.n_judgments,
        first_ranks=first_relevant,
        depth=int(joined.judged.n_retrieved.max(initial=0)),
        ties="trec" if options.ties is Ties.TREC else "system",
        notices=(*judgments.notices, *notices, *count_remarks(judgments, joined, options), *joins),
    )


def _nothing_common(judgments: Qrels, run: RunLike, reading: ReadOptions) -> CannotMeasureError:
    near = near_join(judgments, run, reading, of_queries=True)
    return CannotMeasureError(
        f"the run and the qrels share no query: the qrels have {shown_ids(judgments.queries)}. "
        f"{near or 'C' + INSPECT.format('queries')[1:]}"
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
    """The mean as `rankle.app.scores.mean_of` has it, without a look at each value."""
    defined = ~np.isnan(column)
    n_scored = int(np.count_nonzero(defined))
    return MeasureMean(
        mean=fsum(column[defined].tolist()) / n_scored if n_scored else None,
        n_scored=n_scored,
        n_undefined=len(column) - n_scored,
        n_missing=int(np.count_nonzero(absent & defined)),
    )
