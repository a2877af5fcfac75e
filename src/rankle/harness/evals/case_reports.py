"""Cases with their trials, read from what was kept, with the figures of the run."""

import itertools
from collections.abc import Collection, Iterator
from operator import itemgetter

from rankle.core.trials import CaseReport
from rankle.harness.evals.aggregation import EvalFigures
from rankle.harness.evals.keeping import KeptEval
from rankle.harness.evals.outputs import as_json
from rankle.harness.evals.prepared import PreparedEval


def case_reports(
    prepared: PreparedEval, kept: KeptEval, figures: EvalFigures, *, places: Collection[int] | None = None
) -> Iterator[CaseReport]:
    """Each case that has a trial, in the order of the data; one is in memory at a time.

    places: of the cases that are wanted; None for all.
    """
    by_case = itertools.groupby(kept.trials(places), key=lambda one: one[0][0])
    for place, trials in by_case:
        case, found = prepared.cases[place], figures.case(place)
        yield CaseReport(
            id=case.id,
            position=case.position,
            input=as_json(case.input),
            expected=as_json(case.expected),
            metadata=as_json(dict(case.metadata)),
            tags=list(case.tags),
            status=found.status,
            scores=dict(found.scores),
            score=found.score,
            flaky=found.is_flaky,
            trials=list(map(itemgetter(1), trials)),
        )
