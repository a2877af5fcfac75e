"""Score a recorded run by other measures, without asking the system again."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from rankle.app.runs import LoadedRun, records_to_read
from rankle.core.errors import InputError, MeasureError
from rankle.core.product import NAME
from rankle.harness.evaluation import report_run
from rankle.harness.keeping import Stamp
from rankle.harness.stored_plan import unpack_plan
from rankle.metrics.measure import Measure, parse_measure, parse_measures
from rankle.records.exported import read_exported
from rankle.records.finding import check_complete
from rankle.records.reference import looks_like_file
from rankle.records.store import open_store


def rescore(ref: str, measures: str | Iterable[str | Measure], *, records: Path | None = None) -> LoadedRun:
    """The report that a recorded run would have had under these measures; the record stays as it is.

    The results are those of the day it ran, and so are the judgments. Ranks, fates and documents are told at
    the largest cut of the measures, as an evaluation does. `records` is as in `load_run`.

    Raises MeasureError on a measure that cannot be parsed, is deeper than the run, or refuses its grades;
    InputError for a file, which holds no more than was printed; and what `load_run` raises.
    """
    asked = _parsed(measures)
    if looks_like_file(ref):
        run = read_exported(ref).id
        raise InputError(
            f"{ref} is a file, which has not all that scoring needs; where its run is recorded, name that: "
            f"{NAME} rescore {run}"
        )
    with open_store(records_to_read(records)) as store:
        stored = store.read(ref)
    check_complete(stored.info)
    for measure in asked:
        if measure.k is not None and measure.k > stored.info.depth:
            raise MeasureError(
                f"{measure} is deeper than the {stored.info.depth} results a query that run {stored.info.id} "
                f"holds; evaluate again with --depth {measure.k}"
            )
    plan = unpack_plan(stored.plan)
    plan = replace(plan, settings=replace(plan.settings, measures=asked, k=None))
    outcomes = [stored.outcomes[place] for place in range(stored.info.n_queries)]
    report = report_run(plan, outcomes, stamp=Stamp(stored.info.id, stored.info.created))
    return LoadedRun(report, stored.info)


def _parsed(measures: str | Iterable[str | Measure]) -> tuple[Measure, ...]:
    if isinstance(measures, str):
        return parse_measures(measures)
    parsed = tuple(each if isinstance(each, Measure) else parse_measure(each) for each in measures)
    if not parsed:
        raise InputError("no measure is named, such as nDCG@20")
    return parsed
