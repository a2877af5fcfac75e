"""Score a run that was measured before by other measures, without asking the system again."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from rankle.app.runs import LoadedRun, load_run, records_to_read
from rankle.core.errors import CannotMeasureError, InputError, MeasureError
from rankle.core.product import NAME
from rankle.core.run import RunReport
from rankle.harness.evaluation import report_run
from rankle.harness.keeping import Stamp
from rankle.harness.rescoring import rescore_report
from rankle.harness.stored_plan import unpack_plan, with_empty_as_nothing
from rankle.metrics.measure import Measure, parse_measure, parse_measures
from rankle.records.store import open_store

if TYPE_CHECKING:
    from rankle.app.relabel import LabelledSet


def rescore(
    ref: str,
    measures: str | Iterable[str | Measure] | None = None,
    *,
    records: Path | None = None,
    empty_means_nothing: bool = False,
    labels: "LabelledSet | None" = None,
) -> LoadedRun:
    """The report that a run would have had under these measures; record and file stay as they are.

    The results are those of the day it ran, and so are the judgments unless a set is given. Ranks, fates and
    documents are told at the largest cut of the measures, as an evaluation does. `ref` and `records` are as
    in `load_run`: a file will do, where it holds all that its own figures were made from.
    measures: None takes those that it has.
    empty_means_nothing: takes queries without any label for such as should find nothing, as the set was not
        read the day it ran. A file does not tell which these are. Other labels are read as they say.
    labels: those of a set, which are taken in the place of those of that day; see `relabel`.

    Raises MeasureError on a measure that cannot be parsed, is deeper than the run, or refuses its grades;
    CannotMeasureError on a file that does not hold what it takes; and what `load_run` raises.
    """
    loaded = load_run(ref, records=records)
    asked = _parsed(loaded.report.measures if measures is None else measures)
    check_depth(asked, loaded.report)
    if loaded.info is None:
        _check_of_file(ref, loaded.report, empty_means_nothing=empty_means_nothing, labels=labels)
        return LoadedRun(_of_file(ref, loaded.report, asked), None)
    with open_store(records_to_read(records)) as store:
        stored = store.read(loaded.info.id)
    plan = unpack_plan(stored.plan)
    if measures is not None:
        plan = replace(plan, settings=replace(plan.settings, measures=asked, k=None))
    outcomes = [stored.outcomes[place] for place in range(stored.info.n_queries)]
    if labels is not None:
        from rankle.app.relabel import relabel

        relabelled = relabel(plan, outcomes, labels, run=ref)
        plan, outcomes = relabelled.plan, [*relabelled.outcomes]
    elif empty_means_nothing:
        plan = with_empty_as_nothing(plan)
    report = report_run(plan, outcomes, stamp=Stamp(stored.info.id, stored.info.created))
    return LoadedRun(report, stored.info)


def with_measures(
    run: RunReport, ref: str, measures: Sequence[Measure], *, records: Path | None = None
) -> RunReport:
    """A run with the measures that it has and these, as far as they can be made.

    ref: what it was loaded by. What it lacks and cannot be made stays out: it is deeper than the run, a file
    does not hold it, or the run is of an eval.
    """
    lacking = [
        measure
        for measure in measures
        if str(measure) not in run.measures and (measure.k is None or measure.k <= run.depth)
    ]
    if not lacking or run.level == "case":
        return run
    try:
        return rescore(ref, [*map(parse_measure, run.measures), *lacking], records=records).report
    except CannotMeasureError:
        return run


def check_depth(measures: Sequence[Measure], run: RunReport) -> None:
    """Raise MeasureError on a measure that looks deeper than the run went."""
    for measure in measures:
        if measure.k is not None and measure.k > run.depth:
            raise MeasureError(
                f"{measure} is deeper than the {run.depth} results a query that run {run.id} holds; "
                f"evaluate again with --depth {measure.k}"
            )


def _check_of_file(
    ref: str, run: RunReport, *, empty_means_nothing: bool, labels: "LabelledSet | None"
) -> None:
    """Raise InputError on what a file cannot be asked, since only a record holds what it takes."""
    if empty_means_nothing:
        why = "does not tell queries without a label from others without a target"
    elif labels is not None:
        why = "does not hold all results, so that other labels would find less than there was"
    else:
        return
    raise InputError(
        f"{ref} is a file, which {why}; name the run where it is recorded: {NAME} rescore {run.id}"
    )


def _of_file(ref: str, run: RunReport, measures: tuple[Measure, ...]) -> RunReport:
    if run.level == "case":
        raise CannotMeasureError(f"{ref} is a run of an eval, whose scores are not made of ranked results")
    try:
        return rescore_report(run, measures)
    except CannotMeasureError as error:
        again = (
            f"score them: {NAME} score QRELS RUN --measures {','.join(map(str, measures))}"
            if run.funnel is None
            else f"where its run is recorded, name that: {NAME} rescore {run.id}"
        )
        raise CannotMeasureError(f"{ref} cannot be scored by other measures: {error}; {again}") from error


def _parsed(measures: str | Iterable[str | Measure]) -> tuple[Measure, ...]:
    if isinstance(measures, str):
        return parse_measures(measures)
    parsed = tuple(each if isinstance(each, Measure) else parse_measure(each) for each in measures)
    if not parsed:
        raise InputError("no measure is named, such as nDCG@20")
    return parsed
