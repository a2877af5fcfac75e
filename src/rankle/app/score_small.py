"""Scores small inputs of which nothing is to be said, without importing numpy; all others are not its own.

Importing numpy takes longer than scoring ten queries. So few results, plain and whole, are scored in plain
Python to the same values; whatever is odd, large or asked for in another way goes the long way.
"""

from collections.abc import Iterable, Mapping
from math import isfinite, nan
from types import MappingProxyType
from typing import Final, NamedTuple, TypeGuard, TypeVar

from rankle.app.score_words import FIRST, POOR, judged_share, retrieved_share
from rankle.app.scores import Scores, mean_of
from rankle.formats.byte_source import is_path, name_of
from rankle.formats.small_trec import is_small_file, read_small_qrels, read_small_run
from rankle.metrics.one_query import NEED_CUT, OF_ONE, JudgedQuery, join_query

_MOST: Final = 5_000
"""Judgments, and results, in dicts."""
_NO_CUT: Final = 1 << 62
_NO_GRADE: Final = 1_000_000_000
_LONGEST_CUT: Final = 9

T = TypeVar("T", int, float)


class _Named(NamedTuple):
    """A measure by its canonical name."""

    name: str
    family: str
    k: int


def score_small(qrels: object, run: object, measures: object) -> Scores | None:
    """The scores under all defaults; None where the input must go the long way, which tells of faults."""
    if any(is_path(given) and not is_small_file(given) for given in (qrels, run)):
        return None
    asked = _measures(measures)
    judgments = _judgments(qrels) if asked else None
    found = _results(run) if judgments else None
    if asked is None or judgments is None or found is None:
        return None
    results, name = found
    if results.keys() != judgments.keys() or any(query in names for query, names in results.items()):
        return None
    queries = [join_query(results[query], grades) for query, grades in judgments.items()]
    n_joined = sum(len(query.ranks) for query in queries)
    n_judgments = sum(map(len, judgments.values()))
    if n_joined <= POOR * n_judgments:
        return None
    columns = {measure.name: tuple(_value(query, measure) for query in queries) for measure in asked}
    lengths = list(map(len, results.values()))
    n_judged = sum(rank <= FIRST for query in queries for rank in query.ranks)
    n_first = sum(min(length, FIRST) for length in lengths)
    return Scores(
        run=name,
        queries=tuple(judgments),
        columns=MappingProxyType(columns),
        means=MappingProxyType({name: mean_of(column, n_missing=0) for name, column in columns.items()}),
        missing=(),
        n_extra=0,
        n_duplicates=0,
        n_joined=n_joined,
        n_judgments=n_judgments,
        first_ranks=tuple(next(iter(query.relevant(_NO_CUT)), 0) for query in queries),
        depth=max(lengths),
        ties="trec",
        notices=(*judged_share(n_judged, n_first), *retrieved_share(n_joined, n_judgments)),
    )


def _value(query: JudgedQuery, measure: _Named) -> float:
    return OF_ONE[measure.family](query, measure.k) if query.n_relevant else nan


def _measures(measures: object) -> list[_Named] | None:
    """Measures under their canonical names; None where one is written in another way, or none is named."""
    if isinstance(measures, str):
        measures = measures.split(",")
    if not isinstance(measures, Iterable):
        return None
    found = [_measure(text.strip()) if isinstance(text, str) else None for text in measures]
    return list(dict.fromkeys(found)) if found and None not in found else None  # type: ignore[arg-type]


def _measure(text: str) -> _Named | None:
    family, at, cut = text.partition("@")
    if family not in OF_ONE or (not at and family in NEED_CUT):
        return None
    if not at:
        return _Named(text, family, _NO_CUT)
    plain = cut.isascii() and cut.isdigit() and not cut.startswith("0") and len(cut) <= _LONGEST_CUT
    return _Named(text, family, int(cut)) if plain else None


def _judgments(qrels: object) -> Mapping[str, Mapping[str, int]] | None:
    if is_path(qrels):
        return read_small_qrels(qrels)
    if not _is_small(qrels, values=int):
        return None
    return (
        qrels
        if all(0 <= grade < _NO_GRADE for grades in qrels.values() for grade in grades.values())
        else None
    )


def _results(run: object) -> tuple[Mapping[str, Mapping[str, float]], str] | None:
    """The results of each query, and what names them."""
    if is_path(run):
        small = read_small_run(run)
        return None if small is None else (small.results, small.tag or name_of(run))
    if not _is_small(run, values=float):
        return None
    return (run, "") if all(map(isfinite, (s for found in run.values() for s in found.values()))) else None


def _is_small(value: object, *, values: type[T]) -> TypeGuard[dict[str, dict[str, T]]]:
    """Whether it is a dict of dicts, none of them empty, that holds few items of just these types."""
    if type(value) is not dict or not value or set(map(type, value)) != {str} or "" in value:
        return False
    if set(map(type, value.values())) != {dict} or sum(map(len, value.values())) > _MOST:
        return False
    return all(
        set(map(type, inner)) == {str} and set(map(type, inner.values())) == {values} and "" not in inner
        for inner in value.values()
    )
