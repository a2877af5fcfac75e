"""Records of runs over queries that nothing answers, for what reads records."""

from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np

from fakes.runs import run_report
from rankle.core.run import RunReport
from rankle.harness.abstention import abstention_of
from rankle.harness.summary import summarise_scores


def abstaining_run(
    method: str,
    *,
    answerable: Sequence[bool | None],
    unanswerable: Sequence[bool | None],
    floor: float | None = 0.25,
    **changed: Any,
) -> RunReport:
    """A run with queries that have an answer, then queries that have none.

    answerable, unanswerable: whether the system abstained on each; None where it failed.
    Of the answerable ones `RR` is 0.25, 0.5, 0.75, 0.25, ...
    """
    sides = [True] * len(answerable) + [False] * len(unanswerable)
    abstained = [*answerable, *unanswerable]
    scores = [None if one is None else 0.25 * (1 + place % 3) for place, one in enumerate(abstained)]
    run = run_report(method, {"RR": scores})
    queries = []
    for query, side, one in zip(run.queries, sides, abstained, strict=True):
        told = msgspec.structs.replace(query, answerable=side)
        if one is not None:
            told = msgspec.structs.replace(told, abstained=one)
        if not side and one is not None:
            told = msgspec.structs.replace(told, status="undefined", scores={})
        queries.append(told)
    settings = {} if floor is None else {"floor": floor}
    column = [query.scores.get("RR", np.nan) for query in queries if query.status != "failed"]
    told_run = msgspec.structs.replace(
        run,
        id=f"{method:0<12}"[:12],
        queries=queries,
        measures={"RR": summarise_scores(np.array(column), n_failed=abstained.count(None))},
        abstention=abstention_of(queries, floor=floor),
        system=msgspec.structs.replace(run.system, settings=settings),
    )
    return msgspec.structs.replace(told_run, **changed)


def two_abstaining() -> tuple[RunReport, RunReport]:
    """With a floor 1 of 3 answerable queries and 2 of 4 others are abstained on, and a further one failed;
    without a floor 0 of 3 and 1 of 4."""
    return (
        abstaining_run(
            "fts5", answerable=[False, True, False], unanswerable=[True, True, False, False, None]
        ),
        abstaining_run(
            "hybrid",
            answerable=[False, False, False],
            unanswerable=[True, False, False, False, None],
            floor=None,
        ),
    )
