"""Choose the floor of a method on a set, set it by hand, and drop it."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import UnsetType

from rankle.app.evaluate import check_failures
from rankle.app.floor_choice import LEAST, BestScore, best_floor, figures_of, halves
from rankle.app.ids import new_stamp
from rankle.app.wiring.knowledge_base import knowledge_base_systems, open_knowledge_base
from rankle.app.wiring.settings import Settings
from rankle.core.errors import CannotMeasureError
from rankle.core.evalset import EvalQuery, EvalSet, Level
from rankle.core.floor import FloorReport
from rankle.core.run import RunReport
from rankle.core.sync import run_sync
from rankle.formats.eval_set import read_eval_set
from rankle.formats.kinds import ReadOptions
from rankle.harness.evaluation import evaluate_system
from rankle.harness.notices import NOTHING_TO_FIND
from rankle.harness.outcome import OnProgress
from rankle.harness.settings import Settings as Asked
from rankle.kb.floors import Floor
from rankle.kb.methods import METHODS
from rankle.kb.search_settings import DEFAULT_SETTINGS, SearchSettings
from rankle.systems.knowledge_base import UNUSED_FLOOR

if TYPE_CHECKING:
    from rankle.systems.knowledge_base import KnowledgeBaseSystem

_ASKED = Asked(k=(1,), level=Level.DOCUMENT)
"""Sets of any labels can be scored by document, and the best result scores the same at every level."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FloorRequest:
    """How a floor is to be chosen."""

    set_file: Path
    method: str | None = None
    """None takes the workspace's best."""
    seed: int = 0
    """Of the split into queries to choose on and others."""
    dry_run: bool = False
    reading: ReadOptions = field(default_factory=ReadOptions)
    ranking: SearchSettings = DEFAULT_SETTINGS
    max_failures: int = 0


def choose_floor(
    settings: Settings, asked: FloorRequest, *, now: Callable[[], datetime], on_progress: OnProgress
) -> FloorReport:
    """Ask every query, choose a floor on half of each side, and say how well it does on the other half.

    It is kept as the workspace's where it separates the sides of that half, unless it is a dry run.
    Raises CannotMeasureError where a side has fewer than `LEAST` different queries, or search failed on more
    queries than are allowed, and what an evaluation raises.
    """
    eval_set = read_eval_set(asked.set_file, options=asked.reading)
    _check_enough(eval_set)
    with open_knowledge_base(settings) as kb:
        (system,) = knowledge_base_systems(kb, methods=[asked.method], settings=asked.ranking)
        run = run_sync(
            evaluate_system(
                eval_set, system, _ASKED, stamp=new_stamp(), clock=time.perf_counter, on_progress=on_progress
            )
        )
        check_failures(run, max_failures=asked.max_failures)
        report = _report(run, eval_set, asked, workspace=settings.workspace)
        if report.kept:
            assert report.floor is not None
            kb.floors.keep(_floor(system, report.floor, now=now, eval_set=eval_set))
    return report


def set_floor(
    settings: Settings,
    value: float,
    *,
    method: str | None,
    ranking: SearchSettings,
    now: Callable[[], datetime],
) -> Floor:
    """Keep a floor that somebody chose, for scores of this ranking. method: None takes the workspace's best.

    Raises InputError for a value that is no number, and what a method raises that the workspace cannot do.
    """
    with open_knowledge_base(settings) as kb:
        (system,) = knowledge_base_systems(kb, methods=[method], settings=ranking)
        floor = _floor(system, value, now=now)
        kb.floors.keep(floor)
    return floor


def clear_floors(settings: Settings, *, method: str | None) -> tuple[str, ...]:
    """Drop the floor of a method, or of all. Returns the methods that had one."""
    with open_knowledge_base(settings) as kb:
        if method is not None:
            return (method,) if kb.floors.clear(method) else ()
        return tuple(name for name in METHODS if kb.floors.clear(name))


def list_floors(settings: Settings) -> tuple[Floor, ...]:
    with open_knowledge_base(settings) as kb:
        return kb.floors.all()


def _report(run: RunReport, eval_set: EvalSet, asked: FloorRequest, *, workspace: str) -> FloorReport:
    sides = _best_scores(run)
    split = halves(sides, seed=asked.seed)
    floor = best_floor(split.dev)
    rest = figures_of(split.rest, floor)
    separates = floor is not None and rest.low is not None and rest.low > 0.5
    n_sides = sum(not isinstance(query.answerable, UnsetType) for query in run.queries)
    return FloorReport(
        workspace=workspace,
        method=run.system.method,
        set_name=eval_set.name,
        set_fingerprint=eval_set.fingerprint,
        seed=asked.seed,
        criterion="balanced accuracy",
        floor=floor,
        separates=separates,
        kept=separates and not asked.dry_run,
        chosen_on=figures_of(split.dev, floor),
        rest=rest,
        rest_without=figures_of(split.rest, None),
        n_undefined=len(run.queries) - n_sides,
        n_failed=n_sides - len(sides),
        notices=[notice for notice in run.notices if not notice.startswith((NOTHING_TO_FIND, UNUSED_FLOOR))],
    )


def _best_scores(run: RunReport) -> list[BestScore]:
    """Of the queries of both sides that were answered."""
    return [
        BestScore(query.query, query.answerable, max((one.score for one in query.results), default=None))
        for query in run.queries
        if not isinstance(query.answerable, UnsetType) and query.status != "failed"
    ]


def _floor(
    system: "KnowledgeBaseSystem",
    value: float,
    *,
    now: Callable[[], datetime],
    eval_set: EvalSet | None = None,
) -> Floor:
    return Floor(
        method=system.method,
        value=value,
        chosen=now().strftime("%Y-%m-%dT%H:%M:%SZ"),
        basis=system.basis(),
        set_name=None if eval_set is None else eval_set.name,
        set_fingerprint=None if eval_set is None else eval_set.fingerprint,
        index=None if eval_set is None else system.describe().parts["index"],
    )


def _check_enough(eval_set: EvalSet) -> None:
    """Before anything is searched for."""
    n_nothing = _n_texts([query for query in eval_set.queries if not query.answerable])
    n_others = _n_texts([query for query in eval_set.queries if _has_relevant(query)])
    if min(n_nothing, n_others) < LEAST:
        raise CannotMeasureError(
            f"choosing a floor takes at least {LEAST} different queries that nothing answers and {LEAST} "
            f"with a relevant label: half of each choose, half say how well. {eval_set.name} has "
            f'{n_nothing} and {n_others}. Mark queries by "answerable": false, or take every '
            '"relevant": [] for such with --empty-means nothing; 50 of each tell far more'
        )


def _n_texts(queries: Sequence[EvalQuery]) -> int:
    return len({query.text for query in queries})


def _has_relevant(query: EvalQuery) -> bool:
    return any(label.grade > 0 if label.relevant is None else label.relevant for label in query.labels)
