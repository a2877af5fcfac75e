"""Score a run against judgments, whatever form both come in."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final, Literal

from rankle.app.score_small import score_small
from rankle.app.scores import MeasureMean as MeasureMean
from rankle.app.scores import Scores as Scores

if TYPE_CHECKING:  # numpy stands behind all of these
    from rankle.app.score_inputs import QrelsLike, RunLike
    from rankle.formats.kinds import ReadOptions
    from rankle.formats.trec import Conflicts
    from rankle.formats.trec_lines import Hash
    from rankle.metrics.measure import Measure
    from rankle.metrics.ties import Ties

DEFAULT_MEASURES: Final = "nDCG@10,R@10,R@100,RR,AP,P@10"
_DEFAULTS: Final[Mapping[str, Any]] = {
    "ties": "trec",
    "undefined": "nan",
    "missing": "zero",
    "max_results": None,
    "ignore_self": False,
    "hash_lines": "auto",
    "gains": None,
    "conflicts": "error",
    "normalise": (),
    "reading": None,
}
"""Small inputs are scored the short way under these alone."""


def score(
    qrels: "QrelsLike",
    run: "RunLike",
    measures: "str | Iterable[str | Measure]" = DEFAULT_MEASURES,
    *,
    ties: 'Ties | Literal["trec", "system"]' = "trec",
    undefined: Literal["nan", "zero"] = "nan",
    missing: Literal["zero", "skip"] = "zero",
    max_results: int | None = None,
    ignore_self: bool = False,
    hash_lines: 'Hash | Literal["auto", "comment", "data"]' = "auto",
    gains: Mapping[str, int] | None = None,
    conflicts: 'Conflicts | Literal["error", "highest", "first", "last"]' = "error",
    normalise: str | Iterable[str] = (),
    reading: "ReadOptions | None" = None,
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
    if not isinstance(measures, str) and isinstance(measures, Iterable):
        measures = tuple(measures)  # which may come but once
    options: dict[str, Any] = {
        "ties": ties,
        "undefined": undefined,
        "missing": missing,
        "max_results": max_results,
        "ignore_self": ignore_self,
        "hash_lines": hash_lines,
        "gains": gains,
        "conflicts": conflicts,
        "normalise": normalise,
        "reading": reading,
    }
    default = all(_is(value, _DEFAULTS[name]) for name, value in options.items())
    small = score_small(qrels, run, measures) if default else None
    if small is not None:
        return small
    from rankle.app.score_full import score_full

    return score_full(qrels, run, measures, **options)


def _is(given: object, default: object) -> bool:
    """Whether an option is at its default, whatever it may be: arrays do not compare to one truth."""
    return given is default or (isinstance(given, str) and given == default)
