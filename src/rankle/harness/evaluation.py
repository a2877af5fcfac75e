"""An evaluation, end to end: a set and systems in, the record of each run out."""

from collections.abc import Callable, Sequence
from typing import Final

import msgspec
from msgspec import UNSET, UnsetType

from rankle.core.errors import InputError
from rankle.core.evalset import EvalSet
from rankle.core.outcome import Outcome
from rankle.core.ports import SearchSystem, SystemDescription
from rankle.core.product import VERSION
from rankle.core.run import (
    CoverageReport,
    LabelReport,
    Latency,
    MeasureSummary,
    RunReport,
    SetInfo,
    SystemInfo,
)
from rankle.harness.abstention import tell_abstention
from rankle.harness.funnel import funnel_of
from rankle.harness.keeping import Keeper, KeepNothing, Plan
from rankle.harness.keeping import Stamp as Stamp
from rankle.harness.notices import run_notices
from rankle.harness.outcome import Clock, OnProgress
from rankle.harness.preparation import Prepared, prepare
from rankle.harness.query_reports import report_documents, report_query
from rankle.harness.runner import run_plan
from rankle.harness.running import running
from rankle.harness.scoring import Scored, Scores, score_outcomes
from rankle.harness.settings import Settings
from rankle.harness.summary import summarise_scores
from rankle.stats.latency import latency_percentiles

_KEEP_NOTHING: Final = KeepNothing()


async def evaluate_system(
    eval_set: EvalSet,
    system: SearchSystem,
    settings: Settings,
    *,
    stamp: Stamp,
    clock: Clock,
    on_progress: OnProgress,
    keeper: Keeper = _KEEP_NOTHING,
) -> RunReport:
    """Ask the system every query of the set, score its answers and say where relevant targets were lost.

    A query on which the system fails is in the record with its error, and in no mean.
    Raises InputError on what the set and the system do not allow, CannotMeasureError where no label joins the
    system, or no query has a relevant label or is marked as one that nothing answers.
    """
    (report,) = await evaluate_systems(
        eval_set,
        [system],
        settings,
        stamp=lambda: stamp,
        clock=clock,
        on_progress=on_progress,
        keeper=keeper,
    )
    return report


async def evaluate_systems(
    eval_set: EvalSet,
    systems: Sequence[SearchSystem],
    settings: Settings,
    *,
    stamp: Callable[[], Stamp],
    clock: Clock,
    on_progress: OnProgress,
    keeper: Keeper = _KEEP_NOTHING,
    one_catalog: bool = True,
) -> tuple[RunReport, ...]:
    """`evaluate_system` of several systems, one after another.

    one_catalog: whether all hold the same documents, so that the labels are joined once, to the catalog of
        the first. Else they are joined to each.
    stamp: called once per system, when its queries are about to be asked.
    on_progress: counts queries over all systems.
    keeper: told of every case as soon as it is done; what it knows already is not asked again.
    """
    plans = _plans(eval_set, systems, settings, one_catalog=one_catalog)
    n_items = len(plans[0].prepared.items)
    reports = []
    async with running(systems):
        for place, (system, plan) in enumerate(zip(systems, plans, strict=True)):
            with keeper.begin(plan, stamp=stamp) as kept:
                outcomes = await run_plan(
                    system,
                    plan.prepared.items,
                    depth=settings.depth,
                    level=plan.prepared.asked_level,
                    concurrency=settings.concurrency,
                    one_by_one=settings.one_by_one,
                    known=kept.known,
                    clock=clock,
                    on_progress=_counted_on(
                        on_progress, before=place * n_items, total=len(systems) * n_items
                    ),
                    keep=kept.keep,
                )
                report = report_run(plan, outcomes, stamp=kept.stamp)
                kept.finish(report)
            reports.append(report)
    return tuple(reports)


def _plans(
    eval_set: EvalSet, systems: Sequence[SearchSystem], settings: Settings, *, one_catalog: bool
) -> list[Plan]:
    described = [system.describe() for system in systems]
    if one_catalog:
        prepared = [prepare(eval_set, systems[0], settings)] * len(systems)
    else:
        prepared = [prepare(eval_set, system, settings) for system in systems]
    levels = {
        each.joined.level: description.name for each, description in zip(prepared, described, strict=True)
    }
    if len(levels) > 1:
        listed = ", ".join(f"{level} by {name}" for level, name in levels.items())
        raise InputError(f"the systems understand the labels at different levels ({listed}); say it: --level")
    return [Plan(*pair, settings) for pair in zip(prepared, described, strict=True)]


def _counted_on(on_progress: OnProgress, *, before: int, total: int) -> OnProgress:
    return lambda done, _: on_progress(before + done, total)


def report_run(plan: Plan, outcomes: Sequence[Outcome], *, stamp: Stamp) -> RunReport:
    """Score what the queries of a plan came to, and report it.

    outcomes: one a query, in the order of the plan. Raises MeasureError on grades that a measure refuses.
    """
    prepared, settings, description = plan.prepared, plan.settings, plan.description
    scored = score_outcomes(
        prepared.joined.queries,
        outcomes,
        measures=settings.all_measures,
        elsewhere=prepared.elsewhere,
        view=prepared.view,
    )
    k = settings.cuts[-1]
    reported = [report_query(query, k=k) for query in scored.queries]
    abstention = tell_abstention(reported, scored.queries, floor=description.floor)
    queries = abstention.queries
    return RunReport(
        id=stamp.id,
        created=stamp.created,
        rankle_version=VERSION,
        set=_set(prepared),
        level=prepared.joined.level.value,
        coverage=_coverage(prepared),
        depth=settings.depth,
        k=list(settings.cuts),
        ties="system",
        seed=0,
        system=_system(description),
        measures=_measures(scored),
        abstention=abstention.report,
        latency_ms=_latency(scored.queries),
        labels=_labels(prepared),
        funnel=funnel_of(queries, stages=description.stages, k=k),
        documents=report_documents(scored.queries, k=k),
        notices=run_notices(prepared, scored, description),
        n_duplicates_dropped=_n_duplicates(scored.queries),
        queries=queries,
    )


def _set(prepared: Prepared) -> SetInfo:
    asked = prepared.selection.eval_set
    return SetInfo(
        name=asked.name,
        fingerprint=asked.fingerprint,
        n_queries=len(asked.queries),
        n_in_file=prepared.selection.n_in_file,
    )


def _system(described: SystemDescription) -> SystemInfo:
    return SystemInfo(
        name=described.name,
        method=described.method,
        fingerprint=described.fingerprint,
        stages=list(described.stages),
        settings=dict(described.settings),
    )


def _measures(scored: Scores) -> dict[str, MeasureSummary]:
    return {
        str(measure): summarise_scores(values, n_failed=scored.n_failed)
        for measure, values in scored.columns.items()
    }


def _n_duplicates(queries: Sequence[Scored]) -> int:
    return sum(query.outcome.answer.n_duplicates for query in queries if query.outcome.answer is not None)


def _labels(prepared: Prepared) -> LabelReport:
    joined = prepared.joined
    return LabelReport(
        n_labels=joined.n_labels,
        n_joined=joined.n_joined,
        unknown=sorted(item.name for item in joined.unknown),
    )


def _coverage(prepared: Prepared) -> CoverageReport | UnsetType:
    if prepared.view is None:
        return UNSET
    shares = prepared.view.coverage
    return CoverageReport(of_span=shares.of_span, of_chunk=shares.of_chunk)


def _latency(queries: Sequence[Scored]) -> Latency:
    """Over what was timed alike: where batches answered, the queries that a crash sent on are left out."""
    outcomes = [query.outcome for query in queries if query.outcome.took_ms is not None]
    sizes = [outcome.batch_size for outcome in outcomes if outcome.batch_size is not None]
    timed = [
        outcome.took_ms
        for outcome in outcomes
        if outcome.took_ms is not None and (not sizes or outcome.batch_size is not None)
    ]
    percentiles = latency_percentiles(timed)
    reused = sum(outcome.reused_from is not None for outcome in outcomes)
    found = msgspec.structs.replace(percentiles, n_reused=reused or UNSET)
    return msgspec.structs.replace(found, of="batch", batch_size=max(sizes)) if sizes else found
