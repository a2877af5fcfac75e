"""How many queries does it take to see a difference of some size?"""

from pathlib import Path

from rankle.app.rescore import check_depth, with_measures
from rankle.app.run_refs import load_run
from rankle.core.errors import MeasureError
from rankle.core.evalset import EvalQuery
from rankle.core.run import RunReport
from rankle.formats.eval_set import read_eval_set
from rankle.formats.kinds import ReadOptions
from rankle.metrics.measure import parse_measure
from rankle.reports.power import NamedReport, PowerReport, PowerRequest, power_report


def power_of(
    set_file: Path,
    run: str,
    request: PowerRequest,
    *,
    against: str | None = None,
    records: Path | None = None,
    reading: ReadOptions = ReadOptions(),  # noqa: B008 - frozen
) -> PowerReport:
    """From the scores of a recorded run, or its differences from another one.

    run, against: names of runs; see `rankle.app.run_refs.load_run`. A measure that they lack is made from
    their records or files. Raises what reading the set and the runs raises, and as `power_report` does.
    """
    eval_set = read_eval_set(set_file, options=reading)
    first, *others = (
        NamedReport(name, _run(name, request.measure, records)) for name in (run, against) if name is not None
    )
    return power_report(
        first,
        request,
        set_name=eval_set.name,
        set_fingerprint=eval_set.fingerprint,
        n_queries=sum(map(_is_scorable, eval_set.queries)),
        against=others[0] if others else None,
    )


def _run(name: str, measure: str | None, records: Path | None) -> RunReport:
    run = load_run(name, records=records)
    try:
        wanted = [] if measure is None else [parse_measure(measure)]
    except MeasureError:
        return run  # a scorer of an eval; else the report says what there is
    if run.level != "case":
        check_depth(wanted, run)
    return with_measures(run, name, wanted, records=records)


def _is_scorable(query: EvalQuery) -> bool:
    return any(label.relevant or (label.relevant is None and label.grade > 0) for label in query.labels)
