"""The results of a run as TREC writes them, so that trec_eval and its like rank them as the system did."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from rankle.core.errors import InputError
from rankle.core.run import QueryReport, RunReport
from rankle.formats.trec_text import render_run
from rankle.metrics.qrels import offsets_of
from rankle.metrics.run import Run
from rankle.reports.run_names import run_names


def render_trec_run(runs: Sequence[RunReport]) -> str:
    """Lines `QUERY Q0 TARGET RANK SCORE TAG`; a query without results has none.

    Where trec_eval would sort otherwise by the scores of the system, all scores are made from the ranks.
    Raises InputError on several runs, since a TREC file holds one, and on an id that cannot stand in it.
    """
    if len(runs) != 1:
        methods = ", ".join(run_names(runs))
        raise InputError(
            f"a TREC file holds one run, and here are {len(runs)}: {methods}. Name one of them, as FILE#1"
        )
    (run,) = runs
    queries = [query for query in run.queries if query.results]
    by_score = keeps_order(run)
    scores = [
        result.score if by_score else float(len(query.results) - place)
        for query in queries
        for place, result in enumerate(query.results)
    ]
    columns = Run(
        queries=tuple(query.id for query in queries),
        offsets=offsets_of(len(query.results) for query in queries),
        targets=[result.id for query in queries for result in query.results],
        scores=np.array(scores, dtype=np.float64),
        name=run_names(runs)[0],
    )
    return render_run(columns)


def keeps_order(run: RunReport) -> bool:
    """Whether trec_eval keeps the order: it reads scores in single precision and sorts equal ones by id."""
    return all(_keeps_order(query) for query in run.queries)


def _keeps_order(query: QueryReport) -> bool:
    scores = np.array([result.score for result in query.results], dtype=np.float32)
    if not np.isfinite(scores).all():
        return False
    keys = [(score, result.id.encode()) for score, result in zip(scores.tolist(), query.results, strict=True)]
    return all(before > after for before, after in pairwise(keys))
