"""What the script of the HTML report shows: every query with its scores, targets and results, packed small.

Names of targets and results stand once, in `ids`, and are meant by their place. What is cut for the size of
the file is the tail of long lists of results, never a query, a target or a score; `n_shown` says it.
"""

import json
from collections.abc import Iterable, Sequence
from typing import Any, Final

from msgspec import UnsetType

from rankle.core.run import QueryReport, ResultReport, RunReport, TargetReport
from rankle.metrics.figure import read_figure
from rankle.reports.differences import main_measure
from rankle.reports.table import PERCENT, title_of

_MOST_RESULTS: Final = 100_000
"""In one page: some 5 MB, which a phone still opens."""
_UNSAFE: Final = str.maketrans(
    {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}
)


class _Names:
    """Places of names in one list."""

    def __init__(self) -> None:
        self.places: dict[str, int] = {}

    def place(self, name: str) -> int:
        return self.places.setdefault(name, len(self.places))


def n_shown(runs: Sequence[RunReport]) -> int | None:
    """How many results of each query the page has: at least the largest k; None where it has all."""
    lengths = [len(query.results) for run in runs for query in run.queries]
    if sum(lengths) <= _MOST_RESULTS:
        return None
    return max(_MOST_RESULTS // len(lengths), *(run.k[-1] for run in runs))


def page_data(runs: Sequence[RunReport], names: Sequence[str]) -> dict[str, Any]:
    """The figures as they are in the record, in lists whose order the script knows."""
    measures = list(dict.fromkeys(name for run in runs for name in run.measures))
    shown, known = n_shown(runs), _Names()
    by_id = [{query.id: query for query in run.queries} for run in runs]
    first = main_measure(runs[0])
    return {
        "runs": list(names),
        "k": [run.k[-1] for run in runs],
        "stages": [run.system.stages for run in runs],
        "measures": [_measure(name) for name in measures],
        "main": measures.index(first) if first in measures else 0,
        "queries": [
            _query(name, [queries.get(name) for queries in by_id], measures, shown, known)
            for name in dict.fromkeys(name for queries in by_id for name in queries)
        ],
        "ids": list(known.places),
    }


def embedded(data: dict[str, Any]) -> str:
    """JSON that cannot end the element that holds it, whatever text is in it."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.translate(_UNSAFE)


def _measure(name: str) -> dict[str, Any]:
    measure = read_figure(name)
    return {"name": name, "title": title_of(measure), "percent": measure.family in PERCENT}


def _query(
    name: str,
    answers: Sequence[QueryReport | None],
    measures: Sequence[str],
    shown: int | None,
    known: _Names,
) -> dict[str, Any]:
    about = next(query for query in answers if query is not None)
    return {
        "id": name,
        "query": about.query,
        "more": [text for text in (about.collection, about.language, *about.tags) if text],
        "runs": [None if query is None else _answer(query, measures, shown, known) for query in answers],
    }


def _answer(query: QueryReport, measures: Sequence[str], shown: int | None, known: _Names) -> dict[str, Any]:
    return {
        "status": query.status,
        "error": query.error,
        **_abstention(query),
        "scores": [query.scores.get(measure) for measure in measures],
        "first": query.first_relevant_rank,
        "targets": _targets(query.targets, known),
        "results": _results(query.results[:shown], known),
        "n_results": len(query.results),
    }


def _abstention(query: QueryReport) -> dict[str, bool]:
    """Only where the set tells whether anything answers the query, and the system answered it."""
    if isinstance(query.answerable, UnsetType) or isinstance(query.abstained, UnsetType):
        return {}
    return {"answerable": query.answerable, "abstained": query.abstained}


def _targets(targets: Iterable[TargetReport], known: _Names) -> list[list[Any]]:
    return [
        [known.place(one.id), one.grade, one.relevant, one.rank, one.lost_at, one.rank_at] for one in targets
    ]


def _results(results: Iterable[ResultReport], known: _Names) -> list[list[Any]]:
    """The document stands beside only where it is not the result itself."""
    return [
        [
            one.rank,
            known.place(one.id),
            None if one.document == one.id else known.place(one.document),
            one.score,
            one.grade,
        ]
        for one in results
    ]
