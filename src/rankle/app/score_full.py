"""Scores a run against judgments in arrays, whatever their size and form."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import fsum
from types import MappingProxyType
from typing import Final, Literal

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

_ALLOWED: Final[Mapping[str, tuple[str, ...]]] = {
    "undefined": ("nan", "zero"),
    "missing": ("zero", "skip"),
    "ties": tuple(Ties),
    "hash_lines": tuple(Hash),
    "conflicts": tuple(Conflicts),
}
"""Options that are one of a few words, which callers without a type checker may misspell."""


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
    _check_choices(
        undefined=undefined, missing=missing, ties=ties, hash_lines=hash_lines, conflicts=conflicts
    )
    options = JoinOptions(ties=Ties(ties), max_results=max_results, ignore_self=ignore_self)
    reading = reading or ReadOptions(hash_lines=Hash(hash_lines), gains=gains, conflicts=Conflicts(conflicts))
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
    figures = _figures(joined, asked, undefined=undefined, missing=missing)
    return Scores(
        run=name,
        queries=_named(judgments, figures.counted),
        columns=MappingProxyType(figures.columns),
        means=MappingProxyType(figures.means),
        missing=_named(judgments, joined.missing),
        n_extra=joined.n_extra,
        n_duplicates=joined.n_duplicates,
        n_joined=joined.n_joined,
        n_judgments=judgments.n_judgments,
        first_ranks=figures.first_ranks,
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


def _check_choices(**choices: str) -> None:
    for what, given in choices.items():
        allowed = _ALLOWED[what]
        if given not in allowed:
            raise UnknownNameError(
                what=f"value of {what}",
                name=str(given),
                known=allowed,
                hint=f"There is: {', '.join(allowed)}",
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


def _named(judgments: Qrels, which: NDArray[np.bool_]) -> tuple[str, ...]:
    return tuple(np.array(judgments.queries, dtype=object)[which])


@dataclass(frozen=True, slots=True)
class _Figures:
    """What the queries that count come to, in arrays that nobody writes to."""

    counted: NDArray[np.bool_]
    """Whether each query of the judgments counts, shape (Q,)."""
    columns: Mapping[str, NDArray[np.float64]]
    """Canonical measure name to a value a query."""
    means: Mapping[str, MeasureMean]
    first_ranks: NDArray[np.int64]
    """As `Scores.first_relevant` has them."""


def _figures(
    joined: Joined,
    measures: tuple[Measure, ...],
    *,
    undefined: Literal["nan", "zero"],
    missing: Literal["zero", "skip"],
) -> _Figures:
    counted = ~joined.missing if missing == "skip" else np.ones_like(joined.missing)
    computed = compute(joined.judged, measures, undefined=undefined)
    columns = {str(measure): column[counted] for measure, column in computed.items()}
    first_ranks = _first_relevant(joined)[counted]
    for column in (first_ranks, *columns.values()):
        column.flags.writeable = False
    absent = joined.missing[counted]
    means = {measure: _mean(column, absent) for measure, column in columns.items()}
    return _Figures(counted, columns, means, first_ranks)


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
